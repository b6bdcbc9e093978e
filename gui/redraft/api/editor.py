"""The code editor as a plugin sees it: text in, intentions out, never a widget."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from redraft.api.disposable import Disposable
from redraft.api.inline_diff import DiffEvent, DiffKeys, InlineDiffHandle, KeptProposal
from redraft.api.prediction import PredictionEvent, PredictionHandle, PredictionModel
from redraft.api.prompt_block import PromptEvent, PromptHandle, PromptModel
from redraft.core.indent_style import Indentation as Indentation  # noqa: PLC0414 - plugins find it here
from redraft.core.text import TextEdit, TextRange


@dataclass(frozen=True, slots=True)
class TextChange:
    """One change of a buffer: `removed` gave way to `added` at `start`; `is_from_disk` if another program made it.

    With `more_follow` it is one of several made at once, as with several carets: the text is further already.
    """

    start: int
    removed: str
    added: str
    is_undo: bool = False
    is_redo: bool = False
    is_from_disk: bool = False
    more_follow: bool = field(default=False, compare=False)


class TrackedRange(Disposable, Protocol):
    """A range that moves along with the text around it."""

    @property
    def range(self) -> TextRange:
        """Where it is now."""
        ...

    @property
    def is_touched(self) -> bool:
        """Whether the user changed text strictly inside it since it was made."""
        ...


class GhostTextHandle(Disposable, Protocol):
    """Predicted text on screen that is not in the buffer."""

    def accept(self, length: int | None = None) -> None:
        """Put the first `length` code points (all of it by default) into the buffer, as one undo step."""
        ...


class TextEditor(Protocol):
    """One open file. Offsets are indices into `text`; all calls are made on the GUI thread."""

    @property
    def path(self) -> Path | None:
        """Where the file is, or `None` for an unsaved one."""
        ...

    @property
    def title(self) -> str:
        """What its tab is called."""
        ...

    @property
    def language_id(self) -> str:
        """The language, by its LSP identifier (`"python"`, `"plaintext"`)."""
        ...

    @property
    def text(self) -> str:
        """The whole buffer, with its own line ends and without a byte order mark."""
        ...

    @property
    def revision(self) -> int:
        """A number that grows with every change of the buffer."""
        ...

    @property
    def selection(self) -> TextRange:
        """What is selected; a caret is an empty range."""
        ...

    @property
    def caret(self) -> int:
        """Where the caret stands."""
        ...

    @property
    def is_read_only(self) -> bool:
        """Whether the buffer or its file may not be changed."""
        ...

    @property
    def line_end(self) -> str:
        """The file's usual line end: LF, CRLF or CR."""
        ...

    @property
    def indentation(self) -> Indentation:
        """How the file is indented."""
        ...

    @property
    def is_large(self) -> bool:
        """Whether the text is so large that the editor leaves things out, such as colours."""
        ...

    @property
    def is_under_edit(self) -> bool:
        """Whether a prompt block or a proposal is on screen in it."""
        ...

    def select(self, selection: TextRange, *, reveal: bool = True) -> None:
        """Select a range, and scroll it into view."""
        ...

    def focus(self) -> None:
        """Bring the tab to the front, and give the text the keyboard."""
        ...

    def apply(self, edits: Sequence[TextEdit]) -> None:
        """Change the buffer, as one undo step. Only ever on behalf of a user's decision."""
        ...

    def undo_step(self) -> AbstractContextManager[None]:
        """Make one undo step of all that is accepted inside."""
        ...

    def track(self, tracked: TextRange) -> TrackedRange:
        """Follow a range through later edits."""
        ...

    def show_prompt(
        self, anchor: TextRange, model: PromptModel, *, on_event: Callable[[PromptEvent], None]
    ) -> PromptHandle:
        """Show a prompt block in the text, directly above the first line of `anchor`."""
        ...

    def show_inline_diff(
        self, lines: TextRange, *, keys: DiffKeys, on_event: Callable[[DiffEvent], None], label: str = ""
    ) -> InlineDiffHandle:
        """Show a proposal over whole lines of the buffer, which stays as it is until a hunk is accepted.

        `label` is kept with it, and comes back if it outlives a crash.

        Raises:
            ValueError: The range is not whole lines, or another proposal covers part of it.
        """
        ...

    def show_ghost_text(self, offset: int, text: str) -> GhostTextHandle:
        """Show predicted text at an offset."""
        ...

    def show_prediction(
        self, model: PredictionModel, *, on_event: Callable[[PredictionEvent], None]
    ) -> PredictionHandle:
        """Show a predicted edit, in place of an earlier one; the buffer stays as it is until it is taken."""
        ...

    def on_did_change(self, callback: Callable[[TextChange], None]) -> Disposable:
        """Hear of every change of the buffer."""
        ...

    def on_did_change_selection(self, callback: Callable[[TextRange], None]) -> Disposable:
        """Hear of every move of the caret or selection."""
        ...

    def on_did_change_activity(self, callback: Callable[[], None]) -> Disposable:
        """Hear that a prompt block or a proposal came on screen, or is gone from it."""
        ...

    def on_did_close(self, callback: Callable[[], None]) -> Disposable:
        """Hear that the tab is gone; nothing may be called on the editor after that."""
        ...


class ScratchTab(Disposable, Protocol):
    """A tab whose text belongs to a plugin; disposing it closes the tab without asking."""

    @property
    def editor(self) -> TextEditor:
        """What is written in it."""
        ...


class Editors(Protocol):
    """The open files."""

    @property
    def active(self) -> TextEditor | None:
        """The one in front."""
        ...

    @property
    def all(self) -> Sequence[TextEditor]:
        """All of them, in the order of their tabs."""
        ...

    @property
    def folder(self) -> Path | None:
        """The open folder, if there is one."""
        ...

    def open_scratch(self, title: str, text: str, language_id: str = "plaintext") -> ScratchTab:
        """Open a text in a tab beside the one in front; it is no file, and nobody is asked to save it."""
        ...

    def on_did_recover(self, callback: Callable[[TextEditor, KeptProposal], None]) -> Disposable:
        """Hear of proposals that outlived a crash, to take them up; the lines they were made for are there."""
        ...

    def on_did_change_active(self, callback: Callable[[TextEditor | None], None]) -> Disposable:
        """Hear that another file came to the front."""
        ...
