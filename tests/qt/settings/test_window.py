from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from qt.settings.opening import Open, file_text
from redraft.core.config.schema import Setting
from redraft.core.paths import config_folder
from redraft.qt.settings.fields import ChoiceField, ListField, Switch, TextField
from redraft.qt.settings.sections import SECTIONS, is_plain, page_of, title_of
from redraft.qt.settings.setting_row import SettingRow, parsed, spoken
from redraft.qt.settings.table_page import TablePage
from redraft.qt.settings.window import SettingsWindow
from redraft.qt.theme import load_theme


def row_of(window: SettingsWindow, name: str) -> SettingRow:
    assert isinstance(window.page, TablePage)
    return window.page.rows[name]


def test_every_declared_setting_stands_on_exactly_one_page(open_settings: Open) -> None:
    window = open_settings()
    shown: list[str] = []
    for section in SECTIONS:
        window.show_page(section.id)
        if isinstance(window.page, TablePage):
            shown += window.page.rows
    declared = [setting.name for setting in window.services.store.schema.settings.values() if is_plain(setting)]
    assert sorted(shown) == sorted(declared)


def test_the_type_of_a_setting_chooses_its_field(open_settings: Open) -> None:
    window = open_settings("editor")
    assert isinstance(row_of(window, "editor.word_wrap").field, Switch)
    assert isinstance(row_of(window, "editor.show_blanks").field, ChoiceField)
    width = row_of(window, "editor.tab_width").field
    assert isinstance(width, TextField)
    assert width.note == "columns"
    window.show_page("general")
    assert isinstance(row_of(window, "files.exclude").field, ListField)


def test_a_switch_is_saved_at_once_and_comments_stay(qtbot: QtBot, open_settings: Open) -> None:
    window = open_settings("editor", "# mine\n[editor]\ntab_width = 8  # as in the kernel\n")
    field = row_of(window, "editor.word_wrap").field
    field.setFocus()
    qtbot.keyClick(field, Qt.Key.Key_Space)
    assert file_text().startswith("# mine\n[editor]\ntab_width = 8  # as in the kernel\nword_wrap = true\n")
    assert row_of(window, "editor.word_wrap").is_changed


def test_a_changed_value_is_marked_and_goes_back_to_its_default(qtbot: QtBot, open_settings: Open) -> None:
    window = open_settings("editor", "[editor]\ntab_width = 8\n")
    row = row_of(window, "editor.tab_width")
    assert row.is_changed
    assert row.reset.isVisible()
    assert not row_of(window, "editor.indent_width").reset.isVisible()
    qtbot.mouseClick(row.reset, Qt.MouseButton.LeftButton)
    assert window.services.store.get("editor.tab_width") == 4
    assert row.field.value() == "4"
    assert not row.is_changed
    assert "tab_width" not in file_text()


@pytest.mark.parametrize("typed", ["many", "0", "17", "2.5", ""])
def test_what_does_not_fit_is_said_under_the_field_and_not_saved(qtbot: QtBot, open_settings: Open, typed: str) -> None:
    window = open_settings("editor", "[editor]\ntab_width = 8\n")
    row = row_of(window, "editor.tab_width")
    assert isinstance(row.field, TextField)
    row.field.selectAll()
    qtbot.keyClicks(row.field, typed) if typed else row.field.clear()
    qtbot.keyClick(row.field, Qt.Key.Key_Return)
    assert row.fault.text() == "This must be a whole number from 1 to 16."
    assert row.fault.isVisible()
    assert window.services.store.get("editor.tab_width") == 8
    row.field.selectAll()
    qtbot.keyClicks(row.field, "2")
    qtbot.keyClick(row.field, Qt.Key.Key_Return)
    assert not row.fault.isVisible()
    assert window.services.store.get("editor.tab_width") == 2


def test_a_list_is_saved_when_it_is_left(qtbot: QtBot, open_settings: Open) -> None:
    window = open_settings("general")
    field = row_of(window, "files.exclude").field
    assert isinstance(field, ListField)
    field.setPlainText("build/\n\n  *.o \n")
    qtbot.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert window.services.store.get("files.exclude") == ("build/", "*.o")


def test_a_change_from_elsewhere_is_shown(open_settings: Open) -> None:
    window = open_settings("editor")
    window.services.store.set("editor.tab_width", 2)
    assert row_of(window, "editor.tab_width").field.value() == "2"


def test_a_broken_file_is_named_with_its_line_and_can_be_opened(
    qtbot: QtBot, open_settings: Open, opened: list[tuple[Path, int]]
) -> None:
    window = open_settings("editor", "[editor]\ntab_width = \n")
    assert window.banner.isVisible()
    assert "settings.toml, line 2" in window.banner.words.text()
    qtbot.mouseClick(window.banner.open, Qt.MouseButton.LeftButton)
    assert opened == [(window.services.store.path, 2)]
    row = row_of(window, "editor.word_wrap")
    qtbot.mouseClick(row.field, Qt.MouseButton.LeftButton)
    assert "Nothing was changed" in row.fault.text()
    assert file_text() == "[editor]\ntab_width = \n"


def test_a_value_of_the_wrong_kind_is_named_with_line_and_key(open_settings: Open) -> None:
    window = open_settings("editor", '[editor]\ntab_width = "four"\n')
    assert window.banner.isVisible()
    assert "line 2" in window.banner.words.text()
    assert "editor.tab_width" in window.banner.words.text()
    assert not window.banner.start_over.isVisible()


def test_starting_over_keeps_the_broken_file(qtbot: QtBot, open_settings: Open) -> None:
    window = open_settings("editor", "[editor\n")
    qtbot.mouseClick(window.banner.start_over, Qt.MouseButton.LeftButton)
    assert not window.banner.isVisible()
    assert (config_folder() / "settings.toml.broken-1").read_text(encoding="utf-8") == "[editor\n"


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("tab wid", "editor.tab_width"),
        ("autosve", "files.autosave"),
        ("pem certificates", "network.extra_ca_file"),
        ("privacy.ai_enabled", "privacy.ai_enabled"),
    ],
)
def test_search_finds_settings_by_name_and_sentence(qtbot: QtBot, open_settings: Open, typed: str, first: str) -> None:
    window = open_settings("keys")
    qtbot.keyClick(window, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert window.nav.search.hasFocus()
    qtbot.keyClicks(window.nav.search, typed)
    assert window.page is window.results
    assert next(iter(window.results.rows)) == first
    qtbot.keyClick(window.nav.search, Qt.Key.Key_Escape)
    assert window.nav.current == "keys"
    assert window.isVisible()
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert not window.isVisible()


def test_a_search_without_results_says_so(qtbot: QtBot, open_settings: Open) -> None:
    window = open_settings()
    qtbot.keyClicks(window.nav.search, "qqzzxxyy")
    assert window.results.sentence.text() == "Nothing fits “qqzzxxyy”."


def test_a_found_setting_is_changed_where_it_is_found(qtbot: QtBot, open_settings: Open) -> None:
    window = open_settings()
    qtbot.keyClicks(window.nav.search, "word wrap")
    qtbot.mouseClick(row_of(window, "editor.word_wrap").field, Qt.MouseButton.LeftButton)
    assert window.services.store.get("editor.word_wrap") is True


def test_sections_are_walked_with_the_arrow_keys(qtbot: QtBot, open_settings: Open) -> None:
    window = open_settings()
    window.nav.focus_current()
    for _ in range(2):
        qtbot.keyClick(window.nav.rows[window.nav.current], Qt.Key.Key_Down)
    assert window.nav.current == "appearance"
    assert window.nav.rows["appearance"].hasFocus()
    assert window.page.about.id == "appearance"
    qtbot.keyClick(window.nav.rows["appearance"], Qt.Key.Key_End)
    assert window.nav.current == "about"


@pytest.mark.parametrize("page", [section.id for section in SECTIONS])
def test_whatever_takes_the_keyboard_has_a_name(open_settings: Open, page: str) -> None:
    window = open_settings(page)
    nameless = [
        widget
        for widget in window.page.findChildren(QWidget)
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisible() and not name_of(widget)
    ]
    assert nameless == []


def name_of(widget: QWidget) -> str:
    parent = widget.parentWidget()
    return widget.accessibleName() or (parent.accessibleName() if parent and widget.focusProxy() else "")


def test_tab_reaches_every_field_of_a_page(qtbot: QtBot, open_settings: Open) -> None:
    window = open_settings("appearance")
    fields = {name: row.field for name, row in window.page.rows.items()} if isinstance(window.page, TablePage) else {}
    window.nav.focus_current()
    reached = set()
    for _ in range(60):
        focus = window.focusWidget()
        reached |= {name for name, field in fields.items() if field is focus}
        assert focus is not None
        qtbot.keyClick(focus, Qt.Key.Key_Tab)
    assert reached == set(fields)


MARGIN = (250, 600)
"""A point of the page beside its cards, however many there are."""


@pytest.mark.parametrize("name", ["light", "contrast"])
def test_a_change_of_theme_keeps_page_and_values(open_settings: Open, name: str) -> None:
    window = open_settings("editor", "[editor]\ntab_width = 8\n")
    before = window.grab().toImage().pixelColor(*MARGIN)
    window.set_theme(load_theme("light" if name == "light" else "contrast"))
    after = window.grab().toImage().pixelColor(*MARGIN)
    assert before == load_theme("dark").color("surface.0")
    assert after == load_theme("light" if name == "light" else "contrast").color("surface.0")
    assert row_of(window, "editor.tab_width").field.value() == "8"


@pytest.mark.parametrize("value", [0, 7, 32768, 1234567, 0.2, 13.0])
def test_numbers_are_read_as_they_are_shown(value: float) -> None:
    kind = "int" if isinstance(value, int) else "float"
    setting = Setting("some.number", kind, value, "A number.")
    assert parsed(setting, spoken(value)) == value


def test_titles_are_words_for_people() -> None:
    assert title_of(Setting("appearance.ui_font", "str", "", "Font.")) == "UI font"
    assert title_of(Setting("network.extra_ca_file", "str", "", "File.")) == "Extra CA file"
    assert page_of(Setting("other.thing", "bool", False, "A plugin's.")) == "plugins"
