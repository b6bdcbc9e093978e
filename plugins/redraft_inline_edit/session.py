"""One edit in the window, from the first word of its instruction to the last decision.

It owns a prompt block, a run of a model, and a proposal in the text; `states` draws how it goes from one to the
next. Several sessions live side by side on lines that do not overlap.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Protocol

from redraft.api.context import PluginContext
from redraft.api.disposable import DisposableStack
from redraft.api.editor import TextChange, TextEditor
from redraft.api.inline_diff import DiffKeys, HunkState
from redraft.api.prompt_block import PromptEvent, PromptHandle
from redraft.core.answer.pipeline import NoteKind
from redraft.core.diff.hunks import DiffProgress, apply_hunks
from redraft.core.diff.lines import diff_lines
from redraft.core.errors import ModelUnavailable, RedraftError
from redraft.core.llm.client import ModelInfo
from redraft.core.text import TextIndex, TextRange, split_lines
from redraft_inline_edit.block_facts import BlockFacts, KeyLabels
from redraft_inline_edit.block_model import prompt_model
from redraft_inline_edit.block_words import stale_words
from redraft_inline_edit.countdown import Countdown
from redraft_inline_edit.draft import Draft
from redraft_inline_edit.events import EditOutcome, EditState, Numbers
from redraft_inline_edit.model_run import ModelRun
from redraft_inline_edit.options import EditOptions
from redraft_inline_edit.proposal_tab import ProposalTab
from redraft_inline_edit.proposal_view import ProposalView, ViewEvents
from redraft_inline_edit.request import EditRequest, Target, target_for
from redraft_inline_edit.rewriting import rewritten
from redraft_inline_edit.sending import describe
from redraft_inline_edit.states import SessionState
from redraft_inline_edit.warming import Warming
from redraft_inline_edit.writing import UNTOUCHED

STATE_AFTER: Final = {
    EditState.COMPLETED: SessionState.REVIEWING,
    EditState.UNCHANGED: SessionState.UNCHANGED,
    EditState.ANSWERED: SessionState.ANSWERED,
    EditState.STOPPED: SessionState.STOPPED,
    EditState.INCOMPLETE: SessionState.INCOMPLETE,
    EditState.FAILED: SessionState.FAILED,
}
HAS_PROPOSAL: Final = frozenset({EditState.COMPLETED, EditState.STOPPED, EditState.INCOMPLETE})
VARIED: Final = 0.7
"""Temperature of a retry: at 0 the same question gives the same answer again."""


class SessionOwner(Protocol):
    """Who keeps the sessions, and knows what they have in common."""

    def make_request(self, session: EditSession, words: str, *, is_question: bool) -> EditRequest:
        """The request for some words, with the text as it is now."""
        ...

    def refusal(self, session: EditSession, request: EditRequest) -> RedraftError | None:
        """Why a request may not go out, if so."""
        ...

    def options(self) -> EditOptions:
        """The user's options."""
        ...

    def changed(self, session: EditSession) -> None:
        """Something about a session has changed."""
        ...

    def answered(self, session: EditSession, outcome: EditOutcome) -> bool:
        """An answer is whole; tell whether that was all, so that there is nothing to review."""
        ...

    def accepts_after(self, outcome: EditOutcome) -> float | None:
        """Seconds after which an answer is accepted by itself; `None` where the user decides."""
        ...

    def decided(self, session: EditSession, state: HunkState, remaining: int) -> None:
        """A hunk was decided."""
        ...

    def remember(self, words: str) -> None:
        """Put words that were run into the history."""
        ...

    def keys(self) -> KeyLabels:
        """Key labels of the block, as they are now."""
        ...

    def diff_keys(self) -> DiffKeys:
        """Key labels of the hunk buttons, as they are now."""
        ...

    def shows_numbers(self) -> bool:
        """Whether tokens and times are shown."""
        ...


@dataclass(frozen=True, slots=True)
class Subject:
    """What a session is about.

    Attributes:
        target: The whole lines that may change.
        rules: The project's rules.
        model: Whom to ask; `None` where no model is set up.
    """

    target: Target
    rules: str = ""
    model: ModelInfo | None = None


class EditSession:
    """One edit.

    Args:
        context: The plugin's services.
        owner: Who keeps it.
        editor: The file.
        subject: What it is about.
        draft: Its instruction in the making.
        clock: Seconds.
    """

    def __init__(
        self,
        context: PluginContext,
        owner: SessionOwner,
        editor: TextEditor,
        subject: Subject,
        draft: Draft,
        *,
        clock: Callable[[], float],
    ) -> None:
        self.editor = editor
        self.draft = draft
        self.rules = subject.rules
        self.model = subject.model
        self.state = SessionState.PREPARING
        self.words = ""
        self.left_out: set[str] = set()
        self.outcomes: list[EditOutcome] = []
        self.view = ProposalView(
            context,
            editor,
            lambda: self.whole_lines,
            owner.diff_keys,
            lambda: self.words,
            ViewEvents(self._on_decided, self._on_reopened, self._on_touched, self._on_stale, self.close, self.refresh),
        )
        self._shown = 0
        self._left = -1
        self._stale_from_disk = ""
        self._puts_off_stale = False
        self._context = context
        self._owner = owner
        self._clock = clock
        self._kept = DisposableStack()
        self._target = subject.target
        self._tracked = editor.track(subject.target.lines)
        self._kept.add(self._tracked)
        self._kept.add(editor.on_did_close(self._on_editor_closed))
        self._kept.add(editor.on_did_change(self._on_text_changed))
        self._on_prompt_event: Callable[[PromptEvent], None] = lambda _event: None
        self._prompt: PromptHandle | None = None
        self._run: ModelRun | None = None
        self._tab: ProposalTab | None = None
        self._countdown = Countdown(context)
        self._failure: EditOutcome | None = None
        self._request: EditRequest | None = None
        self._hidden_is_fine = False
        self._warming = Warming(context)
        self.measure()

    # --- What it is about

    @property
    def lines(self) -> TextRange:
        """Where its lines are now."""
        return self._tracked.range

    @property
    def whole_lines(self) -> TextRange:
        """Its lines, whole again where the user has typed at their edges."""
        lines, text = self.lines, self.editor.text
        if not lines.is_empty:
            return target_for(text, lines).lines
        index = TextIndex(text)
        start = index.line_starts[index.line_at(lines.start)]
        return lines if lines.start == len(text) else TextRange(start, start)

    @property
    def target(self) -> Target:
        """Its lines as a target."""
        return replace(self._target, lines=self.whole_lines)

    @property
    def outcome(self) -> EditOutcome | None:
        """The answer that is shown."""
        return self.outcomes[self._shown] if self.outcomes else None

    @property
    def failure(self) -> EditOutcome | None:
        """How the last run failed, if it did."""
        return self._failure

    @property
    def has_focus(self) -> bool:
        """Whether the keyboard is in its block."""
        return self._prompt is not None and self._prompt.has_focus

    @property
    def is_decided(self) -> bool:
        """Whether only an undo can bring it back on screen."""
        return self._prompt is None and not self.state.is_running

    @property
    def hidden(self) -> str:
        """Hidden characters in the proposal, in words, until the user has agreed to them."""
        notes = self.outcome.notes if self.outcome is not None and not self._hidden_is_fine else ()
        return next((note.text for note in notes if note.kind is NoteKind.HIDDEN), "")

    def meets(self, selection: TextRange) -> bool:
        """Whether a selection or caret touches its lines."""
        lines = self.lines
        return selection.start <= max(lines.end - 1, lines.start) and selection.end >= lines.start

    def measure(self) -> None:
        """Count again what would be sent, and let the model read ahead."""
        request = self._owner.make_request(self, self.draft.words, is_question=False)
        options = self._owner.options()
        self.sending = describe(request, self.model, options.limits)
        may_go = self._owner.refusal(self, request) is None
        self._warming.follow(request, self.model if may_go else None, options)

    # --- The block

    def listen(self, on_event: Callable[[PromptEvent], None]) -> None:
        """Hand what the user does in the block to somebody."""
        self._on_prompt_event = on_event

    def open(self) -> None:
        """Show the block, ready to type."""
        self._show_prompt()
        self._owner.changed(self)
        self.focus()

    def focus(self) -> None:
        """Give the block the keyboard."""
        if self._prompt is not None:
            self._prompt.focus()

    def refresh(self) -> None:
        """Show what is known now."""
        if self.state is SessionState.CLOSED:
            return
        if self._prompt is not None:
            self._prompt.update(prompt_model(self.facts()))
        self._owner.changed(self)

    def facts(self) -> BlockFacts:
        """All that the block may show."""
        run, outcome = self._run, self._failure or self.outcome
        sending = self.sending
        numbers = run.numbers if run is not None else outcome.numbers if outcome is not None else Numbers()
        return BlockFacts(
            self.state,
            words=self.draft.words if self.state is SessionState.PREPARING else self.words,
            place=sending.place,
            is_insertion=sending.is_insertion,
            first_line=sending.first_line,
            line_count=sending.line_count,
            tokens=sending.tokens,
            rows=self.draft.rows,
            current_row=self.draft.current_row,
            chips=sending.chips,
            model=self.model,
            keys=self._owner.keys(),
            numbers=numbers,
            thinking=run.thinking if run is not None else 0.0,
            retry=run.retry if run is not None else None,
            retry_left=run.retry_left if run is not None else 0.0,
            progress=run.progress if run is not None else outcome.progress if outcome is not None else None,
            complaint=run.complaint if run is not None else "",
            outcome=outcome,
            open_hunks=len(self.view.open_hunks),
            counts=self.view.counts,
            alternative=(self._shown + 1, len(self.outcomes)),
            hidden=self.hidden,
            accepts_in=self._countdown.seconds if self._countdown.is_running else 0.0,
            stale=() if self._puts_off_stale else self.view.stale_places,
            stale_from_disk=self._stale_from_disk,
            shows_numbers=self._owner.shows_numbers(),
            answer=outcome.words if outcome is not None else "",
        )

    def take_up(self, words: str, outcome: EditOutcome) -> None:
        """Review an answer that came in an earlier run of the program."""
        self.words = words
        self._request = self._owner.make_request(self, words, is_question=False) if words else None
        self.outcomes.append(outcome)
        self._review(outcome)

    # --- Asking

    def run(self, words: str, *, is_question: bool = False) -> None:
        """Run an instruction; in a review it refines the answer that is shown."""
        words = words.strip()
        if not words or self.state.is_running:
            return
        request = self._owner.make_request(self, words, is_question=is_question)
        outcome = self.outcome
        if outcome is not None and self.state is SessionState.REVIEWING and not request.is_question:
            request = replace(request, earlier=(self.words, outcome.proposed))
        self._owner.remember(words)
        self.words = words
        self._ask(request)

    def retry(self, *, varied: bool = True) -> None:
        """Ask the same again; the answers so far stay to choose from."""
        if self._request is None or self.state.is_running:
            return
        request = self._owner.make_request(self, self.words, is_question=self._request.is_question)
        self._ask(replace(request, earlier=self._request.earlier), is_varied=varied and bool(self.outcomes))

    def resume(self) -> None:
        """Let the model go on where it was cut off."""
        outcome = self.outcome
        if self._request is not None and outcome is not None and self.state is SessionState.INCOMPLETE:
            self._ask(self._request, so_far=outcome.code[: outcome.code.rfind("\n") + 1])

    def _ask(self, request: EditRequest, *, so_far: str = "", is_varied: bool = False) -> None:
        self._drop_view()
        self._failure = None
        self._hidden_is_fine = False
        self._request = request
        if self.model is None:
            self._on_failed(ModelUnavailable("No model is set up. Fetch the embedded one, or name a server."))
            return
        if refusal := self._owner.refusal(self, request):
            self._on_failed(refusal)
            return
        self._warming.make_way(request, self.model)
        options = self._owner.options()
        if is_varied:
            options = replace(options, temperature=max(options.temperature, VARIED))
        self._run = ModelRun(self._context, self.model, request, options, so_far=so_far, clock=self._clock)
        if not request.is_question:
            self._unselect()
        self._to(SessionState.WAITING)
        self._context.ui.announce("Asked the model.")
        self._run.start(on_changed=self._on_run_changed, on_finished=self._on_finished, on_failed=self._on_failed)

    def stop(self) -> None:
        """Stop the model; what has come stays as a proposal, and a first answer stays during a repair."""
        run = self._run
        if run is None or not self.state.is_running:
            return
        run.stop()
        self._run = None
        if run.first_outcome is not None:
            self._on_finished(run.first_outcome)
        elif run.progress is None or self.view.handle is None:
            self.view.drop()
            self.reword()
            self.focus()
        else:
            self._on_finished(_stopped(run))

    # --- Deciding

    def accept_all(self, *, even_hidden: bool = False) -> None:
        """Put all open hunks into the text."""
        self.take_typed()
        if self.view.handle is None or self.state.is_running:
            return
        self._hidden_is_fine = self._hidden_is_fine or even_hidden
        if self.hidden:
            self.refresh()
        else:
            self.view.handle.accept_all()

    def _accept_unseen(self) -> None:
        """Nobody objected in time."""
        if self.state is SessionState.REVIEWING and not self.hidden and not self.view.stale_places:
            self.accept_all()
            self._context.ui.notify("Accepted without review. Ctrl+Z takes it back.")

    def reject_all(self) -> None:
        """Drop all open hunks."""
        if self.state.is_running:
            return
        if self.view.handle is not None and self.view.open_hunks:
            self.view.handle.reject_all()
        else:
            self.close()

    def edit_proposal(self) -> None:
        """Open the proposed text in a tab, to be changed by hand before it is accepted."""
        handle = self.view.handle
        if handle is None or self.state.is_running:
            return
        self._countdown.stop()
        if self._tab is None:
            self._tab = ProposalTab(
                self._context, self.editor, handle.proposed, self._on_proposal_typed, self._on_tab_closed
            )
            self._owner.changed(self)
        else:
            self._tab.editor.focus()

    def is_edited_in(self, editor: TextEditor | None) -> bool:
        """Whether its proposal is what an editor holds."""
        return self._tab is not None and self._tab.editor is editor

    def take_typed(self) -> None:
        """Take what was typed into the proposal until now."""
        if self._tab is not None:
            self._tab.flush()

    def show_alternative(self, step: int) -> None:
        """Show an earlier or later answer."""
        if len(self.outcomes) > 1 and not self.state.is_running:
            self._drop_view()
            self._shown = (self._shown + step) % len(self.outcomes)
            self._review(self.outcomes[self._shown])

    def replace_outcome(self, outcome: EditOutcome) -> None:
        """Show a changed form of the answer."""
        self._drop_view()
        self.outcomes[self._shown] = outcome
        self._review(outcome)

    def escape(self) -> None:
        """One step down the ladder: stop, then reject, then close; what would be accepted by itself waits."""
        if self._countdown.stop():
            self.refresh()
        elif self.state.is_running:
            self.stop()
        elif self.state in {SessionState.PREPARING, SessionState.FAILED} and self.outcomes:
            self._review(self.outcomes[self._shown])
        elif self.state is SessionState.REVIEWING and self.has_focus:
            self.editor.focus()
        elif self.state.has_proposal and self.view.open_hunks:
            self.reject_all()
        else:
            self.close()

    def reword(self) -> None:
        """Go back to the words, to change them and run them again."""
        self.draft.type(self.words)
        self.measure()
        self._to(SessionState.PREPARING)

    def close(self) -> None:
        """Take everything away; what was accepted stays."""
        if self.state is SessionState.CLOSED:
            return
        self.state = SessionState.CLOSED
        self._warming.stop()
        if self._run is not None:
            self._run.stop()
        self._drop_view()
        self._hide_prompt()
        self._kept.dispose()
        self._owner.changed(self)

    # --- What the model does

    def _on_run_changed(self) -> None:
        run = self._run
        if run is None:
            return
        if run.complaint:
            self.state = SessionState.REPAIRING
        elif run.progress is not None and not run.request.is_question:
            if self.state is SessionState.WAITING:
                self.state = SessionState.STREAMING
                self._context.ui.announce("The first text has come.")
            self.view.update(run.progress)
        self.refresh()

    def _on_finished(self, outcome: EditOutcome) -> None:
        self._run = None
        if outcome.state is EditState.FAILED:
            self._on_failed(outcome.error or RedraftError("No answer came."), outcome)
            return
        self.outcomes.append(outcome)
        self._shown = len(self.outcomes) - 1
        if self._owner.answered(self, outcome):
            self.close()
            return
        delay = self._owner.accepts_after(outcome)
        self._review(outcome)
        if delay is not None and not self.hidden and self.view.open_hunks:
            self._countdown.start(delay, self._accept_unseen)
            self.refresh()
        self._context.ui.announce(_in_words(outcome, self.view))

    def _on_failed(self, error: RedraftError, outcome: EditOutcome | None = None) -> None:
        request, numbers = self._request, self._run.numbers if self._run is not None else Numbers()
        self._run = None
        self.view.drop()
        if outcome is None and request is not None:
            outcome = _failed(request, error, numbers)
        self._failure = outcome
        self._to(SessionState.FAILED)
        self._context.ui.announce(str(error))

    def _review(self, outcome: EditOutcome) -> None:
        """Show a whole or cut-off answer for decisions."""
        self._failure = None
        self._left = -1
        self.state = STATE_AFTER[outcome.state]
        if outcome.state in HAS_PROPOSAL:
            self.view.finish(self._progress_of(outcome))
        else:
            self.view.drop()
        self._show_prompt()
        self.refresh()
        if self.has_focus:
            # The field of this state is another one than before.
            self.focus()

    def _progress_of(self, outcome: EditOutcome) -> DiffProgress:
        """The differences of an answer from the lines as they are now, should they have changed since it was asked."""
        text = self.whole_lines.of(self.editor.text)
        if self.view.handle is not None or text == outcome.original:
            return outcome.progress
        lines = split_lines(text)
        return DiffProgress(tuple(diff_lines(lines, split_lines(outcome.proposed))), len(lines), is_final=True)

    # --- What the user does to the proposal

    def _on_decided(self, state: HunkState, remaining: int) -> None:
        self._countdown.stop()
        if remaining == self._left:
            return  # the others of a decision about several hunks
        self._left = remaining
        done = state.value.capitalize()
        self._context.ui.announce(f"{done}, {remaining} left." if remaining else f"{done}.")
        if remaining:
            self.refresh()
        else:
            # The session stays as long as its overlay does: an undo may bring hunks back.
            self._close_tab()
            self._hide_prompt()
            self._owner.changed(self)
        self._owner.decided(self, state, remaining)

    def _on_reopened(self) -> None:
        self._left = -1
        self._show_prompt()
        self.refresh()

    def _on_text_changed(self, change: TextChange) -> None:
        """Until something of the answer is shown, nobody else watches the lines it is for."""
        run = self._run
        if run is not None and self.view.handle is None and not run.request.is_question:
            original = run.request.original
            if self.whole_lines.of(self.editor.text) != original:
                self._on_touched(change.is_from_disk)

    def _on_touched(self, is_from_disk: bool) -> None:  # noqa: FBT001 - one fact, as the view tells it
        if self.state.is_running:
            self.stop()
            who = "Another program" if is_from_disk else "You"
            self._context.ui.notify(f"{who} changed these lines while the model was writing, so it was stopped.")

    def _on_stale(self, is_from_disk: bool) -> None:  # noqa: FBT001 - one fact, as the view tells it
        self._countdown.stop()
        self._puts_off_stale = False
        self._stale_from_disk = time.strftime("%H:%M:%S") if is_from_disk else ""
        self.refresh()
        self._context.ui.announce(f"The text under {stale_words(self.view.stale_places)} has changed.")

    def put_off_stale(self) -> None:
        """Leave hunks whose text was changed for later."""
        self._puts_off_stale = True
        self.refresh()

    def _on_editor_closed(self) -> None:
        self._prompt = None
        self.view.forget()
        self.close()

    def _on_proposal_typed(self, text: str) -> None:
        """The user changed the proposal by hand: that is what is shown and accepted from now on."""
        outcome = self.outcome
        if outcome is not None and self.view.handle is not None:
            changed = rewritten(outcome, text)
            self.outcomes[self._shown] = changed
            self.view.finish(changed.progress)
            self.refresh()

    def _on_tab_closed(self) -> None:
        self._tab = None
        self._owner.changed(self)

    # --- Small steps

    def _close_tab(self) -> None:
        tab, self._tab = self._tab, None
        if tab is not None:
            tab.close()

    def _drop_view(self) -> None:
        self._countdown.stop()
        self._close_tab()
        self.view.drop()

    def _to(self, state: SessionState) -> None:
        self.state = state
        self.refresh()

    def _show_prompt(self) -> None:
        if self._prompt is None:
            model = prompt_model(self.facts())
            self._prompt = self.editor.show_prompt(self.lines, model, on_event=self._on_prompt_event)

    def _unselect(self) -> None:
        """Take the selection off the lines, so that the proposal is seen in its own colours."""
        selection, lines = self.editor.selection, self.lines
        if not selection.is_empty and lines.start <= selection.start and selection.end <= lines.end:
            self.editor.select(TextRange(lines.start, lines.start), reveal=False)

    def _hide_prompt(self) -> None:
        prompt, self._prompt = self._prompt, None
        if prompt is None:
            return
        had_focus = prompt.has_focus
        prompt.dispose()
        if had_focus:
            self.editor.focus()


def _stopped(run: ModelRun) -> EditOutcome:
    """What a stopped run leaves: the lines that came; those never reached stay as they are."""
    progress = replace(run.progress, partial="", is_final=True) if run.progress is not None else None
    outcome = _failed(run.request, None, run.numbers)
    if progress is not None:
        proposed = "".join(apply_hunks(split_lines(outcome.original), progress.hunks))
        outcome = replace(outcome, progress=progress, proposed=proposed)
    return replace(outcome, state=EditState.STOPPED, model=run.model)


def _failed(request: EditRequest, error: RedraftError | None, numbers: Numbers) -> EditOutcome:
    original = request.original
    return EditOutcome(
        EditState.FAILED, request.target.lines, original, original, UNTOUCHED, error=error, numbers=numbers
    )


def _in_words(outcome: EditOutcome, view: ProposalView) -> str:
    """What is said when an answer is whole, or cut off."""
    match outcome.state:
        case EditState.COMPLETED:
            return f"Done: {view.in_words}."
        case EditState.STOPPED:
            return f"Stopped: {view.in_words}." if view.open_hunks else "Stopped."
        case EditState.UNCHANGED:
            return "The model proposes no change."
        case EditState.ANSWERED:
            return outcome.words
        case _:
            return str(outcome.error)
