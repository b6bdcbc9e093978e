"""The text of one editor: as a string, as offsets to and from Scintilla's bytes, and its changes as values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Final
from weakref import WeakSet

from PySide6.QtCore import QByteArray, QObject, QTimer
from pyside6_scintilla import Scintilla, ScintillaEdit

from redraft.api.editor import TextChange
from redraft.core.errors import UsageError
from redraft.core.text import TextEdit, TextIndex, TextRange
from redraft.qt.editor.changes import join_changes, net_change
from redraft.qt.editor.raw import Message, read_text, send_bytes
from redraft.qt.editor.tracked import TrackedSpan

if TYPE_CHECKING:
    from collections.abc import Iterator

_Modification: Final = Scintilla.ModificationFlags
_TEXT: Final = _Modification.InsertText | _Modification.DeleteText
_UTF32: Final = Scintilla.LineCharacterIndexType.Utf32
_UTF8: Final = 65001
_CR: Final = 13
_LF: Final = 10
_PIECE: Final = 1 << 18
"""Characters a text is loaded by: Scintilla takes that many in a few milliseconds."""


class Buffer(QObject):
    """The one place where Python's offsets meet Scintilla's byte positions.

    Changes are collected inside Scintilla's notification, where nothing may be edited, and handed out by `flush`:
    after each call of this class and each key, and at the latest when the event loop is reached. Text that an input
    method is still composing is no change: until it is committed, `text`, `revision` and the tracked ranges stand
    still.
    """

    def __init__(self, editor: ScintillaEdit, on_change: Callable[[TextChange], None]) -> None:
        super().__init__(editor)
        self._editor = editor
        self._on_change = on_change
        self._text: str | None = ""
        self._index: TextIndex | None = None
        self._revision = 0
        self._pending: list[TextChange] = []
        self._untold = 0
        self._composing: list[TextChange] | None = None
        self._spans: WeakSet[TrackedSpan] = WeakSet()
        self._is_from_disk = False
        self._parts: list[TextChange] | None = None
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self.flush)
        editor.setCodePage(_UTF8)
        editor.allocateLineCharacterIndex(_UTF32)
        editor.setModEventMask(_TEXT)
        editor.modified.connect(self._on_modified)

    @property
    def text(self) -> str:
        """The whole text; made once per revision."""
        if self._text is None:
            self._text = read_text(self._editor).decode("utf-8", "replace")
        return self._text

    @property
    def index(self) -> TextIndex:
        """Lines and conversions of the text; made once per revision."""
        if self._index is None:
            self._index = TextIndex(self.text)
        return self._index

    @property
    def revision(self) -> int:
        """A number that grows with every change."""
        return self._revision

    @property
    def is_composing(self) -> bool:
        """Whether an input method shows text that is not committed yet."""
        return self._composing is not None

    def to_byte(self, offset: int) -> int:
        """An offset as Scintilla's byte position; an offset past the end is the end."""
        editor = self._editor
        if offset <= 0:
            return 0
        line = editor.lineFromIndexPosition(offset, _UTF32)
        start = editor.positionFromLine(line)
        rest = offset - editor.indexPositionFromLine(line, _UTF32)
        if rest <= 0:
            return start
        return editor.positionRelative(start, rest) or editor.length()

    def to_offset(self, byte: int) -> int:
        """Scintilla's byte position as an offset."""
        editor = self._editor
        byte = min(max(byte, 0), editor.length())
        line = editor.lineFromPosition(byte)
        start = editor.positionFromLine(line)
        return editor.indexPositionFromLine(line, _UTF32) + editor.countCharacters(start, byte)

    def load(self, text: str) -> None:
        """Replace everything, forget the undo history, and count the result as saved.

        Raises:
            ValueError: The text holds half a surrogate pair, which no file can.
        """
        _encoded(text)  # what cannot be encoded must be known before anything is replaced
        for _ in self.load_in_steps(text):
            pass

    def load_in_steps(self, text: str) -> Iterator[None]:
        """Do what `load` does a piece at a time; until the last piece is there, the text counts as empty.

        Nobody may type or edit in the meantime, and the text must be one that can be encoded.
        """
        removed = self.text
        editor = self._editor
        editor.setReadOnly(False)
        editor.setModEventMask(_Modification.None_)
        editor.setUndoCollection(False)
        editor.clearAll()
        self._text, self._index = "", None
        for piece in pieces(text):
            data = piece.encode()
            send_bytes(editor, Message.AppendText, len(data), data)
            yield
        editor.setUndoCollection(True)
        editor.emptyUndoBuffer()
        editor.setSavePoint()
        editor.gotoPos(0)
        editor.setModEventMask(_TEXT)
        if text != removed:
            self._note(TextChange(0, removed, text, is_from_disk=True))
        self._text = text
        self.flush()

    def replace(self, edits: Sequence[TextEdit], *, from_disk: bool = False) -> None:
        """Apply edits, all in terms of the text as it is, as one undo step; `from_disk` if another program made them.

        Raises:
            UsageError: The text is read-only.
            ValueError: Two edits overlap, one leaves the text, or new text holds half a surrogate pair.
        """
        if self._editor.readOnly():
            raise UsageError("This text is read-only; nothing was changed.")
        ordered = sorted(edits, key=lambda edit: edit.range)
        self._check(ordered)
        encoded = [_encoded(edit.text) for edit in ordered]
        self._is_from_disk = from_disk
        try:
            with self.undo_step():
                for edit, data in zip(reversed(ordered), reversed(encoded), strict=True):
                    start, end = self.to_byte(edit.range.start), self.to_byte(edit.range.end)
                    self._editor.setTargetRange(start, end)
                    with self._as_one_change():
                        send_bytes(self._editor, Message.ReplaceTarget, len(data), data)
        finally:
            self._is_from_disk = False

    @contextmanager
    def undo_step(self) -> Iterator[None]:
        """Make one undo step of all that is done inside, then hand out the changes."""
        self._editor.beginUndoAction()
        try:
            yield
        finally:
            self._editor.endUndoAction()
            self.flush()

    @contextmanager
    def _as_one_change(self) -> Iterator[None]:
        """Scintilla removes, then inserts; ranges must see both as one, or what comes would stand outside of them."""
        self._parts = []
        try:
            yield
        finally:
            parts, self._parts = self._parts, None
            for change in join_changes(parts):
                self._note(change)

    def track(self, tracked: TextRange) -> TrackedSpan:
        """Follow a range."""
        span = TrackedSpan(tracked, self._spans.discard)
        self._spans.add(span)
        return span

    def begin_composition(self) -> None:
        """From here on, changes are an input method's draft."""
        if self._composing is None:
            self._text = self.text
            self._composing = []

    def end_composition(self) -> None:
        """What an input method left behind becomes one ordinary change."""
        if self._composing is None:
            return
        before, drafts, self._composing = self.text, self._composing, None
        change = net_change(before, drafts)
        if change:
            self._note(change)
        self.flush()

    @property
    def is_told(self) -> bool:
        """Whether every change of the text was handed out: whoever follows it is where the text is."""
        return not self._pending and not self._untold

    def flush(self) -> None:
        """Hand out the changes collected so far."""
        while self._pending:
            changes, self._pending = join_changes(self._pending), []
            for place, change in enumerate(changes, start=1):
                self._untold = len(changes) - place
                self._on_change(replace(change, more_follow=self._untold > 0))

    def _on_modified(
        self, flags: int, position: int, length: int, _lines: int, text: QByteArray, _line: int, _now: int, _was: int
    ) -> None:
        if not flags & _TEXT:
            return
        # The array is a view on Scintilla's own memory: it must be copied before this returns.
        data = bytes(text.data())[:length]
        is_insertion = bool(flags & _Modification.InsertText)
        if self._joins_or_parts_crlf(position, data, position + length if is_insertion else position):
            # Scintilla 5.6 miscounts the characters of both lines then (seen); counting anew is rare and cheap.
            self._editor.releaseLineCharacterIndex(_UTF32)
            self._editor.allocateLineCharacterIndex(_UTF32)
        content = data.decode("utf-8", "replace")
        change = TextChange(
            self.to_offset(position),
            "" if is_insertion else content,
            content if is_insertion else "",
            is_undo=bool(flags & _Modification.Undo),
            is_redo=bool(flags & _Modification.Redo),
            is_from_disk=self._is_from_disk,
        )
        if self._composing is not None:
            self._composing.append(change)
        elif self._parts is not None:
            self._parts.append(change)
        else:
            self._note(change)

    def _joins_or_parts_crlf(self, position: int, data: bytes, after: int) -> bool:
        follows_cr = position > 0 and self._editor.charAt(position - 1) == _CR
        precedes_lf = self._editor.charAt(after) == _LF
        return (follows_cr and (precedes_lf or data.startswith(b"\n"))) or (precedes_lf and data.endswith(b"\r"))

    def _note(self, change: TextChange) -> None:
        self._text = self._index = None
        self._revision += 1
        for span in list(self._spans):
            span.follow(change)
        self._pending.append(change)
        self._timer.start()

    def _check(self, ordered: Sequence[TextEdit]) -> None:
        done, length = 0, self.to_offset(self._editor.length())
        for edit in ordered:
            if edit.range.start < done or edit.range.end > length:
                raise ValueError(
                    f"edit {edit.range.start} to {edit.range.end} overlaps another or leaves a text of {length}"
                )
            done = edit.range.end


def pieces(text: str) -> Iterator[str]:
    """A text in pieces that end with a line where they can, and never inside a CRLF."""
    start = 0
    while start < len(text):
        end = min(start + _PIECE, len(text))
        if end < len(text):
            end = text.rfind("\n", start, end) + 1 or end
            while end < len(text) and text[end - 1] == "\r":
                end += 1
        yield text[start:end]
        start = end


def _encoded(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"the text holds half a surrogate pair at offset {error.start}") from error
