"""Kinds of faults that only the whole window can show; `docs/faults.md` tells what each is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtWidgets import QApplication

from driver import Driver
from redraft.core.text import TextRange
from redraft.qt.editor.inline_diff.hunk_bar import Wish
from redraft.qt.editor.inline_diff.view import InlineDiffView
from reviews import AFTER, ANSWER, BEFORE, BEGUN, ask, ask_and_wait, begin, end
from servers import Drop, Head, ScriptedServer, error_reply, openai_answer, openai_text
from window_fakes import PresetQuestions


def put_caret(driver: Driver, place: int) -> None:
    driver.document.editor.select(TextRange(place, place), reveal=True)
    driver.document.editor.focus_text()


def leave(driver: Driver) -> None:
    """Press Esc until nothing of an edit is on screen."""
    for _ in range(6):
        driver.document.editor.focus_text()
        driver.press("Escape")
    driver.wait(lambda: driver.block is None and not driver.bars, "the end of the edit")


def test_b57_an_answer_in_200_pieces_is_one_step_to_undo(driver: Driver, server: ScriptedServer) -> None:
    original = driver.text
    step = max(len(ANSWER) // 200, 1)
    server.reply(*openai_answer(*(ANSWER[at : at + step] for at in range(0, len(ANSWER), step))))
    ask_and_wait(driver)
    driver.press("Ctrl+Return")
    driver.wait(lambda: driver.text == original.replace(BEFORE, AFTER), "the accepted text")
    driver.document.editor.focus_text()
    driver.press("Ctrl+Z")
    assert driver.text == original
    driver.press("Ctrl+Shift+Z")
    assert driver.text == original.replace(BEFORE, AFTER)


def test_b59_each_decision_is_one_step_to_undo(driver: Driver, server: ScriptedServer) -> None:
    original = driver.text
    server.reply(*openai_answer(ANSWER))
    ask_and_wait(driver)
    driver.click_hunk(0, Wish.ACCEPT)
    driver.wait(lambda: len(driver.bars) == 1, "the first decision")
    accepted = driver.text
    driver.click_hunk(0, Wish.REJECT)
    driver.wait(lambda: not driver.bars, "the second decision")
    driver.document.editor.focus_text()
    driver.press("Ctrl+Z")
    driver.wait(lambda: len(driver.bars) == 1, "the rejected hunk again")
    assert driver.text == accepted
    driver.press("Ctrl+Z")
    driver.wait(lambda: len(driver.bars) == 2, "both hunks again")
    assert driver.text == original


def test_b61_nothing_of_a_proposal_is_left_when_its_tab_is_closed_and_opened_again(
    driver: Driver, server: ScriptedServer, file: Path
) -> None:
    original = file.read_bytes()
    live = begin(driver, server)
    live.drop()
    driver.application.bench.documents.close(driver.document, ask=False)
    driver.application.bench.documents.open(file)
    assert driver.text.encode() == original
    assert not driver.bars
    assert not driver.document.editor.findChildren(InlineDiffView)


@pytest.mark.parametrize(("place", "is_inside"), [("above", False), ("inside", True), ("below", False)])
def test_b62_typing_while_an_answer_comes(
    driver: Driver, server: ScriptedServer, place: str, *, is_inside: bool
) -> None:
    original = driver.text
    live = begin(driver, server)
    at = {"above": 0, "inside": original.index("result += item"), "below": len(original)}[place]
    put_caret(driver, at)
    driver.type("z")
    assert driver.text == f"{original[:at]}z{original[at:]}"
    if is_inside:
        driver.wait(lambda: not driver.document.is_running, "the stop")
        return
    end(live)
    driver.wait(lambda: len(driver.bars) == 2 and not driver.document.is_running, "the whole answer")
    driver.press("Ctrl+Return")
    typed = f"{original[:at]}z{original[at:]}"
    driver.wait(lambda: driver.text == typed.replace(BEFORE, AFTER), "the answer in its moved place")


@pytest.mark.parametrize("state", ["prompt", "waiting", "streaming", "review", "cut off", "failed", "offline"])
def test_b64_every_state_can_be_left(driver: Driver, server: ScriptedServer, file: Path, state: str) -> None:
    original = driver.text
    match state:
        case "prompt":
            driver.press("Ctrl+K")
        case "waiting":
            server.live()
            ask(driver)
            driver.wait(lambda: server.requests, "the request")
        case "streaming":
            begin(driver, server)
        case "review":
            server.reply(*openai_answer(ANSWER))
            ask_and_wait(driver)
        case "cut off":
            server.reply(*openai_text("<GENERATEDCODE>\n", BEGUN), Drop())
            ask(driver)
            driver.wait(lambda: driver.bars and not driver.document.is_running, "the end")
        case "failed":
            server.reply(*error_reply(401))
            ask(driver)
            driver.wait(lambda: driver.shown.strip and "key" in driver.shown.strip.text, "the failure")
        case _:
            server.reply(Drop())
            ask(driver)
    leave(driver)
    assert driver.text == original
    driver.press("Ctrl+K")
    driver.wait(lambda: driver.block and driver.block.has_focus, "the next prompt")
    assert driver.application.bench.documents.close(driver.document, ask=False)


def test_b65_the_command_works_after_opening_and_cancelling_many_times(
    driver: Driver, server: ScriptedServer, file: Path
) -> None:
    other = file.with_name("other.py")
    other.write_bytes(file.read_bytes())
    documents = driver.application.bench.documents
    for turn in range(60):
        driver.press("Ctrl+K")
        assert driver.block is not None
        if turn % 3 == 0:
            documents.open(other if turn % 2 else file)
            driver.document.editor.focus_text()
        else:
            driver.press("Escape")
    for path in (other, file):
        documents.open(path)
        leave(driver)
    server.reply(*openai_answer(ANSWER))
    ask_and_wait(driver)


def test_b66_two_edits_in_one_file_and_an_overlapping_one_goes_to_the_first(
    driver: Driver, server: ScriptedServer
) -> None:
    begin(driver, server)
    live = server.live()
    driver.select_lines(11, 12)
    driver.press("Ctrl+K")
    driver.type("other")
    driver.press("Return")
    driver.wait(lambda: len(server.requests) == 2, "the second request")
    for step in openai_answer("<GENERATEDCODE>\ndef mean(items):\n    return 0\n</GENERATEDCODE>"):
        live.put(step)
    live.end()
    driver.wait(lambda: len(driver.bars) == 2, "hunks of both")
    blocks = len(driver.blocks)
    driver.select_lines(5, 6)
    driver.press("Ctrl+K")
    assert len(driver.blocks) == blocks, "an overlapping edit opens no second prompt"
    assert any(block.has_focus for block in driver.blocks)


def test_b68_leaving_the_tab_lets_the_answer_go_on_and_takes_no_focus(
    driver: Driver, server: ScriptedServer, file: Path
) -> None:
    other = file.with_name("other.py")
    other.write_text("other = 1\n", encoding="utf-8")
    live = begin(driver, server)
    edited = driver.document
    driver.application.bench.documents.open(other)
    driver.document.editor.focus_text()
    end(live)
    driver.wait(lambda: not edited.is_running and edited.undecided == 2, "the whole answer, out of sight")
    assert driver.document.path == other
    assert driver.document.editor.hasFocus()
    driver.type("z")
    assert driver.text == "zother = 1\n"


def test_b70_autosave_writes_no_proposal(driver: Driver, server: ScriptedServer, file: Path) -> None:
    original = driver.text
    server.reply(*openai_answer(ANSWER))
    ask_and_wait(driver)
    put_caret(driver, len(original))
    driver.type("z")
    driver.application.services.settings.set("files.autosave", "after_delay")
    driver.type("z")
    driver.wait(lambda: file.read_text(encoding="utf-8") == f"{original}zz", "the automatic save")
    assert len(driver.bars) == 2


def test_b71_a_change_on_disk_meanwhile_is_not_overwritten_unasked(
    driver: Driver, server: ScriptedServer, file: Path
) -> None:
    questions = PresetQuestions()
    questions.consent = False
    driver.application.bench.documents.writer._questions = questions
    server.reply(*openai_answer(ANSWER))
    ask_and_wait(driver)
    changed = file.read_text(encoding="utf-8") + "# from outside\n"
    file.write_text(changed, encoding="utf-8")
    driver.press("Ctrl+Return")
    driver.wait(lambda: not driver.bars, "the decision")
    driver.press("Ctrl+S")
    assert questions.asked == [f"overwrite {file.name}"]
    assert file.read_text(encoding="utf-8") == changed


def test_b71_a_new_time_alone_is_no_change(driver: Driver, server: ScriptedServer, file: Path) -> None:
    original = driver.text
    server.reply(*openai_answer(ANSWER))
    ask_and_wait(driver)
    os.utime(file, (1, 1))
    driver.press("Ctrl+Return")
    driver.wait(lambda: not driver.bars, "the decision")
    driver.press("Ctrl+S")
    assert file.read_text(encoding="utf-8") == original.replace(BEFORE, AFTER)


def test_b72_a_proposal_that_only_deletes_is_seen_and_counted(driver: Driver, server: ScriptedServer) -> None:
    server.reply(*openai_answer("<GENERATEDCODE>\ndef total(items):\n    return sum(items)\n</GENERATEDCODE>"))
    server.reply(
        *openai_answer("<GENERATEDCODE>\ndef total(items):\n    result = 0\n    return result\n</GENERATEDCODE>")
    )
    ask(driver)
    driver.wait(lambda: driver.bars and not driver.document.is_running, "the answer")
    leave(driver)
    ask(driver)
    driver.wait(lambda: driver.bars and not driver.document.is_running, "the answer")
    assert driver.shown.counts == (0, 2)
    [hunk] = next(view for view in driver.document.editor.findChildren(InlineDiffView) if view.is_on_screen).hunks
    line = driver.document.editor.text_index().line_at(driver.text.index("for item"))
    assert hunk.hunk.new_lines == ()
    assert driver.document.editor.markerGet(line) & 1, "the removed line is tinted"


def test_b74_esc_goes_one_step_down_each_time(driver: Driver, server: ScriptedServer) -> None:
    live = begin(driver, server)
    driver.press("Escape")
    driver.wait(lambda: not driver.document.is_running, "the stop")
    live.end()
    assert driver.bars, "the part that came stays"
    leave(driver)
    driver.press("Ctrl+Z")
    assert "Sum of the items" not in driver.text


def test_b77_a_read_only_file_is_told_before_anything_is_sent(
    driver: Driver, server: ScriptedServer, file: Path
) -> None:
    locked = file.with_name("locked.py")
    locked.write_bytes(file.read_bytes())
    locked.chmod(0o444)
    driver.application.bench.documents.open(locked)
    original = driver.text
    driver.select_lines(4, 8)
    driver.press("Ctrl+K")
    driver.wait(lambda: driver.block, "the prompt block")
    assert driver.shown.chips[0].label == "Read-only: answer in a new tab"
    assert not server.requests
    server.reply(*openai_answer(ANSWER))
    driver.type("document it, and give a float")
    driver.press("Return")
    driver.wait(lambda: driver.document.path != locked, "the answer in a tab of its own")
    assert driver.text == AFTER
    assert locked.read_text(encoding="utf-8") == original


def test_b23_what_an_input_method_composes_is_no_edit_and_ends_no_stream(
    driver: Driver, server: ScriptedServer
) -> None:
    original = driver.text
    begin(driver, server)
    put_caret(driver, original.index("result += item"))
    editor = driver.document.editor
    _send(editor, QInputMethodEvent("か", []))
    assert driver.document.is_running, "composing is no edit"
    done = QInputMethodEvent("", [])
    _send(editor, done)
    assert driver.text == original


def test_b55_a_failure_at_the_end_keeps_what_came(driver: Driver, server: ScriptedServer) -> None:
    original = driver.text
    live = begin(driver, server)
    live.drop()
    driver.wait(lambda: not driver.document.is_running, "the end")
    assert driver.bars, "what came is still there"
    assert driver.shown.strip is not None
    assert driver.text == original


def test_b103_a_blank_line_typed_above_moves_the_proposal_along(driver: Driver, server: ScriptedServer) -> None:
    original = driver.text
    server.reply(*openai_answer(ANSWER))
    ask_and_wait(driver)
    put_caret(driver, 0)
    driver.press("Return")
    assert len(driver.bars) == 2
    driver.press("Ctrl+Return")
    driver.wait(lambda: driver.text == "\n" + original.replace(BEFORE, AFTER), "the accepted text")


def test_b81_editing_many_times_leaves_nothing_behind(driver: Driver, server: ScriptedServer) -> None:
    counts = []
    for _ in range(12):
        server.reply(*openai_answer(ANSWER))
        ask_and_wait(driver)
        leave(driver)
        driver.pause(0)
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        counts.append(len(driver.document.editor.findChildren(QObject)))
    assert counts[-1] <= counts[2], f"objects pile up: {counts}"


def _send(editor: QObject, event: QInputMethodEvent) -> None:
    QApplication.sendEvent(editor, event)


def test_b53_a_refused_request_keeps_the_words(driver: Driver, server: ScriptedServer) -> None:
    server.reply(Head(401, {"content-length": "0"}, chunked=False))
    ask(driver, "words that took a while")
    driver.wait(lambda: driver.shown.strip and "key" in driver.shown.strip.text, "the failure")
    assert driver.shown.words == "words that took a while"
