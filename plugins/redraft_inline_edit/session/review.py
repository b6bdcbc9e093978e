"""The part of an edit that waits for decisions: the proposal in the text, and the tab to change it by hand."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from redraft.api.context import PluginContext
from redraft.api.editor import TextEditor
from redraft.api.inline_diff import HunkState
from redraft.core.answer.pipeline import NoteKind
from redraft.core.diff.hunks import DiffProgress
from redraft.core.diff.lines import whole_diff
from redraft_inline_edit.answer.rewriting import rewritten
from redraft_inline_edit.block.words import stale_words
from redraft_inline_edit.events import EditOutcome, EditState
from redraft_inline_edit.proposal.needed import NeededImports
from redraft_inline_edit.proposal.tab import ProposalTab
from redraft_inline_edit.proposal.view import ProposalView, ViewEvents
from redraft_inline_edit.session.countdown import Countdown
from redraft_inline_edit.session.owner import SessionOwner
from redraft_inline_edit.states import SessionState

if TYPE_CHECKING:
    from redraft_inline_edit.session.session import EditSession

HAS_PROPOSAL: Final = frozenset({EditState.COMPLETED, EditState.STOPPED, EditState.INCOMPLETE})


class Review:
    """Shows answers of one session over its lines, and carries out what the user decides."""

    def __init__(self, context: PluginContext, owner: SessionOwner, session: EditSession) -> None:
        self._context = context
        self._owner = owner
        self._session = session
        self._tab: ProposalTab | None = None
        self._left = -1
        self._hidden_is_fine = False
        self._is_warned = False
        self._puts_off_stale = False
        self._countdown = Countdown(context)
        self.stale_from_disk = ""
        events = ViewEvents(
            self._on_decided,
            self._on_reopened,
            lambda is_from_disk: session.interrupt(is_from_disk=is_from_disk),
            self._on_stale,
            session.close,
            session.refresh,
        )
        lines, words = (lambda: session.place.whole_lines), (lambda: session.words)
        self.view = ProposalView(context, session.editor, lines, owner.diff_keys, words, events)
        self.imports = NeededImports(context, session.editor, lines=lines, on_changed=session.refresh)

    @property
    def hidden(self) -> str:
        """Hidden characters in the proposal, in words, until the user has agreed to them."""
        outcome = self._session.outcome
        notes = outcome.notes if outcome is not None and not self._hidden_is_fine else ()
        return next((note.text for note in notes if note.kind is NoteKind.HIDDEN), "")

    @property
    def doubt(self) -> str:
        """Why a key did not accept at once, until the answer is another one; empty where none was pressed."""
        return self._reason if self._is_warned else ""

    @property
    def _reason(self) -> str:
        outcome = self._session.outcome
        if outcome is None:
            return ""
        if any(note.kind is NoteKind.PLACEHOLDER for note in outcome.notes):
            return "Leaves code out"
        if any(note.kind is NoteKind.LOST for note in outcome.notes):
            return "Lines lost in merging"
        return "Does not parse" if outcome.syntax_error else ""

    def may_accept_by_key(self) -> bool:
        """Whether one key is enough to accept; of an answer with a fault it is not, and the block says why."""
        if self._is_warned or not self._reason:
            return True
        self._is_warned = True
        self._session.refresh()
        self._context.ui.announce(f"{self._reason}. The same key again accepts it all the same.")
        return False

    @property
    def stale(self) -> tuple[int, ...]:
        """Places, from 1, of the open hunks whose text was changed since, unless they were put off."""
        return () if self._puts_off_stale else self.view.stale_places

    @property
    def put_off(self) -> int:
        """How many hunks are kept for later, because their text was changed."""
        return len(self.view.stale_places) if self._puts_off_stale else 0

    @property
    def undecided(self) -> int:
        """How many hunks wait for a decision."""
        return len(self.view.open_hunks) + self.imports.undecided

    @property
    def was_decided_meanwhile(self) -> bool:
        """Whether the answer has come whole, and each of its hunks was decided while it came."""
        handle = self.view.handle if self._session.state is SessionState.REVIEWING else None
        return handle is not None and bool(handle.hunks) and not self.undecided

    @property
    def counts(self) -> tuple[int, int]:
        """Lines added and removed by those."""
        (added, removed), (more_added, more_removed) = self.view.counts, self.imports.counts
        return added + more_added, removed + more_removed

    @property
    def accepts_in(self) -> float:
        """Seconds after which all is accepted by itself; 0 where the user decides."""
        return self._countdown.seconds if self._countdown.is_running else 0.0

    def begin(self) -> None:
        """A new answer is asked for: what is shown goes, and what the user agreed to was about that."""
        self.drop()
        self._hidden_is_fine = False

    def show(self, outcome: EditOutcome) -> None:
        """Show a whole or cut-off answer for decisions."""
        self._left = -1
        self._is_warned = False
        self.imports.offer(outcome.notes)
        if outcome.state in HAS_PROPOSAL:
            self.view.finish(self._progress_of(outcome))
        else:
            self.view.drop()

    def drop(self) -> None:
        """Take the proposal away, and its tab."""
        self.wait()
        self.close_tab()
        self.view.drop()
        self.imports.drop()

    # --- What the user decides

    def accept_all(self, *, even_hidden: bool) -> None:
        """Put all open hunks into the text."""
        self.take_typed()
        if self.view.handle is None or self._session.state.is_running:
            return
        self._hidden_is_fine = self._hidden_is_fine or even_hidden
        if self.hidden:
            self._session.refresh()
        else:
            # The imports that go in with the last hunk are part of the same decision.
            with self._session.editor.undo_step():
                self.view.handle.accept_all()

    def accept_current(self) -> None:
        """Put the current hunk into the text, or the selected part of it; also while the model writes on below it."""
        self.take_typed()
        if self.view.handle is None:
            return
        if self._session.state.is_running:
            if not self.view.current_hides:
                self.view.handle.accept()
        elif self.hidden:
            self._session.refresh()
        elif self.may_accept_by_key():
            self.view.handle.accept()

    def accept_after(self, delay: float | None) -> None:
        """Accept all by itself after some seconds, unless the user objects; never what hides something."""
        if delay is not None and not self.hidden and self.view.open_hunks:
            self._countdown.start(delay, self._accept_unseen)
            self._session.refresh()

    def wait(self) -> bool:
        """Nothing is accepted by itself any more; whether it would have been."""
        return self._countdown.stop()

    def put_off_stale(self) -> None:
        """Leave hunks whose text was changed for later."""
        self._puts_off_stale = True
        self._session.refresh()

    def reject_all(self) -> None:
        """Drop all open hunks; where there are none, the session is over."""
        if self._session.state.is_running:
            return
        if self.view.handle is not None and self.view.open_hunks:
            self.view.handle.reject_all()
        else:
            self._session.close()

    def edit_proposal(self) -> None:
        """Open the proposed text in a tab, to be changed by hand before it is accepted."""
        handle = self.view.handle
        if handle is None or self._session.state.is_running:
            return
        self.wait()
        if self._tab is None:
            self._tab = ProposalTab(
                self._context, self._session.editor, handle.proposed, self._on_typed, self._on_tab_closed
            )
            self._owner.changed(self._session)
        else:
            self._tab.editor.focus()

    def is_edited_in(self, editor: TextEditor | None) -> bool:
        """Whether its proposal is what an editor holds."""
        return self._tab is not None and self._tab.editor is editor

    def take_typed(self) -> None:
        """Take what was typed into the proposal until now."""
        if self._tab is not None:
            self._tab.flush()

    def close_tab(self) -> None:
        """Close the tab of the proposal, if there is one."""
        tab, self._tab = self._tab, None
        if tab is not None:
            tab.close()

    # --- What happens to the proposal

    def _progress_of(self, outcome: EditOutcome) -> DiffProgress:
        """The differences of an answer from the lines as they are now, should they have changed since it was asked."""
        text = self._session.place.text
        if self.view.handle is not None or text == outcome.original:
            return outcome.progress
        return whole_diff(text, outcome.proposed)

    def _on_decided(self, state: HunkState, remaining: int, by_history: bool) -> None:  # noqa: FBT001 - as the view tells it
        self.wait()
        if remaining == self._left:
            return  # the others of a decision about several hunks
        self._left = remaining
        done = state.value.capitalize()
        self._context.ui.announce(f"{done}, {remaining} left." if remaining else f"{done}.")
        if self._session.state.is_running:
            self._session.refresh()  # more may come
            return
        if remaining:
            self._session.refresh()
        else:
            # The session stays as long as its overlay does: an undo may bring hunks back.
            self.close_tab()
            if state is not HunkState.ACCEPTED:
                self.imports.drop()
            elif not by_history:  # Redo puts them in itself.
                self.imports.accept()
            self._session.block.hide()
            self._owner.changed(self._session)
        self._owner.decided(self._session, state, remaining)

    def _accept_unseen(self) -> None:
        """Nobody objected in time."""
        if self._session.state is SessionState.REVIEWING and not self.hidden and not self.view.stale_places:
            self.accept_all(even_hidden=False)
            undo = self._context.commands.key_label("edit.undo")
            self._context.ui.notify(f"Accepted without review. {undo or 'Undo'} takes it back.")

    def _on_stale(self, is_from_disk: bool) -> None:  # noqa: FBT001 - one fact, as the view tells it
        self.wait()
        self._puts_off_stale = False
        self.stale_from_disk = time.strftime("%H:%M:%S") if is_from_disk else ""
        self._session.refresh()
        self._context.ui.announce(f"The text under {stale_words(self.view.stale_places)} has changed.")

    def _on_reopened(self) -> None:
        self._left = -1
        self._session.block.show()
        self._session.refresh()

    def _on_typed(self, text: str) -> None:
        """The user changed the proposal by hand: that is what is shown and accepted from now on."""
        outcome = self._session.outcome
        if outcome is not None and self.view.handle is not None:
            changed = rewritten(outcome, text)
            self._session.answers.replace(changed)
            self.view.finish(changed.progress)
            self._session.refresh()

    def _on_tab_closed(self) -> None:
        self._tab = None
        self._owner.changed(self._session)
