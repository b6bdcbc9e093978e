"""A provider while it is being set up: what stands in the form's fields, and whether it makes sense."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from redraft.core.config.model_settings import ModelSettings
from redraft.core.config.secrets import KeySource, host_of
from redraft.core.llm.discovery import FoundServer
from redraft.core.llm.registry import PROVIDER_PRESETS, ProviderPreset

WHOLE: Final = ("context_tokens", "max_output_tokens")
NUMBERS: Final = (
    "temperature",
    "price_in",
    "price_out",
    "connect_timeout",
    "first_byte_timeout",
    "idle_timeout",
)
TEXTS: Final = ("name", "kind", "base_url", "model", "extra_ca_file", "proxy")
HEADER: Final = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*:\s*([\x20-\x7e]+)")
"""A header as RFC 9110 has it: a token, a colon, a value."""
STORED: Final = frozenset({"keyring", "file"})
"""Places where Redraft itself keeps a key."""


@dataclass(frozen=True, slots=True)
class ProviderDraft:
    """The fields as they are written; numbers as people type them.

    Attributes:
        key_kind: As in `KeySource`.
        key_detail: The variable's name, or the command's words.
        key_host: The host the key may go to; empty while it is not bound yet.
        headers: One line `Name: value` each.
    """

    name: str = ""
    kind: str = "openai"
    base_url: str = ""
    model: str = ""
    key_kind: str = "none"
    key_detail: str = ""
    key_host: str = ""
    context_tokens: str = ""
    max_output_tokens: str = ""
    temperature: str = ""
    extra_ca_file: str = ""
    connect_timeout: str = ""
    first_byte_timeout: str = ""
    idle_timeout: str = ""
    price_in: str = ""
    price_out: str = ""
    proxy: str = ""
    headers: tuple[str, ...] = ()
    enabled: bool = True

    @classmethod
    def of(cls, row: ModelSettings) -> ProviderDraft:
        """The draft of a provider that is set up."""
        source = row.key_source
        return cls(
            **{name: getattr(row, name) for name in TEXTS},
            **{name: _spoken(getattr(row, name)) for name in WHOLE},
            **{name: "" if (value := getattr(row, name)) is None else f"{value:g}" for name in NUMBERS},
            key_kind=source.kind,
            key_detail=source.detail,
            key_host=source.host if source.kind != "none" else "",
            headers=tuple(f"{name}: {value}" for name, value in row.headers.items()),
            enabled=row.enabled,
        )

    @classmethod
    def after(cls, preset: ProviderPreset, taken: Collection[str], found: FoundServer | None = None) -> ProviderDraft:
        """The draft of a new provider after a preset, or of a server that was found on this machine."""
        has_variable = bool(preset.key_variable and os.environ.get(preset.key_variable))
        needs_key = found.needs_key if found else preset.needs_key
        kind = "none" if not needs_key else ("env" if has_variable else "keyring")
        base_url = found.base_url if found else preset.base_url
        return cls(
            name=_free_name(preset.title, taken),
            kind=str(preset.kind),
            base_url=base_url,
            model=found.models[0] if found and found.models else "",
            key_kind=kind,
            key_detail=preset.key_variable if kind == "env" else "",
            key_host=host_of(base_url) if kind == "env" else "",
        )

    @property
    def host(self) -> str:
        """The host of the address; empty while it is none."""
        try:
            return host_of(self.base_url)
        except ValueError:
            return ""

    def faults(self, taken: Collection[str] = ()) -> dict[str, str]:
        """What cannot be taken, one sentence for each field; `taken` are the names of the other providers."""
        found: dict[str, str] = {}
        if not self.name.strip():
            found["name"] = "Give it a name."
        elif self.name.strip() in taken:
            found["name"] = "There is another one of this name."
        if not self.host:
            found["base_url"] = "This must be a web address, such as https://example.com/v1."
        for name in WHOLE:
            if not _is_number(getattr(self, name), whole=True):
                found[name] = "This must be a whole number; leave it empty if you do not know it."
        for name in NUMBERS:
            if not _is_number(getattr(self, name), whole=False):
                found[name] = "This must be a number; leave it empty for the usual one."
        if "temperature" not in found and not 0 <= (_number(self.temperature) or 0) <= 2:
            found["temperature"] = "This must be a number from 0 to 2."
        if self.extra_ca_file.strip() and not Path(self.extra_ca_file.strip()).expanduser().is_file():
            found["extra_ca_file"] = "There is no such file."
        return found | self._header_faults() | self._key_faults()

    def _header_faults(self) -> dict[str, str]:
        if all(HEADER.fullmatch(line) for line in self.headers):
            return {}
        return {"headers": "Each line must be a name and a value, such as X-Team: tides."}

    def _key_faults(self) -> dict[str, str]:
        if self.key_kind == "env" and not self.key_detail.strip().isidentifier():
            return {"key": "This must be the name of an environment variable, such as OPENAI_API_KEY."}
        if self.key_kind == "command" and not self.key_detail.strip():
            return {"key": "This must be a command that writes the key, such as pass show openai."}
        return {}

    def settings(self, base: ModelSettings | None = None) -> ModelSettings:
        """What is saved; keys of `base` that have no field here are kept.

        Raises:
            ValueError: Something makes no sense that `faults` did not name.
        """
        values: dict[str, Any] = base.model_dump(exclude_unset=True) if base else {}
        values |= {name: getattr(self, name).strip() for name in TEXTS}
        values |= {name: int(_number(getattr(self, name)) or 0) for name in WHOLE}
        values |= {name: _number(getattr(self, name)) for name in NUMBERS}
        values |= {"key": self._key_text(), "enabled": self.enabled}
        values["headers"] = {match[1]: match[2] for line in self.headers if (match := HEADER.fullmatch(line))}
        values["key_host"] = (self.key_host or self.host) if self.key_kind != "none" else ""
        try:
            return ModelSettings.model_validate(_without_defaults(values))
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False, include_context=False)[0]
            raise ValueError(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from None

    def _key_text(self) -> str:
        detail = self.key_detail.strip()
        text = {"none": "", "env": f"env:{detail}", "command": f"command:{detail}"}.get(self.key_kind, self.key_kind)
        KeySource.parse(text)
        return text


def preset_of(found: FoundServer) -> ProviderPreset:
    """The preset that a server found on this machine follows."""
    return PROVIDER_PRESETS.get(found.preset, PROVIDER_PRESETS["custom"])


def _without_defaults(values: Mapping[str, Any]) -> dict[str, Any]:
    """What must be written: nothing that holds anyway, but what every provider has."""
    kept = {"name", "base_url", "kind"}
    usual = {name: entry.default for name, entry in ModelSettings.model_fields.items()}
    return {name: value for name, value in values.items() if name in kept or value != usual.get(name)}


def _free_name(title: str, taken: Collection[str]) -> str:
    number = 2
    name = title
    while name in taken:
        name = f"{title} {number}"
        number += 1
    return name


def _spoken(number: int) -> str:
    return f"{number:,}".replace(",", " ") if number else ""


def _number(text: str) -> float | None:
    bare = "".join(text.split()).replace(",", ".")
    return float(bare) if bare else None


def _is_number(text: str, *, whole: bool) -> bool:
    try:
        number = _number(text)
    except ValueError:
        return False
    if number is None:
        return True
    return math.isfinite(number) and number >= 0 and (not whole or number == int(number))
