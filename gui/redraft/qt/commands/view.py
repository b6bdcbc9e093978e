"""Commands about the look of the window and of the text."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import Qt
from pyside6_scintilla import Scintilla

from redraft.api.ui import PickItem
from redraft.qt.editor.code_editor import CodeEditor
from redraft.qt.palette.picker import Question
from redraft.qt.palette.rows import PickRow
from redraft.qt.theme import ThemeChoice
from redraft.qt.workbench import Workbench

THEMES: tuple[tuple[ThemeChoice, str], ...] = (
    ("system", "As the system"),
    ("dark", "Dark"),
    ("light", "Light"),
    ("contrast", "High contrast"),
)


class ViewCommands:
    """Handlers of `view.*`."""

    def __init__(self, workbench: Workbench, on_theme_chosen: Callable[[ThemeChoice], None]) -> None:
        self._bench = workbench
        self._on_theme_chosen = on_theme_chosen

    def handlers(self) -> Mapping[str, Callable[..., object]]:
        """By command id."""
        return {
            "view.sidebar": self.toggle_sidebar,
            "view.split": self.toggle_split,
            "view.status_bar": self.toggle_status_bar,
            "view.full_screen": self.toggle_full_screen,
            "view.theme": self.choose_theme,
            "view.word_wrap": self.toggle_word_wrap,
            "view.whitespace": self.toggle_whitespace,
            "view.indent_guides": self.toggle_indent_guides,
            "view.zoom_in": lambda: self.zoom(1),
            "view.zoom_out": lambda: self.zoom(-1),
            "view.zoom_reset": lambda: self.zoom(0),
        }

    def toggle_sidebar(self) -> None:
        """Show or hide the side bar."""
        self._bench.window.show_sidebar(not self._bench.window.is_sidebar_shown)

    def toggle_split(self) -> None:
        """Show the file that was in front before beside the one that is, or one file alone again."""
        window, documents = self._bench.window, self._bench.documents
        if window.area.is_split:
            window.join()
        else:
            before = documents.before
            window.split(before)
            if before is not None:
                documents.activate(before)

    def toggle_status_bar(self) -> None:
        """Show or hide the status bar."""
        status = self._bench.window.status
        status.setVisible(status.isHidden())
        self._bench.registries.context.set("status_bar_visible", not status.isHidden())

    def toggle_full_screen(self) -> None:
        """Fill the screen, or not."""
        window = self._bench.window
        window.setWindowState(window.windowState() ^ Qt.WindowState.WindowFullScreen)
        self._bench.registries.context.set("full_screen", window.isFullScreen())

    def choose_theme(self) -> None:
        """Ask for a theme."""
        rows = tuple(PickRow(PickItem(choice, label)) for choice, label in THEMES)
        self._bench.window.picker.ask(
            Question("Color theme", rows, current=self._bench.themes.choice),
            on_chosen=lambda chosen: self._on_theme_chosen(next(choice for choice, _ in THEMES if choice == chosen)),
        )

    def toggle_word_wrap(self) -> None:
        """Break long lines in the file in front, or not."""
        editor = self._editor()
        if editor is not None:
            wraps = editor.wrapMode() == Scintilla.Wrap.None_
            editor.setWrapMode(Scintilla.Wrap.Word if wraps else Scintilla.Wrap.None_)
            self._bench.registries.context.set("word_wrap", wraps)

    def toggle_whitespace(self) -> None:
        """Draw blanks and tabs in the file in front, or not."""
        editor = self._editor()
        if editor is not None:
            shown = editor.viewWS() == Scintilla.WhiteSpace.Invisible
            editor.setViewWS(Scintilla.WhiteSpace.VisibleAlways if shown else Scintilla.WhiteSpace.Invisible)
            self._bench.registries.context.set("whitespace_visible", shown)

    def toggle_indent_guides(self) -> None:
        """Draw indent guides in all files, or not."""
        self._bench.set_guides_shown(shown=not self._bench.shows_guides)
        self._bench.registries.context.set("indent_guides_visible", self._bench.shows_guides)

    def zoom(self, step: int) -> None:
        """Make the code of all files larger (1), smaller (-1) or as usual (0)."""
        self._bench.set_zoom(self._bench.zoom + step if step else 0)

    def _editor(self) -> CodeEditor | None:
        active = self._bench.documents.active
        return active.editor if active else None
