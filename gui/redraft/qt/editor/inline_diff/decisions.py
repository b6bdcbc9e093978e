"""Carries out what is decided about hunks: in the text, in the proposal, and as a quiet note below them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from redraft.core.diff.hunks import HunkState
from redraft.core.diff.proposal import Decision, LineReplacement, Proposal
from redraft.qt.editor.code_editor import CodeEditor
from redraft.qt.editor.inline_diff.anchor import ProposalAnchor
from redraft.qt.editor.inline_diff.drawing import OverlayDrawing


class Decisions:
    """The decisions about one proposal; each call returns whether something was decided.

    An accepted hunk is a change of the text, which the text's own history undoes. A rejected one changes no text:
    `undo` and `redo` are for those.
    """

    def __init__(self, editor: CodeEditor, proposal: Proposal, anchor: ProposalAnchor, drawing: OverlayDrawing) -> None:
        self._editor = editor
        self._proposal = proposal
        self._anchor = anchor
        self._drawing = drawing
        self.is_applying = False
        """Whether the text is being changed by a decision right now."""

    def accept(self, ids: Collection[int]) -> bool:
        """Put hunks into the text, as one undo step."""
        if not ids or self._editor.readOnly():
            return False
        self._put(ids, self._proposal.accept(ids))
        return True

    def settle(self, hunk_id: int, lines: tuple[str, ...]) -> bool:
        """Put what the user chose in place of a hunk whose text was changed since."""
        if self._editor.readOnly():
            return False
        self._put((hunk_id,), self._proposal.settle(hunk_id, lines))
        return True

    def reject(self, ids: Collection[int]) -> bool:
        """Drop hunks."""
        if not ids:
            return False
        places = self._places(ids)
        self._proposal.reject(ids)
        self._anchor.settle()
        self._note(places, HunkState.REJECTED)
        return True

    def undo(self) -> bool:
        """Reopen what was rejected last, if that is the next thing to undo."""
        if not self._is_next(self._proposal.last_decision):
            return False
        self._proposal.undo()
        self._anchor.settle()
        return True

    def redo(self) -> bool:
        """Reject again what was reopened last, if that is the next thing to redo."""
        if not self._is_next(self._proposal.next_decision):
            return False
        self._proposal.redo()
        self._anchor.settle()
        return True

    def _is_next(self, decision: Decision | None) -> bool:
        """Whether a decision is a rejection made at this place of the text's history."""
        if decision is None or decision.state is not HunkState.REJECTED:
            return False
        return decision.revision == self._anchor.revision

    def _put(self, ids: Collection[int], replacements: Sequence[LineReplacement]) -> None:
        places = self._places(ids)
        edits = self._anchor.edits_of(replacements)
        self._drawing.unmark(lines_moved=True)
        self.is_applying = True
        try:
            self._editor.replace_ranges(edits)
        finally:
            self.is_applying = False
        self._anchor.settle()
        self._note(places, HunkState.ACCEPTED)

    def _places(self, ids: Collection[int]) -> dict[int, int]:
        """The last line of each hunk, as the text stands now."""
        lines = {hunk_id: self._proposal.lines_of(hunk_id) for hunk_id in ids}
        return {hunk_id: max(first + count - 1, 0) for hunk_id, (first, count) in lines.items()}

    def _note(self, places: dict[int, int], state: HunkState) -> None:
        for hunk_id, line in places.items():
            self._drawing.show_note(hunk_id, line, state)
