"""A lock that processes share, by a file: whoever dies lets go of it."""

from __future__ import annotations

import asyncio
import fcntl
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from weakref import WeakValueDictionary

_here: WeakValueDictionary[Path, asyncio.Lock] = WeakValueDictionary()


@asynccontextmanager
async def file_lock(path: Path) -> AsyncIterator[None]:
    """Hold the lock of a file; tasks of this process wait in line, other processes too."""
    mine = _here.setdefault(path, asyncio.Lock())
    async with mine:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            await asyncio.to_thread(fcntl.flock, descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)
