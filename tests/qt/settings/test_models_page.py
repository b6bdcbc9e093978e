from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from planted import MemoryKeyring
from qt.settings.opening import Open, file_text
from redraft.core.config.model_settings import ModelSettings
from redraft.core.llm.discovery import FoundServer
from redraft.core.log import start_log, stop_log
from redraft.core.paths import state_folder
from redraft.qt.settings import models_page
from redraft.qt.settings.models_page import ModelsPage
from redraft.qt.settings.provider_card import ProviderCard
from redraft.qt.settings.provider_form import ProviderForm
from redraft.qt.settings.window import SettingsWindow
from servers import Hang, ScriptedServer, error_reply, json_reply, openai_end, openai_text

KEY = "sk-planted-7c1f0a93e5"
LATE = 20_000
USAGE = {"prompt_tokens": 9, "completion_tokens": 24}
THREE = json_reply({"data": [{"id": name} for name in ("a", "coder", "c")]})


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as running:
        running.route("GET", "/v1/models", THREE)
        running.route("POST", "/v1/chat/completions", (*openai_text("1 2 3"), *openai_end(usage=USAGE)))
        yield running


def provider(url: str, **more: object) -> str:
    values = {"name": "Workshop", "base_url": f"{url}/v1", "model": "coder", **more}
    rows = "\n".join(
        f"{key} = {str(value).lower() if isinstance(value, bool) else repr(value)}" for key, value in values.items()
    )
    return f"# my servers\n[[models]]\n{rows}\n".replace("'", '"')


def page_of(window: SettingsWindow) -> ModelsPage:
    assert isinstance(window.page, ModelsPage)
    return window.page


def opened_card(window: SettingsWindow, name: str = "Workshop") -> tuple[ProviderCard, ProviderForm]:
    card = page_of(window).card_of(name)
    card.set_open(is_open=True)
    assert card.form is not None
    QApplication.processEvents()  # the form takes its place
    return card, card.form


def retype(qtbot: QtBot, field: QWidget, text: str) -> None:
    qtbot.keyClick(field, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(field, Qt.Key.Key_Delete)
    qtbot.keyClicks(field, text)


def click(qtbot: QtBot, button: QWidget) -> None:
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def rows(window: SettingsWindow) -> dict[str, ModelSettings]:
    return {row.name: row for row in window.services.store.get("models")}


def test_a_provider_shows_what_the_settings_say(open_settings: Open) -> None:
    window = open_settings(
        "models", provider("https://gpu.example.com:8000", key="keyring", context_tokens=32768, temperature=0.2)
    )
    card, form = opened_card(window)
    assert card.header.model.detail == "coder at gpu.example.com:8000"
    assert form.texts["context_tokens"].value() == "32 768"
    assert form.texts["context_tokens"].note == "tokens"
    assert form.key.box.note == "bound to gpu.example.com:8000"
    assert form.key.box.isReadOnly()
    assert [text for text, _ in card.header.model.marks] == ["default", "not checked"]


def test_the_test_says_step_by_step_that_it_works(qtbot: QtBot, open_settings: Open, server: ScriptedServer) -> None:
    window = open_settings("models", provider(server.url))
    card, form = opened_card(window)
    with qtbot.waitSignal(card.tested, timeout=LATE):
        click(qtbot, form.strip.button)
        assert form.strip.is_running
    assert form.strip.title.text() == "Works"
    assert form.strip.note.text().startswith("24 tokens at ")
    assert "Model found 1 of 3" in form.strip.steps.accessibleName()
    assert "works" in [text for text, _ in card.header.model.marks]
    assert [form.model.itemText(place) for place in range(form.model.count())] == ["a", "coder", "c"]


def test_a_model_is_shown_and_tested_where_a_failed_edit_asks_for_it(
    qtbot: QtBot, open_settings: Open, server: ScriptedServer
) -> None:
    window = open_settings("", provider(server.url))
    window.show_page("models/Workshop")
    card, form = opened_card(window)
    assert card.header.isChecked()
    if card.report is None:
        with qtbot.waitSignal(card.tested, timeout=LATE):
            assert form.strip.is_running
    assert form.strip.title.text() == "Works"
    window.show_page("models/not there")
    assert window.page.about.id == "models"


def test_the_test_says_what_is_wrong(qtbot: QtBot, open_settings: Open, server: ScriptedServer) -> None:
    server.route("GET", "/v1/models", error_reply(401, "bad key"))
    window = open_settings("models", provider(server.url))
    card, form = opened_card(window)
    with qtbot.waitSignal(card.tested, timeout=LATE):
        click(qtbot, form.strip.button)
    assert form.strip.title.text() == "Does not work"
    assert "key" in form.strip.sentence.text()
    assert "Key" in form.strip.steps.accessibleName()
    assert [text for text, _ in card.header.model.marks][-1] == "does not work"


def test_a_test_is_cancelled_and_its_connection_closed(
    qtbot: QtBot, open_settings: Open, server: ScriptedServer
) -> None:
    server.route("POST", "/v1/chat/completions", (*openai_text("1"), Hang()))
    window = open_settings("models", provider(server.url))
    _, form = opened_card(window)
    click(qtbot, form.strip.button)
    server.wait_for_request(2)
    click(qtbot, form.strip.button)
    assert not form.strip.is_running
    assert form.strip.title.text() == "Not tested"
    assert server.client_gone.wait(20)


def test_no_server_is_asked_while_ai_is_off(qtbot: QtBot, open_settings: Open, server: ScriptedServer) -> None:
    window = open_settings("models", f"{provider(server.url)}\n[privacy]\nai_enabled = false\n")
    _, form = opened_card(window)
    click(qtbot, form.strip.button)
    form.model.list_wanted.emit()
    assert "AI is switched off" in form.strip.sentence.text()
    assert server.requests == []


def test_opening_a_form_asks_no_server(open_settings: Open, server: ScriptedServer) -> None:
    opened_card(open_settings("models", provider(server.url)))
    assert server.requests == []


def test_the_models_are_listed_when_the_field_is_opened(
    qtbot: QtBot, open_settings: Open, server: ScriptedServer
) -> None:
    _, form = opened_card(open_settings("models", provider(server.url)))
    form.model.showPopup()
    qtbot.waitUntil(lambda: form.model.count() == 3, timeout=LATE)
    assert form.model.value() == "coder"


def test_a_change_is_saved_and_comments_and_unknown_keys_stay(qtbot: QtBot, open_settings: Open) -> None:
    window = open_settings("models", provider("http://127.0.0.1:1", headers_hint="x") + "# the end\n")
    _, form = opened_card(window)
    retype(qtbot, form.texts["context_tokens"], "16 000")
    retype(qtbot, form.texts["temperature"], "0.4")
    click(qtbot, form.save)
    row = rows(window)["Workshop"]
    assert (row.context_tokens, row.temperature) == (16000, 0.4)
    text = file_text()
    assert text.startswith("# my servers\n")
    assert "headers_hint" in text
    assert "# the end" in text


def test_nothing_is_saved_before_save_and_revert_brings_all_back(qtbot: QtBot, open_settings: Open) -> None:
    window = open_settings("models", provider("http://127.0.0.1:1"))
    _, form = opened_card(window)
    retype(qtbot, form.texts["name"], "Elsewhere")
    assert list(rows(window)) == ["Workshop"]
    click(qtbot, form.revert)
    assert form.texts["name"].value() == "Workshop"


@pytest.mark.parametrize(
    ("field", "typed", "sentence"),
    [
        ("name", "", "Give it a name."),
        ("name", "Other", "There is another one of this name."),
        ("base_url", "gpu.lan", "This must be a web address, such as https://example.com/v1."),
        ("context_tokens", "many", "This must be a whole number; leave it empty if you do not know it."),
        ("temperature", "3", "This must be a number from 0 to 2."),
        ("extra_ca_file", "/no/such.pem", "There is no such file."),
        ("idle_timeout", "soon", "This must be a number; leave it empty for the usual one."),
    ],
)
def test_what_makes_no_sense_is_said_under_its_row(
    qtbot: QtBot, open_settings: Open, field: str, typed: str, sentence: str
) -> None:
    other = '\n[[models]]\nname = "Other"\nbase_url = "http://127.0.0.1:2/v1"\n'
    window = open_settings("models", provider("http://127.0.0.1:1") + other)
    before = file_text()
    _, form = opened_card(window)
    form.set_more(shown=True)
    retype(qtbot, form.texts[field], typed)
    click(qtbot, form.save)
    assert form.rows[field].fault.text() == sentence
    assert form.rows[field].fault.isVisible()
    assert file_text() == before


def test_headers_are_shown_changed_and_checked(qtbot: QtBot, open_settings: Open) -> None:
    window = open_settings("models", provider("http://127.0.0.1:1") + 'headers = {X-Team = "tides"}\n')
    _, form = opened_card(window)
    assert form.headers.value() == ("X-Team: tides",)
    form.headers.setPlainText("X-Team: tides\nno header")
    click(qtbot, form.save)
    assert form.rows["headers"].isVisible()
    assert "must be a name and a value" in form.rows["headers"].fault.text()
    form.headers.setPlainText("X-Team: tides\nX-Trace: a b; c")
    click(qtbot, form.save)
    assert rows(window)["Workshop"].headers == {"X-Team": "tides", "X-Trace": "a b; c"}
    form.headers.setPlainText("")
    click(qtbot, form.save)
    assert "headers" not in file_text()


def test_a_renamed_provider_stays_the_default(qtbot: QtBot, open_settings: Open) -> None:
    window = open_settings("models", '[default_models]\ninline_edit = "Workshop"\n' + provider("http://127.0.0.1:1"))
    _, form = opened_card(window)
    retype(qtbot, form.texts["name"], "Attic")
    click(qtbot, form.save)
    assert list(rows(window)) == ["Attic"]
    assert window.services.store.get("default_models.inline_edit") == "Attic"
    assert page_of(window).card_of("Attic").form is form


def test_a_renamed_provider_still_applies_large_edits(qtbot: QtBot, open_settings: Open) -> None:
    window = open_settings("models", '[inline_edit]\napply_model = "Workshop"\n' + provider("http://127.0.0.1:1"))
    _, form = opened_card(window)
    retype(qtbot, form.texts["name"], "Attic")
    click(qtbot, form.save)
    assert window.services.store.get("inline_edit.apply_model") == "Attic"


def test_a_provider_is_made_the_default_and_back(qtbot: QtBot, open_settings: Open) -> None:
    other = '\n[[models]]\nname = "Other"\nbase_url = "http://127.0.0.1:2/v1"\n'
    window = open_settings("models", provider("http://127.0.0.1:1") + other)
    card, form = opened_card(window, "Other")
    assert card.purposes == frozenset()
    click(qtbot, form.defaults["inline_edit"])
    assert window.services.store.get("default_models.inline_edit") == "Other"
    assert "default" in [text for text, _ in card.header.model.marks]
    click(qtbot, form.defaults["inline_edit"])
    assert window.services.store.get("default_models.inline_edit") == ""


def test_a_typed_key_goes_to_the_keyring_and_nowhere_else(
    qtbot: QtBot, open_settings: Open, server: ScriptedServer, ring: MemoryKeyring, own_home: Path
) -> None:
    start_log()
    window = open_settings("models", provider(server.url))
    card, form = opened_card(window)
    form.key.place.set_value("keyring")
    form.key.place.committed.emit()
    retype(qtbot, form.key.box, KEY)
    assert form.key.box.displayText() == "●" * len(KEY)
    with qtbot.waitSignal(card.tested, timeout=LATE):
        click(qtbot, form.strip.button)
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
    click(qtbot, form.save)
    qtbot.waitUntil(lambda: bool(ring.kept), timeout=LATE)
    qtbot.waitUntil(lambda: rows(window)["Workshop"].key == "keyring", timeout=LATE)
    host = f"127.0.0.1:{server.port}"
    assert ring.kept == {("redraft", host): KEY}
    assert rows(window)["Workshop"].key_host == host
    assert form.key.box.text() == "•" * 12
    with qtbot.waitSignal(card.tested, timeout=LATE):
        click(qtbot, form.strip.button)
    assert server.requests[-1].headers["authorization"] == f"Bearer {KEY}"
    stop_log()
    assert state_folder().is_dir()
    assert [path for path in own_home.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()] == []
    assert KEY not in [field.text() for field in window.findChildren(QLineEdit)]
    form.key.box.undo()
    assert KEY not in form.key.box.text()


def test_a_keyring_that_refuses_is_said_and_nothing_is_saved(
    qtbot: QtBot, open_settings: Open, server: ScriptedServer
) -> None:
    window = open_settings("models", provider(server.url))
    _, form = opened_card(window)
    form.key.place.set_value("keyring")
    form.key.place.committed.emit()
    retype(qtbot, form.key.box, KEY)
    click(qtbot, form.save)
    qtbot.waitUntil(form.rows["key"].fault.isVisible, timeout=LATE)
    assert "keyring cannot be used" in form.rows["key"].fault.text()
    assert rows(window)["Workshop"].key == ""
    assert form.save.isEnabled()


def test_a_key_stays_with_its_host_when_the_address_changes(
    qtbot: QtBot, open_settings: Open, monkeypatch: pytest.MonkeyPatch, server: ScriptedServer
) -> None:
    monkeypatch.setenv("GPU_KEY", KEY)
    window = open_settings("models", provider("https://gpu.example.com", key="env:GPU_KEY"))
    card, form = opened_card(window)
    retype(qtbot, form.texts["base_url"], f"{server.url}/v1")
    assert form.rows["key"].fault.text().startswith("This key is bound to gpu.example.com")
    with qtbot.waitSignal(card.tested, timeout=LATE):
        click(qtbot, form.strip.button)
    assert all(KEY not in str(seen.headers) for seen in server.requests)
    click(qtbot, form.save)
    assert rows(window)["Workshop"].key_host == "gpu.example.com"
    assert form.key.button.text() == f"Use for 127.0.0.1:{server.port}"
    click(qtbot, form.key.button)
    click(qtbot, form.save)
    assert rows(window)["Workshop"].key_host == f"127.0.0.1:{server.port}"


def test_a_key_in_a_private_file_is_for_the_user_alone(
    qtbot: QtBot, open_settings: Open, server: ScriptedServer, own_home: Path
) -> None:
    window = open_settings("models", provider(server.url))
    _, form = opened_card(window)
    form.key.place.set_value("file")
    form.key.place.committed.emit()
    assert form.key.box.placeholderText() == "Paste the key; the file is plain text"
    retype(qtbot, form.key.box, KEY)
    click(qtbot, form.save)
    qtbot.waitUntil(lambda: rows(window)["Workshop"].key == "file", timeout=LATE)
    holders = [path for path in own_home.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]
    assert [path.parent.name for path in holders] == ["keys"]
    assert holders[0].stat().st_mode & 0o077 == 0


def test_closing_with_unsaved_changes_asks(qtbot: QtBot, open_settings: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    window = open_settings("models", provider("http://127.0.0.1:1"))
    asked: list[str] = []
    answers = iter(("cancel", "close"))

    def answer(_window: object, _theme: object, question: str, *_more: object) -> str:
        asked.append(question)
        return next(answers)

    monkeypatch.setattr(models_page, "ask", answer)
    _, form = opened_card(window)
    retype(qtbot, form.texts["temperature"], "1")
    window.close()
    assert window.isVisible()
    window.close()
    assert not window.isVisible()
    assert asked == ["Close without saving Workshop?"] * 2


def test_removing_a_provider_forgets_its_key_and_default(
    qtbot: QtBot, open_settings: Open, ring: MemoryKeyring, monkeypatch: pytest.MonkeyPatch
) -> None:
    ring.set_password("redraft", "gpu.example.com", KEY)
    text = '[default_models]\ninline_edit = "Workshop"\n' + provider("https://gpu.example.com", key="keyring")
    window = open_settings("models", text)
    _, form = opened_card(window)
    answers = iter(("cancel", "remove"))
    monkeypatch.setattr(models_page, "ask", lambda *_: next(answers))
    click(qtbot, form.remove)
    assert list(rows(window)) == ["Workshop"]
    click(qtbot, form.remove)
    assert rows(window) == {}
    assert window.services.store.get("default_models.inline_edit") == ""
    assert page_of(window).cards == []
    qtbot.waitUntil(lambda: not ring.kept, timeout=LATE)


def test_found_servers_are_offered_and_used_only_when_chosen(
    qtbot: QtBot, open_settings: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def find() -> list[FoundServer]:
        return [FoundServer("ollama", "http://127.0.0.1:11434/v1", ("coder", "b"))]

    monkeypatch.setattr(ModelsPage, "find_servers", staticmethod(find))
    window = open_settings("models")
    page = page_of(window)
    menu = page.make_menu()
    qtbot.waitUntil(lambda: menu.looking.text() == "Found on this computer", timeout=LATE)
    assert rows(window) == {}
    action = next(action for action in menu.actions() if "127.0.0.1:11434" in action.text())
    assert action.text() == "Ollama at 127.0.0.1:11434, 2 models"
    action.trigger()
    card, form = opened_card(window, "Ollama")
    assert card.header.model.marks[-1][0] == "not saved"
    assert rows(window) == {}
    click(qtbot, form.save)
    row = rows(window)["Ollama"]
    assert (row.base_url, row.model, row.key) == ("http://127.0.0.1:11434/v1", "coder", "")


def test_a_usual_provider_is_added_with_its_address_and_key_place(
    qtbot: QtBot, open_settings: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def find() -> list[FoundServer]:
        return []

    monkeypatch.setattr(ModelsPage, "find_servers", staticmethod(find))
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    window = open_settings("models")
    page = page_of(window)
    next(action for action in page.make_menu().actions() if action.text() == "Anthropic").trigger()
    _, form = opened_card(window, "Anthropic")
    click(qtbot, form.save)
    row = rows(window)["Anthropic"]
    assert (row.kind, row.key, row.key_host) == ("anthropic", "env:ANTHROPIC_API_KEY", "api.anthropic.com")
    assert KEY not in file_text()
