from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from redraft.core.crash import CrashWatch, report
from redraft.core.log import redact, start_log, stop_log

KEY = "planted-key-in-a-crash"


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Path]:
    yield start_log(tmp_path / "logs")
    stop_log()


@pytest.fixture
def watch(tmp_path: Path, log: Path) -> Iterator[CrashWatch]:
    watch = CrashWatch(tmp_path / "logs")
    watch.start()
    yield watch
    watch.stop()


def fail() -> None:
    raise ValueError(f"it broke over {KEY}")


def test_what_nobody_caught_is_written_without_keys(
    watch: CrashWatch, log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    redact(KEY)
    try:
        fail()
    except ValueError as error:
        sys.excepthook(ValueError, error, error.__traceback__)
    for text in (log.read_text(), capsys.readouterr().err):
        assert "it broke over [redacted]" in text
        assert "in fail" in text
        assert KEY not in text


def test_an_error_of_a_thread_is_written_too(watch: CrashWatch, log: Path) -> None:
    redact(KEY)
    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()
    assert "it broke over [redacted]" in log.read_text()


def test_ctrl_c_is_no_crash(watch: CrashWatch, log: Path) -> None:
    report(KeyboardInterrupt, KeyboardInterrupt(), None)
    assert not log.exists()


def test_a_process_that_dies_leaves_its_stacks_to_the_next_start(tmp_path: Path, log: Path) -> None:
    folder = tmp_path / "logs"
    code = (
        "import ctypes, pathlib, sys\n"
        "from redraft.core.crash import CrashWatch\n"
        "CrashWatch(pathlib.Path(sys.argv[1])).start()\n"
        f"secret = {KEY!r}\n"
        "def last_steps():\n"
        "    ctypes.string_at(0)\n"
        "last_steps()\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(folder)], check=False, capture_output=True)
    assert done.returncode < 0
    left = CrashWatch(folder)
    assert "last_steps" in left.path.read_text()
    left.start()
    left.stop()
    assert "an earlier run ended in a crash" in log.read_text()
    assert "last_steps" in log.read_text()
    assert KEY not in log.read_text()
    assert left.path.read_text() == ""
    assert left.path.stat().st_mode & 0o077 == 0


def test_all_is_as_before_once_it_stops(tmp_path: Path) -> None:
    before = sys.excepthook, threading.excepthook
    watch = CrashWatch(tmp_path / "logs")
    watch.start()
    assert sys.excepthook is report
    watch.stop()
    assert (sys.excepthook, threading.excepthook) == before
