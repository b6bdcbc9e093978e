from __future__ import annotations

import codecs
import os
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from redraft.core.errors import (
    BinaryFile,
    ChangedOnDisk,
    FileError,
    FileMissing,
    FileNotAllowed,
    FileTooLarge,
    NotAFile,
    NotEncodable,
    WrongEncoding,
)
from redraft.core.textfile import DiskState, TextFile, disk_state, load, measure_line_ends, save


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "file.py"


def test_a_file_is_loaded_with_all_that_is_needed_to_write_it_back(path: Path) -> None:
    path.write_bytes(codecs.BOM_UTF8 + b"a\r\nb\r\n")
    file = load(path)
    assert (file.text, file.encoding, file.has_bom, file.line_end) == ("a\r\nb\r\n", "utf-8", True, "\r\n")
    assert not file.has_mixed_line_ends
    assert not file.is_read_only
    assert file.stamp is not None
    assert file.stamp.size == 9


@pytest.mark.parametrize(
    ("text", "line_end", "mixed"),
    [
        ("", "\n", False),
        ("one line", "\n", False),
        ("a\r\nb\nc\r\n", "\r\n", True),
        ("a\nb\r\n", "\n", True),
        ("a\rb\rc", "\r", False),
        ("a\x0cb\u2028c\r\n", "\r\n", False),
    ],
)
def test_the_usual_line_end_is_what_most_lines_have(text: str, line_end: str, *, mixed: bool) -> None:
    assert measure_line_ends(text) == (line_end, mixed)


def test_line_ends_of_untouched_lines_stay_byte_identical(path: Path) -> None:
    path.write_bytes(b"one\ntwo\r\nth\rree\r\nfour")
    file = load(path)
    assert file.has_mixed_line_ends
    save(file.with_text(file.text.replace("two", "TWO")))
    assert path.read_bytes() == b"one\nTWO\r\nth\rree\r\nfour"


@pytest.mark.parametrize("mark", [b"", codecs.BOM_UTF8])
def test_a_byte_order_mark_is_kept_once_and_never_added(path: Path, mark: bytes) -> None:
    path.write_bytes(mark + b"x = 1\n")
    file = load(path)
    assert file.text == "x = 1\n"
    for _ in range(2):
        file = save(file.with_text("y = 1\n"))
        assert path.read_bytes() == mark + b"y = 1\n"


@pytest.mark.parametrize("encoding", ["iso8859_2", "cp1252", "utf-16-le", "cp1251", "shift_jis"])
def test_an_edit_of_plain_code_leaves_foreign_letters_alone(path: Path, encoding: str) -> None:
    letters = {"iso8859_2": "žluťoučký kůň", "cp1252": "naïve café", "cp1251": "Привет, мир", "shift_jis": "日本語の"}
    data = f"x = 1\n# {letters.get(encoding, 'žluťoučký')}\n".encode(encoding)
    path.write_bytes(data)
    file = load(path)
    save(file.with_text(file.text.replace("x = 1", "x = 2")))
    assert path.read_bytes() == data.replace("x = 1".encode(encoding), "x = 2".encode(encoding))


def test_a_letter_the_encoding_lacks_is_refused_and_the_file_stays(path: Path) -> None:
    path.write_bytes(b"caf\xe9\n")
    file = load(path)
    with pytest.raises(NotEncodable, match="Line 2 holds “→”"):
        save(file.with_text("café\n→\n"))
    assert path.read_bytes() == b"caf\xe9\n"
    save(replace(file, text="café\n→\n", encoding="utf-8"))
    assert path.read_bytes() == "café\n→\n".encode()


def test_another_encoding_can_be_named(path: Path) -> None:
    path.write_bytes("Привет\n".encode("koi8_r"))
    assert load(path, encoding="koi8-r").text == "Привет\n"
    with pytest.raises(WrongEncoding):
        load(path, encoding="utf-8")


def test_a_new_file_is_made_and_can_be_saved_again(path: Path) -> None:
    file = save(TextFile(path, "a\n"))
    assert disk_state(file) is DiskState.SAME
    save(file.with_text("b\n"))
    assert path.read_bytes() == b"b\n"


def test_a_new_file_never_takes_the_place_of_another_unasked(path: Path) -> None:
    path.write_bytes(b"theirs")
    with pytest.raises(ChangedOnDisk, match="is there already"):
        save(TextFile(path, "mine"))
    assert path.read_bytes() == b"theirs"


@pytest.mark.parametrize(
    ("kind", "words"),
    [(FileMissing, "is not there"), (NotAFile, "is a folder"), (BinaryFile, "not hold text"), (NotAFile, "a pipe")],
)
def test_what_cannot_be_opened_is_told(path: Path, kind: type[FileError], words: str) -> None:
    match words:
        case "is a folder":
            path.mkdir()
        case "not hold text":
            path.write_bytes(b"\0\1\2")
        case "a pipe":
            os.mkfifo(path)
        case _:
            pass
    with pytest.raises(kind, match=words):
        load(path)


def test_an_unreadable_file_is_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.write_bytes(b"x")

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(FileNotAllowed, match="may not be read"):
        load(path)


def test_a_file_that_is_too_large_is_told_with_its_size(path: Path) -> None:
    path.write_bytes(b"x" * (3 << 20))
    with pytest.raises(FileTooLarge, match=r"has 3\.0 MB, more than the 1\.0 MB"):
        load(path, max_bytes=1 << 20)
    assert len(load(path, max_bytes=3 << 20).text) == 3 << 20


def test_a_read_only_file_is_opened_as_such_and_not_overwritten(path: Path) -> None:
    path.write_bytes(b"x")
    path.chmod(0o444)
    file = load(path)
    assert file.is_read_only
    with pytest.raises(FileNotAllowed, match="is read-only"):
        save(file.with_text("y"), overwrite=True)
    assert path.read_bytes() == b"x"


def test_a_new_time_alone_is_no_change(path: Path) -> None:
    path.write_bytes(b"x")
    file = load(path)
    os.utime(path, ns=(1, 1))
    assert disk_state(file) is DiskState.SAME
    save(file.with_text("y"))
    assert path.read_bytes() == b"y"


def test_the_same_bytes_in_a_new_file_are_no_change(path: Path) -> None:
    path.write_bytes(b"x")
    file = load(path)
    other = path.with_name("other")
    other.write_bytes(b"x")
    other.replace(path)
    assert disk_state(file) is DiskState.SAME


def test_a_change_by_another_program_is_noticed_and_not_overwritten(path: Path) -> None:
    path.write_bytes(b"one")
    file = load(path)
    path.write_bytes(b"two")
    assert disk_state(file) is DiskState.CHANGED
    with pytest.raises(ChangedOnDisk, match="was changed by another program"):
        save(file.with_text("mine"))
    assert path.read_bytes() == b"two"
    save(file.with_text("mine"), overwrite=True)
    assert path.read_bytes() == b"mine"


def test_a_change_with_the_same_size_and_time_is_not_overwritten_either(path: Path) -> None:
    path.write_bytes(b"one")
    file = load(path)
    assert file.stamp is not None
    path.write_bytes(b"two")
    os.utime(path, ns=(file.stamp.mtime_ns, file.stamp.mtime_ns))
    with pytest.raises(ChangedOnDisk):
        save(file.with_text("mine"))


def test_a_removed_file_is_gone_and_comes_back_on_save(path: Path) -> None:
    path.write_bytes(b"x")
    file = load(path)
    path.unlink()
    assert disk_state(file) is DiskState.GONE
    save(file.with_text("y"))
    assert path.read_bytes() == b"y"


def test_a_file_that_became_a_folder_is_told(path: Path) -> None:
    path.write_bytes(b"x")
    file = load(path)
    path.unlink()
    path.mkdir()
    assert disk_state(file) is DiskState.CHANGED
    with pytest.raises(NotAFile):
        save(file)


def test_saving_through_a_link_and_keeping_the_mode(path: Path) -> None:
    path.write_bytes(b"#!/bin/sh\n")
    path.chmod(0o755)
    link = path.with_name("link")
    link.symlink_to(path.name)
    save(load(link).with_text("#!/bin/bash\n"))
    assert link.is_symlink()
    assert path.read_bytes() == b"#!/bin/bash\n"
    assert path.stat().st_mode & 0o777 == 0o755


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(st.binary(max_size=200))
def test_load_and_save_change_no_byte(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "property"
    path.write_bytes(data)
    try:
        file = load(path)
    except BinaryFile:
        return
    save(file)
    assert path.read_bytes() == data
