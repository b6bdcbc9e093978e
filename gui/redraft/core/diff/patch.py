r"""Unified diffs, as git writes them: made, read, written and applied.

Lines of a patch end at LF alone; a CR before it belongs to the line. A last line without an end is followed by
`\ No newline at end of file`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, cast

from redraft.core.diff.hunks import Hunk
from redraft.core.diff.lines import diff_lines
from redraft.core.diff.patch_paths import bare_path, header_path, quoted_path
from redraft.core.errors import PatchError

HUNK_HEADER: Final = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)")
NO_NEWLINE: Final = "\\ No newline at end of file"

LineKind = Literal[" ", "-", "+"]


@dataclass(frozen=True, slots=True)
class PatchLine:
    """A line of a hunk: kept (`" "`), removed or added; `text` has its end, but for a last line without one."""

    kind: LineKind
    text: str


@dataclass(frozen=True, slots=True)
class PatchHunk:
    """A hunk with its context. Lines count from 1; a side without lines names the line before it, from 0."""

    old_start: int
    new_start: int
    lines: tuple[PatchLine, ...]
    section: str = ""

    @property
    def old_lines(self) -> list[str]:
        """The lines it expects."""
        return [line.text for line in self.lines if line.kind != "+"]

    @property
    def new_lines(self) -> list[str]:
        """The lines it leaves."""
        return [line.text for line in self.lines if line.kind != "-"]


@dataclass(frozen=True, slots=True)
class FilePatch:
    """The changes of one file; a path is `None` where the file does not exist on that side.

    `header` holds git's extra lines (`diff --git`, modes, renames) as they stood.
    """

    old_path: str | None
    new_path: str | None
    hunks: tuple[PatchHunk, ...]
    header: tuple[str, ...] = ()


def patch_lines(text: str) -> list[str]:
    """A text cut after each LF."""
    lines = text.split("\n")
    return [line + "\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])


def make_patch(
    old: str, new: str, *, old_path: str | None = "old", new_path: str | None = "new", context: int = 3
) -> FilePatch:
    """The patch from one text to another."""
    old_lines, new_lines = patch_lines(old), patch_lines(new)
    hunks: list[PatchHunk] = []
    shift = 0
    for group in _groups(diff_lines(old_lines, new_lines), context):
        hunks.append(_with_context(group, old_lines, context, shift))
        shift += sum(len(hunk.new_lines) - len(hunk.old_lines) for hunk in group)
    return FilePatch(old_path, new_path, tuple(hunks))


def _groups(hunks: Sequence[Hunk], context: int) -> Iterator[list[Hunk]]:
    """Hunks whose context would touch stand together."""
    group: list[Hunk] = []
    for hunk in hunks:
        if group and hunk.old_start - group[-1].old_end > 2 * context:
            yield group
            group = []
        group.append(hunk)
    if group:
        yield group


def _with_context(group: list[Hunk], old: list[str], context: int, shift: int) -> PatchHunk:
    start = max(group[0].old_start - context, 0)
    end = min(group[-1].old_end + context, len(old))
    lines: list[PatchLine] = []
    done = start
    for hunk in group:
        lines += (PatchLine(" ", line) for line in old[done : hunk.old_start])
        lines += (PatchLine("-", line) for line in hunk.old_lines)
        lines += (PatchLine("+", line) for line in hunk.new_lines)
        done = hunk.old_end
    lines += (PatchLine(" ", line) for line in old[done:end])
    has_old = any(line.kind != "+" for line in lines)
    has_new = any(line.kind != "-" for line in lines)
    return PatchHunk(start + has_old, start + shift + has_new, tuple(lines))


def render_patch(patch: FilePatch) -> str:
    """A patch as text; nothing for one that has neither hunks nor header."""
    parts = [f"{line}\n" for line in patch.header]
    if patch.hunks:
        parts.append(f"--- {quoted_path(patch.old_path, 'a/')}\n+++ {quoted_path(patch.new_path, 'b/')}\n")
    for hunk in patch.hunks:
        old_span = _span(hunk.old_start, len(hunk.old_lines))
        new_span = _span(hunk.new_start, len(hunk.new_lines))
        parts.append(f"@@ -{old_span} +{new_span} @@{' ' if hunk.section else ''}{hunk.section}\n")
        for line in hunk.lines:
            parts.append(line.kind + line.text)
            if not line.text.endswith("\n"):
                parts.append(f"\n{NO_NEWLINE}\n")
    return "".join(parts)


def _span(start: int, count: int) -> str:
    return str(start) if count == 1 else f"{start},{count}"


def parse_patch(text: str) -> list[FilePatch]:
    """Read a patch of any number of files; text before the first header is passed over.

    Raises:
        PatchError: A hunk is malformed or cut off; the message names the line.
    """
    return list(_Reader(text).files())


class _Reader:
    """Walks over a patch, line by line."""

    def __init__(self, text: str) -> None:
        self._lines = [line.removesuffix("\n") for line in patch_lines(text)]
        self._at = 0

    def files(self) -> Iterator[FilePatch]:
        while self._at < len(self._lines):
            header = self._header()
            if self._starts("--- ") and self._starts("+++ ", ahead=1):
                paths = header_path(self._next()[4:]), header_path(self._next()[4:])
                yield FilePatch(*paths, tuple(self._hunks()), tuple(header))
            elif header:
                yield FilePatch(*_paths_of(header), (), tuple(header))
            elif self._starts("@@ "):
                yield FilePatch("", "", tuple(self._hunks()))
            else:
                self._at += 1

    def _header(self) -> list[str]:
        if not self._starts("diff --git "):
            return []
        header = [self._next()]
        while self._at < len(self._lines) and not self._starts("diff --git ", "--- ", "@@ ") and self._lines[self._at]:
            header.append(self._next())
        return header

    def _hunks(self) -> Iterator[PatchHunk]:
        while self._starts("@@ "):
            yield self._hunk()

    def _hunk(self) -> PatchHunk:
        header = HUNK_HEADER.fullmatch(self._next().rstrip("\r"))
        if header is None:
            raise PatchError(f"Line {self._at} of the patch is not a hunk header.")
        old_left, new_left = int(header[2] or 1), int(header[4] or 1)
        lines: list[PatchLine] = []
        while old_left > 0 or new_left > 0:
            line = self._line()
            old_left -= line.kind != "+"
            new_left -= line.kind != "-"
            lines.append(line)
        if old_left or new_left:
            raise PatchError(
                f"The hunk that ends at line {self._at} of the patch does not have the lines it announces."
            )
        return PatchHunk(int(header[1]), int(header[3]), tuple(lines), header[5])

    def _line(self) -> PatchLine:
        if self._at >= len(self._lines):
            raise PatchError("The patch ends in the middle of a hunk.")
        raw = self._next() or " "  # mail programs strip the space of an empty line
        if raw[0] not in " -+":
            raise PatchError(f"Line {self._at} of the patch is neither kept, removed nor added.")
        ends = not self._starts("\\")
        if not ends:
            self._at += 1
        return PatchLine(cast("LineKind", raw[0]), raw[1:] + ("\n" if ends else ""))

    def _starts(self, *prefixes: str, ahead: int = 0) -> bool:
        at = self._at + ahead
        return at < len(self._lines) and self._lines[at].startswith(prefixes)

    def _next(self) -> str:
        self._at += 1
        return self._lines[self._at - 1]


def _paths_of(header: Iterable[str]) -> tuple[str | None, str | None]:
    """Old and new path of a patch without hunks (a rename, a mode, an empty file)."""
    paths: dict[str, str] = {}
    created = deleted = False
    for line in header:
        for key in ("rename from ", "rename to ", "copy from ", "copy to "):
            if line.startswith(key):
                paths[key.split()[1]] = bare_path(line[len(key) :])
        created |= line.startswith("new file mode")
        deleted |= line.startswith("deleted file mode")
        if match := re.fullmatch(r'diff --git ("?)a/(.+)\1 \1b/\2\1', line):
            path = bare_path(match[1] + match[2] + match[1])
            paths.setdefault("from", path)
            paths.setdefault("to", path)
    return None if created else paths.get("from"), None if deleted else paths.get("to")


def apply_patch(text: str, patch: FilePatch) -> str:
    """The text with every hunk applied, or an error and nothing.

    A hunk goes where it says, moved by what earlier hunks changed; if its lines are not there, to the only place
    after the last hunk where they are.

    Raises:
        PatchError: A hunk's lines are nowhere, or in several places.
    """
    lines = patch_lines(text)
    done = shift = 0
    for hunk in patch.hunks:
        expected, replacement = hunk.old_lines, hunk.new_lines
        named = hunk.old_start - 1 if expected else hunk.old_start
        at = _place(lines, expected, named + shift, done)
        lines[at : at + len(expected)] = replacement
        done = at + len(replacement)
        shift = at - named + len(replacement) - len(expected)
    if any(not line.endswith("\n") for line in lines[:-1]):
        raise PatchError("The patch would put lines behind a last line that has no line end.")
    return "".join(lines)


def _place(lines: list[str], expected: list[str], named: int, first: int) -> int:
    if first <= named <= len(lines) and lines[named : named + len(expected)] == expected:
        return named
    if not expected:
        raise PatchError(f"The patch adds lines after line {named}, which the text does not have.")
    places = [at for at in range(first, len(lines) - len(expected) + 1) if lines[at : at + len(expected)] == expected]
    if len(places) == 1:
        return places[0]
    if not places:
        raise PatchError(f"The lines the patch expects at line {named + 1} are not in the text.")
    found = ", ".join(str(at + 1) for at in places[:5])
    raise PatchError(f"The lines the patch expects at line {named + 1} are in several places: lines {found}.")
