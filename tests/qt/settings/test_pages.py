from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from qt.settings.opening import Open
from redraft.core.paths import config_folder
from redraft.host.keys import Key
from redraft.host.manager import MOST_FAULTS, PluginState
from redraft.qt.settings.about_page import AboutPage, libraries, licence_of
from redraft.qt.settings.fields import ChoiceField
from redraft.qt.settings.keys_page import KeysPage
from redraft.qt.settings.plugins_page import PluginsPage
from redraft.qt.settings.presets_page import PresetsPage
from redraft.qt.settings.privacy_page import PrivacyPage
from redraft.qt.settings.rows import ActionRow
from redraft.qt.settings.surfaces import Card
from redraft.qt.settings.table_page import TablePage
from redraft.qt.settings.window import SettingsWindow
from redraft.qt.widgets import KeyButton, Pressable


def keys_page(window: SettingsWindow) -> KeysPage:
    assert isinstance(window.page, KeysPage)
    return window.page


def rows_of(card: Card) -> list[ActionRow]:
    return [row for row in card.rows if isinstance(row, ActionRow)]


def press(qtbot: QtBot, row: QWidget, label: str) -> None:
    buttons = [button for button in row.findChildren(Pressable) if label in (button.text() or button.accessibleName())]
    qtbot.mouseClick(buttons[0], Qt.MouseButton.LeftButton)


def test_every_command_is_listed_with_its_key(open_settings: Open) -> None:
    page = keys_page(open_settings("keys"))
    page.list.choose("file.save")
    row = page.list.current
    assert row is not None
    assert (row.title, row.category, row.keys, row.is_changed) == ("Save", "File", ("Ctrl+S",), False)
    spoken = page.list.rows.data(page.list.currentIndex(), Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "File, Save, Ctrl+S"


def test_a_key_is_given_by_pressing_it(qtbot: QtBot, open_settings: Open) -> None:
    window = open_settings("keys")
    page = keys_page(window)
    page.list.choose("file.save")
    qtbot.keyClick(page.list, Qt.Key.Key_Return)
    assert page.capture.isVisible()
    pad = page.capture.pad
    assert pad.hasFocus()
    qtbot.keyClick(pad, Qt.Key.Key_F9, Qt.KeyboardModifier.ControlModifier)
    assert page.capture.words.text() == "This key is free."
    qtbot.keyClick(pad, Qt.Key.Key_Return)
    keymap = window.services.registries.keymap
    assert keymap.keys("file.save") == (Key.parse("Ctrl+F9"),)
    assert not keymap.using(Key.parse("Ctrl+S"))
    assert not page.capture.isVisible()
    assert page.list.current is not None
    assert page.list.current.is_changed
    qtbot.mouseClick(page.reset, Qt.MouseButton.LeftButton)
    assert keymap.keys("file.save") == (Key.parse("Ctrl+S"),)
    assert window.services.store.get("keybindings") == ()


def test_a_key_that_is_taken_is_said_before_it_is_given(qtbot: QtBot, open_settings: Open) -> None:
    window = open_settings("keys")
    page = keys_page(window)
    page.list.choose("file.save_all")
    qtbot.keyClick(page.list, Qt.Key.Key_Return)
    qtbot.keyClick(page.capture.pad, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    assert page.capture.words.text() == "It already runs “Save”; the key you give here goes first."
    qtbot.keyClick(page.capture.pad, Qt.Key.Key_Return)
    found = window.services.registries.keymap.resolve(Key.parse("Ctrl+S"), {})
    assert found is not None
    assert found.command == "file.save_all"


def test_escape_leaves_a_key_as_it_is(qtbot: QtBot, open_settings: Open) -> None:
    window = open_settings("keys")
    page = keys_page(window)
    page.list.choose("file.save")
    qtbot.keyClick(page.list, Qt.Key.Key_Return)
    qtbot.keyClick(page.capture.pad, Qt.Key.Key_F9)
    qtbot.keyClick(page.capture.pad, Qt.Key.Key_Escape)
    assert window.services.registries.keymap.keys("file.save") == (Key.parse("Ctrl+S"),)
    assert window.isVisible()
    assert page.list.hasFocus()


def test_a_command_may_have_no_key(qtbot: QtBot, open_settings: Open) -> None:
    window = open_settings("keys")
    page = keys_page(window)
    page.list.choose("file.save")
    qtbot.keyClick(page.list, Qt.Key.Key_Delete)
    assert window.services.registries.keymap.keys("file.save") == ()
    assert page.list.current is not None
    assert page.list.current.is_changed


def test_keys_are_searched_by_command_and_key(qtbot: QtBot, open_settings: Open) -> None:
    page = keys_page(open_settings("keys"))
    qtbot.keyClicks(page.filter, "Ctrl+Alt+S")
    assert page.list.current is not None
    assert page.list.current.command == "file.save_all"


def test_keybindings_that_make_no_sense_are_said(open_settings: Open) -> None:
    page = keys_page(open_settings("keys", '[[keybindings]]\nkey = "Hyper+Q"\ncommand = "file.save"\n'))
    assert "keybindings[1] is left out" in page.conflicts.text()


def test_a_plugin_is_turned_off_and_on(qtbot: QtBot, open_settings: Open) -> None:
    window = open_settings("plugins")
    assert isinstance(window.page, PluginsPage)
    row = window.page.plugins["inline_edit"]
    assert row.mark.text == "ready"
    qtbot.mouseClick(row.switch, Qt.MouseButton.LeftButton)
    assert row.mark.text == "off"
    assert window.services.store.get("plugins.disabled") == ("inline_edit",)
    qtbot.mouseClick(row.switch, Qt.MouseButton.LeftButton)
    assert row.mark.text == "ready"
    assert window.services.store.get("plugins.disabled") == ()


def test_a_plugin_that_failed_too_often_is_brought_back_with_one_click(qtbot: QtBot, open_settings: Open) -> None:
    window = open_settings("plugins")
    manager = window.services.plugins.manager
    for _ in range(MOST_FAULTS):
        manager.call("local_model", "a call", "redraft_local_model.provider:nothing_of_that_name")
    assert isinstance(window.page, PluginsPage)
    row = window.page.plugins["local_model"]
    assert row.mark.text == "stopped after faults"
    assert row.fault.isVisible()
    assert not row.switch.value()
    qtbot.mouseClick(row.again, Qt.MouseButton.LeftButton)
    assert manager.status("local_model").state is PluginState.READY
    assert not row.fault.isVisible()


def test_trusted_folders_are_listed_and_forgotten(qtbot: QtBot, open_settings: Open, tmp_path: Path) -> None:
    window = open_settings()
    window.services.privacy.trust(tmp_path)
    window.show_page("privacy")
    page = window.page
    assert isinstance(page, PrivacyPage)
    assert rows_of(page.folders)[0].name.text() == str(tmp_path.resolve())
    press(qtbot, rows_of(page.folders)[0], "no longer")
    assert not window.services.privacy.is_trusted(tmp_path)
    assert len(rows_of(page.folders)) == 1


def test_the_one_switch_turns_ai_off(qtbot: QtBot, open_settings: Open) -> None:
    window = open_settings("privacy")
    assert isinstance(window.page, PrivacyPage)
    qtbot.mouseClick(window.page.rows["privacy.ai_enabled"].field, Qt.MouseButton.LeftButton)
    assert not window.services.privacy.ai_enabled
    assert window.services.registries.context["ai_enabled"] is False


def test_a_prompt_is_copied_to_be_edited_and_put_back(
    qtbot: QtBot, open_settings: Open, opened: list[tuple[Path, int]]
) -> None:
    window = open_settings("prompts")
    page = window.page
    assert isinstance(page, PresetsPage)
    prompts = window.services.prompts
    place = prompts.names().index("replace")
    press(qtbot, rows_of(page.prompts)[place], "Copy to edit")
    own = config_folder() / "prompts" / "replace.jinja"
    assert opened == [(own, 0)]
    assert own.is_file()
    assert prompts.is_overridden("replace")
    press(qtbot, rows_of(page.prompts)[place], "Use the built-in one")
    assert not prompts.is_overridden("replace")
    assert own.with_name("replace.jinja.bak").is_file()


def test_presets_of_settings_and_files_are_listed(
    qtbot: QtBot, open_settings: Open, opened: list[tuple[Path, int]]
) -> None:
    folder = config_folder("presets")
    (folder / "tidy.md").write_text("---\nlabel: Tidy it up\n---\nMake it tidy.\n", encoding="utf-8")
    text = '[[presets]]\nname = "short"\nlabel = "Shorter"\ncommand = "Shorten this."\n'
    page = open_settings("prompts", text).page
    assert isinstance(page, PresetsPage)
    shown = [(row.name.text(), row.sentence.text()) for row in rows_of(page.presets)]
    assert shown[:2] == [("/short", "Shorter"), ("/tidy", "Tidy it up")]
    press(qtbot, rows_of(page.presets)[0], "Open")
    press(qtbot, rows_of(page.presets)[1], "Open")
    assert opened == [(config_folder() / "settings.toml", 2), (folder / "tidy.md", 0)]


SERVER = '[[models]]\nname = "large"\nbase_url = "http://127.0.0.1:9/v1"\n'


def model_field(page: PresetsPage, name: str) -> ChoiceField:
    row = next(row for row in rows_of(page.presets) if row.name.text() == name)
    return row.findChildren(ChoiceField)[0]


def choose(field: ChoiceField, value: str) -> None:
    """Choose as with the keyboard or the mouse."""
    field.set_value(value)
    field.activated.emit(field.currentIndex())


@pytest.mark.parametrize(
    ("page", "setting", "words"),
    [
        ("inline_edit", "default_models.inline_edit", "The first one that works"),
        ("edit_prediction", "default_models.edit_prediction", "None until switched on"),
        ("inline_edit", "inline_edit.apply_model", "No model"),
    ],
)
def test_a_setting_without_a_model_says_who_is_asked(open_settings: Open, page: str, setting: str, words: str) -> None:
    table = open_settings(page, SERVER).page
    assert isinstance(table, TablePage)
    field = table.rows[setting].field
    assert isinstance(field, ChoiceField)
    assert field.currentText() == words


def test_each_preset_can_have_a_model_of_its_own(open_settings: Open) -> None:
    window = open_settings("prompts", SERVER)
    page, store = window.page, window.services.store
    assert isinstance(page, PresetsPage)
    assert model_field(page, "/fix").value() == ""
    choose(model_field(page, "/fix"), "large")
    assert store.get("presets") == ({"name": "fix", "model": "large"},)
    assert model_field(page, "/fix").value() == "large"
    assert model_field(page, "/fix").hasFocus()
    assert model_field(page, "/doc").value() == ""
    names = [row.name.text() for row in rows_of(page.presets)]
    assert names.count("/fix") == 2, "an alteration is no preset of its own"
    choose(model_field(page, "/fix"), "")
    assert store.get("presets") == ()


def test_a_file_preset_and_one_in_settings_show_their_model(open_settings: Open) -> None:
    (config_folder("presets") / "tidy.md").write_text("---\nmodel: large\n---\nMake it tidy.\n", encoding="utf-8")
    text = f'{SERVER}[[presets]]\nname = "short"\ncommand = "Shorten this."\nmodel = "gone"\n'
    window = open_settings("prompts", text)
    page = window.page
    assert isinstance(page, PresetsPage)
    assert [model_field(page, name).value() for name in ("/short", "/tidy")] == ["gone", "large"]
    choose(model_field(page, "/tidy"), "")
    row = next(row for row in rows_of(page.presets) if row.name.text() == "/tidy")
    assert row.fault.text() == "tidy.md names this model; change it there."
    assert model_field(page, "/tidy").value() == "large"
    choose(model_field(page, "/short"), "large")
    assert window.services.store.get("presets")[0]["model"] == "large"


def test_a_copied_preset_takes_its_model_along_once(qtbot: QtBot, open_settings: Open) -> None:
    text = f'{SERVER}[[presets]]\nname = "doc"\nmodel = "large"\n'
    window = open_settings("prompts", text)
    assert isinstance(window.page, PresetsPage)
    row = next(row for row in rows_of(window.page.presets) if row.name.text() == "/doc")
    press(qtbot, row, "Copy to edit")
    mine = window.services.store.get("presets")
    assert [(table["name"], table["model"], bool(table["command"])) for table in mine] == [("doc", "large", True)]


def test_a_new_preset_begins_in_the_settings_file(
    qtbot: QtBot, open_settings: Open, opened: list[tuple[Path, int]]
) -> None:
    window = open_settings("prompts")
    assert isinstance(window.page, PresetsPage)
    press(qtbot, rows_of(window.page.presets)[-1], "Add preset")
    assert window.services.store.get("presets")[0]["name"] == "mine"
    path, line = opened[0]
    assert path.read_text(encoding="utf-8").splitlines()[line - 1] == 'name = "mine"'


def test_about_names_versions_licences_and_folders(qtbot: QtBot, open_settings: Open) -> None:
    window = open_settings("about")
    assert isinstance(window.page, AboutPage)
    copy = next(button for button in window.page.findChildren(KeyButton) if button.text() == "Copy versions")
    qtbot.mouseClick(copy, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text().startswith("Redraft ")
    page = window.page
    qtbot.waitUntil(lambda: len(page.libraries.rows) > 15, timeout=20_000)
    names = {row.name.text().partition(" ")[0].casefold() for row in rows_of(page.libraries)}
    assert {"httpx", "pydantic", "tomlkit", "inter"} <= names


def test_every_library_has_a_licence() -> None:
    found = list(libraries())
    assert len(found) > 15
    assert [entry.metadata["Name"] for entry in found if licence_of(entry) == "see the package"] == []
