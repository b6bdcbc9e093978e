"""One edit in the window, from the first word of its instruction to the last decision.

It owns a prompt block, a run of a model, and a proposal in the text; `states` draws how it goes from one to the
next. Several sessions live side by side on lines that do not overlap.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Final

from redraft.api.context import PluginContext
from redraft.api.disposable import DisposableStack
from redraft.api.editor import TextChange, TextEditor
from redraft.core.errors import ModelUnavailable
from redraft.core.llm.client import ModelInfo
from redraft.core.text import TextRange
from redraft_inline_edit.events import EditOutcome, EditState
from redraft_inline_edit.presets.preset import Preset, PresetTable
from redraft_inline_edit.prompt.draft import Draft
from redraft_inline_edit.prompt.sending import describe
from redraft_inline_edit.prompt.warming import Warming
from redraft_inline_edit.proposal.view import ProposalView
from redraft_inline_edit.request import Target
from redraft_inline_edit.session.answers import Answers
from redraft_inline_edit.session.asking import Asking
from redraft_inline_edit.session.block import Block
from redraft_inline_edit.session.facts import facts_of
from redraft_inline_edit.session.model_run import ModelRun
from redraft_inline_edit.session.owner import SessionOwner, Subject
from redraft_inline_edit.session.place import Place
from redraft_inline_edit.session.review import Review
from redraft_inline_edit.states import SessionState

STATE_AFTER: Final = {
    EditState.COMPLETED: SessionState.REVIEWING,
    EditState.UNCHANGED: SessionState.UNCHANGED,
    EditState.ANSWERED: SessionState.ANSWERED,
    EditState.STOPPED: SessionState.STOPPED,
    EditState.INCOMPLETE: SessionState.INCOMPLETE,
    EditState.FAILED: SessionState.FAILED,
}


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
        self.model: ModelInfo | None = None
        self._chosen_model: ModelInfo | None = None
        self._asked_preset: Preset | None = None
        self.state = SessionState.PREPARING
        self.words = ""
        self.left_out: set[str] = set()
        self.place = Place(editor, subject.target)
        self.answers = Answers()
        self.asking = Asking(context, owner, self, clock=clock)
        self.review = Review(context, owner, self)
        self.block = Block(editor, self.place, lambda: facts_of(self, owner))
        self.warming = Warming(context)
        self._context = context
        self._owner = owner
        self._kept = DisposableStack()
        self._kept.add(self.place)
        self._kept.add(editor.on_did_close(self._on_editor_closed))
        self._kept.add(editor.on_did_change(self._on_text_changed))
        self.measure()

    # --- What it is about

    @property
    def lines(self) -> TextRange:
        """Where its lines are now."""
        return self.place.lines

    @property
    def target(self) -> Target:
        """Its lines as a target."""
        return self.place.target

    @property
    def view(self) -> ProposalView:
        """Its proposal in the text."""
        return self.review.view

    @property
    def outcomes(self) -> list[EditOutcome]:
        """The answers to choose from."""
        return self.answers.all

    @property
    def outcome(self) -> EditOutcome | None:
        """The answer that is shown."""
        return self.answers.shown

    @property
    def failure(self) -> EditOutcome | None:
        """How the last run failed, if it did."""
        return self.answers.failure

    @property
    def model_run(self) -> ModelRun | None:
        """The model at work for it."""
        return self.asking.model_run

    @property
    def has_focus(self) -> bool:
        """Whether the keyboard is in its block."""
        return self.block.has_focus

    @property
    def is_decided(self) -> bool:
        """Whether only an undo can bring it back on screen."""
        return not self.block.is_shown and not self.state.is_running

    @property
    def preset(self) -> Preset | None:
        """The preset that its words begin with."""
        return self.draft.split(self.draft.words if self.state is SessionState.PREPARING else self.words)[0]

    def name_model(self, preset: Preset | None) -> None:
        """Know whom to ask: the model chosen for this edit, else the one for its preset.

        Raises:
            ModelUnavailable: The preset names a model that is not there.
        """
        self._asked_preset, self.model = preset, None
        self.model = self._chosen_model or self._owner.model_for(preset)

    def choose_model(self, model: ModelInfo) -> None:
        """Ask another model, for this edit alone."""
        self._chosen_model = model
        self.measure()
        self.refresh()

    def use_presets(self, presets: PresetTable) -> None:
        """Know other presets; what one of them says of its model stands again."""
        self._chosen_model = None
        self.draft.use_presets(presets)
        self.measure()
        self.refresh()

    def follow_words(self) -> None:
        """Other words may mean another model, and so another size."""
        if self.preset != self._asked_preset:
            self.measure()

    def measure(self) -> None:
        """Count again what would be sent, and let the model read ahead."""
        with suppress(ModelUnavailable):  # said when they are run
            self.name_model(self.preset)
        request = self._owner.make_request(self, self.draft.words, is_question=False)
        options = self._owner.options()
        self.sending = describe(request, self.model, options.limits)
        may_go = self._owner.refusal(self, request) is None
        self.warming.follow(request, self.model if may_go else None, options)

    # --- The block

    def open(self) -> None:
        """Show the block, ready to type."""
        self.block.show()
        self._owner.changed(self)
        self.focus()

    def take_up(self, words: str, outcome: EditOutcome) -> None:
        """Review an answer that came in an earlier run of the program."""
        self.words = words
        self.asking.take_up(words)
        self.answers.add(outcome)
        self.show_answer(outcome)

    def focus(self) -> None:
        """Give the block the keyboard."""
        self.block.focus()

    def refresh(self) -> None:
        """Show what is known now."""
        if self.state is SessionState.CLOSED:
            return
        self.block.update()
        self._owner.changed(self)

    def name_keys(self) -> None:
        """The key map has changed: name its keys on every button."""
        self.view.name_keys()
        self.refresh()

    def to(self, state: SessionState) -> None:
        """Go to a state, and show it."""
        self.state = state
        self.refresh()

    # --- Asking

    def run(self, words: str, *, is_question: bool = False) -> None:
        """Run an instruction; in a review it refines the answer that is shown."""
        if words.strip() and not self.state.is_running:
            self.asking.run(words.strip(), is_question=is_question)

    def retry(self, *, varied: bool = True) -> None:
        """Ask the same again; the answers so far stay to choose from."""
        if not self.state.is_running:
            self.asking.retry(varied=varied)

    def resume(self) -> None:
        """Let the model go on where it was cut off."""
        self.asking.resume()

    def stop(self) -> None:
        """Stop the model; what has come stays as a proposal, and a first answer stays during a repair."""
        if self.state.is_running:
            self.asking.stop()

    def interrupt(self, *, is_from_disk: bool) -> None:
        """The lines the model is writing were changed: it stops, and the user is told why."""
        if self.state.is_running:
            self.stop()
            who = "Another program" if is_from_disk else "You"
            self._context.ui.notify(f"{who} changed these lines while the model was writing, so it was stopped.")

    # --- Deciding

    def accept_all(self, *, even_hidden: bool = False) -> None:
        """Put all open hunks into the text."""
        self.review.accept_all(even_hidden=even_hidden)

    def reject_all(self) -> None:
        """Drop all open hunks."""
        self.review.reject_all()

    def show_alternative(self, step: int) -> None:
        """Show an earlier or later answer."""
        if len(self.outcomes) > 1 and not self.state.is_running:
            self.review.drop()
            self.show_answer(self.answers.step(step))

    def replace_outcome(self, outcome: EditOutcome) -> None:
        """Show a changed form of the answer."""
        self.review.drop()
        self.answers.replace(outcome)
        self.show_answer(outcome)

    def show_answer(self, outcome: EditOutcome) -> None:
        """Show a whole or cut-off answer for decisions."""
        self.answers.failure = None
        self.state = STATE_AFTER[outcome.state]
        self.review.show(outcome)
        if self.review.was_decided_meanwhile:
            self.block.hide()
        else:
            self.block.show()
        self.refresh()
        if self.has_focus:
            # The field of this state is another one than before.
            self.focus()

    # --- The way out

    def escape(self) -> None:
        """One step down the ladder: stop, then reject, then close; what would be accepted by itself waits."""
        if self.review.wait():
            self.refresh()
        elif self.state.is_running:
            self.stop()
        elif self.state in {SessionState.PREPARING, SessionState.FAILED} and self.outcome is not None:
            self.show_answer(self.outcome)
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
        self.to(SessionState.PREPARING)

    def close(self) -> None:
        """Take everything away; what was accepted stays."""
        if self.state is SessionState.CLOSED:
            return
        self.state = SessionState.CLOSED
        self.warming.stop()
        self.asking.drop()
        self.review.drop()
        self.block.hide()
        self._kept.dispose()
        self._owner.changed(self)

    def _on_text_changed(self, change: TextChange) -> None:
        if self.asking.is_overtaken():
            self.interrupt(is_from_disk=change.is_from_disk)

    def _on_editor_closed(self) -> None:
        self.block.forget()
        self.view.forget()
        self.close()
