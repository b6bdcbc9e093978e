"""One model as the user has set it up: a table `[[models]]` of the settings."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, field_validator

from redraft.core.config.secrets import KeySource, host_of

Filled = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class ModelSettings(BaseModel):
    """One model at one server; unknown keys are kept.

    Attributes:
        name: What the user calls it; unique.
        kind: The protocol its server speaks.
        base_url: The server's address, with or without the `/v1`.
        model: The model's id there; empty lets the server choose.
        key: Where its key comes from: nothing, `"keyring"`, `"env:NAME"`, `"command:WORDS"` or `"file"`.
        key_host: The host the key belongs to; empty means the host of `base_url`.
        context_tokens: Size of its context, 0 where unknown.
        max_output_tokens: Longest answer, 0 where unknown.
        temperature: Randomness; left out, the server decides.
        headers: More headers for every request; keys do not belong here.
        price_in: Price of a million input tokens in US dollars.
        price_out: The same of output.
        proxy: A proxy for this server alone; `"none"` takes none.
        extra_ca_file: Certificates trusted for this server besides the system's.
        connect_timeout: Seconds to reach it; left out, `network.connect_timeout` holds.
        first_byte_timeout: Seconds until its first text; left out, `network.first_byte_timeout` holds.
        idle_timeout: Seconds of silence after that; left out, `network.idle_timeout` holds.
        enabled: Whether it is offered.
    """

    model_config = ConfigDict(frozen=True, extra="allow", strict=True)

    name: Filled
    kind: Literal["openai", "anthropic", "tabby"] = "openai"
    base_url: Filled
    model: str = ""
    key: str = ""
    key_host: str = ""
    context_tokens: Annotated[int, Field(ge=0)] = 0
    max_output_tokens: Annotated[int, Field(ge=0)] = 0
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    headers: dict[str, str] = Field(default={}, repr=False)
    price_in: Annotated[float, Field(ge=0)] | None = None
    price_out: Annotated[float, Field(ge=0)] | None = None
    proxy: str = Field(default="", repr=False)
    extra_ca_file: str = ""
    connect_timeout: Annotated[float, Field(gt=0)] | None = None
    first_byte_timeout: Annotated[float, Field(gt=0)] | None = None
    idle_timeout: Annotated[float, Field(gt=0)] | None = None
    enabled: bool = True

    @field_validator("base_url")
    @classmethod
    def _is_web_address(cls, address: str) -> str:
        host_of(address)
        return address

    @field_validator("key")
    @classmethod
    def _is_key_source(cls, text: str) -> str:
        KeySource.parse(text)
        return text

    @property
    def key_source(self) -> KeySource:
        """Where its key comes from, and to which host it may go."""
        return KeySource.parse(self.key, host=self.key_host or host_of(self.base_url))
