from __future__ import annotations

import pytest

from redraft.api.prompt_block import PromptModel
from redraft.core.errors import (
    AnswerError,
    AuthenticationError,
    BadRequest,
    ConnectionFailed,
    ContextTooLong,
    MalformedStream,
    ModelNotFound,
    ModelUnavailable,
    QuotaExceeded,
    RateLimited,
    RedraftError,
    ServerError,
    TimedOut,
)
from redraft.core.llm.client import IN_SETTINGS, ModelInfo
from redraft.core.llm.messages import StopReason
from redraft.core.text import TextRange
from redraft_inline_edit.answer.writing import UNTOUCHED
from redraft_inline_edit.block.facts import BlockFacts
from redraft_inline_edit.block.model import prompt_model
from redraft_inline_edit.block.words import told
from redraft_inline_edit.events import EditOutcome, EditState, Numbers, RetryAhead
from redraft_inline_edit.states import SessionState

WORKSHOP = ModelInfo("Workshop", IN_SETTINGS, "qwq-32b")


def failed(error: RedraftError, *, model: ModelInfo = WORKSHOP, embedded: str = "", **numbers: float) -> PromptModel:
    """The block after an error."""
    reason = StopReason.LENGTH if "thinking" in str(error) else None
    outcome = EditOutcome(EditState.FAILED, TextRange(0, 1), "x", "x", UNTOUCHED, error=error, reason=reason)
    counted = Numbers(total=0.096, **numbers)  # type: ignore[arg-type]  # counts
    facts = BlockFacts(SessionState.FAILED, outcome=outcome, model=model, embedded=embedded, numbers=counted)
    return prompt_model(facts)


def ways_out(block: PromptModel) -> list[str]:
    assert block.strip is not None
    return [action.id for action in block.strip.actions]


@pytest.mark.parametrize(
    ("error", "actions"),
    [
        (AuthenticationError("No.", status=401), ["open_models"]),
        (ModelNotFound("No.", status=404), ["open_models"]),
        (QuotaExceeded("No.", status=402), ["model"]),
        (RateLimited("No."), ["model"]),
        (ServerError("No.", status=500), ["model"]),
        (BadRequest("No.", status=422), ["open_models"]),
        (MalformedStream("No."), ["open_models"]),
        (ContextTooLong("No."), ["model"]),
        (ConnectionFailed("No.", kind="dns"), ["test_connection", "model"]),
        (ConnectionFailed("No.", kind="tls"), ["test_connection", "model"]),
        (ConnectionFailed("No.", kind="proxy"), ["test_connection", "model"]),
        (TimedOut("No.", limit="idle"), ["test_connection", "model"]),
        (ModelUnavailable("No."), ["open_models"]),
        (AnswerError("The model used its whole output limit for thinking; raise it."), ["open_models", "model"]),
        (AnswerError("No."), []),
    ],
)
def test_every_failure_has_a_way_out_beside_running_it_again(error: RedraftError, actions: list[str]) -> None:
    block = failed(error)
    assert ways_out(block) == actions
    assert block.main is not None
    assert block.main.id == "again"


def test_the_embedded_model_is_offered_where_it_is_here() -> None:
    block = failed(ConnectionFailed("No."), embedded="qwen")
    assert ways_out(block) == ["test_connection", "use_embedded"]


def test_only_servers_of_the_settings_can_be_tested_there() -> None:
    assert ways_out(failed(ConnectionFailed("No."), model=ModelInfo("mine", "environment", "m"))) == ["model"]


def test_a_model_on_this_machine_that_died_is_not_called_offline() -> None:
    here = ModelInfo("qwen", "embedded", "q", location="embedded")
    block = failed(ConnectionFailed("qwen ended. Run again.", kind="closed"), model=here)
    assert block.strip is not None
    assert block.strip.icon == "model_local"
    assert ways_out(block) == ["model"]


def test_what_happened_stands_before_what_to_do() -> None:
    block = failed(ConnectionFailed("The name a.test cannot be found; check the address and the network."))
    assert block.strip is not None
    assert (block.strip.text, block.strip.detail) == (
        "The name a.test cannot be found",
        "Check the address and the network",
    )


@pytest.mark.parametrize(
    ("sentence", "parts"),
    [
        ("It broke.", ("It broke", "")),
        ("It broke; mend it.", ("It broke", "Mend it")),
        ("It broke. Mend it, or leave it.", ("It broke", "Mend it, or leave it")),
        ("It took 0.5 s; wait.", ("It took 0.5 s", "Wait")),
        ("", ("", "")),
    ],
)
def test_a_sentence_is_told_in_two_parts(sentence: str, parts: tuple[str, str]) -> None:
    assert told(sentence) == parts


def test_the_footer_names_who_failed_and_when() -> None:
    assert failed(ConnectionFailed("No.")).footer_note == "Workshop · 96 ms"
    assert failed(AnswerError("No."), sent_tokens=1400, received_tokens=6).footer_note.startswith("1.4k in · 6 out")


def test_a_wait_says_what_happened_and_when_it_goes_on() -> None:
    retry = RetryAhead(2, 4, 7.0, "Workshop has had too many requests (429); try again in 7 s.")
    block = prompt_model(BlockFacts(SessionState.WAITING, retry=retry, retry_left=3.4))
    assert block.strip is not None
    assert (block.strip.text, block.strip.detail) == ("Workshop has had too many requests (429)", "next try in 3 s")
    assert block.footer_detail == "Try 2 of 4"
