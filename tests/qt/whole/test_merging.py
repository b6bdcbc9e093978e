"""An answer that leaves out what stays, merged by a second model, in the window."""

from __future__ import annotations

from driver import Driver
from reviews import AFTER, BEFORE, ask
from servers import Live, ScriptedServer, openai_answer, openai_end, openai_text

SKETCH = 'def total(items):\n    """Sum of the items."""\n    # ... existing code ...\n    return float(result)\n'
CODE = f"<GENERATEDCODE>\n{SKETCH}</GENERATEDCODE>"


def begin_merge(driver: Driver, server: ScriptedServer) -> Live:
    """Ask, and wait until the second model is asked; its answer is still to come."""
    driver.application.services.settings.set("inline_edit.apply_model", "scripted")
    server.reply(*openai_answer(CODE))
    live: Live = server.live()
    ask(driver)
    server.wait_for_request(2)
    driver.wait(lambda: driver.shown.footer == "Merging with scripted", "the merge")
    return live


def test_the_merged_text_streams_in_is_accepted_and_one_undo_takes_it_back(
    driver: Driver, server: ScriptedServer
) -> None:
    original = driver.text
    live = begin_merge(driver, server)
    assert f"<code>{BEFORE}</code>" in server.requests[1].json()["messages"][0]["content"]
    for step in openai_text(*AFTER.splitlines(keepends=True)[:3]):
        live.put(step)
    driver.wait(lambda: driver.shown.footer_detail == "2 of 5 lines", "the second line")
    assert driver.text == original
    for step in (*openai_text(*AFTER.splitlines(keepends=True)[3:]), *openai_end()):
        live.put(step)
    live.end()
    driver.wait(lambda: len(driver.bars) == 2 and not driver.document.is_running, "two hunks")
    assert "Merged with scripted" in [chip.label for chip in driver.shown.chips]
    driver.press("Ctrl+Return")
    driver.wait(lambda: driver.text == original.replace(BEFORE, AFTER), "the decision")
    driver.press("Ctrl+Z")
    driver.wait(lambda: driver.text == original, "the undo")


def test_escape_while_merging_keeps_all_lines_that_were_not_reached(driver: Driver, server: ScriptedServer) -> None:
    original = driver.text
    live = begin_merge(driver, server)
    for step in openai_text(*AFTER.splitlines(keepends=True)[:3]):
        live.put(step)
    driver.wait(lambda: driver.shown.footer_detail == "2 of 5 lines", "the second line")
    driver.press("Escape")
    driver.wait(lambda: not driver.document.is_running, "the stop")
    assert driver.text == original
    driver.press("Ctrl+Return")
    driver.wait(lambda: not driver.bars, "the decision")
    assert driver.text == original.replace("def total(items):\n", 'def total(items):\n    """Sum of the items."""\n')


def test_the_model_that_applies_is_chosen_by_keys_and_the_keyboard_is_back_in_the_prompt(
    driver: Driver, server: ScriptedServer
) -> None:
    settings, picker = driver.application.services.settings, driver.application.bench.window.picker
    driver.select_lines(4, 8)
    driver.press("Ctrl+K")
    driver.wait(lambda: driver.block, "the prompt block")
    driver.press("Alt+M")
    driver.wait(lambda: "for_applying" in picker.shown_ids and picker.isVisible(), "the list of models")
    driver.type("apply large")
    driver.press("Return")
    driver.wait(lambda: picker.shown_ids == ["model:", "model:scripted"] and picker.isVisible(), "the second list")
    driver.press("Down")
    driver.press("Return")
    driver.wait(lambda: settings.get("inline_edit.apply_model") == "scripted", "the choice")
    driver.type("float please")
    assert driver.shown.words == "float please"
    assert not server.requests


def test_escape_in_the_lists_of_models_leads_back_to_the_prompt_and_never_into_the_text(driver: Driver) -> None:
    picker, original = driver.application.bench.window.picker, driver.text
    driver.select_lines(4, 8)
    driver.press("Ctrl+K")
    driver.wait(lambda: driver.block, "the prompt block")
    driver.press("Alt+M")
    driver.wait(picker.isVisible, "the list of models")
    driver.press("Escape")
    driver.type("float ")
    driver.press("Alt+M")
    driver.wait(picker.isVisible, "the list of models")
    driver.type("apply large")
    driver.press("Return")
    driver.wait(lambda: "model:" in picker.shown_ids and picker.isVisible(), "the second list")
    driver.press("Escape")
    driver.type("please")
    assert driver.shown.words == "float please"
    assert driver.text == original
