from __future__ import annotations

import errno
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from redraft.core.errors import DiskFull, FileError, FileMissing, FileNotAllowed, NotAFile
from redraft.core.whole_write import explain, write_whole

SAVE_WITH_LITTLE_SPACE = """
import resource, sys
from pathlib import Path
from redraft.core.errors import DiskFull
from redraft.core.whole_write import write_whole
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    write_whole(Path(sys.argv[1]), b"new" * 100_000)
except DiskFull as error:
    sys.exit(str(error))
"""
SAVE_FOR_EVER = """
import sys
from pathlib import Path
from redraft.core.whole_write import write_whole
while True:
    for letter in (b"a", b"b"):
        write_whole(Path(sys.argv[1]), letter * 3_000_000)
        print("saved", flush=True)
"""


@pytest.fixture
def target(tmp_path: Path) -> Path:
    path = tmp_path / "work" / "file.txt"
    path.parent.mkdir()
    path.write_bytes(b"old")
    return path


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_replaces_the_content_and_leaves_nothing_beside(target: Path) -> None:
    write_whole(target, b"new")
    assert target.read_bytes() == b"new"
    assert names(target.parent) == ["file.txt"]


@pytest.mark.parametrize("mode", [0o755, 0o600, 0o640, 0o666])
def test_keeps_the_mode(target: Path, mode: int) -> None:
    target.chmod(mode)
    write_whole(target, b"new")
    assert stat.S_IMODE(target.stat().st_mode) == mode


def test_a_new_file_obeys_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_whole(tmp_path / "new.txt", b"x")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "new.txt").stat().st_mode) == 0o640


def test_a_given_mode_wins(target: Path) -> None:
    write_whole(target, b"new", mode=0o600)
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


def test_keeps_the_owner(target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[tuple[int, int]] = []
    real = os.stat_result
    old = target.stat()
    foreign = real((*old[:4], 4321, 8765, *old[6:]), {})
    monkeypatch.setattr(Path, "stat", lambda _self, **_: foreign)
    monkeypatch.setattr(os, "fchown", lambda _fd, uid, gid: given.append((uid, gid)))
    write_whole(target, b"new")
    assert given == [(4321, 8765)]


def test_where_the_owner_cannot_be_given_back_the_file_is_written_in_place(
    target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inode = target.stat().st_ino
    old = target.stat()
    foreign = os.stat_result((*old[:4], 4321, 8765, *old[6:]), {})

    def refuse(*_: object) -> None:
        raise PermissionError(errno.EPERM, "no")

    with monkeypatch.context() as patched:
        patched.setattr(Path, "stat", lambda _self, **_: foreign)
        patched.setattr(os, "fchown", refuse)
        write_whole(target, b"new")
    assert target.read_bytes() == b"new"
    assert target.stat().st_ino == inode
    assert names(target.parent) == ["file.txt"]


def test_keeps_extended_attributes_but_those_it_may_not_set(target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = {"user.note": b"mine", "security.label": b"theirs", "system.posix_acl_access": b"list"}
    new: dict[str, bytes] = {}

    def set_attribute(_: int, name: str, value: bytes) -> None:
        if name.startswith("security."):
            raise PermissionError(errno.EPERM, "no")
        new[name] = value

    monkeypatch.setattr(os, "listxattr", lambda _: list(old))
    monkeypatch.setattr(os, "getxattr", lambda _, name: old[name])
    monkeypatch.setattr(os, "setxattr", set_attribute)
    write_whole(target, b"new")
    assert target.read_bytes() == b"new"
    assert new == {"user.note": b"mine", "system.posix_acl_access": b"list"}


def test_a_file_system_without_extended_attributes_is_no_hindrance(
    target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOTSUP, "no attributes here")

    monkeypatch.setattr(os, "listxattr", refuse)
    write_whole(target, b"new")
    assert target.read_bytes() == b"new"


def test_a_symbolic_link_stays_one_and_its_target_gets_the_content(target: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.txt"
    link.symlink_to("work/file.txt")
    write_whole(link, b"new")
    assert link.is_symlink()
    assert link.readlink() == Path("work/file.txt")
    assert target.read_bytes() == b"new"


def test_a_link_to_nothing_makes_its_target(tmp_path: Path) -> None:
    link = tmp_path / "link.txt"
    link.symlink_to("later.txt")
    write_whole(link, b"new")
    assert link.is_symlink()
    assert (tmp_path / "later.txt").read_bytes() == b"new"


def test_another_hard_link_sees_the_new_content(target: Path, tmp_path: Path) -> None:
    twin = tmp_path / "twin.txt"
    twin.hardlink_to(target)
    write_whole(target, b"new and longer")
    assert twin.read_bytes() == b"new and longer"
    write_whole(target, b"n")
    assert twin.read_bytes() == b"n"


@pytest.mark.parametrize("number", [errno.EBUSY, errno.EACCES, errno.EXDEV])
def test_falls_back_in_place_where_a_rename_is_impossible(
    target: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(Path, "replace", refuse)
    write_whole(target, b"new")
    assert target.read_bytes() == b"new"
    assert names(target.parent) == ["file.txt"]


def run(script: str, path: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("in_place", [False, True])
def test_a_full_disk_leaves_the_old_file_whole(target: Path, tmp_path: Path, *, in_place: bool) -> None:
    old = b"precious" * 5_000
    target.write_bytes(old)
    if in_place:
        (tmp_path / "twin").hardlink_to(target)
    result = run(SAVE_WITH_LITTLE_SPACE, target)
    assert result.stderr.startswith(f"There is no space left for {target}. The old file is whole")
    assert target.read_bytes() == old
    assert names(target.parent) == ["file.txt"]


def test_killed_during_a_save_leaves_old_or_new_whole(target: Path) -> None:
    whole = {letter * 3_000_000 for letter in (b"a", b"b")}
    for saves in range(1, 6):
        child = subprocess.Popen([sys.executable, "-c", SAVE_FOR_EVER, str(target)], stdout=subprocess.PIPE)
        assert child.stdout is not None
        for _ in range(saves):
            assert child.stdout.readline() == b"saved\n"
        child.send_signal(signal.SIGKILL)
        child.stdout.close()
        child.wait()
        assert target.read_bytes() in whole


def test_an_interrupt_leaves_no_temporary_file(target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_whole(target, b"new")
    assert target.read_bytes() == b"old"
    assert names(target.parent) == ["file.txt"]


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileMissing, match=f"{tmp_path / 'none'} is not there"):
        write_whole(tmp_path / "none" / "file.txt", b"x")


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(NotAFile, match="is a folder"):
        write_whole(tmp_path, b"x")


def test_a_pipe_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(NotAFile, match="is a device or a pipe"):
        write_whole(tmp_path / "pipe", b"x")


@pytest.mark.parametrize(
    ("number", "kind", "words"),
    [
        (errno.ENOSPC, DiskFull, "no space left"),
        (errno.EDQUOT, DiskFull, "no space left"),
        (errno.EROFS, FileNotAllowed, "may not be written"),
        (errno.EIO, FileError, "Input/output error"),
    ],
)
def test_what_the_system_says_becomes_a_sentence(number: int, kind: type[FileError], words: str) -> None:
    error = explain(OSError(number, os.strerror(number)), Path("/x/y"), "written")
    assert type(error) is kind
    assert words in str(error)
