"""What the prompt block of a session may show now, gathered from its parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from redraft_inline_edit.block.facts import BlockFacts
from redraft_inline_edit.events import Numbers
from redraft_inline_edit.session.owner import SessionOwner
from redraft_inline_edit.states import SessionState

if TYPE_CHECKING:
    from redraft_inline_edit.session.session import EditSession


def facts_of(session: EditSession, owner: SessionOwner) -> BlockFacts:
    """All that the block may show."""
    run, outcome = session.model_run, session.failure or session.outcome
    sending, draft, view, review = session.sending, session.draft, session.view, session.review
    numbers = run.numbers if run is not None else outcome.numbers if outcome is not None else Numbers()
    return BlockFacts(
        session.state,
        words=draft.words if session.state is SessionState.PREPARING else session.words,
        place=sending.place,
        is_read_only=session.editor.is_read_only,
        is_insertion=sending.is_insertion,
        first_line=sending.first_line,
        line_count=sending.line_count,
        tokens=sending.tokens,
        rows=draft.rows,
        current_row=draft.current_row,
        chips=sending.chips,
        model=session.model,
        embedded=_embedded(session, owner),
        keys=owner.keys(),
        numbers=numbers,
        thinking=run.thinking if run is not None else 0.0,
        retry=run.retry if run is not None else None,
        retry_left=run.retry_left if run is not None else 0.0,
        progress=run.progress if run is not None else outcome.progress if outcome is not None else None,
        merging=run.merging.name if run is not None and run.merging is not None else "",
        complaint=run.complaint if run is not None else "",
        outcome=outcome,
        open_hunks=review.undecided,
        counts=review.counts,
        need=review.imports.need,
        went_round=view.went_round,
        alternative=session.answers.position,
        hidden=review.hidden,
        accepts_in=review.accepts_in,
        stale=review.stale,
        put_off=review.put_off,
        doubt=review.doubt,
        stale_from_disk=review.stale_from_disk,
        shows_numbers=owner.shows_numbers(),
        answer=outcome.words if outcome is not None else "",
    )


def _embedded(session: EditSession, owner: SessionOwner) -> str:
    """The embedded model to fall back on, where a server has failed."""
    model = owner.embedded() if session.state is SessionState.FAILED else None
    return model.name if model is not None and model != session.model else ""
