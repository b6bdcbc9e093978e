"""Lists folders for the tree and for Go to File, leaving out what nobody edits."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

import pathspec

from redraft.core.errors import FileError

JUNK: Final = frozenset({
    ".git", ".hg", ".svn", ".DS_Store", "__pycache__", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis",
    ".tox", ".nox", ".venv", "venv", "node_modules", ".idea", ".vs", ".gradle", ".cache", ".eggs", ".ipynb_checkpoints",
})  # fmt: skip
JUNK_ENDINGS: Final = (".pyc", ".pyo", ".class", ".o", ".egg-info", ".swp", "~")
MAX_JOINED: Final = 8
"""Most folders shown as one row because each holds only the next."""

MAX_FILES: Final = 50_000
"""Files after which a walk ends."""

Ignores: TypeAlias = tuple[tuple[Path, pathspec.GitIgnoreSpec], ...]
"""The `.gitignore` files on the way to a folder, each with the folder it stands in."""


@dataclass(frozen=True, slots=True)
class FolderEntry:
    """One row of a folder; `name` joins folders that hold nothing but one folder (`"src/tideline"`)."""

    path: Path
    name: str
    is_folder: bool


def path_below(path: Path | None, folder: Path | None) -> str | None:
    """A file's path below a folder, with slashes; `None` for one that lies elsewhere, or nowhere yet."""
    if path is None or folder is None or not path.is_relative_to(folder):
        return None
    return path.relative_to(folder).as_posix()


def is_junk(name: str) -> bool:
    """Whether a file or folder of that name is of no interest to who edits."""
    return name in JUNK or name.endswith(JUNK_ENDINGS)


def excluding(root: Path, patterns: Iterable[str]) -> Ignores:
    """The user's own patterns for what lies below a folder."""
    spec = pathspec.GitIgnoreSpec.from_lines(patterns)
    return ((root, spec),) if len(spec) else ()


def list_folder(folder: Path, excluded: Ignores = ()) -> tuple[FolderEntry, ...]:
    """What a folder holds: folders first, then files, by name as people sort.

    Raises:
        FileError: The folder cannot be read.
    """
    try:
        shown = [
            entry for entry in _scan(folder) if not _is_ignored(Path(entry.path), excluded, is_folder=_is_folder(entry))
        ]
        entries = [_joined(entry) for entry in shown]
    except OSError as error:
        raise FileError(f"The folder {folder} cannot be read: {error.strerror or error}.") from error
    return tuple(sorted(entries, key=lambda entry: (not entry.is_folder, entry.name.casefold(), entry.name)))


def walk_files(folder: Path, limit: int = MAX_FILES, excluded: Ignores = ()) -> Iterator[Path]:
    """All files below a folder that are not junk and not ignored by the `.gitignore` files on the way."""
    stack: list[tuple[Path, Ignores]] = [(folder, excluded)]
    count = 0
    while stack:
        here, specs = stack.pop()
        specs = _with_ignores(here, specs)
        folders: list[Path] = []
        try:
            entries = sorted(_scan(here), key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in entries:
            path, is_folder = Path(entry.path), _is_folder(entry)
            if _is_ignored(path, specs, is_folder=is_folder):
                continue
            if is_folder:
                if not entry.is_symlink():  # a link may lead round in circles
                    folders.append(path)
                continue
            yield path
            count += 1
            if count >= limit:
                return
        stack += [(path, specs) for path in reversed(folders)]


def branch_name(folder: Path) -> str:
    """The git branch checked out in a folder, the short id of a detached commit, or nothing."""
    for place in (folder, *folder.parents):
        marker = place / ".git"
        try:
            if marker.is_file():  # a linked worktree
                marker = place / marker.read_text(encoding="utf-8").removeprefix("gitdir:").strip()
            head = (marker / "HEAD").read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError):
            continue
        return head.removeprefix("ref: refs/heads/") if head.startswith("ref: ") else head[:8]
    return ""


def _scan(folder: Path) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        return [entry for entry in entries if not is_junk(entry.name)]


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _joined(entry: os.DirEntry[str]) -> FolderEntry:
    path, name = Path(entry.path), entry.name
    if not _is_folder(entry):
        return FolderEntry(path, name, is_folder=False)
    for _ in range(MAX_JOINED):
        try:
            inside = _scan(path)
        except OSError:
            break
        if len(inside) != 1 or not _is_folder(inside[0]) or inside[0].is_symlink():
            break
        path, name = Path(inside[0].path), f"{name}/{inside[0].name}"
    return FolderEntry(path, name, is_folder=True)


def _with_ignores(folder: Path, specs: Ignores) -> Ignores:
    try:
        lines = (folder / ".gitignore").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return specs
    return (*specs, (folder, pathspec.GitIgnoreSpec.from_lines(lines)))


def _is_ignored(path: Path, specs: Ignores, *, is_folder: bool) -> bool:
    ending = "/" if is_folder else ""
    return any(spec.match_file(f"{path.relative_to(root).as_posix()}{ending}") for root, spec in specs)
