"""Git, by its command line."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from redraft.core.errors import RedraftError, UsageError

# What a user has set for their own work (hooks, signing, prompts for passwords) must not steer a pipeline.
_ENVIRONMENT: Final = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_LFS_SKIP_SMUDGE": "1",
    "LC_ALL": "C",
}
_INHERITED_REPOSITORY: Final = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR")


class GitError(RedraftError):
    """Git said no; `said` holds its reason, in one line."""

    def __init__(self, message: str, *, said: str = "") -> None:
        super().__init__(message)
        self.said = said


@dataclass(frozen=True, slots=True)
class Git:
    """Git in one folder."""

    folder: Path

    async def run(self, *arguments: str, stdin: bytes | None = None) -> bytes:
        """Run a command; its standard output.

        Raises:
            GitError: It failed.
            UsageError: Git is not installed.
        """
        environment = {name: value for name, value in os.environ.items() if name not in _INHERITED_REPOSITORY}
        try:
            process = await asyncio.create_subprocess_exec(
                "git",
                "-c",
                "core.hooksPath=/dev/null",
                "-c",
                "core.autocrlf=false",
                *arguments,
                cwd=self.folder,
                env=environment | _ENVIRONMENT,
                stdin=asyncio.subprocess.DEVNULL if stdin is None else asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
            )
        except FileNotFoundError as error:
            raise UsageError("Projects are loaded with git, which is not installed.") from error
        try:
            out, said = await process.communicate(stdin)
        except asyncio.CancelledError:
            process.kill()
            await process.wait()
            raise
        if process.returncode:
            reason = _reason(said.decode(errors="replace")) or f"exit status {process.returncode}"
            raise GitError(f"git {_spoken(arguments)} failed: {reason}", said=reason)
        return out

    async def text(self, *arguments: str) -> str:
        """Run a command; its standard output as text without the last line end."""
        return (await self.run(*arguments)).decode(errors="replace").removesuffix("\n")


def _reason(said: str) -> str:
    """The line that tells why git gave up; advice may follow it."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    fatal = [line for line in lines if line.startswith(("fatal:", "error:"))]
    return fatal[0].partition(": ")[2] if fatal else "".join(lines[-1:])


def _spoken(arguments: Sequence[str]) -> str:
    return next((argument for argument in arguments if not argument.startswith("-")), "")
