"""Keeps examples by the language of the cursor's file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePath

from redraft.core.errors import UsageError
from redraft.core.languages import LANGUAGES, PLAIN, language_of
from redraft.core.review.example import Example


@dataclass
class LanguageFilter:
    """What is kept, and counts of what was seen."""

    languages: frozenset[str]
    extensions: frozenset[str]
    keeps_unknown: bool
    kept: Counter[str] = field(default_factory=Counter)
    excluded: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, languages: str, extensions: str, *, keeps_unknown: bool) -> LanguageFilter:
        """Read comma-separated lists; languages by identifier or name.

        Raises:
            UsageError: A language is not known.
        """
        by_name = {name.lower(): language.id for language in LANGUAGES for name in (language.id, language.name)}
        wanted = [name.strip().lower() for name in languages.split(",") if name.strip()]
        for name in wanted:
            if name not in by_name:
                raise UsageError(f"There is no language {name!r}; see redraft ep filter-languages --list.")
        dotted = (f".{name.strip().lstrip('.').lower()}" for name in extensions.split(",") if name.strip())
        return cls(frozenset(by_name[name] for name in wanted), frozenset(dotted), keeps_unknown)

    def has(self, example: Example) -> bool:
        """Whether an example stays; it is counted."""
        suffix = PurePath(example.cursor_path).suffix.lower()
        language = language_of(example.cursor_path)
        is_known = language != PLAIN or suffix == ".txt"
        is_kept = language in self.languages or suffix in self.extensions or (self.keeps_unknown and not is_known)
        kind = language if is_known else (suffix or "(no extension)")
        (self.kept if is_kept else self.excluded)[kind] += 1
        return is_kept

    def report(self, *, shows_all: bool, top: int) -> str:
        """Counts as lines: of everything, or of what was kept and the most frequent of what was not."""
        if shows_all:
            return "".join(f"{number:8} {kind}\n" for kind, number in (self.kept + self.excluded).most_common())
        kept, excluded = self.kept.total(), self.excluded.total()
        lines = [f"Kept {kept} of {kept + excluded} examples.\n"]
        lines += [f"{number:8} {kind} (excluded)\n" for kind, number in self.excluded.most_common(top)] if top else []
        return "".join(lines)


def known_languages() -> Iterator[str]:
    """One line a language: its identifier and its extensions."""
    for language in sorted(LANGUAGES, key=lambda one: one.id):
        yield f"{language.id:20} {' '.join(language.suffixes + language.names)}".rstrip()
