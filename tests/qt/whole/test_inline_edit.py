from __future__ import annotations

from pathlib import Path

import pytest
import shiboken6

from driver import Driver
from redraft.qt.editor.inline_diff.hunk_bar import Wish
from reviews import AFTER, ANSWER, BEFORE, ask
from servers import Live, ScriptedServer, openai_answer, openai_end, openai_text


def test_one_hunk_accepted_and_one_rejected_is_what_the_file_holds(
    driver: Driver, server: ScriptedServer, file: Path
) -> None:
    original = file.read_bytes()
    pieces = [ANSWER[at : at + 7] for at in range(0, len(ANSWER), 7)]
    server.reply(*openai_answer(*pieces))
    ask(driver)
    driver.wait(lambda: len(driver.bars) == 2 and not driver.document.is_running, "two hunks")
    assert driver.text.encode() == original, "a proposal is not in the buffer"
    assert not driver.document.is_modified
    driver.click_hunk(0, Wish.ACCEPT)
    driver.wait(lambda: len(driver.bars) == 1, "the first decision")
    driver.click_hunk(0, Wish.REJECT)
    driver.wait(lambda: not driver.bars, "the second decision")
    driver.application.bench.run("file.save")
    expected = original.decode().replace(BEFORE, AFTER.replace("float(result)", "result"))
    assert file.read_bytes() == expected.encode()


def test_one_undo_takes_an_accepted_edit_back(driver: Driver, server: ScriptedServer, file: Path) -> None:
    server.reply(*openai_answer(ANSWER))
    ask(driver)
    driver.wait(lambda: len(driver.bars) == 2 and not driver.document.is_running, "two hunks")
    driver.press("Ctrl+Return")
    driver.wait(lambda: not driver.bars, "the decision")
    assert AFTER in driver.text
    driver.document.editor.focus_text()
    driver.press("Ctrl+Z")
    driver.wait(lambda: driver.text.encode() == file.read_bytes(), "the original")
    driver.press("Ctrl+Shift+Z")
    driver.wait(lambda: AFTER in driver.text, "the accepted text again")


def test_saving_while_a_proposal_is_undecided_writes_the_original(
    driver: Driver, server: ScriptedServer, file: Path
) -> None:
    original = file.read_bytes()
    server.reply(*openai_answer(ANSWER))
    ask(driver)
    driver.wait(lambda: len(driver.bars) == 2 and not driver.document.is_running, "two hunks")
    driver.press("Ctrl+S")
    assert file.read_bytes() == original
    assert len(driver.bars) == 2


def test_escape_stops_and_what_was_not_reached_stays(driver: Driver, server: ScriptedServer, file: Path) -> None:
    original = file.read_bytes()
    live: Live = server.live()
    ask(driver)
    server.wait_for_request()
    for step in openai_text("<GENERATEDCODE>\n", 'def total(items):\n    """Sum of the items."""\n    result = 0\n'):
        live.put(step)
    driver.wait(lambda: driver.shown.footer_detail == "2 of 5 lines", "the second line")
    driver.press("Escape")
    driver.wait(lambda: not driver.document.is_running, "the stop")
    assert driver.text.encode() == original
    driver.press("Ctrl+Return")
    driver.wait(lambda: not driver.bars, "the decision")
    assert driver.text == original.decode().replace(
        "def total(items):\n", 'def total(items):\n    """Sum of the items."""\n'
    )


@pytest.mark.parametrize("finish", ["length", None])
def test_a_cut_off_answer_deletes_nothing(
    driver: Driver, server: ScriptedServer, file: Path, finish: str | None
) -> None:
    original = file.read_bytes()
    begun = openai_text("<GENERATEDCODE>\n", 'def total(items):\n    """Sum of the items."""\n    resu')
    server.reply(*begun, *(openai_end(finish) if finish else ()))
    ask(driver)
    driver.wait(lambda: driver.bars and not driver.document.is_running, "the end")
    assert driver.text.encode() == original
    [bar] = driver.bars
    assert bar.isVisible()
    driver.press("Escape")
    driver.press("Escape")
    driver.wait(lambda: not driver.bars, "the rejection")
    assert driver.text.encode() == original
    assert file.read_bytes() == original


def test_words_without_code_change_nothing(driver: Driver, server: ScriptedServer, file: Path) -> None:
    original = file.read_bytes()
    server.reply(*openai_answer("I cannot do that."))
    server.reply(*openai_answer("I cannot do that."))
    ask(driver)
    driver.wait(lambda: server.requests and not driver.document.is_running, "the end")
    assert driver.text.encode() == original
    assert not driver.bars


def test_nothing_of_the_key_is_written_anywhere(driver: Driver, server: ScriptedServer, own_home: Path) -> None:
    server.reply(*openai_answer(ANSWER))
    ask(driver)
    driver.wait(lambda: driver.bars, "a hunk")
    driver.press("Ctrl+Return")
    driver.application.session.save()
    assert server.requests[0].headers["authorization"] == "Bearer sk-test-planted"
    files = [path for path in own_home.rglob("*") if path.is_file()]
    assert files
    assert not [path for path in files if b"sk-test-planted" in path.read_bytes()]


def test_no_wrapper_of_a_layout_item_can_go_stale(driver: Driver, server: ScriptedServer) -> None:
    """A stale one once gave a `QWidgetItem` where a scroll bar was asked for."""
    server.reply(*openai_answer(ANSWER))
    ask(driver)
    driver.wait(lambda: driver.bars, "a hunk")
    names = [type(wrapper).__name__ for wrapper in shiboken6.getAllValidWrappers()]
    assert not [name for name in names if name in {"QWidgetItem", "QSpacerItem"}]
