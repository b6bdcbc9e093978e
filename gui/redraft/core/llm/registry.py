"""Makes the client for a server, and knows how the usual servers are set up."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from redraft.core.llm.anthropic import AnthropicClient
from redraft.core.llm.client import ChatClient
from redraft.core.llm.openai import OpenAIClient
from redraft.core.llm.retry import RetryingClient, RetryPolicy
from redraft.core.llm.server import Prefill, ServerConfig, ServerKind, is_loopback
from redraft.core.llm.tabby import TabbyClient

_CLIENTS: Final[Mapping[ServerKind, Callable[[ServerConfig], ChatClient]]] = MappingProxyType(
    {
        ServerKind.OPENAI: OpenAIClient,
        ServerKind.ANTHROPIC: AnthropicClient,
        ServerKind.TABBY: TabbyClient,
    }
)


def make_client(config: ServerConfig, policy: RetryPolicy | None = None) -> ChatClient:
    """A client for a server, which asks again when the server is busy."""
    return RetryingClient(_CLIENTS[config.kind](config), policy or RetryPolicy())


@dataclass(frozen=True, slots=True)
class ProviderPreset:
    """How a usual server is set up; the user adds a key where one is needed, and chooses a model.

    Attributes:
        id: A short name for settings.
        title: Its name for people.
        kind: The protocol.
        base_url: Its address; for a server of one's own, the usual one.
        needs_key: Whether it takes no request without one.
        key_variable: The environment variable in which people keep that key.
        prefill: How answers are begun there.
        max_tokens_field: What it calls the answer's limit.
        extra: More fields for every request body.
        note: One sentence for the settings page.
    """

    id: str
    title: str
    base_url: str
    kind: ServerKind = ServerKind.OPENAI
    needs_key: bool = False
    key_variable: str = ""
    prefill: Prefill = Prefill.NONE
    max_tokens_field: str = "max_tokens"
    extra: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""

    def config(self, **more: Any) -> ServerConfig:
        """A server's configuration after this preset; `more` adds to it or replaces parts."""
        own = {
            "name": self.title,
            "base_url": self.base_url,
            "kind": self.kind,
            "prefill": self.prefill,
            "max_tokens_field": self.max_tokens_field,
            "extra": self.extra,
        }
        return ServerConfig(**{**own, **more})


_PRESETS: Final = (
    ProviderPreset(
        "openai",
        "OpenAI",
        "https://api.openai.com/v1",
        needs_key=True,
        key_variable="OPENAI_API_KEY",
        max_tokens_field="max_completion_tokens",
    ),
    ProviderPreset(
        "anthropic",
        "Anthropic",
        "https://api.anthropic.com/v1",
        kind=ServerKind.ANTHROPIC,
        needs_key=True,
        key_variable="ANTHROPIC_API_KEY",
        prefill=Prefill.MESSAGE,
    ),
    ProviderPreset(
        "openrouter",
        "OpenRouter",
        "https://openrouter.ai/api/v1",
        needs_key=True,
        key_variable="OPENROUTER_API_KEY",
        prefill=Prefill.MESSAGE,
    ),
    ProviderPreset(
        "ollama",
        "Ollama",
        "http://localhost:11434/v1",
        note="Its context is small unless you raise it: set OLLAMA_CONTEXT_LENGTH where the server starts.",
    ),
    ProviderPreset("lm-studio", "LM Studio", "http://localhost:1234/v1"),
    ProviderPreset("vllm", "vLLM", "http://localhost:8000/v1", prefill=Prefill.CONTINUE),
    ProviderPreset(
        "llama-server",
        "llama-server",
        "http://localhost:8080/v1",
        prefill=Prefill.MESSAGE,
        extra={"cache_prompt": True},
    ),
    ProviderPreset(
        "tabby", "Tabby", "http://localhost:8080", kind=ServerKind.TABBY, needs_key=True, key_variable="TABBY_TOKEN"
    ),
    ProviderPreset(
        "custom", "OpenAI-compatible", "http://localhost:8000/v1", note="Any other server of this protocol."
    ),
)

PROVIDER_PRESETS: Final[Mapping[str, ProviderPreset]] = MappingProxyType({preset.id: preset for preset in _PRESETS})
"""The usual servers by id, in the order of the list to choose from."""


def preset_for(kind: ServerKind, base_url: str) -> ProviderPreset:
    """The preset that a server at an address most likely follows: by its host, or by its port on one's own machine."""
    url = ServerConfig(name="server", base_url=base_url).url
    own = [preset for preset in _PRESETS if preset.kind is kind]
    for preset in own:
        usual = ServerConfig(name=preset.title, base_url=preset.base_url).url
        if url.host == usual.host and url.port == usual.port:
            return preset
        if is_loopback(url.host) and is_loopback(usual.host) and url.port == usual.port:
            return preset
    return own[0] if kind is not ServerKind.OPENAI else PROVIDER_PRESETS["custom"]
