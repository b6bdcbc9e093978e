"""The shortest edit script between two lists of lines, step by step, with the ties of the marker protocol.

Myers' greedy search (1986) as npm `diff` 5.2 runs it: among several shortest scripts it is the order in which
diagonals are tried that decides, so another search would mark other copies of a repeated line. For what a person
reviews, `redraft.core.diff.lines` chooses better places.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from redraft.core.diff.lines import diff_lines

StepKind = Literal["=", "-", "+"]

MOST_TRIES: Final = 60_000
"""How many ends of paths are looked at, a third of a second on a slow machine; then the quick diff answers."""


@dataclass(frozen=True, slots=True)
class Step:
    """Lines that stay (`=`), go (`-`) or come (`+`) together; the last line may lack its end."""

    kind: StepKind
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Run:
    """The last run of equal moves of a path, and the run before it."""

    kind: StepKind
    count: int
    before: _Run | None


@dataclass(frozen=True, slots=True)
class _Path:
    """A path that has used up so many old lines; its diagonal tells how many new ones."""

    old_used: int
    run: _Run | None

    def moved(self, kind: StepKind, count: int) -> _Path:
        used = self.old_used + (0 if kind == "+" else count)
        last = self.run
        if last is not None and last.kind == kind:
            return _Path(used, _Run(kind, last.count + count, last.before))
        return _Path(used, _Run(kind, count, last))


def edit_script(old: Sequence[str], new: Sequence[str]) -> list[Step]:
    """The steps from the old lines to the new ones, as few changed lines as possible; deletions before insertions.

    Texts that differ too much for the exact search are compared by `diff_lines`.
    """
    run = _search(old, new)
    return _quick(old, new) if run is None else _steps(run, old, new)


def _search(old: Sequence[str], new: Sequence[str]) -> _Run | None:
    """The last run of the path that reaches the end first; nothing if that takes too long, or both are empty."""
    path = _along(_Path(0, None), 0, old, new)
    paths: dict[int, _Path] = {0: path}
    if _is_end(path, 0, old, new):
        return path.run
    most = len(old) + len(new)
    lowest, highest = -most, most
    tries = 0
    for edits in range(1, most + 1):
        for diagonal in range(max(-edits, lowest), min(edits, highest) + 1, 2):
            grown = _grown(paths, diagonal, old, new)
            if grown is None:
                paths.pop(diagonal, None)
                continue
            if _is_end(grown, diagonal, old, new):
                return grown.run
            paths[diagonal] = grown
            if grown.old_used == len(old):
                highest = min(highest, diagonal - 1)
            if grown.old_used - diagonal == len(new):
                lowest = max(lowest, diagonal + 1)
        tries += edits
        if tries > MOST_TRIES:
            return None
    return None


def _grown(paths: dict[int, _Path], diagonal: int, old: Sequence[str], new: Sequence[str]) -> _Path | None:
    """The farther of the two paths beside a diagonal, one edit longer; the one from below is used up."""
    deleting, inserting = paths.pop(diagonal - 1, None), paths.get(diagonal + 1)
    if inserting is not None and not 0 <= inserting.old_used - diagonal - 1 < len(new):
        inserting = None
    if deleting is not None and deleting.old_used == len(old):
        deleting = None
    if inserting is not None and (deleting is None or deleting.old_used + 1 < inserting.old_used):
        return _along(inserting.moved("+", 1), diagonal, old, new)
    return None if deleting is None else _along(deleting.moved("-", 1), diagonal, old, new)


def _along(path: _Path, diagonal: int, old: Sequence[str], new: Sequence[str]) -> _Path:
    """The path with all equal lines that follow."""
    at = path.old_used
    while at < len(old) and at - diagonal < len(new) and old[at] == new[at - diagonal]:
        at += 1
    return path.moved("=", at - path.old_used) if at > path.old_used else path


def _is_end(path: _Path, diagonal: int, old: Sequence[str], new: Sequence[str]) -> bool:
    return path.old_used == len(old) and path.old_used - diagonal == len(new)


def _steps(last: _Run, old: Sequence[str], new: Sequence[str]) -> list[Step]:
    runs: list[_Run] = []
    run: _Run | None = last
    while run is not None:
        runs.append(run)
        run = run.before
    steps: list[Step] = []
    old_at = new_at = 0
    for run in reversed(runs):
        if run.kind == "+":
            steps.append(Step("+", tuple(new[new_at : new_at + run.count])))
        else:
            step = Step(run.kind, tuple(old[old_at : old_at + run.count]))
            # A deletion stands before the insertion it follows.
            place = len(steps) - (run.kind == "-" and bool(steps) and steps[-1].kind == "+")
            steps.insert(place, step)
        old_at += 0 if run.kind == "+" else run.count
        new_at += 0 if run.kind == "-" else run.count
    return steps


def _quick(old: Sequence[str], new: Sequence[str]) -> list[Step]:
    steps: list[Step] = []
    done = 0
    for hunk in diff_lines(old, new):
        steps += [
            Step("=", tuple(old[done : hunk.old_start])),
            Step("-", hunk.old_lines),
            Step("+", hunk.new_lines),
        ]
        done = hunk.old_end
    steps.append(Step("=", tuple(old[done:])))
    return [step for step in steps if step.lines]
