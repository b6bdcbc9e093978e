"""One open file: its text in an editor, and what it was like on disk."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from redraft.core.diff.merge import line_edits
from redraft.core.indent_style import FileStyle, file_style, style_edits
from redraft.core.languages import language_of
from redraft.core.textfile import TextFile
from redraft.qt.documents.policy import FilePolicy
from redraft.qt.editor.code_editor import CodeEditor
from redraft.qt.editor.limits import Limits

UNTITLED = "Untitled"


class Document(QObject):
    """A file or an unsaved text; `editor` holds the text, `file` how it is written."""

    changed = Signal()
    """Title, path, saved state or language changed."""

    def __init__(
        self, number: int, editor: CodeEditor, policy: FilePolicy | None = None, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.number = number
        self.policy = policy or FilePolicy()
        self.editor = editor
        self.is_running = False
        self.undecided = 0
        self.is_scratch = False
        """Whether it is only something to write in: nobody is asked to save it."""
        self.is_saving = False
        self._file: TextFile | None = None
        self._awaited: Path | None = None
        self._then: list[Callable[[], None]] = []
        self._style = FileStyle()
        self._untitled = UNTITLED
        editor.savePointChanged.connect(self._on_save_point_changed)

    @property
    def file(self) -> TextFile | None:
        """How it stands on disk; `None` for a text that never had a file."""
        return self._file

    @property
    def path(self) -> Path | None:
        """Where its file is."""
        return self._file.path if self._file else self._awaited

    @property
    def is_loading(self) -> bool:
        """Whether its file is still being read; until then its text is empty and cannot be changed."""
        return self._awaited is not None

    @property
    def title(self) -> str:
        """What its tab is called."""
        path = self.path
        return path.name if path else self._untitled

    @property
    def style(self) -> FileStyle:
        """How it is to be indented and ended."""
        return self._style

    @property
    def is_modified(self) -> bool:
        """Whether something would be lost without saving."""
        is_worth = self._file is not None or (bool(self.editor.length()) and not self.is_scratch)
        return not self.is_loading and self.editor.modify() and is_worth

    @property
    def is_empty_new(self) -> bool:
        """Whether it is an untouched new text that can give way to a file."""
        return self.path is None and not self.editor.length() and not self.editor.modify()

    @property
    def encoding_label(self) -> str:
        """Its encoding as people write it."""
        if self._file is None:
            return "UTF-8"
        name = self._file.encoding.upper().replace("_", "-")
        return f"{name} with BOM" if self._file.has_bom else name

    def show_untitled(self, title: str, text: str = "", language_id: str = "plaintext") -> None:
        """Hold a new text without a file; one that is not empty counts as unsaved."""
        self._file = None
        self._untitled = title
        self._style = self._style_of(text, None)
        self.editor.set_document("", language_id)
        self.editor.line_end = self.policy.line_end
        self._dress()
        if text:
            self.editor.setText(text)
            self.editor.buffer.flush()
        self.changed.emit()

    def await_file(self, path: Path) -> None:
        """Stand for a file that is being read."""
        self._awaited = path
        self.editor.setEnabled(False)
        self.changed.emit()

    def when_loaded(self, action: Callable[[], None]) -> None:
        """Do something with the file's text: now, or when it has been read."""
        if self.is_loading:
            self._then.append(action)
        else:
            action()

    def show_awaited(self, file: TextFile, limits: Limits) -> Iterator[None]:
        """Hold the file that was awaited, a piece at a time."""
        self.editor.line_end = file.line_end
        yield from self.editor.load_in_steps(file.text, language_of(file.path, file.text), limits)
        self._file, self._awaited = file, None
        self._style = self._style_of(file.text, file.path)
        self._dress()
        self.editor.setEnabled(True)
        then, self._then = self._then, []
        self.changed.emit()
        for action in then:
            action()

    def show_file(self, file: TextFile, *, keep_place: bool = False) -> None:
        """Hold a file as it was read."""
        line, first = self.editor.lineFromPosition(self.editor.currentPos()), self.editor.firstVisibleLine()
        self._file = file
        self._style = self._style_of(file.text, file.path)
        self.editor.set_document(file.text, language_of(file.path, file.text))
        self._dress()
        if keep_place:
            self.editor.gotoLine(line)
            self.editor.setFirstVisibleLine(first)
        self.changed.emit()

    def content(self, path: Path | None = None) -> TextFile:
        """What would be written now.

        Raises:
            ValueError: It has no path and none is given.
        """
        target = path or self.path
        if target is None or self.is_loading:
            raise ValueError("a text without a file needs a path, and one that is not read yet has no content")
        if self._file is None:
            return TextFile(target, self.editor.plain_text(), line_end=self.editor.line_end)
        moved = TextFile(target, "", self._file.encoding, self._file.has_bom) if path not in {None, self.path} else None
        return (moved or self._file).with_text(self.editor.plain_text())

    def apply_style_on_save(self) -> None:
        """End and trim lines as `.editorconfig`, else the settings ask; one undo step, where something changes."""
        edits = style_edits(
            self.editor.plain_text(),
            final_newline=_first(self._style.final_newline, self.policy.final_newline),
            trim=_first(self._style.trim_trailing_blanks, self.policy.trim_blanks),
            line_end=self.editor.line_end,
        )
        if edits and not self.editor.readOnly():
            self.editor.replace_ranges(edits)

    def mark_saved(self, file: TextFile, *, is_current: bool = True) -> None:
        """The text on screen is what stands on disk now; or was, if it changed while it was being written."""
        is_new_path = file.path != self.path
        self._file = file
        if is_current:
            self.editor.setSavePoint()
        if is_new_path:
            self._style = self._style_of(file.text, file.path)
            self.editor.set_language(language_of(file.path, file.text))
            self._dress()
        self.editor.setReadOnly(file.is_read_only)
        self.changed.emit()

    def take_in(self, file: TextFile) -> None:
        """Hold what a file holds now, touching only the lines that differ."""
        self.editor.setReadOnly(False)
        self.editor.replace_ranges(line_edits(self.editor.plain_text(), file.text), from_disk=True)
        self.mark_saved(file)

    def merge(self, file: TextFile, text: str) -> None:
        """Hold a text made of the unsaved changes and what a file holds now; it stays unsaved."""
        self.editor.replace_ranges(line_edits(self.editor.plain_text(), text), from_disk=True)
        self._file = file
        self.changed.emit()

    def take_stamp(self, file: TextFile) -> None:
        """Whatever is on disk now is known, and the text on screen is to win over it."""
        if self._file is not None:
            self._file = replace(self._file, stamp=file.stamp)

    def set_encoding(self, encoding: str, *, has_bom: bool = False) -> None:
        """Write it in another encoding from now on."""
        if self._file is not None:
            self._file = replace(self._file, encoding=encoding, has_bom=has_bom, is_encoding_guessed=False)
            self.changed.emit()

    def set_activity(self, *, is_running: bool, undecided: int) -> None:
        """Whether a model writes in it, and how many hunks wait for a decision."""
        if (is_running, undecided) != (self.is_running, self.undecided):
            self.is_running, self.undecided = is_running, undecided
            self.changed.emit()

    def set_saving(self, *, is_saving: bool) -> None:
        """Whether it is being written in the background."""
        self.is_saving = is_saving
        self.changed.emit()

    def _style_of(self, text: str, path: Path | None) -> FileStyle:
        return file_style(text if self.policy.detect_indentation else "", path, self.policy.indentation)

    def _dress(self) -> None:
        self.editor.indentation = self._style.indentation
        if self._style.line_end and not self.editor.length():
            self.editor.line_end = self._style.line_end
        self.editor.setReadOnly(self._file is not None and self._file.is_read_only)

    def _on_save_point_changed(self, *_: object) -> None:
        self.changed.emit()


def _first(asked: bool | None, usual: bool) -> bool:  # noqa: FBT001 - two truths, the first that is told counts
    return usual if asked is None else asked
