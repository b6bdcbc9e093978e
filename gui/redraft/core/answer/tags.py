"""The marks around a part of an answer, and how they are kept apart from the text that is sent."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True, slots=True)
class TagPair:
    """An opening and a closing mark, each of two characters or more."""

    open: str
    close: str

    @classmethod
    def named(cls, name: str) -> Self:
        """The pair `<name>` and `</name>`."""
        return cls(f"<{name}>", f"</{name}>")

    @property
    def name(self) -> str:
        """What stands inside the brackets of the opening mark."""
        return self.open.strip("<>")

    def fresh(self, text: str) -> TagPair:
        """The pair, or one with a random suffix if a text contains its name.

        Only marks like `<name>` can be told apart so; others stay as they are.
        """
        if not (self.open.endswith(">") and self.close.endswith(">")):
            return self
        pair, lower = self, text.lower()
        while pair.name.lower() in lower:
            suffix = f"-{secrets.token_hex(3).upper()}>"
            pair = TagPair(self.open[:-1] + suffix, self.close[:-1] + suffix)
        return pair
