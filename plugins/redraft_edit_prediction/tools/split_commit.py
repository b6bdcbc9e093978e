"""Makes examples of commits: the first part of a commit is what the user did, the rest is what should come next."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import PurePath
from typing import Final

from pydantic import BaseModel, ConfigDict

from redraft.core.errors import UsageError
from redraft.core.review.edit_order import count_edits, extract_edits
from redraft.core.review.example import Example
from redraft.core.review.loose_patch import LooseHunk, read_hunks, render_hunk
from redraft.core.review.patch_lines import LineKind, PatchLine
from redraft.core.review.teacher import USER_CURSOR
from redraft_edit_prediction.tools.typing_points import typed_part

NEAR_ROWS: Final = 30
ATTEMPTS: Final = 10
_GENERATED: Final = frozenset({".lock", ".sum", ".snap", ".min.js", ".map", ".pb", ".svg"})
_LOCK_FILES: Final = frozenset({"package-lock.json", "pnpm-lock.yaml", "composer.lock"})


class Commit(BaseModel):
    """A commit whose edits were put into the order in which they were made."""

    model_config = ConfigDict(extra="ignore")
    repo: str
    repo_url: str
    commit_sha: str
    reordered_commit: str
    original_commit: str = ""
    diff_stats_match: bool = True


class SplitKind(StrEnum):
    """Where the next edit is, seen from the last one."""

    FIM = "fim"
    """Right behind it: the user goes on typing."""
    SAME_FILE_NEAR = "same-file-near"
    SAME_FILE_FAR = "same-file-far"
    CROSS_FILE = "cross-file"


@dataclass(frozen=True, slots=True)
class SplitPoint:
    """Where to split: after a number or share of the edits, at a kind of place, or anywhere."""

    index: int | None = None
    share: float | None = None
    kind: SplitKind | None = None

    @classmethod
    def parse(cls, text: str) -> SplitPoint:
        """Read `12`, `0.5`, `cross-file` or `cross-file:12`; nothing means anywhere.

        Raises:
            UsageError: It is none of these.
        """
        kind, _, value = text.rpartition(":") if ":" in text else (text, "", "")
        if not text:
            return cls()
        try:
            if kind in set(SplitKind):
                return replace(cls.parse(value), kind=SplitKind(kind)) if value else cls(kind=SplitKind(kind))
            return cls(share=float(text)) if "." in text else cls(index=int(text))
        except ValueError as error:
            raise UsageError(
                f"{text!r} is no split point; write 12, 0.5, {', '.join(SplitKind)} or KIND:12."
            ) from error


def split_commit(commit: Commit, point: SplitPoint, seed: int, number: int | None = None) -> Example:
    """One example of a commit.

    Raises:
        UsageError: The commit cannot be split there, or changes a submodule.
    """
    patch = commit.reordered_commit
    if "Subproject commit" in patch:
        raise UsageError(f"{commit.commit_sha[:8]} changes a submodule, which is no text to predict.")
    total = count_edits(patch)
    chooser = random.Random(f"{seed}/{commit.commit_sha}/{number}")  # noqa: S311 - a sample is no secret
    at = _choose(patch, total, point, chooser)
    history, rest = extract_edits(patch, range(at))
    history, rest, cursor = _typed(history, rest, chooser)
    name = f"{commit.repo}-{commit.commit_sha[:8]}" + ("" if number is None else f"-{number}")
    return Example(
        name=name,
        repository_url=commit.repo_url,
        revision=f"{commit.commit_sha}~1",
        cursor_path=cursor.path,
        cursor_position=cursor.excerpt,
        edit_history=history,
        expected_patches=[rest],
    )


def kind_of(patch: str, at: int) -> SplitKind | None:
    """Where edit number `at` is, seen from the one before; `None` at either end."""
    places = list(_places(patch))
    if not 0 < at < len(places):
        return None
    (path, row, hunk), (next_path, next_row, next_hunk) = places[at - 1], places[at]
    if path != next_path:
        return SplitKind.CROSS_FILE
    if hunk == next_hunk and abs(row - next_row) <= 1:
        return SplitKind.FIM
    return SplitKind.SAME_FILE_NEAR if abs(row - next_row) <= NEAR_ROWS else SplitKind.SAME_FILE_FAR


def _choose(patch: str, total: int, point: SplitPoint, chooser: random.Random) -> int:
    if point.index is not None or point.share is not None:
        at = point.index if point.index is not None else int((point.share or 0.0) * total)
        if not 0 <= at <= total or (point.kind is not None and kind_of(patch, at) is not point.kind):
            what = f"a split of kind {point.kind}" if point.kind else "a split"
            raise UsageError(f"After {at} of {total} edits there is no place for {what}.")
        return at
    places = [at for at in range(1, total) if point.kind is None or kind_of(patch, at) is point.kind]
    if not places:
        raise UsageError(f"The commit has no place to split{f' of kind {point.kind}' if point.kind else ''}.")
    paths = [path for path, _, _ in _places(patch)]
    at = chooser.choice(places)
    for _ in range(ATTEMPTS):
        if not _is_generated(paths[at]):
            break
        at = chooser.choice(places)
    return at


def _places(patch: str) -> Iterator[tuple[str, int, int]]:
    """File, row of the new text and hunk of every edit."""
    for number, hunk in enumerate(read_hunks(patch)):
        row = hunk.new_start or 0
        for line in hunk.lines:
            if line.is_change:
                yield hunk.path, row, number
            row += line.kind is not LineKind.DELETED


def _is_generated(path: str) -> bool:
    pure = PurePath(path)
    return bool(_GENERATED & set(pure.suffixes)) or pure.name in _LOCK_FILES


@dataclass(frozen=True, slots=True)
class _Spot:
    path: str
    excerpt: str


def _typed(history: str, rest: str, chooser: random.Random) -> tuple[str, str, _Spot]:
    """Let the user have typed the beginning of the next line, where the next edit is a new line."""
    hunks = read_hunks(rest)
    place = _first_change(hunks)
    if place is None:
        return history, rest, _last_spot(read_hunks(history))
    number, index = place
    hunk, line = hunks[number], hunks[number].lines[index]
    before = list(hunk.lines[:index])
    if line.kind is not LineKind.ADDED or not line.content.strip():
        spot = _spot(hunk, before, list(hunk.lines[index:]), "")
        return history, rest, spot
    typed = typed_part(line.content, chooser)
    if not typed:
        return history, rest, _spot(hunk, before, list(hunk.lines[index:]), "")
    here = PatchLine(LineKind.ADDED, f"+{typed}")
    typing = render_hunk([*_context(before), here, *_context(hunk.lines[index + 1 :])], *_starts(hunk))
    there = PatchLine(LineKind.DELETED, f"-{typed}")
    hunks[number] = LooseHunk(hunk.path, hunk.old_start, hunk.new_start, (*before, there, *hunk.lines[index:]))
    shifted = _shifted(hunks, number)
    return (
        f"{history}--- a/{hunk.path}\n+++ b/{hunk.path}\n{typing}",
        _rendered(shifted),
        _spot(hunk, before, list(hunk.lines[index + 1 :]), typed),
    )


def _first_change(hunks: Sequence[LooseHunk]) -> tuple[int, int] | None:
    for number, hunk in enumerate(hunks):
        for index, line in enumerate(hunk.lines):
            if line.is_change:
                return number, index
    return None


def _context(lines: Sequence[PatchLine]) -> list[PatchLine]:
    """Lines as they are before the later edits of a hunk are made."""
    return [PatchLine(LineKind.CONTEXT, f" {line.content}") for line in lines if line.kind is not LineKind.ADDED]


def _starts(hunk: LooseHunk) -> tuple[int, int]:
    return hunk.old_start or 0, hunk.old_start or 0


def _shifted(hunks: Sequence[LooseHunk], number: int) -> list[LooseHunk]:
    """Later hunks of the file stand one row lower, for the typed line is there already."""
    path = hunks[number].path
    return [
        LooseHunk(path, (hunk.old_start or 0) + 1, hunk.new_start, hunk.lines)
        if index > number and hunk.path == path
        else hunk
        for index, hunk in enumerate(hunks)
    ]


def _rendered(hunks: Sequence[LooseHunk]) -> str:
    parts: list[str] = []
    path = None
    for hunk in hunks:
        if hunk.path != path:
            parts.append(f"--- a/{hunk.path}\n+++ b/{hunk.path}\n")
            path = hunk.path
        parts.append(render_hunk(hunk.lines, hunk.old_start or 0, hunk.new_start or 0))
    return "".join(parts)


def _spot(hunk: LooseHunk, before: Sequence[PatchLine], after: Sequence[PatchLine], typed: str) -> _Spot:
    """The lines of a hunk as the user sees them, with the cursor behind what was typed, or before the next edit."""
    above = [line.content for line in _context(before)]
    below = [line.content for line in _context(after)]
    if typed or not below:
        lines = (
            [*above, f"{typed}{USER_CURSOR}", *below] if typed else [*above[:-1], f"{''.join(above[-1:])}{USER_CURSOR}"]
        )
    else:
        lines = [*above, f"{USER_CURSOR}{below[0]}", *below[1:]]
    return _Spot(hunk.path, "\n".join(lines))


def _last_spot(hunks: Sequence[LooseHunk]) -> _Spot:
    """Where the last edit was made, when there is no next one."""
    if not hunks:
        raise UsageError("The commit changes no text.")
    hunk = hunks[-1]
    last = max(index for index, line in enumerate(hunk.lines) if line.is_change)
    lines = []
    for index, line in enumerate(hunk.lines):
        if line.kind is not LineKind.DELETED:
            lines.append(f"{line.content}{USER_CURSOR}" if index == last else line.content)
        elif index == last:
            lines.append(USER_CURSOR)
    return _Spot(hunk.path, "\n".join(lines))
