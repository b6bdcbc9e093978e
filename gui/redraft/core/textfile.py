"""Loads text files and saves them whole, keeping encoding, byte order mark, line ends, mode, owner and links."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Final

from redraft.core import encodings
from redraft.core.errors import BinaryFile, ChangedOnDisk, FileNotAllowed, FileTooLarge, NotAFile
from redraft.core.text import LINE_END
from redraft.core.whole_write import explain, write_whole

MAX_BYTES: Final = 64 << 20
DEFAULT_LINE_END: Final = "\n"


class DiskState(StrEnum):
    """What became of a file on disk since it was read."""

    SAME = "same"
    CHANGED = "changed"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class FileStamp:
    """What a file was like on disk, to notice when someone else writes it.

    Attributes:
        digest: SHA-256 of its bytes, in hexadecimal.
        mtime_ns: When it was written, in nanoseconds.
        size: Bytes.
        inode: Which file it was; an editor that replaces files whole makes a new one.
    """

    digest: str
    mtime_ns: int
    size: int
    inode: int

    @classmethod
    def of(cls, data: bytes, status: os.stat_result) -> FileStamp:
        """The stamp of a file with some bytes."""
        return cls(hashlib.sha256(data).hexdigest(), status.st_mtime_ns, status.st_size, status.st_ino)

    def fits(self, status: os.stat_result) -> bool:
        """Whether the file looks untouched, so that its bytes need not be read."""
        return (self.mtime_ns, self.size, self.inode) == (status.st_mtime_ns, status.st_size, status.st_ino)


@dataclass(frozen=True, slots=True)
class TextFile:
    """A file's text, and all that is needed to write it back as it was.

    Attributes:
        path: Where it is.
        text: Its text with its own line ends, without a byte order mark.
        encoding: A Python codec name.
        has_bom: Whether a byte order mark stands before the text.
        is_encoding_guessed: Whether the encoding was inferred and may be wrong.
        line_end: The line end most of its lines have; new lines take it.
        has_mixed_line_ends: Whether other line ends occur too; they stay as they are.
        is_read_only: Whether it may not be written.
        stamp: What it was like on disk, or `None` if it was never there.
    """

    path: Path
    text: str = ""
    encoding: str = "utf-8"
    has_bom: bool = False
    is_encoding_guessed: bool = False
    line_end: str = DEFAULT_LINE_END
    has_mixed_line_ends: bool = False
    is_read_only: bool = False
    stamp: FileStamp | None = None

    def with_text(self, text: str) -> TextFile:
        """The same file with other text."""
        line_end, mixed = measure_line_ends(text, self.line_end)
        return replace(self, text=text, line_end=line_end, has_mixed_line_ends=mixed)


def measure_line_ends(text: str, default: str = DEFAULT_LINE_END) -> tuple[str, bool]:
    """The line end that most lines have, the first among equals, and whether there are others."""
    first = LINE_END.search(text)
    if first is None:
        return default, False
    both = text.count("\r\n")
    counts = {"\r\n": both, "\n": text.count("\n") - both, "\r": text.count("\r") - both}
    usual = max(counts, key=lambda end: (counts[end], end == first.group()))
    return usual, sum(map(bool, counts.values())) > 1


def load(path: Path, *, encoding: str | None = None, max_bytes: int = MAX_BYTES) -> TextFile:
    """Read a text file; without `encoding` it is found out.

    Raises:
        FileError: It cannot be opened as text; the subclass tells why, the message what to do.
    """
    try:
        data, status = _read(path, max_bytes)
    except OSError as error:
        raise explain(error, path, "read") from error
    try:
        decoded = encodings.decode(data) if encoding is None else encodings.decode_as(data, encoding)
    except BinaryFile as error:
        raise BinaryFile(f"{path} does not hold text. Open it with another program.") from error
    line_end, mixed = measure_line_ends(decoded.text)
    return TextFile(
        path=path,
        text=decoded.text,
        encoding=decoded.encoding,
        has_bom=decoded.has_bom,
        is_encoding_guessed=decoded.is_guess,
        line_end=line_end,
        has_mixed_line_ends=mixed,
        is_read_only=is_read_only(path),
        stamp=FileStamp.of(data, status),
    )


def save(file: TextFile, *, overwrite: bool = False) -> TextFile:
    """Write a file whole; return it with its new stamp.

    Args:
        file: What to write; its path, encoding and byte order mark are obeyed.
        overwrite: Write even where the file on disk is not the one that was read.

    Raises:
        NotEncodable: The encoding lacks a character; the message names line and character.
        ChangedOnDisk: The file on disk is another one than was read.
        FileError: It cannot be written. In every case the old file is whole.
    """
    data = encodings.encode(file.text, file.encoding, has_bom=file.has_bom)
    if is_read_only(file.path):
        raise FileNotAllowed(f"{file.path} is read-only. Make it writable, or save under another name.")
    if not overwrite:
        _refuse_if_changed(file)
    write_whole(file.path, data)
    stamp = FileStamp.of(data, file.path.stat())
    return replace(file.with_text(file.text), stamp=stamp, is_read_only=False, is_encoding_guessed=False)


def disk_state(file: TextFile, *, thorough: bool = False) -> DiskState:
    """Compare a file with what is on disk; a new time with the same bytes is no change.

    Args:
        file: The file as it was read or saved.
        thorough: Compare the bytes even if time, size and inode are the same.

    Raises:
        FileError: What is on disk cannot be read.
    """
    try:
        status = file.path.stat()
        if file.stamp is None or not stat.S_ISREG(status.st_mode):
            return DiskState.CHANGED
        if file.stamp.fits(status) and not thorough:
            return DiskState.SAME
        with file.path.open("rb") as opened:
            digest = hashlib.file_digest(opened, "sha256").hexdigest()
    except (FileNotFoundError, NotADirectoryError):
        return DiskState.GONE
    except OSError as error:
        raise explain(error, file.path, "read") from error
    return DiskState.SAME if digest == file.stamp.digest else DiskState.CHANGED


def is_read_only(path: Path) -> bool:
    """Whether a file is there and may not be written; without any write permission the administrator may not either."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return stat.S_ISREG(mode) and (not mode & 0o222 or not os.access(path, os.W_OK))


def _read(path: Path, max_bytes: int) -> tuple[bytes, os.stat_result]:
    mode = path.stat().st_mode
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(mode):
        # Opening a pipe or a device may wait for ever.
        raise NotAFile(f"{path} is a device or a pipe. Choose a file.")
    with path.open("rb") as file:
        data = file.read(max_bytes + 1)
        status = os.fstat(file.fileno())
    if len(data) > max_bytes:
        size = max(len(data), status.st_size)
        raise FileTooLarge(
            f"{path} has {size / (1 << 20):,.1f} MB, more than the {max_bytes / (1 << 20):,.1f} MB the editor opens. "
            "Raise files.max_size in the settings, or open a part of it."
        )
    return data, status


def _refuse_if_changed(file: TextFile) -> None:
    # Saving a file that was removed brings it back: nothing of anyone's is lost, so only a changed one is refused.
    if disk_state(file, thorough=True) is not DiskState.CHANGED:
        return
    if file.path.is_dir():
        raise NotAFile(f"{file.path} is a folder. Choose a file in it.")
    if file.stamp is None:
        raise ChangedOnDisk(f"{file.path} is there already. Choose another name, or overwrite it.")
    raise ChangedOnDisk(f"{file.path} was changed by another program. Compare the two, then reload or overwrite.")
