from __future__ import annotations

import pytest

from redraft.core.llm.registry import PROVIDER_PRESETS, make_client, preset_for
from redraft.core.llm.retry import RetryPolicy
from redraft.core.llm.server import Prefill, ServerConfig, ServerKind
from servers import ScriptedServer, anthropic_answer, error_reply, openai_answer
from streams import ask, text_of


@pytest.mark.parametrize(
    ("kind", "path", "answer"),
    [
        (ServerKind.OPENAI, "/v1/chat/completions", openai_answer("x")),
        (ServerKind.ANTHROPIC, "/v1/messages", anthropic_answer("x")),
        (ServerKind.TABBY, "/v1/chat/completions", openai_answer("x")),
    ],
)
def test_each_kind_has_its_client(kind: ServerKind, path: str, answer: tuple[object, ...]) -> None:
    with ScriptedServer() as server:
        server.reply(error_reply(503, "busy", {"retry-after": "0"}))
        server.reply(answer)  # type: ignore[arg-type]  # steps of both protocols
        client = make_client(ServerConfig(name="A", kind=kind, base_url=server.url), RetryPolicy(attempts=2))
        assert text_of(ask(client)) == "x"
        assert [seen.path for seen in server.requests] == [path, path]


def test_the_presets_are_those_that_are_promised() -> None:
    promised = {"openai", "ollama", "lm-studio", "vllm", "llama-server", "openrouter", "anthropic", "tabby"}
    assert promised <= set(PROVIDER_PRESETS)
    for name, preset in PROVIDER_PRESETS.items():
        config = preset.config(model="m")
        assert preset.id == name
        assert config.name == preset.title
        assert config.model == "m"
        assert preset.needs_key is bool(preset.key_variable)
        assert make_client(config).info.model == "m"


def test_a_preset_can_be_changed() -> None:
    config = PROVIDER_PRESETS["llama-server"].config(name="Mine", base_url="http://gpu:9000", prefill=Prefill.NONE)
    assert (config.name, config.base_url, config.prefill) == ("Mine", "http://gpu:9000", Prefill.NONE)


@pytest.mark.parametrize(
    ("kind", "url", "preset"),
    [
        (ServerKind.OPENAI, "https://api.openai.com/v1", "openai"),
        (ServerKind.OPENAI, "https://openrouter.ai/api/v1", "openrouter"),
        (ServerKind.OPENAI, "http://127.0.0.1:11434", "ollama"),
        (ServerKind.OPENAI, "http://localhost:8080/v1", "llama-server"),
        (ServerKind.OPENAI, "http://gpu.lan:8080/v1", "custom"),
        (ServerKind.OPENAI, "https://api.anthropic.com/v1", "custom"),
        (ServerKind.ANTHROPIC, "http://localhost:8080", "anthropic"),
        (ServerKind.TABBY, "http://gpu.lan:9000", "tabby"),
    ],
)
def test_an_address_is_recognised(kind: ServerKind, url: str, preset: str) -> None:
    assert preset_for(kind, url).id == preset


def test_batches_are_offered_by_those_who_have_them() -> None:
    offering = {
        name for name, preset in PROVIDER_PRESETS.items() if make_client(preset.config(model="m")).capabilities.batch
    }
    assert offering == {"openai", "anthropic"}
