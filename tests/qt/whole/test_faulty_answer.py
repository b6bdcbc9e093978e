"""An answer with a fault: one key does not accept it, its buttons do."""

from __future__ import annotations

import pytest

from driver import Driver
from redraft.qt.editor.inline_diff.hunk_bar import Wish
from reviews import BEFORE, ask
from servers import ScriptedServer, openai_answer

LEFT_OUT = "def total(items):\n    # ... existing code ...\n    return float(sum(items))\n"
BROKEN = BEFORE.replace("return result", "return float(result")


def review(driver: Driver, server: ScriptedServer, code: str) -> None:
    """Ask, with repairs that bring nothing better."""
    for _ in range(2):
        server.reply(*openai_answer(f"<GENERATEDCODE>\n{code}</GENERATEDCODE>"))
    ask(driver)
    driver.wait(lambda: driver.document.undecided and not driver.document.is_running, "the review")


@pytest.mark.parametrize("keys", ["Ctrl+Return", "Alt+Y"])
@pytest.mark.parametrize(
    ("code", "reason"),
    [(LEFT_OUT, "Leaves code out"), (BROKEN, "Does not parse")],
    ids=["left out", "broken"],
)
def test_b36_one_key_does_not_accept_it_and_the_second_does(
    driver: Driver, server: ScriptedServer, keys: str, code: str, reason: str
) -> None:
    original = driver.text
    review(driver, server, code)
    driver.press(keys)
    driver.wait(lambda: driver.shown.footer_detail == f"{reason}: press again", "the reason")
    assert driver.text == original
    driver.press(keys)
    driver.wait(lambda: driver.text != original, "the decision")


def test_b36_a_button_is_asked_for_and_accepts(driver: Driver, server: ScriptedServer) -> None:
    original = driver.text
    review(driver, server, BROKEN)
    driver.click_hunk(0, Wish.ACCEPT)
    driver.wait(lambda: driver.text == original.replace(BEFORE, BROKEN), "the decision")
