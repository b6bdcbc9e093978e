"""An answer that needs an import: outside its lines nothing changes until the user asks for it."""

from __future__ import annotations

import pytest

from driver import Driver
from redraft.core.text import TextRange
from redraft.qt.editor.inline_diff.hunk_bar import Wish
from redraft.qt.widgets import ChipWidget
from reviews import AFTER, BEFORE, ask
from servers import ScriptedServer, openai_answer

HEAD = '"""Sums."""\n'


@pytest.fixture
def original(driver: Driver, server: ScriptedServer) -> str:
    """A review of two hunks of an answer that brings an import along."""
    before = driver.text
    server.reply(*openai_answer(f"<GENERATEDCODE>\nimport math\n\n\n{AFTER}</GENERATEDCODE>"))
    ask(driver)
    driver.wait(lambda: len(driver.bars) == 2 and not driver.document.is_running, "two hunks")
    return before


def chip(driver: Driver) -> ChipWidget:
    assert driver.block is not None
    chips = driver.block.findChildren(ChipWidget)
    return next(one for one in chips if one.isVisible() and one.accessibleName().startswith("Needs import math"))


def label(driver: Driver) -> str:
    return next(one.label for one in driver.shown.chips if one.label.startswith("Needs"))


def test_it_is_off_and_only_the_lines_change(driver: Driver, original: str) -> None:
    assert [one.label for one in driver.shown.chips] == [
        "Parses",
        "Nothing outside lines 4–8",
        "Needs import math: off",
    ]
    driver.press("Ctrl+Return")
    driver.wait(lambda: not driver.bars, "the decision")
    assert driver.text == original.replace(BEFORE, AFTER)


def test_switched_on_it_is_a_change_of_its_own_and_goes_in_with_all(driver: Driver, original: str) -> None:
    driver.click(chip(driver))
    driver.wait(lambda: len(driver.bars) == 3, "its hunk")
    assert (label(driver), driver.shown.footer, driver.document.undecided) == ("Needs import math: on", "3 hunks", 3)
    assert driver.text == original
    driver.press("Ctrl+Return")
    driver.wait(lambda: not driver.bars, "the decision")
    accepted = driver.text
    assert accepted == original.replace(BEFORE, AFTER).replace(HEAD, f"{HEAD}\nimport math\n")
    driver.press("Ctrl+Z")
    assert driver.text == original
    driver.press("Ctrl+Shift+Z")
    assert driver.text == accepted


def test_switched_off_again_or_rejected_it_is_gone(driver: Driver, original: str) -> None:
    driver.click(chip(driver))
    driver.wait(lambda: len(driver.bars) == 3, "its hunk")
    driver.click(chip(driver))
    driver.wait(lambda: len(driver.bars) == 2, "the answer alone")
    driver.click(chip(driver))
    driver.wait(lambda: len(driver.bars) == 3, "its hunk again")
    driver.click_hunk(0, Wish.REJECT)
    driver.wait(lambda: label(driver) == "Needs import math: off", "the switch")
    driver.press("Ctrl+Backspace")
    driver.wait(lambda: not driver.bars, "the rejection")
    assert driver.text == original


def test_it_can_be_accepted_alone(driver: Driver, original: str) -> None:
    driver.click(chip(driver))
    driver.wait(lambda: len(driver.bars) == 3, "its hunk")
    driver.click_hunk(0, Wish.ACCEPT)
    driver.wait(lambda: label(driver) == "Needs import math: in", "the decision")
    assert driver.text == original.replace(HEAD, f"{HEAD}\nimport math\n")
    assert driver.document.undecided == 2


def test_what_stands_there_by_now_does_not_come_twice(driver: Driver, original: str) -> None:
    place = original.index(HEAD) + len(HEAD)
    driver.document.editor.select(TextRange(place, place))
    driver.document.editor.focus_text()
    driver.type("import math")
    driver.press("Return")
    driver.click(chip(driver))
    driver.wait(lambda: label(driver) == "Needs import math: in", "the chip")
    driver.press("Ctrl+Return")
    driver.wait(lambda: not driver.bars, "the decision")
    assert driver.text == original.replace(BEFORE, AFTER).replace(HEAD, f"{HEAD}import math\n")
