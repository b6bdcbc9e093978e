"""Replaces a file whole, so that a crash, a kill or a full disk leaves the old bytes or the new ones, never a mixture.

The way of choice is a temporary file beside the target, flushed to disk, then renamed over it. Where a rename would
lose something (another hard link, an owner that cannot be given back) or is forbidden (the folder is not writable,
the file is a mount point), the bytes are written in place, after space for them has been reserved.
"""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Final

from redraft.core.errors import DiskFull, FileError, FileMissing, FileNotAllowed, NotAFile

NO_SPACE: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
NO_RENAME: Final = frozenset({errno.EACCES, errno.EPERM, errno.EBUSY, errno.EXDEV, errno.ENAMETOOLONG})
NOT_ALLOWED: Final = frozenset({errno.EACCES, errno.EPERM, errno.EROFS, errno.ETXTBSY})
TEMPORARY_PREFIX: Final = ".redraft-"


def write_whole(path: Path, data: bytes, *, mode: int | None = None) -> None:
    """Make `data` the whole content of a file, created if need be; a symbolic link keeps pointing to it.

    An existing file keeps its mode, owner and extended attributes unless `mode` (permission bits) is given.

    Raises:
        FileError: It could not be written; the old content is whole. Subclasses tell why.
    """
    target = Path(os.path.realpath(path))
    try:
        _replace(target, data, mode)
    except OSError as error:
        raise explain(error, path, "written") from error


def explain(error: OSError, path: Path, verb: str) -> FileError:
    """The error to show for what the system said; `verb` is `"read"` or `"written"`."""
    if error.errno in NO_SPACE:
        return DiskFull(f"There is no space left for {path}. The old file is whole: free some space and save again.")
    if error.errno in {errno.ENOENT, errno.ENOTDIR}:
        missing = path if verb == "read" else path.parent
        return FileMissing(f"{missing} is not there. Check the path.")
    if error.errno == errno.EISDIR:
        return NotAFile(f"{path} is a folder. Choose a file in it.")
    if error.errno in NOT_ALLOWED:
        return FileNotAllowed(f"{path} may not be {verb}. Change its permissions, or use another place.")
    reason = error.strerror or str(error)
    return FileError(f"{path} cannot be {verb}: {reason}. Nothing was changed; try again, or use another place.")


def _replace(target: Path, data: bytes, mode: int | None) -> None:
    old = target.stat() if target.exists() else None
    if old is not None and stat.S_ISDIR(old.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if old is not None and not stat.S_ISREG(old.st_mode):
        raise NotAFile(f"{target} is a device or a pipe. Choose a file.")
    if old is not None and old.st_nlink > 1:
        return _write_in_place(target, data, mode)
    try:
        return _write_beside(target, data, old, mode)
    except OSError as error:
        if old is None or error.errno not in NO_RENAME:
            raise
    return _write_in_place(target, data, mode)


def _write_beside(target: Path, data: bytes, old: os.stat_result | None, mode: int | None) -> None:
    descriptor, name = tempfile.mkstemp(prefix=TEMPORARY_PREFIX, dir=target.parent)
    try:
        with open(descriptor, "wb") as file:  # noqa: PTH123 - a descriptor has no path
            _dress(descriptor, target, old, mode)
            file.write(data)
            file.flush()
            os.fsync(descriptor)
        Path(name).replace(target)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise
    _flush_folder(target.parent)


def _dress(descriptor: int, target: Path, old: os.stat_result | None, mode: int | None) -> None:
    """Give the temporary file what the target has, before any content is in it."""
    if old is not None:
        new = os.fstat(descriptor)
        if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
            os.fchown(descriptor, old.st_uid, old.st_gid)
        _copy_attributes(target, descriptor)
    if mode is None:
        mode = stat.S_IMODE(old.st_mode) if old is not None else 0o666 & ~_umask()
    os.fchmod(descriptor, mode)


def _copy_attributes(target: Path, descriptor: int) -> None:
    """Copy the extended attributes of a file, access lists among them, as far as the file system has them."""
    names: list[str] = []
    with suppress(OSError):
        names = os.listxattr(target)
    for name in names:
        # Those of the security module are not ours to set.
        with suppress(OSError):
            os.setxattr(descriptor, name, os.getxattr(target, name))


def _write_in_place(target: Path, data: bytes, mode: int | None) -> None:
    descriptor = os.open(target, os.O_RDWR)
    with open(descriptor, "r+b", buffering=0) as file:  # noqa: PTH123 - a descriptor has no path
        before = file.read()
        try:
            if len(data) > len(before):
                os.posix_fallocate(descriptor, 0, len(data))
            _overwrite(descriptor, data)
        except BaseException:
            _overwrite(descriptor, before)
            raise
        if mode is not None:
            os.fchmod(descriptor, mode)


def _overwrite(descriptor: int, data: bytes) -> None:
    os.lseek(descriptor, 0, os.SEEK_SET)
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
    os.ftruncate(descriptor, len(data))
    os.fsync(descriptor)


def _flush_folder(folder: Path) -> None:
    # Without this the rename itself may be lost in a power cut; some file systems cannot do it.
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _umask() -> int:
    # The only portable way to read it is to set it; on Linux the process tells without that race.
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("Umask:"):
            return int(line.split()[1], 8)
    return 0o077
