"""A proposal changed by hand in a tab of its own."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtGui import QGuiApplication

from driver import Driver
from reviews import AFTER, ANSWER, BEFORE, ask_and_wait
from servers import ScriptedServer, openai_answer


def open_tab(driver: Driver, server: ScriptedServer) -> None:
    server.reply(*openai_answer(ANSWER))
    ask_and_wait(driver)
    driver.press("Alt+E")
    driver.wait(lambda: driver.document.title == "sums.py (proposal)", "the tab of the proposal")


def test_what_was_typed_into_the_proposal_is_what_is_accepted(
    driver: Driver, server: ScriptedServer, file: Path
) -> None:
    original = file.read_bytes()
    open_tab(driver, server)
    assert driver.text == AFTER
    driver.document.editor.gotoPos(AFTER.index("float"))
    driver.type("int(round")
    driver.document.editor.gotoPos(driver.text.index("float(result)"))
    assert file.read_bytes() == original
    assert not driver.document.is_modified, "nobody is asked to save a proposal"
    driver.press("Ctrl+Return")
    driver.wait(lambda: driver.document.title == "sums.py", "the file in front")
    edited = AFTER.replace("float(result)", "int(roundfloat(result)")
    assert driver.text == original.decode().replace(BEFORE, edited)
    assert [document.title for document in driver.application.bench.documents.all] == ["sums.py"]


def test_the_overlay_shows_what_was_typed_into_the_proposal(driver: Driver, server: ScriptedServer) -> None:
    open_tab(driver, server)
    driver.document.editor.gotoPos(AFTER.index("Sum of"))
    driver.type("The ")
    driver.press("Escape")
    driver.wait(lambda: driver.document.title == "sums.py", "the file in front")
    driver.wait(lambda: len(driver.bars) == 2, "the two hunks")
    driver.press("Ctrl+Return")
    driver.wait(lambda: not driver.bars, "the decision")
    assert '"""The Sum of the items."""' in driver.text


def test_closing_the_proposal_keeps_what_was_typed_and_asks_nothing(driver: Driver, server: ScriptedServer) -> None:
    open_tab(driver, server)
    driver.document.editor.gotoPos(AFTER.index("Sum of"))
    driver.type("The ")
    driver.application.bench.documents.close(driver.document)
    driver.wait(lambda: driver.document.title == "sums.py", "the file in front")
    driver.press("Ctrl+Return")
    driver.wait(lambda: not driver.bars, "the decision")
    assert '"""The Sum of the items."""' in driver.text


def test_rejecting_from_the_proposal_changes_nothing(driver: Driver, server: ScriptedServer, file: Path) -> None:
    open_tab(driver, server)
    driver.document.editor.gotoPos(0)
    driver.type("x")
    driver.application.bench.run("inline_edit.reject_all")
    driver.wait(lambda: driver.document.title == "sums.py", "the file in front")
    assert driver.text.encode() == file.read_bytes()


def test_the_proposal_can_be_copied(driver: Driver, server: ScriptedServer) -> None:
    server.reply(*openai_answer(ANSWER))
    ask_and_wait(driver)
    driver.application.bench.refresh_focus()
    driver.application.bench.run("inline_edit.copy_proposal")
    assert QGuiApplication.clipboard().text() == AFTER
