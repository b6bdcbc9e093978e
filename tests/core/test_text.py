from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.core.text import Position, TextEdit, TextIndex, TextRange, apply_edits, split_lines, without_end

texts = st.text(alphabet=st.sampled_from("ab\n\r\té🌍́\u2028\x0c"), max_size=40)


@given(texts)
def test_lines_join_to_the_text(text: str) -> None:
    assert "".join(split_lines(text)) == text


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", []),
        ("a", ["a"]),
        ("a\n", ["a\n"]),
        ("a\r\nb\rc\n\nd", ["a\r\n", "b\r", "c\n", "\n", "d"]),
        ("a\x0cb\u2028c\n", ["a\x0cb\u2028c\n"]),
    ],
)
def test_only_lf_crlf_and_cr_end_a_line(text: str, lines: list[str]) -> None:
    assert split_lines(text) == lines


@pytest.mark.parametrize(("line", "bare"), [("a\r\n", "a"), ("a\n", "a"), ("a\r", "a"), ("a", "a"), ("\n", "")])
def test_line_without_its_end(line: str, bare: str) -> None:
    assert without_end(line) == bare


@given(texts, st.data())
def test_every_conversion_comes_back(text: str, data: st.DataObject) -> None:
    index = TextIndex(text)
    offset = data.draw(st.integers(0, len(text)))
    assert index.from_utf8(index.to_utf8(offset)) == offset
    assert index.from_utf16(index.to_utf16(offset)) == offset
    assert index.to_utf8(offset) == len(text[:offset].encode())
    line = index.line_at(offset)
    position = index.position(offset)
    assert position.line == line
    if position.column <= len(index.line_range(line, with_end=False)):
        assert index.offset(position) == offset


def test_half_a_character_means_its_start() -> None:
    index = TextIndex("a🌍b")
    assert [index.from_utf8(byte) for byte in range(7)] == [0, 1, 1, 1, 1, 2, 3]
    assert [index.from_utf16(unit) for unit in range(5)] == [0, 1, 1, 2, 3]


def test_column_past_the_end_is_the_end() -> None:
    assert TextIndex("ab\r\ncd").offset(Position(0, 9)) == 2


def test_edits_apply_in_terms_of_the_text_as_given() -> None:
    edits = [TextEdit(TextRange(4, 5), "E"), TextEdit(TextRange(0, 2), ""), TextEdit(TextRange(2, 2), "+")]
    assert apply_edits("abcde", edits) == "+cdE"


@pytest.mark.parametrize("edit", [TextEdit(TextRange(1, 3), ""), TextEdit(TextRange(5, 6), "")])
def test_edits_that_overlap_or_leave_the_text_are_refused(edit: TextEdit) -> None:
    with pytest.raises(ValueError, match="overlaps another or leaves the text"):
        apply_edits("abcde", [TextEdit(TextRange(0, 2), "x"), edit])


@given(st.one_of(texts, st.text(alphabet=st.sampled_from("ab\né\u2028"), max_size=40)))
def test_each_line_starts_where_the_lines_before_it_end(text: str) -> None:
    lines = split_lines(text)
    ends = [sum(len(line) for line in lines[: place + 1]) for place in range(len(lines))]
    closed = not lines or lines[-1] != without_end(lines[-1])
    assert list(TextIndex(text).line_starts) == [0, *(ends if closed else ends[:-1])]
