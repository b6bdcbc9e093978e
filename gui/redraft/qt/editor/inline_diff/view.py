"""The overlay of one proposal: draws it over a code editor, takes decisions, and follows the text."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import count

from PySide6.QtCore import QObject, QTimer

from redraft.api.editor import TextChange
from redraft.api.inline_diff import (
    CurrentHunkChanged,
    DiffClosed,
    DiffEvent,
    DiffKeys,
    DiffLayout,
    HunkDecided,
    HunksNeedReview,
    HunksReopened,
    HunkState,
    ProposalTouched,
    ReviewHunk,
)
from redraft.core.diff.hunks import DiffProgress
from redraft.core.diff.proposal import Proposal
from redraft.core.text import LINE_END, TextRange, split_lines
from redraft.qt.editor.annotations import AnnotationRegistry
from redraft.qt.editor.code_editor import CodeEditor
from redraft.qt.editor.inline_diff.anchor import ProposalAnchor
from redraft.qt.editor.inline_diff.changes import StateChanges
from redraft.qt.editor.inline_diff.composing import compose, new_side
from redraft.qt.editor.inline_diff.cursor import HunkCursor
from redraft.qt.editor.inline_diff.decisions import Decisions
from redraft.qt.editor.inline_diff.drawing import OverlayDrawing
from redraft.qt.editor.inline_diff.follow import StreamFollower
from redraft.qt.editor.inline_diff.hunk_bar import Wish
from redraft.qt.editor.inline_diff.pace import FramePace
from redraft.qt.editor.inline_diff.selection import selected_part
from redraft.qt.editor.review import ReviewPanes

_numbers = count(1)


class InlineDiffView(QObject):
    """An `api.InlineDiffHandle` over a `CodeEditor`.

    `update` and `finish` only take values in; drawing follows at most `repaint_max` times a second.
    """

    def __init__(
        self,
        editor: CodeEditor,
        registry: AnnotationRegistry,
        lines: TextRange,
        keys: DiffKeys,
        on_event: Callable[[DiffEvent], None],
    ) -> None:
        super().__init__(editor)
        self._editor = editor
        self._keys = keys
        self._on_event = on_event
        first = editor.text_index().line_at(lines.start)
        self._proposal = Proposal(split_lines(lines.of(editor.plain_text())), first)
        self._anchor = ProposalAnchor(editor, self._proposal)
        self._progress = DiffProgress((), 0)
        self._is_final = False
        self._is_closed = False
        self._cursor = HunkCursor()
        self._told: tuple[int, int] = (0, 0)
        self._drawing = OverlayDrawing(
            editor, registry, f"diff-{next(_numbers)}", self._on_wish, self._make_current, first
        )
        self._decisions = Decisions(editor, self._proposal, self._anchor, self._drawing)
        self._panes = ReviewPanes(editor, self._on_wish, self._on_wish_for_all, self._settle)
        self._follower = StreamFollower(editor)
        self._pace = FramePace(lambda: editor.theme.motion("repaint_max"), self)
        self._pace.due.connect(self._on_frame)
        self._farewell = QTimer(self, singleShot=True)
        self._farewell.timeout.connect(self.close)
        editor.text_changed.connect(self._on_text_changed)
        editor.view_changed.connect(self._on_view_changed)
        editor.selection_changed.connect(self._on_selection_changed)
        editor.history.add(self)
        self._on_frame()

    @property
    def hunks(self) -> Sequence[ReviewHunk]:
        """All hunks with what became of them."""
        return self._proposal.hunks

    @property
    def original(self) -> str:
        """The text the proposal was made for, as it was."""
        return "".join(self._proposal.original_lines)

    @property
    def proposed(self) -> str:
        """The whole new text, whatever was decided."""
        return "".join(self._proposal.proposed_lines)

    @property
    def range(self) -> TextRange:
        """The lines it is about, where they are now."""
        return self._anchor.range

    @property
    def is_on_screen(self) -> bool:
        """Whether it was not taken away yet."""
        return not self._is_closed

    @property
    def current(self) -> int | None:
        """Id of the current hunk."""
        return self._cursor.id if self._cursor.id in self._proposal.undecided_ids else None

    @property
    def layout(self) -> DiffLayout:
        """How it is looked at now."""
        return self._panes.layout

    def show_as(self, layout: DiffLayout) -> None:
        """Look at it in another way; a proposal that is still being written is always shown in the text."""
        if not self._is_closed and self._is_final:
            self._panes.show_as(layout)
            self._on_frame()

    def show_keys(self, keys: DiffKeys) -> None:
        """Name other keys on the buttons."""
        self._keys = keys
        self._on_frame()

    def update(self, progress: DiffProgress) -> None:
        """Show more of the answer."""
        if self._is_closed:
            return
        self._progress = progress
        self._proposal.update(progress)
        self._pace.ask()

    def finish(self, progress: DiffProgress) -> None:
        """Show the last state and begin the review."""
        if self._is_closed:
            return
        self._is_final = True
        self.update(progress)
        self._anchor.settle()
        self._on_frame()
        self._close_when_done()

    def accept(self, hunk_id: int | None = None) -> None:
        """Put a hunk (the current one by default), or the lines selected in it, into the buffer."""
        chosen = self._part_of(hunk_id)
        if chosen is not None and chosen in self._proposal.open_ids:
            self._accept((chosen,))

    def reject(self, hunk_id: int | None = None) -> None:
        """Drop a hunk (the current one by default), or the lines selected in it."""
        chosen = self._part_of(hunk_id)
        if chosen is not None and chosen in self._proposal.undecided_ids:
            self._reject((chosen,))

    def accept_all(self) -> None:
        """Put every open hunk into the buffer, as one undo step."""
        self._accept(self._proposal.open_ids)

    def reject_all(self) -> None:
        """Drop every open hunk."""
        self._reject(self._proposal.undecided_ids)

    def show_current(self) -> None:
        """Put the caret at the current hunk, unless that would take scrolling."""
        placed = self._cursor.hunk
        if placed is not None and self._drawing.is_in_view(placed):
            self._editor.setEmptySelection(self._editor.positionFromLine(placed.line))

    def follow(self) -> None:
        """Keep what is being written in view, also after the user scrolled away."""
        self._follower.follow()

    def next_hunk(self) -> None:
        """Make the next open hunk the current one and put the caret there; after the last comes the first."""
        self._step(1)

    def previous_hunk(self) -> None:
        """Make the previous open hunk the current one and put the caret there."""
        self._step(-1)

    def dispose(self) -> None:
        """Take the overlay away; nothing in the buffer changes."""
        if self._is_closed:
            return
        self._is_closed = True
        self._pace.stop()
        self._farewell.stop()
        editor = self._editor
        editor.text_changed.disconnect(self._on_text_changed)
        editor.view_changed.disconnect(self._on_view_changed)
        editor.selection_changed.disconnect(self._on_selection_changed)
        editor.history.remove(self)
        self._panes.close()
        self._follower.close()
        self._drawing.close(self._anchor.range)
        self.deleteLater()

    def close(self) -> None:
        """Take the overlay away and say so: all is decided, or the tab is closed."""
        if not self._is_closed:
            self.dispose()
            self._on_event(DiffClosed())

    def undo_decision(self) -> bool:
        """Reopen what was rejected last, if that is the next thing to undo."""
        before = self._states()
        is_undone = self._decisions.undo()
        if is_undone:
            self._after_history(before)
        return is_undone

    def redo_decision(self) -> bool:
        """Reject again what was reopened last, if that is the next thing to redo."""
        before = self._states()
        is_redone = self._decisions.redo()
        if is_redone:
            self._after_history(before)
        return is_redone

    def _accept(self, ids: Collection[int]) -> None:
        if self._decisions.accept(ids):
            self._decided(ids, HunkState.ACCEPTED)

    def _settle(self, hunk_id: int, lines: tuple[str, ...]) -> None:
        if self._decisions.settle(hunk_id, lines):
            self._decided((hunk_id,), HunkState.ACCEPTED)

    def _reject(self, ids: Collection[int]) -> None:
        if self._decisions.reject(ids):
            self._editor.history.add(self)
            self._decided(ids, HunkState.REJECTED)

    def _decided(self, ids: Collection[int], state: HunkState) -> None:
        remaining = len(self._proposal.undecided_ids)
        self._on_frame()
        for hunk_id in ids:
            self._on_event(HunkDecided(hunk_id, state, remaining))
        self._close_when_done()

    def _close_when_done(self) -> None:
        """With nothing left to decide the overlay goes together with its last note, so that undo still reaches it."""
        if self._is_closed:
            return
        is_done = self._is_final and bool(self._proposal.hunks) and not self._proposal.undecided_ids
        if is_done and not self._farewell.isActive():
            self._farewell.start(self._editor.theme.motion("stub"))
        elif not is_done:
            self._farewell.stop()

    def _part_of(self, hunk_id: int | None) -> int | None:
        """The hunk meant: a part of it where lines inside it are selected."""
        chosen = self.current if hunk_id is None else hunk_id
        placed = next((placed for placed in self._drawing.layout.hunks if placed.id == chosen), None)
        if placed is None or placed.needs_review or not placed.is_settled:
            return chosen
        part = self._panes.selected_part(placed.id) or selected_part(self._editor, placed)
        return chosen if part is None else self._proposal.split(placed.id, *part)

    def _states(self) -> dict[int, HunkState]:
        return {hunk.id: hunk.state for hunk in self._proposal.hunks}

    def _on_text_changed(self, change: TextChange) -> None:
        if self._decisions.is_applying or self._is_closed:
            return
        by_history = change.is_undo or change.is_redo
        before = self._states()
        self._drawing.unmark(lines_moved=LINE_END.search(change.removed + change.added) is not None)
        if by_history and self._anchor.recall():
            inside = self._anchor.follow(by_history=True)
        else:
            inside = self._anchor.follow(by_history=by_history)
        if inside and not self._is_final and not by_history:
            self._on_event(ProposalTouched(change.is_from_disk))
        self._after_history(before)
        self._tell_stale(before, change)

    def _tell_stale(self, before: Mapping[int, HunkState], change: TextChange) -> None:
        """Tell of hunks whose text was changed by this."""
        stale = StateChanges.between(before, self._states()).stale
        if stale and self._is_final and not self._is_closed:
            self._on_event(HunksNeedReview(stale, change.is_from_disk))

    def _after_history(self, before: dict[int, HunkState]) -> None:
        """Tell of hunks that came back or were decided without a press of their buttons."""
        if self._is_closed:
            return
        remaining = len(self._proposal.undecided_ids)
        changes = StateChanges.between(before, self._states())
        for hunk_id in changes.reopened:
            self._drawing.take_back_note(hunk_id)
        self._on_frame()
        if changes.reopened:
            self._on_event(HunksReopened(changes.reopened, remaining))
        for hunk_id, state in changes.decided:
            self._on_event(HunkDecided(hunk_id, state, remaining, by_history=True))
        self._close_when_done()

    def _on_frame(self) -> None:
        """Draw the proposal as it is now."""
        if self._is_closed:
            return
        self._pace.begin()
        layout = compose(
            self._proposal,
            self._progress,
            is_writing=not self._is_final,
            first_text=self._first_text,
            before=self._drawing.layout.hunks,
        )
        self._cursor.show(layout)
        number, total = self._cursor.place
        place = f"{number}/{total}" if self._is_final and total > 1 else ""
        self._drawing.show(layout, new_side(self._proposal, self._progress), self._keys, self._cursor.id, place)
        self._follower.show(layout.frontier, self._keys.follow)
        self._panes.update(layout, self._cursor.id, self._keys)
        self._tell_current()

    def _tell_current(self) -> None:
        if self._is_final and self._cursor.place != self._told:
            self._told = self._cursor.place
            self._on_event(CurrentHunkChanged(*self._told, went_round=self._cursor.went_round))

    def _first_text(self) -> str:
        """What stands in line 0."""
        editor = self._editor
        return (
            bytes(editor.get_text_range(0, editor.positionFromLine(1)).data()).rstrip(b"\0").decode("utf-8", "replace")
        )

    def _on_wish(self, hunk_id: int, wish: Wish) -> None:
        match wish:
            case Wish.ACCEPT:
                self.accept(hunk_id)
            case Wish.REJECT:
                self.reject(hunk_id)
            case Wish.NEXT:
                self.next_hunk()
            case Wish.PREVIOUS:
                self.previous_hunk()
            case Wish.PLACE:
                pass

    def _on_wish_for_all(self, wish: Wish) -> None:
        if wish is Wish.ACCEPT:
            shown = {placed.id for placed in self._drawing.layout.hunks if placed.can_accept}
            self._accept(tuple(hunk_id for hunk_id in self._proposal.open_ids if hunk_id in shown))
        else:
            self.reject_all()

    def _make_current(self, hunk_id: int) -> None:
        if hunk_id != self._cursor.id and not self._is_closed:
            self._cursor.stand_on(hunk_id)
            self._on_frame()

    def _on_view_changed(self) -> None:
        if self._drawing.theme is not self._editor.theme:
            self._drawing.set_theme(self._editor.theme)
            self._panes.set_theme()
            self._follower.set_theme(self._editor.theme)
            self._on_frame()
        else:
            self._drawing.place()

    def _on_selection_changed(self) -> None:
        placed = self._drawing.layout.hunk_at(self._editor.lineFromPosition(self._editor.currentPos()))
        if placed is not None and placed.is_settled:
            self._make_current(placed.id)

    def _step(self, step: int) -> None:
        placed = self._cursor.step(step)
        if placed is not None:
            self._drawing.reveal(placed)
            self._editor.setEmptySelection(self._editor.positionFromLine(placed.line))
            self._on_frame()
