from __future__ import annotations

from dataclasses import replace
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.core.errors import ContextTooLong
from redraft.core.llm.client import ModelInfo
from redraft.core.text import TextRange, split_lines
from redraft_inline_edit.context import (
    BYTES_PER_TOKEN,
    Limits,
    build_context,
    cut_around,
    cut_by_characters,
    estimate_tokens,
    fit_attachments,
    mentions,
)
from redraft_inline_edit.request import Attachment, EditRequest, FileFacts, Target

MODEL = ModelInfo("m", "p", "id", context_tokens=8192)


def request_for(before: str, selection: str, after: str) -> EditRequest:
    lines = TextRange(len(before), len(before) + len(selection))
    return EditRequest(before + selection + after, Target(lines), FileFacts("a.py", "python"), "do it")


def test_a_small_file_goes_along_whole() -> None:
    context = build_context(request_for("a\n", "b\n", "c\n"), MODEL, Limits())
    assert (context.prefix, context.suffix, context.is_file_cut) == ("a\n", "c\n", False)


def test_a_large_file_is_cut_at_line_ends_next_to_the_lines() -> None:
    before = "".join(f"before {number}\n" for number in range(5000))
    after = "".join(f"after {number}\n" for number in range(5000))
    context = build_context(request_for(before, "x\n", after), MODEL, Limits(surrounding_tokens=200))
    assert context.is_file_cut
    assert before.endswith(context.prefix)
    assert after.startswith(context.suffix)
    assert context.prefix.startswith("before ")
    assert context.suffix.endswith("\n")
    assert estimate_tokens(context.prefix + context.suffix) <= 200


def test_a_selection_larger_than_the_model_is_refused_with_what_to_do() -> None:
    with pytest.raises(ContextTooLong, match="Select less"):
        build_context(request_for("", "word " * 20_000, ""), MODEL, Limits())


def test_a_short_side_leaves_its_room_to_the_other() -> None:
    after = "line\n" * 1000
    prefix, suffix = cut_around("a\n", after, 100)
    assert prefix == "a\n"
    assert estimate_tokens(suffix) > 90


@pytest.mark.parametrize(
    ("before", "selection", "after", "kept"),
    [
        (5000, 1000, 5000, (1000, 1000)),
        (200, 1000, 5000, (200, 1800)),
        (5000, 1000, 200, (1800, 200)),
        (5000, 3000, 5000, (0, 0)),
        (1001, 999, 5000, (1001, 1000)),
        (1000, 1000, 1000, (1000, 1000)),
    ],
)
def test_the_limit_in_characters_is_shared_as_other_clients_do(
    before: int, selection: int, after: int, kept: tuple[int, int]
) -> None:
    prefix, suffix = cut_by_characters("b" * before, "s" * selection, "a" * after, 3000)
    assert (len(prefix), len(suffix)) == kept


def test_a_selection_over_the_limit_in_characters_is_refused() -> None:
    with pytest.raises(ContextTooLong, match="document_max_chars"):
        cut_by_characters("", "s" * 3001, "", 3000)


@given(st.text(alphabet="a🌍é\n", max_size=40), st.text(alphabet="a🌍é\n", max_size=40), st.integers(0, 60))
def test_a_cut_by_characters_never_splits_one(before: str, after: str, limit: int) -> None:
    prefix, suffix = cut_by_characters(before, "", after, limit)
    assert before.endswith(prefix)
    assert after.startswith(suffix)
    assert len((prefix + suffix).encode("utf-16-le")) // 2 <= limit


@given(st.text(alphabet="ab\n", max_size=200), st.text(alphabet="ab\n", max_size=200), st.integers(0, 50))
def test_a_cut_around_keeps_whole_lines_next_to_the_place(before: str, after: str, tokens: int) -> None:
    prefix, suffix = cut_around(before, after, tokens)
    assert before.endswith(prefix)
    assert after.startswith(suffix)
    assert split_lines(prefix) == split_lines(before)[len(split_lines(before)) - len(split_lines(prefix)) :]
    assert split_lines(suffix) == split_lines(after)[: len(split_lines(suffix))]


@given(st.lists(st.sampled_from(["é\r\n", "ab\n", "\n", "a long line\r"]), max_size=30), st.integers(0, 30))
def test_a_cut_keeps_every_line_that_fits(lines: list[str], tokens: int) -> None:
    text = "x" * 400 + "\n" + "".join(lines)
    prefix, _ = cut_around(text, "", tokens)
    nearest = reversed(split_lines(text))
    sizes = list(accumulate(len(line.encode()) for line in nearest))
    assert len(split_lines(prefix)) == sum(size <= tokens * BYTES_PER_TOKEN for size in sizes)
    _, suffix = cut_around("", "".join(lines) + "x" * 400, tokens)
    sizes = list(accumulate(len(line.encode()) for line in split_lines("".join(lines) + "x" * 400)))
    assert len(split_lines(suffix)) == sum(size <= tokens * BYTES_PER_TOKEN for size in sizes)


def test_the_file_stays_out_where_its_chip_was_removed() -> None:
    context = build_context(replace(request_for("a\n", "b\n", "c\n"), with_file=False), MODEL, Limits())
    assert (context.prefix, context.suffix) == ("", "")
    assert not context.is_file_cut


def test_attachments_share_the_room_and_those_cut_are_named() -> None:
    big = Attachment("big.py", "line of code\n" * 1000)
    small = Attachment("small.py", "x = 1\n")
    blank = Attachment("blank.py", "  \n")
    kept, cut = fit_attachments([big, small, blank], 200, Limits())
    assert [attachment.name for attachment in kept] == ["big.py", "small.py"]
    assert cut == ("big.py",)
    assert kept[0].text.endswith("\n")


def test_more_attachments_than_wanted_are_left_out() -> None:
    files = [Attachment(f"{number}.py", "x\n") for number in range(4)]
    kept, cut = fit_attachments(files, 1000, Limits(max_files=2))
    assert len(kept) == 2
    assert cut == ("2.py", "3.py")


def test_an_attachment_over_its_limit_in_characters_ends_at_a_line() -> None:
    kept, _ = fit_attachments([Attachment("a", "12345\n12345\n")], 1000, Limits(max_chars_per_file=8))
    assert kept[0].text == "12345\n"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("use @errors.py and @src/a.py.", ["errors.py", "src/a.py"]),
        ('see @"my notes.md"', ["my notes.md"]),
        ("mail me@home", []),
        ("@total", ["total"]),
    ],
)
def test_mentions_are_read_from_the_words(words: str, expected: list[str]) -> None:
    assert list(mentions(words)) == expected
