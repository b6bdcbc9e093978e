"""The text is changed while a proposal waits: on disk, or by the user."""

from __future__ import annotations

import os
from pathlib import Path

from driver import Driver
from redraft.core.text import TextRange
from redraft.qt.editor.review.three_way_pane import ThreeWayPane
from redraft.qt.widgets import KeyButton
from reviews import AFTER, ANSWER, BEFORE, ask_and_wait
from servers import ScriptedServer, openai_answer


def strip_of(driver: Driver) -> str:
    block = driver.block
    assert block is not None
    strip = block.model.strip
    return strip.text if strip is not None else ""


def start(driver: Driver, server: ScriptedServer) -> None:
    server.reply(*openai_answer(ANSWER))
    ask_and_wait(driver)


def test_a_change_on_disk_elsewhere_is_taken_in_and_the_hunks_stay(
    driver: Driver, server: ScriptedServer, file: Path
) -> None:
    start(driver, server)
    changed = "# A new head.\n" + file.read_text().replace("len(items)", "max(len(items), 1)")
    file.write_text(changed)
    driver.wait(lambda: driver.text == changed, "the new text")
    assert not driver.document.is_modified
    assert len(driver.bars) == 2
    assert strip_of(driver) == ""
    driver.press("Ctrl+Return")
    driver.wait(lambda: not driver.bars, "the decision")
    assert driver.text == changed.replace(BEFORE, AFTER)


def test_a_hunk_whose_text_changed_on_disk_needs_review_and_the_others_fit(
    driver: Driver, server: ScriptedServer, file: Path
) -> None:
    start(driver, server)
    changed = file.read_text().replace("return result\n", "return result  # exact\n")
    file.write_text(changed)
    driver.wait(lambda: strip_of(driver), "the strip")
    assert strip_of(driver) == "Changed on disk: hunk 2 meets it, 1 still fits"
    driver.press("Ctrl+Return")
    driver.wait(lambda: '"""Sum of the items."""' in driver.text, "the hunk that fits")
    assert "return result  # exact" in driver.text, "nothing of the other program is overwritten"


def test_a_new_time_stamp_alone_is_nothing(driver: Driver, server: ScriptedServer, file: Path) -> None:
    start(driver, server)
    os.utime(file, (1, 1))
    driver.application.notices._watch.check_all()
    assert strip_of(driver) == ""
    view = driver.window.view_of(driver.document)
    assert view.notice.notice is None


def test_comparing_three_ways_ends_with_the_side_that_was_chosen(
    driver: Driver, server: ScriptedServer, file: Path
) -> None:
    start(driver, server)
    file.write_text(file.read_text().replace("return result\n", "return result  # exact\n"))
    driver.wait(lambda: strip_of(driver), "the strip")
    driver.press("Alt+Shift+F7")
    [pane] = driver.window.findChildren(ThreeWayPane)
    assert pane.was.plain_text() == "    return result\n"
    assert pane.now.plain_text() == "    return result  # exact\n"
    assert pane.proposed.plain_text() == "    return float(result)\n"
    assert not pane.choices.merge.isVisible(), "both sides changed the same line"
    driver.wait(pane.choices.take.hasFocus, "the keyboard on a choice")
    driver.press("Space")
    driver.wait(lambda: not pane.isVisible(), "the end of the comparison")
    assert "    return float(result)\n" in driver.text
    driver.document.editor.focus_text()
    driver.press("Ctrl+Z")
    driver.wait(lambda: "return result  # exact" in driver.text, "the undo")


def test_a_hunk_the_user_edits_needs_review_until_it_is_edited_back(driver: Driver, server: ScriptedServer) -> None:
    start(driver, server)
    editor = driver.document.editor
    editor.focus_text()
    editor.gotoPos(driver.text.index("return result") + len("return result"))
    driver.type("s")
    driver.wait(lambda: strip_of(driver), "the strip")
    assert strip_of(driver) == "Changed by hand: hunk 2 meets it, 1 still fits"
    driver.press("Backspace")
    driver.wait(lambda: not strip_of(driver), "the usual block")
    assert len(driver.bars) == 2


def test_a_hunk_kept_for_later_is_not_counted_by_the_button_that_accepts(
    driver: Driver, server: ScriptedServer
) -> None:
    start(driver, server)
    editor = driver.document.editor
    end = driver.text.index("return result") + len("return result")
    editor.select(TextRange(end, end))
    editor.focus_text()
    driver.type(" ")
    driver.wait(lambda: strip_of(driver), "the strip")
    assert driver.block is not None
    buttons = {button.accessibleName(): button for button in driver.block.findChildren(KeyButton) if button.isVisible()}
    driver.click(buttons["Keep for later"])
    driver.wait(lambda: not strip_of(driver), "the usual review")
    assert (driver.shown.footer, driver.shown.footer_detail) == ("2 hunks", "1 kept for later")
    assert driver.shown.actions[-1].label == "Accept all (1)"
    driver.press("Ctrl+Return")
    driver.wait(lambda: '"""Sum of the items."""' in driver.text, "the hunk that fits")
    driver.wait(lambda: driver.shown.actions[-1].label == "Compare three ways", "the way to decide the other one")
