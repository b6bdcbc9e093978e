"""Obeys the settings: the theme, how files are read and written, how text is shown."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject
from pyside6_scintilla import Scintilla

from redraft.api.disposable import DisposableStack
from redraft.core.config.store import SettingsStore
from redraft.qt.documents.autosave import AutoSave
from redraft.qt.documents.document import Document
from redraft.qt.documents.policy import FilePolicy
from redraft.qt.editor.code_editor import CodeEditor
from redraft.qt.theme import FontChoice, ThemeChoice
from redraft.qt.workbench import Workbench

FILE_NAMES = (
    "files.max_size",
    "files.line_end",
    "files.final_newline",
    "files.trim_blanks",
    "editor.detect_indentation",
    "editor.use_tabs",
    "editor.indent_width",
    "editor.tab_width",
)
TEXT_NAMES = ("editor.word_wrap", "editor.show_blanks", "editor.ruler", "editor.line_numbers")
LOOK_NAMES = (
    "appearance.theme",
    "appearance.glyphs",
    "appearance.reduced_motion",
    "appearance.ui_font",
    "appearance.code_font",
    "appearance.code_size",
)
BLANKS = {
    "never": Scintilla.WhiteSpace.Invisible,
    "in_indentation": Scintilla.WhiteSpace.VisibleOnlyInIndent,
    "always": Scintilla.WhiteSpace.VisibleAlways,
}


class Preferences(QObject):
    """Carries each setting to where it counts, now and whenever it changes."""

    def __init__(self, workbench: Workbench, settings: SettingsStore, autosave: AutoSave) -> None:
        super().__init__(workbench)
        self._bench = workbench
        self._settings = settings
        self._autosave = autosave
        self._kept = DisposableStack()
        self._follow(LOOK_NAMES, self._obey_look)
        self._follow(FILE_NAMES, self._obey_files)
        self._follow(TEXT_NAMES, self._obey_text)
        self._follow(("files.autosave",), self._obey_autosave)
        self._follow(("files.exclude",), self._obey_exclude)
        workbench.documents.added.connect(self._on_added)

    def choose_theme(self, choice: ThemeChoice) -> None:
        """Take a theme and remember it."""
        self._settings.set("appearance.theme", choice)

    def stop(self) -> None:
        """Follow nothing any more."""
        self._kept.dispose()

    def _follow(self, names: tuple[str, ...], obey: Callable[[], None]) -> None:
        for name in names:
            self._kept.add(self._settings.on_did_change(name, lambda _value: obey()))
        obey()

    def _obey_look(self) -> None:
        get, themes = self._settings.get, self._bench.themes
        themes.choose(get("appearance.theme"))
        fonts = FontChoice(get("appearance.ui_font"), get("appearance.code_font"), get("appearance.code_size"))
        themes.set_details(
            glyphs=get("appearance.glyphs"), reduced_motion=get("appearance.reduced_motion"), fonts=fonts
        )

    def _obey_files(self) -> None:
        self._bench.documents.reader.policy = FilePolicy.of(self._settings)

    def _obey_text(self) -> None:
        for document in self._bench.documents.all:
            self._dress(document.editor)

    def _obey_autosave(self) -> None:
        self._autosave.set_mode(self._settings.get("files.autosave"))

    def _obey_exclude(self) -> None:
        self._bench.folder_model.set_excluded(self._settings.get("files.exclude"))

    def _on_added(self, document: Document) -> None:
        self._dress(document.editor)

    def _dress(self, editor: CodeEditor) -> None:
        get = self._settings.get
        editor.setWrapMode(Scintilla.Wrap.WhiteSpace if get("editor.word_wrap") else Scintilla.Wrap.None_)
        editor.gutter.show_numbers(get("editor.line_numbers"))
        editor.setViewWS(BLANKS[get("editor.show_blanks")])
        ruler = get("editor.ruler")
        editor.setEdgeMode(Scintilla.EdgeVisualStyle.Line if ruler else Scintilla.EdgeVisualStyle.None_)
        editor.setEdgeColumn(ruler)
