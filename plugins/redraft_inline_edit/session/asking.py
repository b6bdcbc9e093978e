"""The part of an edit that talks to the model: one run at a time, and what becomes of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from redraft.api.context import PluginContext
from redraft.core.errors import ModelUnavailable, RedraftError
from redraft_inline_edit.events import EditOutcome, EditState, Numbers
from redraft_inline_edit.request import EditRequest
from redraft_inline_edit.session.answers import failed_outcome, in_words, stopped_outcome
from redraft_inline_edit.session.model_run import ModelRun
from redraft_inline_edit.session.owner import SessionOwner
from redraft_inline_edit.states import SessionState

if TYPE_CHECKING:
    from redraft_inline_edit.session.session import EditSession

VARIED: Final = 0.7
"""Temperature of a retry: at 0 the same question gives the same answer again."""


class Asking:
    """Asks, asks again, goes on and stops, for one session."""

    def __init__(
        self, context: PluginContext, owner: SessionOwner, session: EditSession, *, clock: Callable[[], float]
    ) -> None:
        self.model_run: ModelRun | None = None
        self._context = context
        self._owner = owner
        self._session = session
        self._clock = clock
        self._request: EditRequest | None = None

    def run(self, words: str, *, is_question: bool) -> None:
        """Ask something; over a proposal it refines the answer that is shown."""
        session, outcome = self._session, self._session.outcome
        request = self._owner.make_request(session, words, is_question=is_question)
        if outcome is not None and session.state is SessionState.REVIEWING and not request.is_question:
            request = replace(request, earlier=(session.words, outcome.proposed))
        self._owner.remember(words)
        session.words = words
        self._ask(request)

    def take_up(self, words: str) -> None:
        """Words that were run in an earlier run of the program can be run again."""
        session = self._session
        self._request = self._owner.make_request(session, words, is_question=False) if words else None

    def retry(self, *, varied: bool) -> None:
        """Ask the same again; the answers so far stay to choose from."""
        session = self._session
        if self._request is None:
            return
        request = self._owner.make_request(session, session.words, is_question=self._request.is_question)
        self._ask(replace(request, earlier=self._request.earlier), is_varied=varied and bool(session.outcomes))

    def resume(self) -> None:
        """Let the model go on where it was cut off."""
        outcome = self._session.outcome
        if self._request is not None and outcome is not None and self._session.state is SessionState.INCOMPLETE:
            self._ask(self._request, so_far=outcome.code[: outcome.code.rfind("\n") + 1])

    def stop(self) -> None:
        """Stop the model; what has come stays as a proposal, and a first answer stays during a repair."""
        session, run = self._session, self.model_run
        if run is None:
            return
        self.drop()
        if run.first_outcome is not None:
            self._on_finished(run.first_outcome)
        elif run.progress is None or session.view.handle is None:
            session.view.drop()
            session.reword()
            session.focus()
        else:
            self._on_finished(stopped_outcome(run))

    def drop(self) -> None:
        """End the run, whatever has come."""
        run, self.model_run = self.model_run, None
        if run is not None:
            run.stop()

    def is_overtaken(self) -> bool:
        """Whether its lines were changed while nothing of the answer is shown; later the overlay watches them."""
        run, session = self.model_run, self._session
        if run is None or session.view.handle is not None or run.request.is_question:
            return False
        return session.place.text != run.request.original

    def _ask(self, request: EditRequest, *, so_far: str = "", is_varied: bool = False) -> None:
        session = self._session
        session.review.begin()
        session.answers.failure = None
        self._request = request
        try:
            session.name_model(request.preset)
        except ModelUnavailable as error:
            self._on_failed(error)
            return
        if session.model is None:
            self._on_failed(ModelUnavailable("No model is set up. Fetch the embedded one, or name a server."))
            return
        if refusal := self._owner.refusal(session, request):
            self._on_failed(refusal)
            return
        session.warming.make_way(request, session.model)
        options = replace(self._owner.options(), applier=self._owner.applier(request))
        if is_varied:
            options = replace(options, temperature=max(options.temperature, VARIED))
        self.model_run = ModelRun(self._context, session.model, request, options, so_far=so_far, clock=self._clock)
        if not request.is_question:
            session.place.unselect()
        session.to(SessionState.WAITING)
        self._context.ui.announce("Asked the model.")
        self.model_run.start(on_changed=self._on_run_changed, on_finished=self._on_finished, on_failed=self._on_failed)

    def _on_run_changed(self) -> None:
        run, session = self.model_run, self._session
        if run is None:
            return
        if run.complaint:
            session.state = SessionState.REPAIRING
        elif run.progress is not None and not run.request.is_question:
            if session.state is SessionState.WAITING:
                session.state = SessionState.STREAMING
                self._context.ui.announce("The first text has come.")
            session.view.update(run.progress)
        session.refresh()

    def _on_finished(self, outcome: EditOutcome) -> None:
        session = self._session
        self.model_run = None
        if outcome.state is EditState.FAILED:
            self._on_failed(outcome.error or RedraftError("No answer came."), outcome)
            return
        session.answers.add(outcome)
        if self._owner.answered(session, outcome):
            session.close()
            return
        delay = self._owner.accepts_after(outcome)
        session.show_answer(outcome)
        session.review.accept_after(delay)
        self._context.ui.announce(in_words(outcome, session.view))

    def _on_failed(self, error: RedraftError, outcome: EditOutcome | None = None) -> None:
        session, run = self._session, self.model_run
        self.model_run = None
        session.view.drop()
        if outcome is None and self._request is not None:
            outcome = failed_outcome(self._request, error, run.numbers if run is not None else Numbers())
        session.answers.failure = outcome
        session.to(SessionState.FAILED)
        self._context.ui.announce(str(error))
