"""An edit of the file of the whole window, asked for by keys: shared by its tests."""

from __future__ import annotations

from driver import Driver

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
