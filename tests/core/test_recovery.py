from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from redraft.core.errors import FileError
from redraft.core.recovery import RecoveryJournal, UnsavedText

UNSAVED = UnsavedText(
    buffer_id="/work/é b.py",
    title="é b.py",
    path=Path("/work/é b.py"),
    text="x = 1\r\n# 你好 🌍 \ud83c\n",
    disk_digest="ab12",
    encoding="cp1252",
    has_bom=True,
    language_id="python",
    caret=3,
    proposals=({"range": [0, 7], "hunks": [{"old": ["x = 1\r\n"], "new": ["x = 2\r\n"]}]},),
)
WRITE_AND_WAIT = """
import sys, time
from pathlib import Path
from redraft.core.recovery import RecoveryJournal, UnsavedText
journal = RecoveryJournal(Path(sys.argv[1]))
journal.write(UnsavedText(buffer_id="new-1", text="kept"))
print("written", flush=True)
number = 0
while "--on" in sys.argv:
    number += 1
    journal.write(UnsavedText(buffer_id="new-1", text=str(number % 10) * 500_000))
sys.stdin.read()
"""


@pytest.fixture
def journals(tmp_path: Path) -> Iterator[list[RecoveryJournal]]:
    made = [RecoveryJournal(tmp_path / "recovery") for _ in range(2)]
    yield made
    for journal in made:
        journal.close()


def die(journal: RecoveryJournal) -> None:
    """What the system does with the lock of a process that ends."""
    assert journal._lock is not None
    os.close(journal._lock)
    journal._lock = None


def start(folder: Path, *more: str) -> subprocess.Popen[bytes]:
    child = subprocess.Popen(
        [sys.executable, "-c", WRITE_AND_WAIT, str(folder), *more], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert child.stdout is not None
    assert child.stdout.readline() == b"written\n"
    return child


def kill(child: subprocess.Popen[bytes]) -> None:
    child.send_signal(signal.SIGKILL)
    child.communicate()


def test_what_a_killed_process_had_is_offered_whole(tmp_path: Path) -> None:
    for more in ((), ("--on",), ("--on",)):
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        kill(start(folder, *more))
        journal = RecoveryJournal(folder)
        (left,) = journal.recoverable()
        text = left.unsaved.text
        assert text is not None
        assert text == "kept" or (len(text) == 500_000 and len(set(text)) == 1)
        journal.close()


def test_a_living_process_keeps_its_own(tmp_path: Path) -> None:
    child = start(tmp_path)
    journal = RecoveryJournal(tmp_path)
    assert journal.recoverable() == ()
    kill(child)
    assert len(journal.recoverable()) == 1
    journal.close()


def test_everything_comes_back_as_it_was(journals: list[RecoveryJournal]) -> None:
    gone, now = journals
    gone.write(UNSAVED)
    die(gone)
    (recovered,) = now.recoverable()
    assert recovered.unsaved.saved_at > 0
    assert recovered.unsaved.model_copy(update={"saved_at": 0.0}) == UNSAVED


def test_the_latest_of_a_buffer_counts_and_buffers_come_oldest_first(journals: list[RecoveryJournal]) -> None:
    gone, now = journals
    for buffer_id, text in (("a", "1"), ("b", "2"), ("a", "3")):
        gone.write(UnsavedText(buffer_id=buffer_id, text=text))
    die(gone)
    assert [recovered.unsaved.text for recovered in now.recoverable()] == ["2", "3"]


def test_what_was_saved_is_forgotten(journals: list[RecoveryJournal]) -> None:
    gone, now = journals
    gone.write(UNSAVED)
    gone.forget(UNSAVED.buffer_id)
    gone.forget("never seen")
    die(gone)
    assert now.recoverable() == ()


def test_a_clean_end_leaves_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "recovery"
    journal = RecoveryJournal(folder)
    journal.write(UNSAVED)
    journal.close()
    journal.close()
    assert list(folder.iterdir()) == []


def test_folders_of_others_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "recovery" / "not_ours").mkdir(parents=True)
    journal = RecoveryJournal(tmp_path / "recovery")
    assert journal.recoverable() == ()
    journal.close()
    assert [path.name for path in (tmp_path / "recovery").rglob("*")] == ["not_ours"]


def test_a_folder_taken_by_another_before_it_is_locked_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    real = tempfile.mkdtemp

    def snatched(**options: Any) -> str:
        made.append(real(**options))
        if len(made) == 1:
            Path(made[0]).rmdir()
        return made[-1]

    monkeypatch.setattr(tempfile, "mkdtemp", snatched)
    journal = RecoveryJournal(tmp_path / "recovery")
    journal.write(UNSAVED)
    assert [str(journal._own)] == made[1:]
    journal.close()


def test_what_was_decided_is_not_offered_again(tmp_path: Path, journals: list[RecoveryJournal]) -> None:
    gone, now = journals
    gone.write(UNSAVED)
    gone.write(UnsavedText(buffer_id="other", text="x"))
    die(gone)
    first, second = now.recoverable()
    now.discard(first)
    assert now.recoverable() == (second,)
    now.discard(second)
    now.discard(second)
    assert now.recoverable() == ()
    assert len(list((tmp_path / "recovery").iterdir())) == 1


def test_only_the_user_can_read_it(tmp_path: Path, journals: list[RecoveryJournal]) -> None:
    journals[0].write(UNSAVED)
    for path in (tmp_path / "recovery").rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600)


@pytest.mark.parametrize("content", [b"", b"{", b"\0", b"[]", b'{"buffer_id": 3}', b'{"text": "no id"}'])
def test_what_cannot_be_read_is_left_and_hides_nothing(
    journals: list[RecoveryJournal], content: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    gone, now = journals
    gone.write(UNSAVED)
    broken = gone._own / "broken.json"
    broken.write_bytes(content)
    die(gone)
    assert [recovered.unsaved.title for recovered in now.recoverable()] == ["é b.py"]
    assert broken.read_bytes() == content
    assert "broken.json cannot be read" in caplog.text


def test_fields_of_a_later_version_do_not_keep_text_from_coming_back(journals: list[RecoveryJournal]) -> None:
    gone, now = journals
    (gone._own / "later.json").write_text('{"buffer_id": "b", "text": "t", "colour": "blue"}')
    die(gone)
    assert [recovered.unsaved.text for recovered in now.recoverable()] == ["t"]


def test_by_default_it_stands_in_the_state_folder(own_home: Path) -> None:
    journal = RecoveryJournal()
    assert journal._own.parent == own_home / "state" / "redraft" / "recovery"
    journal.close()


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(FileError):
        RecoveryJournal(tmp_path / "file")
