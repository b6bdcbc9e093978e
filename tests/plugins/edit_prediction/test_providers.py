from __future__ import annotations

import pytest

from redraft.core.errors import UsageError
from redraft_edit_prediction.pipeline.providers import Backend, Provider, Vendor, reviewer
from redraft_edit_prediction.pipeline.qa import JUDGES
from rows import row


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        row(241, "teacher-jumps-non-batching:sonnet46", "teacher-jumps-non-batching:sonnet46"),
        row(242, "teacher_jumps_non_batching:gpt52", "teacher-jumps-non-batching:gpt52"),
        ("Teacher", "teacher:sonnet45"),
        ("teacher:claude", "teacher:sonnet45"),
        ("teacher:openai:V0120", "teacher:gpt54:V0120"),
        ("teacher:V0120:gpt", "teacher:gpt54:V0120"),
        ("zeta2:V0114", "zeta2:V0114"),
        ("mercury", "mercury"),
        ("repair", "repair"),
        ("model:Qwen: small", "model:Qwen: small"),
        ("embedded", "embedded"),
    ],
)
def test_provider_strings_print_back(text: str, shown: str) -> None:
    assert str(Provider.parse(text)) == shown
    assert str(Provider.parse(shown)) == shown


@pytest.mark.parametrize(
    ("text", "backend", "batched", "jumps"),
    [
        ("teacher:sonnet46", Backend(Vendor.ANTHROPIC, "claude-sonnet-4-6"), True, False),
        ("teacher-non-batching:gpt", Backend(Vendor.OPENAI, "gpt-5.4"), False, False),
        ("teacher-jumps:gpt55", Backend(Vendor.OPENAI, "gpt-5.5"), True, True),
        ("jumps-model:mine", Backend(Vendor.EDITOR, "mine"), False, True),
        ("embedded", Backend(Vendor.EDITOR, ""), False, False),
    ],
)
def test_whom_a_provider_asks(text: str, backend: Backend, *, batched: bool, jumps: bool) -> None:
    provider = Provider.parse(text)
    assert (provider.backend, provider.is_batched, provider.has_jumps) == (backend, batched, jumps)


@pytest.mark.parametrize(
    "text", ["", "who", "teacher:a-b", "teacher:gpt52:gpt54", "teacher:gpt52:X:Y", "model", "jumps-model:"]
)
def test_other_strings_are_refused(text: str) -> None:
    with pytest.raises(UsageError):
        Provider.parse(text)


@pytest.mark.parametrize("text", ["repair", "zeta2", "mercury", "baseten:X"])
def test_some_providers_only_stand_in_data(text: str) -> None:
    with pytest.raises(UsageError):
        _ = Provider.parse(text).backend


def test_judges_are_vendors_or_models_of_the_editor() -> None:
    assert reviewer("openai", JUDGES) == Backend(Vendor.OPENAI, "gpt-5.2")
    assert reviewer("anthropic", JUDGES) == Backend(Vendor.ANTHROPIC, "claude-sonnet-4-5")
    assert reviewer("model:x:y", JUDGES) == Backend(Vendor.EDITOR, "x:y")
    assert reviewer("embedded", JUDGES) == Backend(Vendor.EDITOR, "")
    with pytest.raises(UsageError, match="anthropic, openai, model:NAME, embedded"):
        reviewer("editor", JUDGES)
