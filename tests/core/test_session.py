from __future__ import annotations

import stat
from pathlib import Path

import pytest

from redraft.core.errors import FileError
from redraft.core.session import OpenFile, Session, load_session, save_session

SESSION = Session(
    files=(OpenFile(path=Path("/a.py"), caret=3, anchor=1, first_line=2), OpenFile(path=Path("/é.py"))),
    active=Path("/é.py"),
    folder=Path("/work"),
    recent_files=(Path("/a.py"),),
    recent_folders=(Path("/work"),),
    window="AAECAw==",
)


def test_a_session_comes_back_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "session.json"
    save_session(SESSION, file)
    assert load_session(file) == SESSION
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_by_default_it_stands_in_the_state_folder(own_home: Path) -> None:
    assert load_session() == Session()
    save_session(SESSION)
    assert (own_home / "state" / "redraft" / "session.json").is_file()
    assert load_session() == SESSION


@pytest.mark.parametrize("content", [b"", b"{", b"\0\0", b"[]", b"null"])
def test_a_broken_file_is_an_empty_session(tmp_path: Path, content: bytes, caplog: pytest.LogCaptureFixture) -> None:
    file = tmp_path / "session.json"
    file.write_bytes(content)
    assert load_session(file) == Session()
    assert "nothing is opened again" in caplog.text


def test_a_part_that_makes_no_sense_is_left_out_and_the_others_count(tmp_path: Path) -> None:
    file = tmp_path / "session.json"
    file.write_text(
        '{"files": [{"path": "/a.py"}, {"caret": 1}, {"path": "/b.py", "caret": -1}, 7], "active": 3,'
        ' "recent_files": ["/c", 4], "recent_folders": "x", "window": {"later": true}, "unheard_of": 1}'
    )
    assert load_session(file) == Session(files=(OpenFile(path=Path("/a.py")),), recent_files=(Path("/c"),))


def test_recent_files_are_latest_first_once_and_not_too_many() -> None:
    session = Session()
    for number in range(40):
        session = session.with_recent_file(Path(f"/{number}")).with_recent_folder(Path(f"/f{number}"))
    session = session.with_recent_file(Path("/20"))
    assert session.recent_files[:3] == (Path("/20"), Path("/39"), Path("/38"))
    assert len(session.recent_files) == len(set(session.recent_files)) == 30
    assert session.recent_folders[0] == Path("/f39")


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(FileError):
        save_session(SESSION, tmp_path / "none" / "session.json")
