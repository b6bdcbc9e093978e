"""Provider strings: who is asked for a prediction, and with which prompt.

teacher:sonnet45            Anthropic or OpenAI, through their batches
teacher-non-batching:gpt54  the same, one request at a time
teacher-jumps:…             the prompt for edits in several places, likewise
model:NAME                  any model of the editor, by its name there
jumps-model:NAME            the same with the prompt for several places
embedded                    the model of this machine
repair                      a second try; never asked for, only written
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from redraft.core.errors import UsageError

REPAIR: Final = "repair"


class Vendor(StrEnum):
    """Whose servers are asked."""

    ANTHROPIC = "anthropic"
    OPENAI = "openai"
    EDITOR = "editor"
    """A model that is set up in the editor."""


@dataclass(frozen=True, slots=True)
class Backend:
    """One model to ask; `name` is empty for the editor's embedded one."""

    vendor: Vendor
    model: str

    def __str__(self) -> str:
        if self.vendor is not Vendor.EDITOR:
            return f"{self.vendor}:{self.model}"
        return f"model:{self.model}" if self.model else "embedded"


TEACHERS: Final[Mapping[str, Backend]] = MappingProxyType(
    {
        "sonnet45": Backend(Vendor.ANTHROPIC, "claude-sonnet-4-5"),
        "sonnet46": Backend(Vendor.ANTHROPIC, "claude-sonnet-4-6"),
        "gpt52": Backend(Vendor.OPENAI, "gpt-5.2"),
        "gpt54": Backend(Vendor.OPENAI, "gpt-5.4"),
        "gpt55": Backend(Vendor.OPENAI, "gpt-5.5"),
    }
)
_ALIASES: Final = {"sonnet": "sonnet45", "claude": "sonnet45", "gpt": "gpt54", "openai": "gpt54"}
_TEACHER_KINDS: Final = ("teacher", "teacher-non-batching", "teacher-jumps", "teacher-jumps-non-batching")
_EDITOR_KINDS: Final = ("model", "jumps-model", "embedded")
_ELSEWHERE: Final = ("mercury", "zeta1", "zeta2", "baseten")


@dataclass(frozen=True, slots=True)
class Provider:
    """A provider string, read."""

    kind: str
    argument: str = ""
    format: str = ""

    @classmethod
    def parse(cls, text: str) -> Provider:
        """Read a provider string; upper case and `_` for `-` are accepted in its first part.

        Raises:
            UsageError: There is no such provider, or its arguments make no sense.
        """
        first, _, rest = text.strip().partition(":")
        kind = first.lower().replace("_", "-")
        if kind in _TEACHER_KINDS:
            return _teacher(kind, rest)
        if kind in {"model", "jumps-model"} and not rest:
            raise UsageError(f"{text!r} names no model; write {kind}:NAME.")
        if kind in _EDITOR_KINDS or kind == REPAIR or kind in _ELSEWHERE:
            return cls(kind, rest)
        known = ", ".join((*_TEACHER_KINDS, "model:NAME", "jumps-model:NAME", "embedded"))
        raise UsageError(f"There is no provider {text!r}. There are: {known}.")

    def __str__(self) -> str:
        return ":".join(part for part in (self.kind, self.argument, self.format) if part)

    @property
    def has_jumps(self) -> bool:
        """Whether it is asked for edits in several places."""
        return "jumps" in self.kind

    @property
    def is_batched(self) -> bool:
        """Whether its requests travel in batches."""
        return self.kind in {"teacher", "teacher-jumps"}

    @property
    def is_readable(self) -> bool:
        """Whether its answers can be read here."""
        return self.kind not in _ELSEWHERE

    @property
    def backend(self) -> Backend:
        """The model to ask.

        Raises:
            UsageError: It cannot be asked from here.
        """
        if self.kind in _TEACHER_KINDS:
            return TEACHERS[self.argument]
        if self.kind in _EDITOR_KINDS:
            return Backend(Vendor.EDITOR, self.argument)
        if self.kind == REPAIR:
            raise UsageError("Second tries are made by “redraft ep repair”, not by asking a provider for them.")
        raise UsageError(f"{self} is served elsewhere and cannot be asked; use teacher:…, model:NAME or embedded.")


def _teacher(kind: str, rest: str) -> Provider:
    backend = format_name = ""
    for piece in filter(None, rest.split(":")):
        name = _ALIASES.get(piece.lower(), piece.lower())
        if name in TEACHERS and not backend:
            backend = name
        elif name not in TEACHERS and not format_name and piece.isidentifier():
            format_name = piece
        else:
            raise UsageError(f"{piece!r} is neither a teacher model nor a format; models: {', '.join(TEACHERS)}.")
    return Provider(kind, backend or "sonnet45", format_name)


def reviewer(name: str, of_vendor: Mapping[Vendor, str]) -> Backend:
    """The model that judges or repairs: `anthropic`, `openai`, `model:NAME` or `embedded`.

    Raises:
        UsageError: There is no such back end.
    """
    kind, _, rest = name.partition(":")
    if kind in {Vendor.ANTHROPIC, Vendor.OPENAI} and not rest:
        return Backend(Vendor(kind), of_vendor[Vendor(kind)])
    if (kind == "model" and rest) or name == "embedded":
        return Backend(Vendor.EDITOR, rest)
    raise UsageError(f"There is no back end {name!r}. There are: anthropic, openai, model:NAME, embedded.")
