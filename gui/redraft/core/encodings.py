"""From bytes to text and back without loss: which encoding, which byte order mark, and what cannot be written."""

from __future__ import annotations

import codecs
import re
import unicodedata
from dataclasses import dataclass
from typing import Final

import charset_normalizer

from redraft.core.errors import BinaryFile, NotEncodable, WrongEncoding
from redraft.core.text import TextIndex

BYTE_ORDER_MARKS: Final = {
    # The mark of UTF-32 begins with that of UTF-16, so it is tried first.
    "utf-32-le": codecs.BOM_UTF32_LE,
    "utf-32-be": codecs.BOM_UTF32_BE,
    "utf-8": codecs.BOM_UTF8,
    "utf-16-le": codecs.BOM_UTF16_LE,
    "utf-16-be": codecs.BOM_UTF16_BE,
}
# In the order of how often people have them; among equally likely ones the first wins.
LEGACY: Final = (
    *("cp1252", "cp1250", "cp1251", "koi8_r", "iso8859_2", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257"),
    *("euc_jp", "gb18030", "cp949", "big5", "cp932", "cp874", "cp866"),
)
# Names that leave the byte order to a mark, and what they mean where there is none.
UNDECIDED: Final = {"utf-8-sig": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}
LABELS: Final = {
    "utf-8": "UTF-8",
    "utf-16-le": "UTF-16 LE",
    "utf-16-be": "UTF-16 BE",
    "utf-32-le": "UTF-32 LE",
    "utf-32-be": "UTF-32 BE",
    "cp1252": "Western (Windows 1252)",
    "iso8859-1": "Western (ISO 8859-1)",
    "iso8859-15": "Western (ISO 8859-15)",
    "cp1250": "Central European (Windows 1250)",
    "iso8859-2": "Central European (ISO 8859-2)",
    "cp1251": "Cyrillic (Windows 1251)",
    "koi8-r": "Cyrillic (KOI8-R)",
    "cp866": "Cyrillic (DOS 866)",
    "cp1253": "Greek (Windows 1253)",
    "cp1254": "Turkish (Windows 1254)",
    "cp1255": "Hebrew (Windows 1255)",
    "cp1256": "Arabic (Windows 1256)",
    "cp1257": "Baltic (Windows 1257)",
    "cp874": "Thai (Windows 874)",
    "cp932": "Japanese (Shift JIS)",
    "euc_jp": "Japanese (EUC-JP)",
    "gb18030": "Chinese (GB 18030)",
    "big5": "Chinese (Big5)",
    "cp949": "Korean (Windows 949)",
}
"""Encodings to offer, by codec name, with what to call them."""
CONTROL_BYTES: Final = bytes([*range(0x09), 0x0B, *range(0x0E, 0x1B), *range(0x1C, 0x20), 0x7F])
CONTROL_SHARE: Final = 0.02
"""Share of control characters above which bytes are no text."""

PLAIN_SHARE: Final = 0.25
SAMPLE: Final = 1 << 16
NON_ASCII_LINE: Final = re.compile(rb"[^\n\x80-\xff]*[\x80-\xff][^\n]*\n?")


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text as it came out of bytes.

    Attributes:
        text: The text, without a byte order mark.
        encoding: A Python codec name; UTF-16 and UTF-32 carry their byte order.
        has_bom: Whether a byte order mark stood before it.
        is_guess: Whether the encoding was inferred from the letters, and may be wrong.
    """

    text: str
    encoding: str
    has_bom: bool = False
    is_guess: bool = False


def decode(data: bytes) -> Decoded:
    """Find out the encoding of some bytes; `encode` gives exactly these bytes back.

    Raises:
        BinaryFile: They are not text.
    """
    for encoding, mark in BYTE_ORDER_MARKS.items():
        if data.startswith(mark):
            text = _attempt(data[len(mark) :], encoding)
            if text is not None:
                return Decoded(text, encoding, has_bom=True)
    if b"\0" in data:
        return _decode_wide(data)
    text = _attempt(data, "utf-8")
    return Decoded(text, "utf-8") if text is not None else _decode_legacy(data)


def decode_as(data: bytes, encoding: str) -> Decoded:
    """Read bytes in a named encoding.

    Raises:
        WrongEncoding: They are not in it, could not be written back in it, or nobody knows that name.
    """
    try:
        name = codecs.lookup(encoding).name
    except LookupError as error:
        raise WrongEncoding(f"There is no encoding called {encoding}. Choose another one.") from error
    if name in UNDECIDED:
        family = UNDECIDED[name].removesuffix("-le")
        kin = (known for known, mark in BYTE_ORDER_MARKS.items() if known.startswith(family) and data.startswith(mark))
        name = next(kin, UNDECIDED[name])
    mark = BYTE_ORDER_MARKS.get(name, b"")
    has_bom = bool(mark) and data.startswith(mark)
    text = _attempt(data[len(mark) :] if has_bom else data, name)
    if text is None:
        raise WrongEncoding(f"The file is not in {encoding}. Choose another encoding.")
    return Decoded(text, name, has_bom)


def encoding_label(encoding: str, *, has_bom: bool = False) -> str:
    """What to call an encoding (`"UTF-8 with BOM"`)."""
    label = LABELS.get(encoding, encoding)
    return f"{label} with BOM" if has_bom else label


def encode(text: str, encoding: str, *, has_bom: bool = False) -> bytes:
    """Turn text into the bytes of a file.

    Raises:
        NotEncodable: The encoding lacks a character; nothing is ever put in its place.
    """
    try:
        body = text.encode(encoding)
    except UnicodeEncodeError as error:
        raise _not_encodable(text, error.start, encoding) from error
    return BYTE_ORDER_MARKS.get(encoding, b"") + body if has_bom else body


def _attempt(data: bytes, encoding: str) -> str | None:
    """The text, if it is in that encoding and can be written back to the same bytes."""
    try:
        text = data.decode(encoding)
        # UTF-8 and its wider kin are one to one; older encodings often are not.
        return text if encoding in BYTE_ORDER_MARKS or text.encode(encoding) == data else None
    except (UnicodeError, LookupError):
        return None


def _decode_wide(data: bytes) -> Decoded:
    """UTF-16 without a mark, told by blanks and line ends on the right side of its byte pairs."""
    found = [(encoding, text) for encoding in ("utf-16-le", "utf-16-be") if (text := _attempt(data, encoding))]
    plain = [(_plain_share(text), encoding, text) for encoding, text in found if _looks_like_text(text)]
    if not plain or max(plain)[0] < PLAIN_SHARE:
        raise BinaryFile("The file does not hold text. Open it with another program.")
    _, encoding, text = max(plain)
    return Decoded(text, encoding, is_guess=True)


def _plain_share(text: str) -> float:
    sample = text[:SAMPLE]
    return sum(character in "\n\r\t " or (character.isascii() and character.isalnum()) for character in sample) / len(
        sample
    )


def _looks_like_text(text: str) -> bool:
    sample = text[:SAMPLE]
    odd = sum(unicodedata.category(character) in {"Cc", "Cn", "Co", "Cs"} for character in sample)
    odd -= sum(sample.count(character) for character in "\t\n\r\f\x1b")
    return "\0" not in text and odd <= len(sample) * CONTROL_SHARE


def _decode_legacy(data: bytes) -> Decoded:
    sample = data[:SAMPLE]
    if len(sample) - len(sample.translate(None, CONTROL_BYTES)) > len(sample) * CONTROL_SHARE:
        raise BinaryFile("The file does not hold text. Open it with another program.")
    for encoding in (*_likely(data), "cp1252"):
        text = _attempt(data, encoding)
        if text is not None:
            western = _attempt(data, "cp1252")
            name = "cp1252" if text == western else codecs.lookup(encoding).name
            return Decoded(text, name, is_guess=True)
    # Every byte is a character of Latin-1, so nothing is lost whatever the file was.
    return Decoded(data.decode("latin-1"), "iso8859-1", is_guess=True)


def _likely(data: bytes) -> list[str]:
    """Encodings by likelihood, judged by the lines that are not plain ASCII: the rest would drown them."""
    sample = b"".join(match.group() for match in NON_ASCII_LINE.finditer(data[: 16 * SAMPLE]))[:SAMPLE]
    matches = charset_normalizer.from_bytes(sample, cp_isolation=list(LEGACY), enable_fallback=False)
    rank = {name: index for index, name in enumerate(LEGACY)}
    ordered = sorted(
        matches, key=lambda match: (round(match.chaos, 1), -round(match.coherence, 1), rank.get(match.encoding, 99))
    )
    return [match.encoding for match in ordered]


def _not_encodable(text: str, offset: int, encoding: str) -> NotEncodable:
    position = TextIndex(text).position(offset)
    character = text[offset]
    name = unicodedata.name(character, f"U+{ord(character):04X}")
    shown = character if character.isprintable() else f"U+{ord(character):04X}"
    return NotEncodable(
        f"Line {position.line + 1} holds “{shown}” ({name}), which {encoding} cannot write. "
        "Nothing was saved: change the character, or save as UTF-8.",
        line=position.line,
        column=position.column,
        character=character,
    )
