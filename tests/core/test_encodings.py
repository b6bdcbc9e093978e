from __future__ import annotations

import codecs
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.core.encodings import LABELS, LEGACY, decode, decode_as, encode, encoding_label
from redraft.core.errors import BinaryFile, NotEncodable, WrongEncoding

RUSSIAN = "# Привет, мир. Это проверка кодировки файла.\n"
CODE = "def f(a, b):\n    return a + b\n" * 30


@pytest.mark.parametrize(
    ("data", "encoding", "has_bom", "text"),
    [
        (b"", "utf-8", False, ""),
        (b"plain\n", "utf-8", False, "plain\n"),
        ("é 你好 🌍\n".encode(), "utf-8", False, "é 你好 🌍\n"),
        (codecs.BOM_UTF8 + b"x\n", "utf-8", True, "x\n"),
        (codecs.BOM_UTF8, "utf-8", True, ""),
        (codecs.BOM_UTF8 * 2 + b"x", "utf-8", True, "\ufeffx"),
        (codecs.BOM_UTF16_LE + "é\n".encode("utf-16-le"), "utf-16-le", True, "é\n"),
        (codecs.BOM_UTF16_BE + "é\n".encode("utf-16-be"), "utf-16-be", True, "é\n"),
        (codecs.BOM_UTF32_LE + "é\n".encode("utf-32-le"), "utf-32-le", True, "é\n"),
        (codecs.BOM_UTF32_BE + "é\n".encode("utf-32-be"), "utf-32-be", True, "é\n"),
        ("x = 1\r\ny = 'é'\r\n".encode("utf-16-le"), "utf-16-le", False, "x = 1\r\ny = 'é'\r\n"),
        ("x = 1\r\ny = 'é'\r\n".encode("utf-16-be"), "utf-16-be", False, "x = 1\r\ny = 'é'\r\n"),
    ],
)
def test_unicode_is_recognised(data: bytes, encoding: str, text: str, *, has_bom: bool) -> None:
    found = decode(data)
    assert (found.text, found.encoding, found.has_bom) == (text, encoding, has_bom)
    assert encode(found.text, found.encoding, has_bom=found.has_bom) == data


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("x = 'é'\n", "cp1252"),
        ("naïve café – “quotes” at the start\n", "cp1252"),
        ("# Größe prüfen, außer für ältere Geräte: Maß über alles\n", "cp1252"),
        ("Příliš žluťoučký kůň úpěl ďábelské ódy. Zażółć gęślą jaźń.\n", "iso8859_2"),
        (RUSSIAN, "cp1251"),
        (RUSSIAN, "koi8_r"),
        ("# これはテストです。日本語のコメント\n", "cp932"),
        ("# これはテストです。日本語のコメント\n", "euc_jp"),
        ("# 这是一个测试文件。中文注释\n", "gb18030"),
        ("# 이것은 테스트 파일입니다. 주석\n", "cp949"),
    ],
)
@pytest.mark.parametrize("before", ["", CODE])
def test_legacy_encodings_are_guessed_also_among_much_plain_code(text: str, encoding: str, before: str) -> None:
    found = decode((before + text).encode(encoding))
    assert found.text == before + text
    assert found.encoding == codecs.lookup(encoding).name
    assert found.is_guess


@pytest.mark.parametrize(
    "data",
    [
        b"\x7fELF\x02\x01\x01\x00\x00\x00" + bytes(range(256)),
        b"PK\x03\x04\x14\x00\x08\x00",
        b"text with a \x00 in it\n",
        bytes(value for value in os.urandom(4000) if value),
    ],
)
def test_binary_is_refused(data: bytes) -> None:
    with pytest.raises(BinaryFile, match="does not hold text"):
        decode(data)


@given(st.binary(max_size=300))
def test_whatever_is_opened_can_be_written_back_byte_for_byte(data: bytes) -> None:
    try:
        found = decode(data)
    except BinaryFile:
        return
    assert encode(found.text, found.encoding, has_bom=found.has_bom) == data


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0")), st.booleans())
def test_utf8_comes_back_as_it_was(text: str, has_bom: bool) -> None:  # noqa: FBT001 - hypothesis fills it
    data = encode(text, "utf-8", has_bom=has_bom)
    found = decode(data)
    assert encode(found.text, found.encoding, has_bom=found.has_bom) == data


@pytest.mark.parametrize("encoding", LEGACY)
def test_plain_code_edited_in_a_legacy_file_leaves_the_other_bytes_alone(encoding: str) -> None:
    data = b"x = 1\n# " + {"cp874": b"\xa1\xa2"}.get(encoding, "—".encode(encoding, "ignore") or b"\xa4\xa4") + b"\n"
    found = decode_as(data, encoding)
    assert encode(found.text.replace("x = 1", "x = 22"), found.encoding) == data.replace(b"x = 1", b"x = 22")


def test_what_cannot_be_encoded_is_refused_with_line_and_character() -> None:
    with pytest.raises(
        NotEncodable, match="Line 2 holds “→” \\(RIGHTWARDS ARROW\\), which cp1252 cannot write"
    ) as caught:
        encode("é\nab→c\n", "cp1252")
    assert (caught.value.line, caught.value.column, caught.value.character) == (1, 2, "→")


def test_half_a_surrogate_pair_is_refused_by_number() -> None:
    with pytest.raises(NotEncodable, match="Line 1 holds “U\\+D83C”"):
        encode("\ud83c", "utf-8")


def test_every_encoding_that_is_offered_has_a_label_by_its_codecs_name() -> None:
    for name in LABELS:
        assert codecs.lookup(name).name == name
        assert decode_as(b"", name).encoding == name
    assert {codecs.lookup(name).name for name in LEGACY} <= LABELS.keys()
    assert encoding_label("utf-8", has_bom=True) == "UTF-8 with BOM"
    assert encoding_label("cp1252") == "Western (Windows 1252)"
    assert encoding_label("mac-roman") == "mac-roman"


@pytest.mark.parametrize(
    ("data", "asked", "encoding", "has_bom"),
    [
        (codecs.BOM_UTF8 + b"x", "utf-8-sig", "utf-8", True),
        (b"x", "UTF8", "utf-8", False),
        (codecs.BOM_UTF16_BE + b"\0x", "utf-16", "utf-16-be", True),
        (b"x\0", "utf-16", "utf-16-le", False),
        (b"\xe9", "Latin1", "iso8859-1", False),
    ],
)
def test_a_named_encoding_is_obeyed(data: bytes, asked: str, encoding: str, *, has_bom: bool) -> None:
    found = decode_as(data, asked)
    assert (found.encoding, found.has_bom) == (encoding, has_bom)
    assert not found.is_guess
    assert encode(found.text, found.encoding, has_bom=found.has_bom) == data


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "utf-16", "hex", "klingon"])
def test_a_named_encoding_that_does_not_fit_is_refused(encoding: str) -> None:
    with pytest.raises(WrongEncoding, match="Choose another"):
        decode_as(b"\xe9\n\xff", encoding)
