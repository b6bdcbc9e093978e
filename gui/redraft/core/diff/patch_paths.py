"""File names in patch headers, with git's quoting of unusual characters."""

from __future__ import annotations

import re
from typing import Final

ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", '"': '"', "\\": "\\"}
NAMES: Final = {ord(char): "\\" + name for name, char in ESCAPES.items()}


def header_path(field: str) -> str | None:
    """The path in a `---` or `+++` line without its `a/` or `b/`; `None` for `/dev/null`."""
    field = field.rstrip("\r")
    path = bare_path(field if field.startswith('"') else field.split("\t", 1)[0])
    if path == "/dev/null":
        return None
    return path[2:] if path.startswith(("a/", "b/")) else path


def bare_path(field: str) -> str:
    """A path that may stand in quotes, as after `rename from`."""
    if field.startswith('"') and (end := field.rfind('"')) > 0:
        return _unquoted(field[1:end])
    return field


def quoted_path(path: str | None, prefix: str) -> str:
    """A path as git writes it in a header."""
    if path is None:
        return "/dev/null"
    full = prefix + path
    if not any(ord(char) < 32 or ord(char) > 126 or char in '"\\' for char in full):
        return full + ("\t" if " " in full else "")
    return '"' + "".join(_escaped(byte) for byte in full.encode("utf-8", "surrogateescape")) + '"'


def _escaped(byte: int) -> str:
    if byte in NAMES:
        return NAMES[byte]
    return chr(byte) if 32 <= byte <= 126 else f"\\{byte:03o}"


def _unquoted(text: str) -> str:
    raw = bytearray()
    for octal, escape, plain in re.findall(r"\\([0-7]{3})|\\(.)|([^\\]+)", text):
        if octal:
            raw.append(int(octal, 8) & 255)
        else:
            raw += (ESCAPES.get(escape, escape) if escape else plain).encode("utf-8", "surrogateescape")
    return raw.decode("utf-8", "surrogateescape")
