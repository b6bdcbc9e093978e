"""The workbench: joins window, open files, folder and commands, and keeps what they show in step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from PySide6.QtCore import QObject, QPoint, QTimer, Signal
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QTextEdit, QWidget

from redraft.api.prompt_block import Tone
from redraft.api.ui import StatusModel
from redraft.core.folder import branch_name
from redraft.core.text import Position
from redraft.core.wording import count_words
from redraft.host.registries import Registries
from redraft.qt import facts
from redraft.qt.dialogs.questions import Questions
from redraft.qt.documents.document import Document
from redraft.qt.documents.store import Documents
from redraft.qt.editor.code_editor import CodeEditor
from redraft.qt.editor.prompt_block.block import PromptBlock
from redraft.qt.frame.folder_model import FolderModel
from redraft.qt.frame.sidebar import KeyHint
from redraft.qt.frame.toast import ToastModel
from redraft.qt.keys import KeyDispatcher
from redraft.qt.main_window import MainWindow
from redraft.qt.menus import MenuBuilder
from redraft.qt.messages import Messages
from redraft.qt.theme import Theme, ThemeManager

SAVED_STAYS = 5000
"""Milliseconds the note of saving is shown."""

HINTS = (
    ("Edit a selection", "inline_edit.open"),
    ("All commands", "view.command_palette"),
    ("Accept a hunk", "inline_edit.accept_hunk"),
    ("Settings", "file.settings"),
)
EMPTY_HINTS = (
    ("New file", "file.new"),
    ("Open a file", "file.open"),
    ("Go to file", "go.file"),
    ("All commands", "view.command_palette"),
)


NOTHING_SHOWN: Mapping[str, object] = {
    "prompt_visible": False,
    "diff_visible": False,
    "prediction_visible": False,
    "prediction_takes_tab": False,
    "prediction_at_caret": False,
}


class Workbench(QObject):
    """One window with everything in it."""

    folder_changed = Signal(object)
    quit_wanted = Signal()

    def __init__(
        self,
        registries: Registries,
        themes: ThemeManager,
        *,
        make_questions: Callable[[Theme, MainWindow], Questions] = Questions,
    ) -> None:
        super().__init__()
        self.registries = registries
        self.themes = themes
        self.folder: Path | None = None
        self.zoom = 0
        self.shows_guides = True
        self.messages = Messages(self)
        self.folder_model = FolderModel(self)
        self.window = MainWindow(themes.theme, self.folder_model)
        self.questions = make_questions(themes.theme, self.window)
        self.documents = Documents(self._make_editor, self.questions, self)
        self.menus = MenuBuilder(registries, self.show_error)
        self.keys = KeyDispatcher(registries, self.window, self._refresh_for_key, self.show_error)
        self.shown_in_text: Callable[[Document], Mapping[str, object]] = lambda _document: NOTHING_SHOWN
        self._is_stale = False
        self._saved_timer = QTimer(self, singleShot=True, interval=SAVED_STAYS)
        self._saved_timer.timeout.connect(self._on_saved_note_over)
        self._connect_documents()
        self._connect_window()
        registries.keymap.on_did_change(self.refresh_keys)
        self.refresh_keys()
        self.refresh()

    def run(self, command: str, *args: object) -> None:
        """Run a command; what goes wrong is said in one sentence."""
        self.menus.run(command, *args)

    def say(
        self, text: str, *, action: str = "", on_action: Callable[[], None] | None = None, tone: Tone = Tone.PLAIN
    ) -> None:
        """Say one sentence that has no other place."""
        model = ToastModel(text, action, tone)
        self.messages.add(model, on_action)
        self.window.toasts.show(model, on_action)

    def show_error(self, error: Exception) -> None:
        """Say what went wrong."""
        self.say(str(error), tone=Tone.ERROR)

    def open_paths(self, paths: list[Path], place: Position | None = None, *, create: bool = False) -> None:
        """Open files and folders; of several folders the last one stays open."""
        for path in paths:
            if path.is_dir():
                self.open_folder(path)
            else:
                self.documents.open(path, place, create=create)

    def open_folder(self, folder: Path | None, open_folders: set[Path] | None = None) -> None:
        """Show another folder, or none."""
        self.folder = folder.resolve() if folder else None
        self.folder_model.set_root(self.folder, open_folders)
        self.window.set_folder(self.folder)
        self.folder_changed.emit(self.folder)
        self.refresh_branch()
        self.refresh()

    def set_theme(self, theme: Theme) -> None:
        """Draw everything in another theme."""
        self.window.set_theme(theme)
        self.questions.set_theme(theme)

    def set_zoom(self, zoom: int) -> None:
        """Show the code of all files, and of those to come, larger or smaller than usual by some steps."""
        self.zoom = max(-6, min(zoom, 20))
        for document in self.documents.all:
            document.editor.setZoom(self.zoom)

    def set_guides_shown(self, *, shown: bool) -> None:
        """Draw indent guides in all files, and in those to come, or not."""
        self.shows_guides = shown
        for document in self.documents.all:
            document.editor.set_guides_shown(shown=shown)

    def refresh_soon(self) -> None:
        """Bring everything shown up to date when the event loop is reached; many changes make one refresh."""
        if not self._is_stale:
            self._is_stale = True
            QTimer.singleShot(0, self, self._refresh_if_stale)

    def refresh(self) -> None:
        """Bring tabs, status bar, title and context keys up to date."""
        self._is_stale = False
        documents, active = self.documents.all, self.documents.active
        self.window.set_tabs(facts.tab_models(documents), active.number if active else None)
        self.window.sidebar.proposals.set_proposals(facts.open_proposals(documents))
        self.window.sidebar.tree.set_current_file(active.path if active else None)
        for item, model in facts.file_items(active):
            self.window.status.set_item(item, model)
        self.window.setWindowTitle(facts.window_title(active, self.folder))
        self.window.setWindowModified(active is not None and active.is_modified)
        context = facts.context_of(documents, active, self.folder)
        self.registries.context.update(context | {"has_closed_files": self.documents.has_closed})
        self.refresh_focus()

    def _refresh_if_stale(self) -> None:
        if self._is_stale:
            self.refresh()

    def _refresh_for_key(self) -> None:
        """What a key does follows from the keys before it, also where they come faster than the event loop turns."""
        if self._is_stale:
            self.refresh()
        else:
            self.refresh_focus()

    def refresh_focus(self) -> None:
        """Bring up to date who has the keyboard, and what of a file is on screen."""
        active = self.documents.active
        focus = QApplication.focusWidget()
        view = self.window.view_of(active) if active else None
        prompt = _block_around(focus)
        self.registries.context.update(
            {
                "editor_focus": view is not None and focus in {view.editor, view.editor.viewport()},
                "prompt_focus": prompt is not None,
                "prompt_text": prompt is not None and prompt.holds_words,
                "field_focus": prompt is None and _takes_words(focus),
                "find_visible": view is not None and view.shows_find,
                "picker_visible": self.window.picker.isVisible(),
            }
            | dict(self.shown_in_text(active) if active else NOTHING_SHOWN)
        )

    def refresh_branch(self) -> None:
        """Look which branch the folder is on."""
        branch = branch_name(self.folder) if self.folder else ""
        self.window.status.set_item("branch", StatusModel(branch, icon="branch", tooltip="Branch") if branch else None)

    def refresh_keys(self) -> None:
        """Read every key label anew."""
        label = self.registries.keymap.label
        side = self.window.sidebar
        side.no_folder.set_open_key(label("file.open_folder"))
        side.no_folder.set_hints([KeyHint(text, label(command)) for text, command in HINTS])
        side.header.set_search_key(label("go.file"))
        self.window.header.split.set_label("Split view", key=label("view.split"))
        self.window.area.set_hints([KeyHint(text, label(command)) for text, command in EMPTY_HINTS])

    def stop(self) -> None:
        """End what runs on its own."""
        self._saved_timer.stop()
        self.folder_model.stop()
        self.documents.stop()

    def _make_editor(self) -> CodeEditor:
        editor = CodeEditor(self.themes.theme)
        editor.setZoom(self.zoom)
        editor.set_guides_shown(shown=self.shows_guides)
        editor.selection_changed.connect(self._on_selection_changed)
        editor.text_changed.connect(self._on_text_changed)
        return editor

    def _connect_documents(self) -> None:
        documents = self.documents
        documents.added.connect(self._on_added)
        documents.removed.connect(self._on_removed)
        documents.active_changed.connect(self._on_active_changed)
        documents.order_changed.connect(self.refresh)
        documents.changed.connect(self._on_document_changed)
        documents.failed.connect(self._on_failed)
        documents.saved.connect(self._on_saved)

    def _connect_window(self) -> None:
        window = self.window
        window.tabs.chosen.connect(self._on_tab_chosen)
        window.tabs.close_wanted.connect(self._on_tab_close)
        window.tabs.moved.connect(self.documents.move)
        window.tabs.menu_wanted.connect(self._on_tab_menu)
        window.tabs.new_wanted.connect(lambda: self.run("file.new"))
        window.sidebar.tree.file_chosen.connect(self._on_file_chosen)
        window.sidebar.proposals.chosen.connect(self._on_tab_chosen)
        window.sidebar.no_folder.open_wanted.connect(lambda: self.run("file.open_folder"))
        window.sidebar.header.search_wanted.connect(lambda: self.run("go.file"))
        window.sidebar.header.menu_wanted.connect(self._on_menu)
        window.header.menu.clicked.connect(self._on_menu)
        window.header.more.clicked.connect(self._on_more)
        window.header.split.clicked.connect(lambda: self.run("view.split"))
        window.document_entered.connect(self._on_document_entered)
        window.status.triggered.connect(lambda _item, command: self.run(command))
        window.dropped.connect(self.open_paths)
        window.close_wanted.connect(self.quit_wanted)
        window.activated.connect(self.refresh_branch)
        window.sidebar_changed.connect(self._on_sidebar_changed)
        window.area.split_changed.connect(self._on_split_changed)
        self.folder_model.failed.connect(self._on_failed)

    def _on_added(self, document: Document) -> None:
        self.window.add_document(document)

    def _on_removed(self, document: Document) -> None:
        self.window.remove_document(document)
        self.refresh()

    def _on_active_changed(self, document: Document | None) -> None:
        self.window.show_document(document)
        self.refresh()

    def _on_document_changed(self, _document: Document) -> None:
        self.refresh_soon()

    def _on_selection_changed(self) -> None:
        self.refresh_soon()

    def _on_text_changed(self, _change: object) -> None:
        self.refresh_soon()

    def _on_failed(self, sentence: str) -> None:
        self._on_saved_note_over()  # "Saved" beside it would be about another file, or untrue
        self.say(sentence, tone=Tone.ERROR)

    def _on_saved(self, document: Document) -> None:
        left = document.undecided
        note = f"Saved, {count_words(left, 'proposed hunk')} not included" if left else "Saved"
        self.window.status.set_item("saved", StatusModel(note, icon="saved", tooltip=str(document.path), at_right=True))
        self._saved_timer.start()
        self.refresh()

    def _on_saved_note_over(self) -> None:
        self.window.status.set_item("saved", None)

    def _on_tab_chosen(self, number: int) -> None:
        document = self.documents.of_number(number)
        if document is not None:
            self._show(document)

    def _on_tab_close(self, number: int) -> None:
        document = self.documents.of_number(number)
        if document is not None:
            self.documents.close(document)

    def _on_tab_menu(self, number: int, point: QPoint) -> None:
        self._on_tab_chosen(number)
        self.menus.menu("tab/context", self.themes.theme, self.window).popup(point)

    def _on_file_chosen(self, path: Path) -> None:
        document = self.documents.open(path)
        if document is not None:
            self._show(document)

    def _on_document_entered(self, number: int) -> None:
        document = self.documents.of_number(number)
        if document is not None:
            self.documents.activate(document)

    def _show(self, document: Document) -> None:
        """Bring a file to the front, with the keyboard in it, also from an empty side of a split window."""
        self.documents.activate(document)
        self.window.show_document(document)
        self.window.focus_text()

    def _on_menu(self) -> None:
        button = self.window.sidebar.header.menu_button if self.window.is_sidebar_shown else self.window.header.menu
        menu = self.menus.main_menu(self.themes.theme, self.window)
        menu.popup(button.mapToGlobal(QPoint(0, button.height() + 4)))

    def _on_more(self) -> None:
        button = self.window.header.more
        menu = self.menus.menu("more", self.themes.theme, self.window)
        size = menu.sizeHint()
        menu.popup(button.mapToGlobal(QPoint(button.width() - size.width(), button.height() + 4)))

    def _on_split_changed(self) -> None:
        self.registries.context.set("is_split", self.window.area.is_split)

    def _on_sidebar_changed(self) -> None:
        self.registries.context.set("sidebar_visible", self.window.is_sidebar_shown)


def _takes_words(widget: QWidget | None) -> bool:
    return isinstance(widget, QLineEdit | QPlainTextEdit | QTextEdit) and not widget.isReadOnly()


def _block_around(widget: QWidget | None) -> PromptBlock | None:
    while widget is not None and not isinstance(widget, PromptBlock):
        widget = widget.parentWidget()
    return widget
