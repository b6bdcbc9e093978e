"""A project as an example describes it: a revision, with uncommitted changes and edits laid over it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from redraft.core.diff.patch import FilePatch, apply_patch, parse_patch
from redraft.core.errors import PatchError, UsageError
from redraft.core.review.example import BufferChange
from redraft.core.review.loose_patch import apply_hunks_loosely, read_hunks, reversed_hunk
from redraft_edit_prediction.pipeline.git import Git
from redraft_edit_prediction.pipeline.markdown import ACCEPTED

MOST_BYTES: Final = 1_000_000
"""Larger files are data, not code to learn from."""
# A deleted line may begin like a file's header; only a pair of headers begins an edit.
_SECTION: Final = re.compile(r"(?m)^(?=--- .*\n\+\+\+ )")


@dataclass
class Project:
    """Files of a project: read from a folder, except those that were changed.

    Attributes:
        name: What its folder is called; stands before the paths of related files.
        folder: Its files at the revision; never written to. `None` for an example without a repository.
        changed: New texts by path; `None` for a deleted file.
        events: The edits that were applied, oldest first.
    """

    name: str
    folder: Path | None
    changed: dict[str, str | None] = field(default_factory=dict)
    events: list[BufferChange] = field(default_factory=list)

    def text(self, path: str) -> str | None:
        """A file's text; `None` if there is no such file, or it is no text."""
        if path in self.changed:
            return self.changed[path]
        if self.folder is None:
            return None
        file = self.folder / path
        if not _is_inside(file, self.folder) or not file.is_file() or file.stat().st_size > MOST_BYTES:
            return None
        try:
            return file.read_bytes().decode("utf-8")
        except UnicodeDecodeError:
            return None

    async def paths(self) -> list[str]:
        """All files, in order; those that were deleted are gone, those that were added are there."""
        tracked: set[str] = set()
        if self.folder is not None:
            listed = await Git(self.folder).run("ls-files", "-z")
            tracked = set(filter(None, listed.decode("utf-8", "replace").split("\0")))
        return sorted((tracked | self.changed.keys()) - {path for path, text in self.changed.items() if text is None})

    def apply(self, diff: str) -> None:
        """Lay uncommitted changes over the files.

        Raises:
            UsageError: They do not fit; nothing of the failing file is changed.
        """
        try:
            patches = parse_patch(diff)
        except PatchError as error:
            raise UsageError(f"The uncommitted diff cannot be read: {error}") from error
        for patch in patches:
            self._apply(patch)

    def undo(self, history: str) -> None:
        """Take edits back that are already contained in the uncommitted changes, the last one first.

        Raises:
            UsageError: They do not fit.
        """
        for _, path, section in reversed(list(history_sections(history))):
            hunks = [reversed_hunk(hunk) for hunk in read_hunks(section)]
            try:
                self.changed[path] = apply_hunks_loosely(self.text(path) or "", hunks)
            except PatchError as error:
                raise UsageError(
                    f"The edit history cannot be taken out of the uncommitted diff: {path}: {error}"
                ) from error

    def edit(self, history: str) -> None:
        """Apply edits one after the other, and remember each.

        Raises:
            UsageError: One does not fit.
        """
        for is_accepted, path, section in history_sections(history):
            hunks = read_hunks(section)
            try:
                self.changed[path] = apply_hunks_loosely(self.text(path) or "", hunks)
            except PatchError as error:
                raise UsageError(f"The edit history does not apply: {path}: {error}") from error
            diff = section[section.index("@@") :] if "@@" in section else ""
            self.events.append(BufferChange(path=path, old_path=path, diff=diff, predicted=is_accepted))

    def _apply(self, patch: FilePatch) -> None:
        old = "" if patch.old_path is None else self.text(patch.old_path)
        if old is None:
            raise UsageError(f"The uncommitted diff changes {patch.old_path}, which is not in the project.")
        try:
            new = apply_patch(old, patch)
        except PatchError as error:
            raise UsageError(f"The uncommitted diff does not apply: {patch.old_path}: {error}") from error
        if patch.old_path is not None and patch.old_path != patch.new_path:
            self.changed[patch.old_path] = None
        if patch.new_path is not None:
            self.changed[patch.new_path] = new


def history_sections(history: str) -> Iterator[tuple[bool, str, str]]:
    """The edits of a history: whether each was an accepted prediction, its file, and its diff with headers."""
    is_accepted = False
    for section in _SECTION.split(history):
        diff = section.rstrip("\n")
        is_next_accepted = diff.endswith(ACCEPTED)
        diff = diff.removesuffix(ACCEPTED).rstrip("\n") + "\n"
        hunks = read_hunks(diff)
        if hunks:
            yield is_accepted, hunks[0].path, diff
        is_accepted = is_next_accepted


def _is_inside(file: Path, folder: Path) -> bool:
    return file.resolve().is_relative_to(folder.resolve())
