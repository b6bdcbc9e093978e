"""An edit of the file of the whole window, asked for by keys: shared by its tests."""

from __future__ import annotations

from driver import Driver
from servers import Live, ScriptedServer, openai_end, openai_text

BEFORE = """\
def total(items):
    result = 0
    for item in items:
        result += item
    return result
"""
AFTER = '''\
def total(items):
    """Sum of the items."""
    result = 0
    for item in items:
        result += item
    return float(result)
'''
BEGUN = 'def total(items):\n    """Sum of the items."""\n    result = 0\n'
"""How it begins: with the first of its two hunks."""
ANSWER = f"<GENERATEDCODE>\n{AFTER}</GENERATEDCODE>"


def ask(driver: Driver, words: str = "document it, and give a float") -> None:
    """Select the first function, open the prompt and say what is wanted, all by keys."""
    driver.select_lines(4, 8)
    driver.press("Ctrl+K")
    driver.wait(lambda: driver.block, "the prompt block")
    driver.type(words)
    driver.press("Return")


def ask_and_wait(driver: Driver) -> None:
    """Ask, and wait for the two hunks."""
    ask(driver)
    driver.wait(lambda: len(driver.bars) == 2 and not driver.document.is_running, "two hunks")


def begin(driver: Driver, server: ScriptedServer) -> Live:
    """Ask for a change of the first function, and let its beginning come."""
    live = server.live()
    ask(driver)
    for step in openai_text("<GENERATEDCODE>\n", BEGUN):
        live.put(step)
    driver.wait(lambda: driver.bars, "the first hunk")
    return live


def end(live: Live) -> None:
    """Let the rest of it come."""
    for step in (*openai_text(AFTER[len(BEGUN) :], "</GENERATEDCODE>"), *openai_end()):
        live.put(step)
    live.end()
