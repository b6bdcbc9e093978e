"""The whole flow with the keyboard alone, and every key that a button shows."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from driver import Driver
from redraft.core.text import TextRange
from redraft.qt.editor.annotations import AnnotationRegistry
from redraft.qt.editor.inline_diff.hunk_bar import Wish
from redraft.qt.editor.review.columns_pane import ColumnsPane
from reviews import AFTER, ANSWER, BEFORE, ask, ask_and_wait
from servers import ScriptedServer, error_reply, openai_answer, openai_end, openai_text
from window_fakes import PresetQuestions

TESTED_ALIKE = AFTER.replace("float(result)", "result")


def test_the_whole_flow_by_keys_alone(driver: Driver, server: ScriptedServer, file: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.py"
    other.write_bytes(file.read_bytes())
    questions = PresetQuestions()
    questions.open_paths = [other]
    driver.application.bench.documents._questions = driver.application.bench.questions = questions

    driver.press("Ctrl+O")
    driver.wait(lambda: driver.document.path == other, "the file to open")
    for _ in range(3):
        driver.press("Down")
    driver.press("Home")
    for _ in range(5):
        driver.press("Shift+Down")

    server.reply(*openai_answer(ANSWER))
    driver.press("Ctrl+K")
    driver.wait(lambda: driver.block and driver.block.has_focus, "the prompt")
    driver.type("/do")
    driver.press("Return")
    driver.wait(lambda: len(driver.bars) == 2 and not driver.document.is_running, "two hunks")
    assert "document" in server.requests[0].body.decode().lower()

    server.reply(*openai_answer(ANSWER.replace("Sum of the items.", "The sum.")))
    driver.wait(lambda: driver.block and driver.block.has_focus, "the keyboard still in the prompt")
    driver.type("shorter")
    driver.press("Return")
    driver.wait(lambda: len(server.requests) == 2 and len(driver.bars) == 2, "the refined answer")
    driver.wait(lambda: not driver.document.is_running, "its end")

    driver.press("Alt+J")
    driver.press("Alt+N")
    driver.wait(lambda: len(driver.bars) == 1, "the rejection")
    driver.press("Alt+Y")
    driver.wait(lambda: not driver.bars, "the decision")
    changed = driver.text
    assert changed == file.read_text(encoding="utf-8").replace(
        BEFORE, TESTED_ALIKE.replace("Sum of the items.", "The sum.")
    )
    driver.wait(driver.document.editor.hasFocus, "the keyboard back in the text")
    driver.press("Ctrl+Z")
    driver.press("Ctrl+Z")
    assert driver.text == file.read_text(encoding="utf-8")
    driver.press("Ctrl+Shift+Z")
    driver.press("Ctrl+Shift+Z")
    assert driver.text == changed
    driver.press("Ctrl+S")
    assert other.read_text(encoding="utf-8") == changed
    driver.press("Ctrl+W")
    driver.wait(lambda: driver.document.path == file, "the closed tab")


def focus(driver: Driver, where: str) -> None:
    """Put the keyboard into the text or into the prompt, by the key for it."""
    block = driver.block
    assert block is not None
    if block.has_focus != (where == "prompt"):
        driver.press("Ctrl+Shift+K")
    driver.wait(lambda: block.has_focus == (where == "prompt"), f"the keyboard in the {where}")
    if where == "text":
        driver.wait(driver.document.editor.hasFocus, "the keyboard in the text")


@pytest.mark.parametrize("where", ["text", "prompt"])
@pytest.mark.parametrize("action", ["accept_all", "reject_all", "retry", "side_by_side"])
def test_b75_every_key_on_a_button_of_the_block_does_what_it_says(
    driver: Driver, server: ScriptedServer, action: str, where: str
) -> None:
    original = driver.text
    server.reply(*openai_answer(ANSWER))
    server.reply(*openai_answer(ANSWER))
    ask_and_wait(driver)
    focus(driver, where)
    [button] = [one for one in driver.shown.actions if one.id == action]
    assert button.key, f"{button.label} shows no key"
    driver.press(button.key)
    match action:
        case "accept_all":
            driver.wait(lambda: driver.text == original.replace(BEFORE, AFTER), "the accepted text")
        case "reject_all":
            driver.wait(lambda: not driver.bars, "the rejection")
            assert driver.text == original
        case "retry":
            driver.wait(lambda: len(server.requests) == 2, "the second request")
        case _:
            driver.wait(lambda: driver.window.findChildren(ColumnsPane), "the columns")


@pytest.mark.parametrize("where", ["text", "prompt"])
@pytest.mark.parametrize("wish", [Wish.ACCEPT, Wish.REJECT, Wish.NEXT, Wish.PREVIOUS])
def test_b75_every_key_on_a_hunks_buttons_does_what_it_says(
    driver: Driver, server: ScriptedServer, wish: Wish, where: str
) -> None:
    original = driver.text
    server.reply(*openai_answer(ANSWER))
    ask_and_wait(driver)
    focus(driver, where)
    current = [bar.hunk_id for bar in driver.bars if bar.buttons[Wish.ACCEPT].is_filled]
    key = driver.bars[0].buttons[wish].accessibleDescription()
    assert key, f"{wish} shows no key"
    driver.press(key)
    if wish in {Wish.ACCEPT, Wish.REJECT}:
        driver.wait(lambda: len(driver.bars) == 1, "the decision")
        assert (driver.text != original) == (wish is Wish.ACCEPT)
    else:
        driver.wait(
            lambda: [bar.hunk_id for bar in driver.bars if bar.buttons[Wish.ACCEPT].is_filled] != current, "the step"
        )
        assert driver.text == original


def test_ctrl_backspace_in_a_field_with_words_deletes_a_word(driver: Driver, server: ScriptedServer) -> None:
    server.reply(*openai_answer(ANSWER))
    ask_and_wait(driver)
    focus(driver, "prompt")
    driver.type("in two words")
    driver.press("Ctrl+Backspace")
    assert len(driver.bars) == 2, "nothing was rejected"
    field = QApplication.focusWidget()
    assert field is not None
    assert field.property("plainText") == "in two "


@pytest.mark.parametrize("where", ["text", "prompt"])
def test_b75_esc_on_the_stop_button_stops(driver: Driver, server: ScriptedServer, where: str) -> None:
    live = server.live()
    ask(driver)
    for step in openai_text("<GENERATEDCODE>\n", AFTER[:60]):
        live.put(step)
    driver.wait(lambda: driver.document.is_running, "the first text")
    assert driver.shown.main is not None
    assert driver.shown.main.key == "Esc"
    focus(driver, where)
    driver.press("Escape")
    driver.wait(lambda: not driver.document.is_running, "the stop")
    live.end()


def test_b75_enter_goes_on_with_an_answer_that_was_cut_off(driver: Driver, server: ScriptedServer) -> None:
    server.reply(*openai_text("<GENERATEDCODE>\n", AFTER[:60]), *openai_end("length"))
    server.reply(*openai_answer(f"<GENERATEDCODE>\n{AFTER[60:]}</GENERATEDCODE>"))
    ask(driver)
    driver.wait(lambda: driver.shown.strip and "cut off" in driver.shown.strip.text.lower(), "the cut-off answer")
    focus(driver, "prompt")
    driver.press("Return")
    driver.wait(lambda: len(server.requests) == 2, "the request to go on")


def test_b75_enter_runs_a_failed_edit_again(driver: Driver, server: ScriptedServer) -> None:
    server.reply(*error_reply(401))
    server.reply(*openai_answer(ANSWER))
    ask(driver)
    driver.wait(lambda: driver.shown.main and driver.shown.main.id == "again", "the failure")
    focus(driver, "prompt")
    driver.press("Return")
    driver.wait(lambda: len(driver.bars) == 2, "the second answer")


def test_buttons_notes_and_the_block_follow_the_key_map_while_they_are_on_screen(
    driver: Driver, server: ScriptedServer
) -> None:
    server.reply(*openai_answer(ANSWER))
    ask_and_wait(driver)
    focus(driver, "text")
    driver.application.services.settings.set(
        "keybindings",
        [
            *(
                {"command": f"-{command}"}
                for command in ("inline_edit.accept_hunk", "inline_edit.accept_all", "edit.undo")
            ),
            {"command": "inline_edit.accept_hunk", "key": "F8"},
            {"command": "inline_edit.accept_all", "key": "F9"},
            {"command": "edit.undo", "key": "F10"},
        ],
    )
    assert driver.bars[0].buttons[Wish.ACCEPT].accessibleDescription() == "F8"
    assert [action.key for action in driver.shown.actions if action.id == "accept_all"] == ["F9"]

    original = driver.text
    driver.press("Alt+Y")
    assert driver.text == original, "the key it had does nothing any more"
    driver.press("F8")
    driver.wait(lambda: len(driver.bars) == 1, "the decision")
    editor = driver.document.editor
    rows = [row.text for line in range(editor.lineCount()) for row in AnnotationRegistry.of(editor).rows(line)]
    assert any("accepted · F10 takes it back" in row for row in rows)
    driver.press("F10")
    driver.wait(lambda: len(driver.bars) == 2, "the hunk back")
    driver.press("F9")
    driver.wait(lambda: not driver.bars, "the end")
    assert driver.text == original.replace(BEFORE, AFTER)


def test_a_key_pressed_right_after_typing_sees_what_was_typed(driver: Driver) -> None:
    original = driver.text
    driver.application.services.settings.set(
        "keybindings", [{"command": "-edit.undo"}, {"command": "edit.undo", "key": "F10"}]
    )
    driver.type("xy")
    driver.press("F10")
    assert driver.text == original


@pytest.mark.parametrize("where", ["prompt", "text"])
def test_the_key_that_accepts_all_types_nothing_when_pressed_twice(
    driver: Driver, server: ScriptedServer, where: str
) -> None:
    original = driver.text
    server.reply(*openai_answer(ANSWER))
    ask_and_wait(driver)
    focus(driver, where)
    for _ in range(3):
        driver.press("Ctrl+Return")
    assert driver.text == original.replace(BEFORE, AFTER)


def test_the_key_that_rejects_all_deletes_nothing_when_pressed_twice(driver: Driver, server: ScriptedServer) -> None:
    original = driver.text
    server.reply(*openai_answer(ANSWER))
    ask_and_wait(driver)
    focus(driver, "text")
    place = original.index("result += item")
    driver.document.editor.select(TextRange(place, place))
    for _ in range(3):
        driver.press("Ctrl+Backspace")
    assert not driver.bars
    assert driver.text == original


def test_the_same_key_a_moment_later_is_the_widgets_again(driver: Driver, server: ScriptedServer) -> None:
    original = driver.text
    server.reply(*openai_answer(ANSWER))
    ask_and_wait(driver)
    focus(driver, "text")
    driver.press("Ctrl+Backspace")
    driver.pause(QApplication.doubleClickInterval() + 50)
    place = original.index("result += item")
    driver.document.editor.select(TextRange(place, place))
    driver.press("Ctrl+Backspace")
    assert driver.text == original[: original.index(":", place - 20) + 1] + original[place:]


def test_keys_for_all_of_a_proposal_are_the_fields_own_in_the_find_bar_and_the_palette(
    driver: Driver, server: ScriptedServer
) -> None:
    original = driver.text
    server.reply(*openai_answer(ANSWER))
    ask_and_wait(driver)
    focus(driver, "text")
    driver.press("Ctrl+Shift+P")
    driver.wait(driver.window.picker.isVisible, "the palette")
    driver.type("qqq zzz")
    driver.press("Ctrl+Backspace")
    driver.press("Ctrl+Return")
    assert len(driver.bars) == 2, "nothing is decided"
    assert driver.text == original
    driver.press("Escape")

    driver.document.editor.focus_text()
    driver.press("Ctrl+H")
    driver.press("Ctrl+A")
    driver.type("mean twice")
    driver.press("Ctrl+Backspace")
    driver.press("Backspace")
    driver.press("Tab")
    driver.type("middle")
    driver.press("Ctrl+Return")
    assert driver.text == original.replace("mean", "middle")
    assert len(driver.bars) == 2, "nothing is decided"
