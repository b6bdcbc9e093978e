"""Repositories at a revision: a cached bare clone for each, and a worktree for each revision that was asked for."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Final

from redraft.core.assets import resource
from redraft.core.errors import UsageError
from redraft.core.paths import private_folder
from redraft_edit_prediction.pipeline.file_lock import file_lock
from redraft_edit_prediction.pipeline.git import Git, GitError

SAMPLE: Final = "sample:"
"""Repository addresses of the samples that come with the editor: `sample:larder`."""
_UNSAFE: Final = re.compile(r"[^\w.-]+")


class Repositories:
    """All repositories of a run, below one cache folder. Several processes may share it.

    A worktree is never changed after it was made, so any number of examples read it at once: what an example adds
    (uncommitted changes, edits) is laid over it in memory.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._made: dict[tuple[str, str], Path] = {}

    async def worktree(self, url: str, revision: str) -> Path:
        """The folder of a repository's files at a revision.

        Raises:
            UsageError: The repository is not there, or has no such revision.
        """
        known = self._made.get((url, revision))
        if known is not None:
            return known
        if not revision or revision.startswith("-") or url.startswith("-"):
            raise UsageError(f"{revision!r} is no revision of {url!r}.")
        name = name_of(url)
        clone = private_folder(self._folder / "repos") / f"{name}.git"
        async with file_lock(clone.with_suffix(".lock")):
            git = await self._clone(url, clone)
            sha = await _resolve(git, url, revision)
            worktree = private_folder(self._folder / "worktrees" / name) / sha[:16]
            if not worktree.with_suffix(".ready").exists():
                await _check_out(git, worktree, sha)
        self._made[url, revision] = worktree
        return worktree

    async def history(self, url: str) -> Git:
        """The clone of a repository with all its commits.

        Raises:
            UsageError: The repository is not there.
        """
        clone = private_folder(self._folder / "repos") / f"{name_of(url)}.git"
        async with file_lock(clone.with_suffix(".lock")):
            git = await self._clone(url, clone)
            if not url.startswith(SAMPLE):
                await _fetch_all(git, url)
        return git

    async def _clone(self, url: str, folder: Path) -> Git:
        git = Git(folder)
        if not (folder / "HEAD").exists():
            shutil.rmtree(folder, ignore_errors=True)
            private_folder(folder)
            await git.run("init", "--bare", "--quiet")
        if not url.startswith(SAMPLE):
            await git.run("config", "remote.origin.url", _address(url))
        elif not await git.run("for-each-ref"):
            await git.run("fast-import", "--quiet", "--done", stdin=_sample(url))
        return git


def name_of(url: str) -> str:
    """A folder name for a repository, with its host and owner: unlike addresses get unlike names."""
    bare = re.sub(r"^\w+://|\.git/?$", "", url.strip()).rstrip("/")
    return _UNSAFE.sub("-", bare.replace("/", "__")).strip("-") or "repository"


def short_name(url: str) -> str:
    """What a project's folder would be called."""
    return re.split(r"[/:]", re.sub(r"\.git/?$", "", url.rstrip("/")))[-1] or "project"


async def _resolve(git: Git, url: str, revision: str) -> str:
    """The commit of a revision, fetched if need be: alone at first, else with everything."""
    sha = await _known(git, revision)
    if sha or url.startswith(SAMPLE):
        return sha or _no_revision(url, revision)
    try:
        await git.run("fetch", "--quiet", "--depth=1", "origin", revision)
        return await git.text("rev-parse", "--verify", "FETCH_HEAD^{commit}")
    except GitError:
        pass
    await _fetch_all(git, url)
    return await _known(git, revision) or await _known(git, f"origin/{revision}") or _no_revision(url, revision)


async def _fetch_all(git: Git, url: str) -> None:
    try:
        is_shallow = await git.text("rev-parse", "--is-shallow-repository") == "true"
        unshallow = ("--unshallow",) if is_shallow else ()
        await git.run("fetch", "--quiet", "--tags", *unshallow, "origin", "+refs/heads/*:refs/remotes/origin/*")
    except GitError as error:
        raise UsageError(
            f"The repository {url} cannot be fetched ({error.said.rstrip('.')}). Check its address and your access."
        ) from error


async def _known(git: Git, revision: str) -> str:
    # Branches are kept as origin/NAME, so a branch's own name is not known here and is fetched anew each time.
    try:
        return await git.text("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    except GitError:
        return ""


def _no_revision(url: str, revision: str) -> str:
    raise UsageError(f"The repository {url} has no revision {revision}; check the example's revision.")


async def _check_out(git: Git, worktree: Path, sha: str) -> None:
    shutil.rmtree(worktree, ignore_errors=True)
    await git.run("worktree", "prune")
    await git.run("worktree", "add", "--quiet", "--force", "--detach", str(worktree), sha)
    worktree.with_suffix(".ready").touch()


def _address(url: str) -> str:
    path = Path(url).expanduser()
    return str(path.resolve()) if path.exists() else url


def _sample(url: str) -> bytes:
    path = resource(f"samples/edit_prediction/{_UNSAFE.sub('-', url.removeprefix(SAMPLE))}.fast-import")
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"There is no sample repository {url}.") from error
