"""The imports an answer needs at the head of the file: a proposal of their own, off until the user asks for it."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

from redraft.api.context import PluginContext
from redraft.api.editor import TextEditor
from redraft.api.inline_diff import DiffKeys, HunkState
from redraft.core.answer.pipeline import Note, NoteKind
from redraft.core.diff.lines import whole_diff
from redraft.core.text import TextIndex, TextRange, split_lines
from redraft_inline_edit.answer.imports import import_lines
from redraft_inline_edit.proposal.view import ProposalView, ViewEvents


class Need(StrEnum):
    """What has become of the imports that an answer needs."""

    OFF = "off"
    ON = "on"
    """They are shown, and go in with the last of the other hunks."""
    IN = "in"


class NeededImports:
    """Shows them above everything else, and puts them in."""

    def __init__(
        self,
        context: PluginContext,
        editor: TextEditor,
        *,
        lines: Callable[[], TextRange],
        on_changed: Callable[[], None],
    ) -> None:
        self._context = context
        self._editor = editor
        self._lines = lines
        self._on_changed = on_changed
        self._statements: tuple[str, ...] = ()
        self._place = TextRange(0, 0)
        self.need = Need.OFF
        # Keys act on the hunks of the answer itself; these have their buttons, and the chip.
        events = ViewEvents(
            self._on_decided,
            lambda: self._become(Need.ON),
            lambda _from_disk: None,
            lambda _from_disk: on_changed(),
            lambda: None,
            lambda: None,
        )
        self._view = ProposalView(
            context, editor, lambda: self._place, DiffKeys, lambda: "\n".join(self._statements), events
        )

    @property
    def undecided(self) -> int:
        """How many hunks of theirs wait for a decision."""
        return len(self._view.open_hunks)

    @property
    def counts(self) -> tuple[int, int]:
        """Lines added and removed by those."""
        return self._view.counts

    def offer(self, notes: tuple[Note, ...]) -> None:
        """Another answer is shown: what it needs is off."""
        self.drop()
        self._statements = next((note.details for note in notes if note.kind is NoteKind.NEEDS_IMPORT), ())

    def toggle(self) -> None:
        """Show them as a proposal, or take that away; what stands there by now does not come twice."""
        match self.need:
            case Need.OFF if self._statements and self._stand_there():
                self._become(Need.IN)
            case Need.OFF if self._statements:
                self._show()
                self._become(Need.ON)
            case Need.ON:
                self.drop()
                self._on_changed()
            case _:
                pass

    def accept(self) -> None:
        """Put them into the text, if they are on."""
        if self.need is Need.ON and self._view.handle is not None:
            self._view.handle.accept_all()

    def drop(self) -> None:
        """Take the proposal away; what is in stays."""
        self._view.drop()
        self.need = Need.OFF

    def _stand_there(self) -> bool:
        known = {line.strip() for line in split_lines(self._head)}
        return all(line.strip() in known for one in self._statements for line in one.split("\n"))

    @property
    def _head(self) -> str:
        return self._editor.text[: self._lines().start]

    def _show(self) -> None:
        editor, head = self._editor, self._head
        line, text = import_lines(head, editor.language_id, self._statements, editor.line_end)
        starts = TextIndex(head).line_starts
        offset = starts[line] if line < len(starts) else len(head)
        self._place = TextRange(offset, offset)
        self._view.finish(whole_diff("", text))

    def _on_decided(self, state: HunkState, remaining: int, _by_history: bool) -> None:  # noqa: FBT001 - one fact, as the view tells it
        if not remaining:
            self._become(Need.IN if state is HunkState.ACCEPTED else Need.OFF)

    def _become(self, need: Need) -> None:
        self.need = need
        self._on_changed()
