"""Looking at a proposal in other ways, and what is said of it; all by keys."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from driver import Driver
from redraft.core.text import TextRange
from redraft.qt.editor.inline_diff.hunk_bar import Wish
from redraft.qt.editor.review.columns_pane import ColumnsPane
from redraft.qt.editor.review.text_pane import TextPane
from reviews import AFTER, ANSWER, BEFORE, ask_and_wait
from servers import ScriptedServer, openai_answer


@pytest.fixture
def said(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What screen readers were told."""
    sentences: list[str] = []
    monkeypatch.setattr(driver.application.voice, "announce", sentences.append)
    return sentences


def test_screen_readers_hear_of_start_text_end_hunks_and_decisions(
    driver: Driver, server: ScriptedServer, said: list[str]
) -> None:
    server.reply(*openai_answer(*(ANSWER[at : at + 7] for at in range(0, len(ANSWER), 7))))
    ask_and_wait(driver)
    assert said[0] == "Asked the model."
    assert said[-1] == "Done: 2 hunks, plus 2, minus 1."
    driver.press("F7")
    assert said[-1] == "Hunk 2 of 2, 1 line removed, 1 added"
    names = [bar.buttons[Wish.ACCEPT].accessibleName() for bar in driver.bars]
    assert names == [
        "Accept hunk: Hunk 1 of 2, 1 line added",
        "Accept hunk: Hunk 2 of 2, 1 line removed, 1 added",
    ]
    driver.press("Shift+F7")
    assert said[-1] == "Hunk 1 of 2, 1 line added"
    driver.press("Alt+Y")
    driver.wait(lambda: len(driver.bars) == 1, "the first decision")
    assert said[-1] == "Accepted, 1 left."
    driver.press("Alt+N")
    driver.wait(lambda: not driver.bars, "the second decision")
    assert said[-1] == "Rejected."


def test_all_hunks_accepted_at_once_are_announced_once(driver: Driver, server: ScriptedServer, said: list[str]) -> None:
    server.reply(*openai_answer(ANSWER))
    ask_and_wait(driver)
    driver.press("Ctrl+Return")
    driver.wait(lambda: not driver.bars, "the decision")
    assert said.count("Accepted.") == 1


def test_the_text_view_tells_the_difference_without_colours_and_takes_decisions(
    driver: Driver, server: ScriptedServer
) -> None:
    server.reply(*openai_answer(ANSWER))
    ask_and_wait(driver)
    driver.press("Alt+F2")
    [pane] = driver.window.findChildren(TextPane)
    driver.wait(pane.field.hasFocus, "the keyboard in the text view")
    assert pane.text == (
        "Proposed changes: 2 hunks, plus 2, minus 1\n\n"
        'Hunk 1 of 2, 1 line added, at line 5\n+     """Sum of the items."""\n\n'
        "Hunk 2 of 2, 1 line removed, 1 added, at line 8\n-     return result\n+     return float(result)\n"
    )
    driver.press("F7")
    assert pane.field.textCursor().block().text().startswith("Hunk 2 of 2")
    driver.press("Alt+Y")
    driver.wait(lambda: pane.text.startswith("Proposed changes: 1 hunk, plus 1\n"), "the decision")
    driver.press("Escape")
    driver.wait(driver.document.editor.hasFocus, "the keyboard back in the code")
    assert not pane.isVisible()
    assert "return float(result)" in driver.text


def test_side_by_side_shows_both_texts_and_takes_decisions(driver: Driver, server: ScriptedServer) -> None:
    server.reply(*openai_answer(ANSWER))
    original = driver.text
    ask_and_wait(driver)
    driver.press("Alt+F7")
    [pane] = driver.window.findChildren(ColumnsPane)
    assert pane.old.plain_text() == original
    assert pane.new.plain_text() == original.replace(BEFORE, AFTER)
    assert pane.old.annotationLines(3) == 2, "the row above the first hunk, and a blank one beside the new line"
    assert pane.new.annotationLines(3) == 1
    driver.wait(pane.new.hasFocus, "the keyboard in the new column")
    driver.press("Alt+Y")
    driver.wait(lambda: '"""Sum of the items."""' in pane.old.plain_text(), "the accepted hunk at the left")
    driver.press("Ctrl+Return")
    driver.wait(lambda: not pane.isVisible(), "the end of the view")
    assert driver.text == original.replace(BEFORE, AFTER)
    driver.wait(lambda: QApplication.focusWidget() is driver.document.editor, "the keyboard back in the code")


def test_columns_scroll_together(driver: Driver, server: ScriptedServer) -> None:
    server.reply(*openai_answer(ANSWER))
    ask_and_wait(driver)
    driver.window.resize(800, 360)
    driver.press("Alt+F7")
    [pane] = driver.window.findChildren(ColumnsPane)
    pane.old.setFirstVisibleLine(3)
    driver.wait(lambda: pane.new.firstVisibleLine() == pane.old.firstVisibleLine() > 0, "the new column to follow")


def test_the_selection_does_not_hide_the_colours_of_the_proposal(driver: Driver, server: ScriptedServer) -> None:
    server.reply(*openai_answer(ANSWER))
    ask_and_wait(driver)
    assert driver.document.editor.selection().is_empty


def test_a_part_of_the_added_lines_is_accepted_side_by_side(driver: Driver, server: ScriptedServer) -> None:
    original = driver.text
    longer = AFTER.replace("    result = 0\n", "    # Exact.\n    if not items:\n        return 0\n    result = 0\n")
    server.reply(*openai_answer(f"<GENERATEDCODE>\n{longer}</GENERATEDCODE>"))
    ask_and_wait(driver)
    driver.press("Alt+F7")
    [pane] = driver.window.findChildren(ColumnsPane)
    driver.wait(pane.new.hasFocus, "the keyboard in the new column")
    added = pane.new.plain_text()
    start = added.index('    """Sum')
    pane.new.select(TextRange(start, added.index("    if not items")))
    driver.press("Alt+Y")
    accepted = '    """Sum of the items."""\n    # Exact.\n'
    driver.wait(lambda: accepted in driver.text, "the part")
    assert driver.text == original.replace("def total(items):\n", f"def total(items):\n{accepted}")
    assert driver.document.undecided == 2
