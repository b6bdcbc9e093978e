"""What happens around a review: recovery, the way to other files, the caret, the view, and accepting by itself."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication

from driver import Driver
from redraft.api.inline_diff import KeptProposal
from redraft.qt.editor.inline_diff.view import InlineDiffView
from reviews import AFTER, ANSWER, BEFORE, ask, ask_and_wait
from servers import Live, ScriptedServer, openai_answer, openai_text


def test_keys_act_on_a_proposal_that_outlived_a_crash(driver: Driver, file: Path) -> None:
    original = driver.text
    kept = KeptProposal(original.index(BEFORE), BEFORE, AFTER, "document it")
    assert driver.application.editors.recover(driver.document, kept)
    driver.wait(lambda: len(driver.bars) == 2, "the hunks")
    block = driver.block
    assert block is not None
    assert block.model.words == "document it"
    driver.press("Ctrl+Return")
    driver.wait(lambda: not driver.bars, "the decision")
    assert driver.text == original.replace(BEFORE, AFTER)
    assert file.read_bytes() == original.encode()


def test_the_words_are_kept_with_a_proposal(driver: Driver, server: ScriptedServer) -> None:
    server.reply(*openai_answer(ANSWER))
    ask_and_wait(driver)
    (kept,) = driver.application.editors.of(driver.document).kept()  # type: ignore[attr-defined]  # a followed one
    assert kept["label"] == "document it, and give a float"


def test_keys_go_to_the_next_file_with_an_edit_and_back(driver: Driver, server: ScriptedServer, tmp_path: Path) -> None:
    server.reply(*openai_answer(ANSWER))
    ask_and_wait(driver)
    other = tmp_path / "other.py"
    other.write_text("x = 1\n")
    driver.application.bench.documents.open(other)
    assert driver.document.title == "other.py"
    driver.press("Ctrl+Alt+Shift+Down")
    driver.wait(lambda: driver.document.title == "sums.py", "the file with the edit")
    driver.wait(driver.document.editor.hasFocus, "the keyboard in it")


def test_after_an_accept_the_caret_stands_at_the_next_hunk(driver: Driver, server: ScriptedServer) -> None:
    server.reply(*openai_answer(ANSWER))
    ask_and_wait(driver)
    driver.press("Alt+Y")
    driver.wait(lambda: len(driver.bars) == 1, "the decision")
    editor = driver.document.editor
    assert editor.lineFromPosition(editor.currentPos()) == driver.text.split("\n").index("    return result")


def test_a_step_past_the_last_change_is_said_and_takes_the_caret_along(driver: Driver, server: ScriptedServer) -> None:
    server.reply(*openai_answer(ANSWER))
    ask_and_wait(driver)
    editor = driver.document.editor
    seen = []
    for key in ("Alt+J", "F7", "Alt+K", "Shift+F7"):
        driver.press(key)
        line = editor.lineFromPosition(editor.currentPos())
        seen.append((driver.shown.footer_detail, driver.text.split("\n")[line].strip()))
    first, last = "result = 0", "return result"
    assert seen == [("", last), ("back at the first", first), ("on to the last", last), ("", first)]


def test_the_caret_can_stay_after_an_accept(driver: Driver, server: ScriptedServer) -> None:
    driver.application.services.settings.set("inline_edit.after_accept", "stay")
    server.reply(*openai_answer(ANSWER))
    ask_and_wait(driver)
    before = driver.document.editor.caret()
    driver.press("Alt+Y")
    driver.wait(lambda: len(driver.bars) == 1, "the decision")
    assert driver.document.editor.caret() == before


def test_after_the_last_accept_in_a_file_the_next_file_with_an_edit_can_come_to_the_front(
    driver: Driver, server: ScriptedServer, tmp_path: Path
) -> None:
    driver.application.services.settings.set("inline_edit.after_accept", "next_file")
    server.reply(*openai_answer(ANSWER))
    ask_and_wait(driver)
    other = tmp_path / "other.py"
    other.write_text("x = 1\n")
    driver.application.bench.documents.open(other)
    server.reply(*openai_answer("<GENERATEDCODE>\nx = 2\n</GENERATEDCODE>"))
    driver.select_lines(1, 1)
    driver.press("Ctrl+K")
    driver.wait(lambda: driver.block, "the prompt block")
    driver.type("two")
    driver.press("Return")
    driver.wait(lambda: driver.document.undecided == 1 and not driver.document.is_running, "the hunk")
    driver.press("Alt+Y")
    driver.wait(lambda: driver.document.title == "sums.py", "the file with the other edit")
    driver.press("Alt+Y")
    driver.wait(lambda: driver.document.undecided == 1, "the first decision there")
    assert driver.document.title == "sums.py", "something is left to decide here"


def test_answers_accept_themselves_only_if_asked_for_and_escape_keeps_them(
    driver: Driver, server: ScriptedServer
) -> None:
    original = driver.text
    settings = driver.application.services.settings
    settings.set("inline_edit.auto_accept", True)
    settings.set("inline_edit.auto_accept_delay", 60.0)
    server.reply(*openai_answer(ANSWER))
    ask_and_wait(driver)
    block = driver.block
    assert block is not None
    driver.wait(lambda: block.model.footer_detail == "accepted in 60 s, Esc keeps it for review", "the announcement")
    driver.press("Escape")
    driver.wait(lambda: not block.model.footer_detail, "the usual review")
    assert len(driver.bars) == 2
    assert driver.text == original
    settings.set("inline_edit.auto_accept_delay", 0.1)
    server.reply(*openai_answer(ANSWER))
    driver.press("Ctrl+F5")
    driver.wait(lambda: driver.text == original.replace(BEFORE, AFTER), "the acceptance")


def scroll(driver: Driver, steps: int) -> None:
    """Turn the wheel over the text; up is positive."""
    viewport = driver.document.editor.viewport()
    place = QPointF(viewport.rect().center())
    event = QWheelEvent(
        place, viewport.mapToGlobal(place), QPoint(), QPoint(0, 120 * steps), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(viewport, event)


def test_the_view_follows_the_writing_until_the_user_scrolls_away(driver: Driver, server: ScriptedServer) -> None:
    editor = driver.document.editor
    live: Live = server.live()
    ask(driver)
    server.wait_for_request()
    long = "".join(f"    step_{number} = {number}\n" for number in range(80))
    for step in openai_text("<GENERATEDCODE>\n", "def total(items):\n", long, "    result = 0\n"):
        live.put(step)
    driver.wait(lambda: editor.firstVisibleLine() > 40, "the view to follow")
    [view] = editor.findChildren(InlineDiffView)
    chip = view._follower.chip
    assert not chip.isVisible()
    scroll(driver, 60)
    driver.wait(chip.isVisible, "the chip")
    top = editor.firstVisibleLine()
    for step in openai_text("    for item in items:\n"):
        live.put(step)
    driver.wait(lambda: view._progress.frontier == 3, "more of the answer")
    assert abs(editor.firstVisibleLine() - top) <= 1, "the user's place is left alone"
    driver.press("Alt+End")
    driver.wait(lambda: editor.firstVisibleLine() > top, "the view at the writing again")
    assert not chip.isVisible()
    driver.press("Escape")
    driver.wait(lambda: not driver.document.is_running, "the stop")


def test_the_command_that_repeats_says_which_instruction_it_would_run(driver: Driver, server: ScriptedServer) -> None:
    server.reply(*openai_answer(ANSWER))
    ask_and_wait(driver)
    application = driver.application
    assert application.registries.commands.detail("inline_edit.repeat") == "document it, and give a float"
    # As after a restart: the plugin comes back with nothing but what it had stored.
    manager = application.host.manager
    manager.disable("inline_edit")
    assert application.registries.commands.detail("inline_edit.repeat") == ""
    manager.enable("inline_edit")
    manager.activate("inline_edit")
    driver.wait(lambda: application.registries.commands.detail("inline_edit.repeat"), "the words in the history")
    assert application.registries.commands.detail("inline_edit.repeat") == "document it, and give a float"
