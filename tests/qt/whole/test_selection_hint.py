from __future__ import annotations

from driver import Driver
from redraft.qt.editor.selection_hint import SelectionHint


def hint(driver: Driver) -> SelectionHint:
    found = driver.document.editor.findChild(SelectionHint)
    assert found is not None
    return found


def test_a_still_selection_is_told_the_key(driver: Driver) -> None:
    driver.select_lines(4, 8)
    assert hint(driver).text == ""
    driver.wait(lambda: hint(driver).text, "the hint")
    assert hint(driver).text == "Ctrl+K edit"
    editor = driver.document.editor
    assert hint(driver).y() == editor.line_y(7)
    shown = hint(driver).grab().toImage()
    ground = editor.theme.color("surface.0").rgb()
    assert any(shown.pixel(x, y) != ground for x in range(shown.width()) for y in range(shown.height()))


def test_it_goes_with_the_selection_and_while_a_prompt_is_open(driver: Driver) -> None:
    driver.select_lines(4, 8)
    driver.wait(lambda: hint(driver).text, "the hint")
    driver.press("Left")
    driver.wait(lambda: not hint(driver).text, "its end")
    driver.select_lines(4, 8)
    driver.press("Ctrl+K")
    driver.wait(lambda: driver.block, "the prompt block")
    driver.pause(600)
    assert hint(driver).text == ""


def test_it_can_be_turned_off(driver: Driver) -> None:
    driver.application.services.settings.set("editor.selection_hint", False)
    driver.select_lines(4, 8)
    driver.pause(600)
    assert hint(driver).text == ""
