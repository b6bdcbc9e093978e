from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QFontInfo
from pyside6_scintilla import Scintilla
from pytestqt.qtbot import QtBot

import redraft
import redraft_inline_edit
from redraft.core.config.builtin import BUILTIN
from redraft.core.config.store import SettingsStore
from redraft.qt.documents.autosave import AutoSave
from redraft.qt.editor.code_editor import CodeEditor
from redraft.qt.editor.numbers import Margin
from redraft.qt.preferences import Preferences
from redraft.qt.workbench import Workbench


@pytest.fixture
def settings() -> SettingsStore:
    return SettingsStore()


@pytest.fixture
def preferences(bench: Workbench, settings: SettingsStore) -> Iterator[Preferences]:
    made = Preferences(bench, settings, AutoSave(bench.documents, bench))
    bench.themes.changed.connect(bench.set_theme)
    yield made
    made.stop()


@pytest.fixture
def editor(bench: Workbench, preferences: Preferences) -> CodeEditor:
    return bench.documents.new("if x:\n    y = 1\n").editor


def test_every_declared_setting_is_read_somewhere() -> None:
    source = "".join(
        path.read_text(encoding="utf-8")
        for package in (redraft, redraft_inline_edit)
        for path in Path(str(package.__file__)).parent.rglob("*.py")
        if path.name != "builtin.py" and path.parent.name != "settings"
    )
    prefixes = set(re.findall(r'f"([a-z_]+\.)\{', source))
    unread = [
        name
        for name in BUILTIN.settings
        if f'"{name}"' not in source and not any(name.startswith(prefix) for prefix in prefixes)
    ]
    assert unread == []


def test_line_numbers_come_and_go(settings: SettingsStore, editor: CodeEditor) -> None:
    before = editor.text_left()
    settings.set("editor.line_numbers", False)
    assert editor.marginWidthN(Margin.NUMBERS) == 0
    assert editor.text_left() < before
    settings.set("editor.line_numbers", True)
    assert editor.text_left() == before


@pytest.mark.parametrize(
    ("choice", "drawn"),
    [
        ("never", Scintilla.WhiteSpace.Invisible),
        ("in_indentation", Scintilla.WhiteSpace.VisibleOnlyInIndent),
        ("always", Scintilla.WhiteSpace.VisibleAlways),
    ],
)
def test_blanks_are_drawn_as_chosen(
    settings: SettingsStore, editor: CodeEditor, choice: str, drawn: Scintilla.WhiteSpace
) -> None:
    settings.set("editor.show_blanks", choice)
    assert editor.viewWS() == drawn


def test_the_code_font_and_its_size_reach_the_text(settings: SettingsStore, editor: CodeEditor) -> None:
    rows = editor.row_height()
    settings.set("appearance.code_size", 20)
    settings.set("appearance.code_font", "DejaVu Sans Mono")
    assert editor.font_pixels() == 20
    assert editor.row_height() > rows
    assert QFontInfo(editor.theme.code_font()).family() == "DejaVu Sans Mono"


def test_still_parts_and_marks_follow_the_settings(
    bench: Workbench, settings: SettingsStore, editor: CodeEditor
) -> None:
    settings.set("appearance.reduced_motion", True)
    settings.set("appearance.glyphs", True)
    assert bench.themes.theme.reduced_motion
    assert bench.themes.theme.shows_glyphs


def test_what_is_excluded_leaves_the_tree(
    qtbot: QtBot, bench: Workbench, settings: SettingsStore, preferences: Preferences, tmp_path: Path
) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    for name in ("a.py", "a.log"):
        (folder / name).write_text("x", encoding="utf-8")
    bench.open_folder(folder)
    model = bench.folder_model
    qtbot.waitUntil(lambda: [row.entry.name for row in model.rows] == ["a.log", "a.py"], timeout=20_000)
    settings.set("files.exclude", ("*.log",))
    qtbot.waitUntil(lambda: [row.entry.name for row in model.rows] == ["a.py"], timeout=20_000)
