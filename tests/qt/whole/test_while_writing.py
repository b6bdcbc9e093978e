"""Decisions and undo while the model still writes, in the whole window."""

from __future__ import annotations

import pytest

from driver import Driver
from redraft.core.text import TextRange
from redraft.qt.editor.inline_diff.hunk_bar import Wish
from reviews import AFTER, BEFORE, BEGUN, ask, begin, end
from servers import Live, ScriptedServer, openai_end, openai_text

FIRST = BEGUN + BEFORE[BEFORE.index("    for item") :]
"""The answer's first hunk alone."""


def decide(driver: Driver, how: str) -> None:
    """Decide the hunk that has come, by key or by its button."""
    if how == "click":
        driver.click_hunk(0, Wish.ACCEPT)
    else:
        driver.document.editor.focus_text()
        driver.press(how)
    driver.wait(lambda: not driver.bars, "the decision")


def end_with_the_first_hunk(live: Live) -> None:
    for step in (*openai_text(FIRST[len(BEGUN) :], "</GENERATEDCODE>"), *openai_end()):
        live.put(step)
    live.end()


def wait_for_the_end(driver: Driver, hunks: int) -> None:
    driver.wait(lambda: len(driver.bars) == hunks and not driver.document.is_running, f"{hunks} hunks")


@pytest.mark.parametrize("how", ["Alt+Y", "Alt+N", "click"])
def test_a_hunk_is_decided_while_the_rest_comes_and_undo_offers_it_again(
    driver: Driver, server: ScriptedServer, how: str
) -> None:
    original = driver.text
    live = begin(driver, server)
    decide(driver, how)
    assert driver.text == (original if how == "Alt+N" else original.replace("result = 0", BEGUN[19:-1].lstrip(), 1))
    assert driver.block is not None, "it says how far the model is, and has the button that stops it"
    assert driver.document.is_running
    end(live)
    wait_for_the_end(driver, 1)

    driver.document.editor.focus_text()
    driver.press("Ctrl+Z")
    driver.wait(lambda: len(driver.bars) == 2, "the first hunk again")
    assert driver.text == original
    driver.press("Ctrl+Return")
    assert driver.text == original.replace(BEFORE, AFTER)


@pytest.mark.parametrize("is_ended", [True, False], ids=["at the end", "while it comes"])
def test_a_hunk_that_only_deletes_is_offered_again_after_undo(
    driver: Driver, server: ScriptedServer, *, is_ended: bool
) -> None:
    original, shorter = driver.text, AFTER.replace(BEGUN, BEGUN[: BEGUN.index("    ")])
    live = server.live()
    ask(driver, "delete the first line, and give a float")
    for step in openai_text("<GENERATEDCODE>\n", shorter[: shorter.index("    return")]):
        live.put(step)
    driver.wait(lambda: driver.bars, "the lines that go")
    decide(driver, "Alt+Y")
    assert driver.text == original.replace("    result = 0\n", "", 1)

    def end_it() -> None:
        for step in (*openai_text(shorter[shorter.index("    return") :], "</GENERATEDCODE>"), *openai_end()):
            live.put(step)
        live.end()

    if is_ended:
        end_it()
        wait_for_the_end(driver, 1)
    driver.document.editor.focus_text()
    driver.press("Ctrl+Z")
    driver.wait(lambda: driver.bars and driver.text == original, "the lines that go again")
    if not is_ended:
        end_it()
    wait_for_the_end(driver, 2)
    driver.press("Ctrl+Return")
    assert driver.text == original.replace(BEFORE, shorter)
    driver.press("Ctrl+Z")
    assert driver.text == original


def test_an_answer_decided_while_it_came_leaves_nothing_to_ask(driver: Driver, server: ScriptedServer) -> None:
    original = driver.text
    live = begin(driver, server)
    decide(driver, "Alt+Y")
    end_with_the_first_hunk(live)
    driver.wait(lambda: driver.block is None, "the end of the edit")
    assert driver.text == original.replace(BEFORE, FIRST)

    driver.document.editor.focus_text()
    driver.press("Ctrl+Z")
    driver.wait(lambda: len(driver.bars) == 1, "the hunk again")
    assert driver.text == original


def test_undoing_what_was_typed_meanwhile_keeps_every_hunk(driver: Driver, server: ScriptedServer) -> None:
    original = driver.text
    live = begin(driver, server)
    driver.document.editor.select(TextRange(0, 0))
    driver.document.editor.focus_text()
    driver.type("z")
    end(live)
    wait_for_the_end(driver, 2)
    driver.press("Ctrl+Z")
    assert driver.text == original
    assert len(driver.bars) == 2
    driver.press("Ctrl+Return")
    assert driver.text == original.replace(BEFORE, AFTER)


def test_a_hunk_that_hides_something_is_not_accepted_while_the_rest_comes(
    driver: Driver, server: ScriptedServer
) -> None:
    original = driver.text
    live = server.live()
    driver.select_lines(4, 8)
    driver.press("Ctrl+K")
    driver.wait(lambda: driver.block, "the prompt block")
    driver.type("document it")
    driver.press("Return")
    for step in openai_text("<GENERATEDCODE>\n", BEGUN.replace("Sum", "S\u202eum")):
        live.put(step)
    driver.wait(lambda: driver.bars, "the first hunk")
    driver.document.editor.focus_text()
    driver.press("Alt+Y")
    assert driver.text == original
    assert not driver.bars[0].buttons[Wish.ACCEPT].isEnabled()
    live.drop()
