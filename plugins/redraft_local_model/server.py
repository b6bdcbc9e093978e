"""The embedded model's server as the editor sees it: a child process that can be started, watched and stopped."""

from __future__ import annotations

import asyncio
import json
import secrets
import sys
from collections import deque
from dataclasses import dataclass, field
from typing import Final

import psutil

from redraft.core.errors import ModelUnavailable
from redraft_local_model.catalog import LocalModel

START_SECONDS: Final = 180.0
"""Longest time a model may take to load."""

STOP_SECONDS: Final = 3.0
"""Time a process has to end before it is killed."""

END_NOTICED_SECONDS: Final = 1.0
"""Time in which the end of a process shows."""

GUESS_AFTER: Final = 10
"""Tokens of an answer that must stand in the prompt, in this order, before the ones behind them are guessed."""
GUESSED_TOKENS: Final = 6
"""Guesses checked in one step. They are fixed when the model is loaded, so they must be safe: few enough that a step
with wrong ones costs little; docs/models.md has the measurements."""
KEPT_PROMPTS_MB: Final = 256
"""Memory for prompts read earlier, so that going back to a file does not read it anew."""
READ_AT_ONCE: Final = 256
"""Tokens of a prompt read in one step, which cannot be interrupted."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where the server listens, and the key it was given."""

    address: str
    key: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """How the model is run.

    Attributes:
        threads: Threads to write with; 0 takes the number of physical cores.
        batch_threads: Threads to read a prompt with; 0 takes as many as for writing.
        gpu_layers: Layers to put on a graphics card; -1 lets llama.cpp decide.
        speculation: Whether the next tokens are guessed where the answer repeats what came before.
    """

    threads: int = 0
    batch_threads: int = 0
    gpu_layers: int = -1
    speculation: bool = False


class LocalServer:
    """One llama.cpp process for one model. Make a new one after it has stopped."""

    def __init__(self, model: LocalModel, options: ServerOptions | None = None) -> None:
        self.model = model
        self._options = options or ServerOptions()
        self._process: asyncio.subprocess.Process | None = None
        self._complaints: deque[str] = deque(maxlen=20)
        self._reader: asyncio.Task[None] | None = None

    @property
    def is_running(self) -> bool:
        """Whether the process is alive."""
        return self._process is not None and self._process.returncode is None

    @property
    def process_id(self) -> int | None:
        """The process, for tests and the task list."""
        return self._process.pid if self._process else None

    async def start(self) -> Endpoint:
        """Start the process and wait until the model is loaded.

        Raises:
            ModelUnavailable: Too little memory, or llama.cpp cannot load the file.
        """
        check_memory(self.model)
        key = secrets.token_urlsafe(24)
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "redraft_local_model.worker",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            # A terminal's Ctrl+C is for the editor, which then stops the model in order.
            start_new_session=True,
        )
        self._reader = asyncio.create_task(self._keep_complaints(self._process))
        try:
            async with asyncio.timeout(START_SECONDS):
                address = await self._give_orders(self._process, key)
        except BaseException as error:
            await self.stop()
            if isinstance(error, TimeoutError):
                raise ModelUnavailable(
                    f"{self.model.name} was not loaded within {START_SECONDS:.0f} s; try again, or take a smaller one."
                ) from error
            raise
        return Endpoint(address, key)

    async def has_ended(self) -> bool:
        """Whether the process is gone, given a moment for its end to be noticed after its connection broke."""
        process = self._process
        if process is None:
            return True
        try:
            async with asyncio.timeout(END_NOTICED_SECONDS):
                await process.wait()
        except TimeoutError:
            return False
        return True

    async def stop(self) -> None:
        """End the process: politely at first, by force after a moment."""
        process, self._process = self._process, None
        if process is None:
            return
        if process.stdin is not None:
            process.stdin.close()
        try:
            async with asyncio.timeout(STOP_SECONDS):
                await process.wait()
        except TimeoutError:
            process.kill()
            await process.wait()
        if self._reader is not None:
            await self._reader

    async def _give_orders(self, process: asyncio.subprocess.Process, key: str) -> str:
        assert process.stdin is not None  # noqa: S101 - both are pipes, as asked for
        assert process.stdout is not None  # noqa: S101 - likewise
        threads = self._options.threads or psutil.cpu_count(logical=False) or 1
        orders = {
            "path": str(self.model.path),
            "name": self.model.name,
            "key": key,
            "context_tokens": self.model.context_tokens,
            "threads": threads,
            "batch_threads": self._options.batch_threads or threads,
            "gpu_layers": self._options.gpu_layers,
            "guess_after": GUESS_AFTER,
            "guessed_tokens": GUESSED_TOKENS if self._options.speculation else 0,
            "kept_prompts_mb": KEPT_PROMPTS_MB,
            "read_at_once": READ_AT_ONCE,
        }
        process.stdin.write(json.dumps(orders).encode() + b"\n")
        reply = await process.stdout.readline()
        words = json.loads(reply) if reply else {}
        if "address" in words:
            return str(words["address"])
        reason = words.get("error") or self._last_complaint() or "its process ended without a word"
        raise ModelUnavailable(
            f"{self.model.name} could not be loaded ({reason}); fetch it again with "
            f"“redraft models pull {self.model.name}”, or choose another model."
        )

    async def _keep_complaints(self, process: asyncio.subprocess.Process) -> None:
        if process.stderr is not None:
            async for line in process.stderr:
                self._complaints.append(line.decode(errors="replace").strip())

    def _last_complaint(self) -> str:
        return next((line for line in reversed(self._complaints) if "error" in line.lower()), "")


def check_memory(model: LocalModel) -> None:
    """Refuse to load a model that would push the machine out of memory.

    Raises:
        ModelUnavailable: Less memory is available than the model needs.
    """
    available = psutil.virtual_memory().available
    if available < model.memory_bytes:
        raise ModelUnavailable(
            f"{model.name} needs about {model.memory_bytes / 1e9:.1f} GB of memory and {available / 1e9:.1f} GB are "
            "free; close something, or choose a smaller model."
        )
