"""Predictions in the whole window: real keys, a model's server on loopback, the file on disk."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication

from driver import Driver
from redraft.api.ui import StatusModel
from redraft.core.review.teacher import REGION_END, REGION_START, USER_CURSOR, extract_region
from redraft.core.text import TextRange
from redraft.qt.activity import FollowedEditor
from redraft.qt.documents.document import Document
from redraft.qt.editor.prediction.view import PredictionView, Shape
from servers import Gate, ScriptedServer, Seen, Step, WaitFor, openai_answer

Rewrite = Callable[[str], str]


class Model:
    """Answers every request by rewriting the region it is asked about."""

    def __init__(self) -> None:
        self.rewrite: Rewrite = lambda region: region
        self.asked: list[str] = []
        self.gate: Gate | None = None

    def answer(self, seen: Seen) -> tuple[Step, ...]:
        """Called in the server's thread; with a gate the answer waits for it."""
        prompt = seen.json()["messages"][-1]["content"]
        self.asked.append(prompt)
        region = extract_region(prompt).replace(USER_CURSOR, "")
        answer = openai_answer(f"{REGION_START}\n{self.rewrite(region)}\n{REGION_END}")
        return answer if self.gate is None else (WaitFor(self.gate), *answer)


@pytest.fixture
def model() -> Model:
    return Model()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, model: Model) -> Iterator[ScriptedServer]:
    with ScriptedServer(handler=model.answer) as server:
        monkeypatch.setenv("REDRAFT_BASE_URL", f"{server.url}/v1")
        monkeypatch.setenv("REDRAFT_MODEL", "scripted")
        monkeypatch.setenv("REDRAFT_API_KEY", "sk-test-planted")
        yield server


@pytest.fixture
def hands(driver: Driver) -> Driver:
    """The window with predictions on."""
    settings = driver.application.services.settings
    settings.set("edit_prediction.delay", 30)
    settings.set("edit_prediction.mode", "eager")
    driver.wait(lambda: status(driver) is not None, "the status item")
    return driver


def status(driver: Driver) -> StatusModel | None:
    item = driver.window.status.item("edit_prediction")
    return item.model if item is not None else None


def shown(driver: Driver) -> PredictionView | None:
    editor = driver.application.editors.of(driver.document)
    assert isinstance(editor, FollowedEditor)
    return editor.prediction


def wait_for(driver: Driver, shape: Shape) -> PredictionView:
    driver.wait(lambda: (view := shown(driver)) is not None and view.shape is shape, f"a prediction as {shape}")
    view = shown(driver)
    assert view is not None
    return view


def caret_after(driver: Driver, words: str) -> None:
    at = driver.text.index(words) + len(words)
    driver.document.editor.select(TextRange(at, at))


def rename_in_signature(driver: Driver) -> None:
    """`items` becomes `values` in the first function's signature."""
    start = driver.text.index("items):")
    driver.document.editor.select(TextRange(start, start + 5))
    driver.type("values")


def test_a_rename_is_carried_on_by_tab_and_nothing_enters_the_file_before(
    hands: Driver, model: Model, file: Path
) -> None:
    before = hands.text
    model.rewrite = lambda region: region.replace("in items:", "in values:")
    rename_in_signature(hands)
    view = wait_for(hands, Shape.DIFF)
    typed = before.replace("total(items):", "total(values):")
    assert hands.text == typed
    assert view.hint.words[0] == ("Tab", "accept")
    hands.press("Ctrl+S")
    hands.wait(lambda: not hands.document.is_modified, "saving")
    assert file.read_text() == typed
    hands.press("Tab")
    assert hands.text == typed.replace("in items:", "in values:")
    hands.press("Ctrl+Z")
    assert hands.text == typed
    hands.press("Ctrl+Shift+Z")
    assert hands.text == typed.replace("in items:", "in values:")


def test_a_completion_is_ghost_text_typed_along_and_taken_by_word(hands: Driver, model: Model) -> None:
    caret_after(hands, "result = 0")
    hands.press("Return")
    model.rewrite = lambda region: region.replace("    s\n", "    size = len(items)\n")
    hands.type("s")
    view = wait_for(hands, Shape.GHOST)
    assert view.edits[0].added == "ize = len(items)"
    requests = len(model.asked)
    hands.type("ize")
    assert shown(hands) is view
    assert view.edits[0].added == " = len(items)"
    hands.press("Ctrl+Right")
    assert "    size =\n" in hands.text
    hands.press("Tab")
    assert "    size = len(items)\n" in hands.text
    assert model.asked[requests:] == []


def test_typing_on_ends_the_request_and_the_window_never_waits_for_the_model(
    hands: Driver, model: Model, server: ScriptedServer
) -> None:
    model.gate = Gate()
    rename_in_signature(hands)
    hands.wait(lambda: model.asked, "the question")
    assert (status(hands) or StatusModel("")).busy
    hands.type("er")
    assert "def total(valueser):" in hands.text
    hands.wait(server.client_gone.is_set, "the end of the request")
    assert shown(hands) is None
    model.gate.open()


def test_esc_hides_it_and_nothing_is_asked_until_the_next_change(hands: Driver, model: Model) -> None:
    model.rewrite = lambda region: region.replace("in items:", "in values:")
    rename_in_signature(hands)
    wait_for(hands, Shape.DIFF)
    text, requests = hands.text, len(model.asked)
    hands.press("Escape")
    assert shown(hands) is None
    assert hands.text == text
    hands.pause(200)
    assert len(model.asked) == requests


def test_tab_indents_where_that_is_its_work_and_alt_l_accepts(hands: Driver, model: Model) -> None:
    model.rewrite = lambda region: region.replace("in items:", "in values:")
    rename_in_signature(hands)
    wait_for(hands, Shape.DIFF)
    start = hands.text.index("    return result")
    hands.document.editor.select(TextRange(start, start))
    hands.wait(lambda: (view := shown(hands)) is not None and not view.takes_tab, "Tab to indent")
    hands.press("Tab")
    assert "        return result" in hands.text
    hands.press("Alt+L")
    assert "in values:" in hands.text


def test_a_subtle_one_waits_for_alt(hands: Driver, model: Model) -> None:
    hands.application.services.settings.set("edit_prediction.mode", "subtle")
    model.rewrite = lambda region: region.replace("in items:", "in values:")
    rename_in_signature(hands)
    view = wait_for(hands, Shape.HIDDEN)
    editor = hands.document.editor
    for kind, visible in ((QEvent.Type.KeyPress, True), (QEvent.Type.KeyRelease, False)):
        QApplication.sendEvent(editor, QKeyEvent(kind, Qt.Key.Key_Alt, Qt.KeyboardModifier.NoModifier))
        assert view.is_visible is visible
    hands.press("Tab")
    assert "in items:" in hands.text


def test_what_takes_the_last_edit_back_is_held_by_review(hands: Driver, model: Model) -> None:
    hands.application.services.settings.set("edit_prediction.second_try", False)
    model.rewrite = lambda region: region.replace("total(values):", "total(items):")
    rename_in_signature(hands)
    hands.wait(lambda: "Held back" in (status(hands) or StatusModel("")).tooltip, "the review")
    assert shown(hands) is None


def test_it_is_paused_while_a_prompt_is_open_in_the_file(hands: Driver, model: Model) -> None:
    model.rewrite = lambda region: region.replace("in items:", "in values:")
    rename_in_signature(hands)
    wait_for(hands, Shape.DIFF)
    hands.press("Ctrl+K")
    hands.wait(lambda: hands.block, "the prompt")
    hands.wait(lambda: (status(hands) or StatusModel("")).text == "Paused here", "the pause")
    assert shown(hands) is None
    hands.press("Escape")
    hands.wait(lambda: (status(hands) or StatusModel("")).text == "Prediction", "its end")


def test_it_is_off_until_a_model_is_chosen_and_while_ai_is_off(driver: Driver, model: Model) -> None:
    settings = driver.application.services.settings
    driver.wait(lambda: status(driver) is not None, "the status item")
    assert (status(driver) or StatusModel("")).text == "Prediction off"
    rename_in_signature(driver)
    driver.pause(500)
    assert model.asked == []
    settings.set("default_models.edit_prediction", "scripted")
    driver.wait(lambda: (status(driver) or StatusModel("")).text == "Prediction", "it to be ready")
    settings.set("privacy.ai_enabled", False)
    driver.wait(lambda: (status(driver) or StatusModel("")).text == "Prediction off", "it to be off")
    driver.type("x")
    driver.pause(500)
    assert model.asked == []


def test_a_secret_file_is_never_sent(hands: Driver, model: Model, tmp_path: Path) -> None:
    secret = tmp_path / ".env"
    secret.write_text("TOKEN=planted\n")
    hands.application.bench.documents.open(secret)
    hands.wait(lambda: hands.document.path == secret, "the file")
    hands.wait(lambda: (status(hands) or StatusModel("")).text == "Off here", "the status")
    hands.document.editor.focus_text()
    hands.type("x")
    hands.pause(300)
    assert model.asked == []


def test_what_is_done_in_a_secret_file_is_told_nobody_in_other_files_either(
    hands: Driver, model: Model, tmp_path: Path
) -> None:
    secret = tmp_path / ".env"
    secret.write_text("TOKEN=\n")
    documents = hands.application.bench.documents
    documents.open(secret)
    hands.wait(lambda: hands.document.path == secret, "the file")
    hands.document.editor.focus_text()
    caret_after(hands, "TOKEN=")
    hands.type("planted")
    documents.activate(documents.all[0])
    hands.document.editor.focus_text()
    rename_in_signature(hands)
    hands.wait(lambda: model.asked, "a question")
    assert not any("planted" in prompt for prompt in model.asked)


def test_one_in_another_file_is_named_in_a_pill_and_tab_goes_there(hands: Driver, model: Model, tmp_path: Path) -> None:
    other = tmp_path / "other.py"
    other.write_text("from sums import result\n\nprint(result)\n")
    hands.application.bench.documents.open(other)
    hands.wait(lambda: hands.document.path == other, "the file")
    hands.application.bench.documents.activate(hands.application.bench.documents.all[0])
    hands.document.editor.focus_text()
    text = hands.text
    model.rewrite = lambda region: region.replace("print(result)", "print(amount)")
    start = text.index("result")
    hands.document.editor.select(TextRange(start, start + 6))
    hands.type("amount")
    view = wait_for(hands, Shape.AWAY)
    assert view.pill.model.place == "other.py, line 3"
    hands.press("Tab") if view.takes_tab else hands.press("Alt+L")
    hands.wait(lambda: hands.document.path == other, "the other file")
    wait_for(hands, Shape.DIFF)
    assert "print(result)" in hands.text
    hands.press("Alt+L")
    assert "print(amount)" in hands.text


@pytest.fixture
def far(hands: Driver, model: Model, tmp_path: Path) -> Document:
    """Another open file, in which new lines are predicted, named in a pill over the one in front."""
    other = tmp_path / "other.py"
    other.write_text("from sums import result\n\nprint(result)\n")
    documents = hands.application.bench.documents
    hands.application.bench.documents.open(other)
    hands.wait(lambda: hands.document.path == other, "the file")
    document = hands.document
    documents.activate(documents.all[0])
    hands.document.editor.focus_text()
    model.rewrite = lambda region: region.replace("print(result)", "print(result)\nprint(amount)")
    start = hands.text.index("result")
    hands.document.editor.select(TextRange(start, start + 6))
    hands.type("amount")
    assert wait_for(hands, Shape.AWAY).pill.model.place.startswith("other.py, line ")
    return document


def test_one_in_another_file_moves_with_the_text_there(hands: Driver, far: Document) -> None:
    far.editor.insertText(0, "# é\n# two\n")
    far.editor.buffer.flush()
    hands.press("Alt+L")
    hands.wait(lambda: hands.document is far, "the other file")
    hands.wait(lambda: (view := shown(hands)) is not None and view.is_visible, "the prediction in it")
    hands.press("Alt+L")
    assert hands.text == "# é\n# two\nfrom sums import result\n\nprint(result)\nprint(amount)\n"


def test_one_in_another_file_goes_when_that_changes_on_disk(hands: Driver, far: Document) -> None:
    assert far.path is not None
    far.path.write_text("short\n")
    hands.wait(lambda: far.editor.plain_text() == "short\n", "the text from disk")
    assert shown(hands) is None
    hands.press("Alt+L")
    assert hands.document is not far
    assert far.editor.plain_text() == "short\n"


def test_hidden_characters_are_never_offered(hands: Driver, model: Model) -> None:
    model.rewrite = lambda _region: "\u202e"
    rename_in_signature(hands)
    hands.wait(lambda: "Held back" in (status(hands) or StatusModel("")).tooltip, "the review")
    assert "hidden" in (status(hands) or StatusModel("")).tooltip


def test_the_keys_beside_a_prediction_follow_the_key_map(hands: Driver, model: Model) -> None:
    model.rewrite = lambda region: region.replace("in items:", "in values:")
    rename_in_signature(hands)
    view = wait_for(hands, Shape.DIFF)
    assert view.hint.words == (("Tab", "accept"),)
    hands.application.services.settings.set(
        "keybindings",
        [
            {"command": "-edit_prediction.accept"},
            {"command": "-edit_prediction.accept_always"},
            {"command": "edit_prediction.accept", "key": "F8"},
        ],
    )
    assert view.hint.words == (("F8", "accept"),)
    hands.press("F8")
    hands.wait(lambda: "in values:" in hands.text, "the prediction in the text")
