"""What the user does in a prompt block, turned into steps of its session."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from redraft.api.prompt_block import (
    ActionTriggered,
    ChipRemoved,
    Escaped,
    PromptClosed,
    PromptEvent,
    RowChosen,
    RowCompleted,
    RowMoved,
    Submitted,
    WordsChanged,
)
from redraft.core.answer.pipeline import NoteKind
from redraft.core.errors import RedraftError
from redraft.core.symbols import symbols_of
from redraft_inline_edit.answer.rewriting import without_hidden
from redraft_inline_edit.errors import NotSent
from redraft_inline_edit.prompt.draft import Fill, Run
from redraft_inline_edit.prompt.sending import ATTACHMENT
from redraft_inline_edit.session.model_choice import ModelChoice
from redraft_inline_edit.sources import FILE, SYMBOL, attachment_of_file, attachment_of_symbol, context_items
from redraft_inline_edit.states import SessionState

if TYPE_CHECKING:
    from redraft_inline_edit.session.manager import EditManager
    from redraft_inline_edit.session.session import EditSession


class PromptEvents:
    """Takes the events of one block."""

    def __init__(self, manager: EditManager, session: EditSession) -> None:
        self._manager = manager
        self._session = session
        self._context = manager.context
        self._actions: Mapping[str, Callable[[], None]] = {
            "run": lambda: session.run(session.draft.words),
            "again": lambda: session.retry(varied=False),
            "stop": session.stop,
            "try_now": lambda: session.retry(varied=False),
            "keep_first": session.stop,
            "retry": session.retry,
            "continue": session.resume,
            "keep_part": session.accept_all,
            "accept_all": session.accept_all,
            "reject_all": session.reject_all,
            "accept_hidden": lambda: session.accept_all(even_hidden=True),
            "remove_hidden": self._remove_hidden,
            "earlier": lambda: session.show_alternative(-1),
            "later": lambda: session.show_alternative(1),
            "close": session.close,
            "show_diff": lambda: self._context.commands.execute("inline_edit.show_diff"),
            "side_by_side": lambda: self._context.commands.execute("inline_edit.side_by_side"),
            "put_off_stale": session.review.put_off_stale,
            "three_way": lambda: self._context.commands.execute("inline_edit.three_way"),
            "edit_proposal": session.review.edit_proposal,
            NoteKind.NEEDS_IMPORT.value: session.review.imports.toggle,
            "copy_proposal": lambda: self._context.commands.execute("inline_edit.copy_proposal"),
            "model": ModelChoice(manager, session).pick,
            "use_embedded": self._use_embedded,
            "test_connection": self._test_connection,
            "open_models": lambda: self._context.ui.open_settings("models"),
            "add_context": lambda: self._pick_context(None),
            "send_anyway": self._send_anyway,
        }

    def take(self, event: PromptEvent) -> None:
        """One event."""
        draft = self._session.draft
        match event:
            case WordsChanged(text, caret):
                self._type(text, caret)
            case Submitted(text):
                self._submit(text)
            case RowChosen(row_id, action):
                self._follow(draft.choose(row_id, action))
            case RowCompleted(row_id):
                self._follow(draft.complete(row_id))
            case RowMoved(step, at_edge):
                self._move(step, at_edge=at_edge)
            case ChipRemoved(chip_id):
                self._leave_out(chip_id)
            case ActionTriggered(action_id):
                self._actions.get(action_id, _nothing)()
            case Escaped():
                self._session.escape()
            case PromptClosed():
                self._session.close()

    def _type(self, text: str, caret: int) -> None:
        session = self._session
        if session.state is SessionState.PREPARING:
            session.draft.type(text)
            session.follow_words()
            session.refresh()
            if session.draft.wants_context(caret):
                self._pick_context(caret)

    def _submit(self, text: str) -> None:
        session = self._session
        match session.state:
            case SessionState.INCOMPLETE:
                session.resume()
            case SessionState.FAILED if not text.strip():
                session.retry(varied=False)
            case _ if text.strip():
                session.run(text)
            case _:
                pass

    def _move(self, step: int, *, at_edge: bool) -> None:
        session = self._session
        if not at_edge:
            return
        if session.state is SessionState.PREPARING:
            self._follow(session.draft.move(step))
        elif step < 0 and not session.state.is_running:
            session.reword()

    def _follow(self, wish: Run | Fill | None) -> None:
        if isinstance(wish, Run):
            self._session.run(wish.words)
        else:
            self._session.measure()
            self._session.refresh()

    def _leave_out(self, chip_id: str) -> None:
        session = self._session
        if chip_id.startswith(ATTACHMENT):
            session.draft.detach(chip_id.removeprefix(ATTACHMENT))
        else:
            session.left_out.add(chip_id)
        session.measure()
        session.refresh()

    def _pick_context(self, caret: int | None) -> None:
        editor = self._session.editor
        folder = self._context.editor.folder
        opened = [other.path for other in self._context.editor.all if other.path is not None]
        items = context_items(folder, opened, editor.text, editor.language_id)
        self._context.ui.pick("Add a file or symbol", items, on_chosen=lambda chosen: self._attach(chosen, caret))

    def _attach(self, chosen: str, caret: int | None) -> None:
        session, editor = self._session, self._session.editor
        try:
            if chosen.startswith(SYMBOL):
                symbol = symbols_of(editor.text, editor.language_id)[int(chosen.removeprefix(SYMBOL))]
                attachment = attachment_of_symbol(symbol, editor.text, editor.title, editor.language_id)
            else:
                path = Path(chosen.removeprefix(FILE))
                attachment = attachment_of_file(path, self._context.editor.folder)
        except RedraftError as error:
            self._context.ui.notify(str(error))
            return
        session.draft.attach(attachment, caret)
        session.measure()
        session.refresh()
        session.focus()

    def _use_embedded(self) -> None:
        model = self._manager.embedded()
        if model is not None:
            self._session.choose_model(model)
            self._session.retry(varied=False)

    def _test_connection(self) -> None:
        model = self._session.model
        self._context.ui.open_settings(f"models/{model.name}" if model is not None else "models")

    def _send_anyway(self) -> None:
        outcome = self._session.failure
        if outcome is not None and isinstance(outcome.error, NotSent):
            self._context.privacy.allow(outcome.error.path)
            self._session.retry(varied=False)

    def _remove_hidden(self) -> None:
        outcome = self._session.outcome
        if outcome is not None:
            self._session.replace_outcome(without_hidden(outcome))


def _nothing() -> None:
    """A button nobody knows."""
