from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.core.errors import AnswerError
from redraft.core.review.example import PromptInputs
from redraft.core.review.jumps import TAG, Snippet, parse_jumps, place_markers, snippets_of, tagged
from redraft.core.review.loose_patch import apply_hunks_loosely, read_hunks

FIVE = "`" * 5
MAIN = Snippet("shape.py", 10, "def area(w, h):\n    return w + h\n", is_cursor_file=True)
LONG = Snippet("repo/long.py", 0, "".join(f"line{number}\n" for number in range(10)) + "}\n")


def tags(*snippets: Snippet) -> list[list[str]]:
    """The tags of each snippet."""
    found: list[list[str]] = [[] for _ in snippets]
    for marker in place_markers(snippets):
        found[marker.snippet].append(marker.tag)
    return found


def block(start: str, text: str, end: str) -> str:
    return f"{FIVE}\n{start}\n{text}{end}\n{FIVE}\n"


def test_no_edits_is_an_empty_patch() -> None:
    assert parse_jumps(f"Done.\n{FIVE}\nNO_EDITS\n{FIVE}", [MAIN]).patch == ""


def test_rows_count_in_the_file() -> None:
    [[start, end]] = tags(MAIN)
    parsed = parse_jumps(block(start, "def area(w, h):\n    return w <|user_cursor|>* h\n", end), [MAIN])
    assert parsed.patch == (
        "--- a/shape.py\n+++ b/shape.py\n@@ -11,2 +11,2 @@\n def area(w, h):\n-    return w + h\n+    return w * h\n"
    )
    assert parsed.cursor is not None
    assert (parsed.cursor.row, parsed.cursor.column, parsed.cursor.path) == (11, 13, "shape.py")
    assert parsed.cursor.editable_region_offset == len("def area(w, h):\n    return w ")


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("no block", "no block with marker tags"),
        (f"{FIVE}\njust code\n{FIVE}", "no block with marker tags"),
        (block("<|marker_zzzz|>", "x\n", "<|marker_yyyy|>"), "unknown marker"),
    ],
)
def test_what_cannot_be_placed_is_an_error(answer: str, reason: str) -> None:
    with pytest.raises(AnswerError, match=reason):
        parse_jumps(answer, [MAIN])


def test_a_span_needs_both_tags_in_order() -> None:
    [[start, end]] = tags(MAIN)
    with pytest.raises(AnswerError, match="two marker tags"):
        parse_jumps(f"{FIVE}\n{start}\nx\n{FIVE}", [MAIN])
    with pytest.raises(AnswerError, match="after its last"):
        parse_jumps(block(end, "x\n", start), [MAIN])


def test_a_span_may_run_over_excerpts_that_touch() -> None:
    first, second = Snippet("r/f", 5, "a\nb\nc\n"), Snippet("r/f", 8, "d\ne\nf\n")
    _, one, two = tags(MAIN, first, second)
    parsed = parse_jumps(block(one[0], "a\nb\nX\nd\ne\nf\n", two[-1]), [MAIN, first, second])
    assert parsed.patch == "--- a/r/f\n+++ b/r/f\n@@ -6,6 +6,6 @@\n a\n b\n-c\n+X\n d\n e\n f\n"


def test_a_span_over_a_gap_is_an_error() -> None:
    first, second = Snippet("r/f", 5, "a\nb\nc\n"), Snippet("r/f", 9, "d\ne\nf\n")
    _, one, two = tags(MAIN, first, second)
    with pytest.raises(AnswerError, match="different context snippets"):
        parse_jumps(block(one[0], "x\n", two[-1]), [MAIN, first, second])


@pytest.mark.parametrize("text", ["line0\nline1\nline2\n", "line0\nLINE1\nline2\n"])
def test_a_span_whose_end_is_left_out_looks_truncated(text: str) -> None:
    _, found = tags(MAIN, LONG)
    with pytest.raises(AnswerError, match="looks truncated"):
        parse_jumps(block(found[0], text, found[-1]), [MAIN, LONG])


@pytest.mark.parametrize(
    "text", ["".join(f"line{number}\n" for number in range(10)), "", "line0\n" + LONG.text[LONG.text.index("line6") :]]
)
def test_a_deletion_that_is_meant_is_accepted(text: str) -> None:
    _, found = tags(MAIN, LONG)
    patch = parse_jumps(block(found[0], text, found[-1]), [MAIN, LONG]).patch
    assert apply_hunks_loosely(LONG.text, read_hunks(patch)) == text


def test_two_edits_of_a_file_share_its_header_and_shift_its_rows() -> None:
    far = Snippet("r/f", 100, "x\ny\nz\n")
    near = Snippet("r/f", 0, "a\nb\nc\n")
    _, one, two = tags(MAIN, near, far)
    answer = block(one[0], "a\nNEW\nb\nc\n", one[-1]) + block(two[0], "x\nz\n", two[-1])
    patch = parse_jumps(answer, [MAIN, near, far]).patch
    assert patch.count("--- a/r/f") == 1
    assert "@@ -1,3 +1,4 @@" in patch
    assert "@@ -101,3 +102,2 @@" in patch


def test_text_between_excerpts_that_touch_is_only_added() -> None:
    first, second = Snippet("r/f", 0, "a\n"), Snippet("r/f", 1, "b\n")
    _, one, two = tags(MAIN, first, second)
    patch = parse_jumps(block(one[-1], "between\n", two[0]), [MAIN, first, second]).patch
    changed = [line for line in patch.splitlines()[3:] if line[0] in "+-"]
    assert changed == ["+between"]


def test_of_edits_that_overlap_the_first_counts() -> None:
    [[start, end]] = tags(MAIN)
    answer = block(start, "first\nline\n", end) + block(start, "second\nline\n", end)
    assert "+first" in parse_jumps(answer, [MAIN]).patch
    assert "+second" not in parse_jumps(answer, [MAIN]).patch


def test_a_control_word_never_becomes_code() -> None:
    [[start, end]] = tags(MAIN)
    with pytest.raises(AnswerError, match="control words"):
        parse_jumps(block(start, "def area(w, h):\n    return NO_EDITS + 1\n", end), [MAIN])


def test_long_code_has_tags_inside_and_each_is_unlike_the_others() -> None:
    same = Snippet("r/same", 0, "x = 1\n" * 100)
    markers = place_markers([same, Snippet("r/other", 0, "x = 1\n" * 100)])
    names = [marker.name for marker in markers]
    assert len(names) == len(set(names)) >= 10
    text = tagged(same, 0, markers, cursor=3)
    assert TAG.sub("", text).replace("\n", "") == same.text.replace("\n", "").replace(
        "x = 1", "x =<|user_cursor|> 1", 1
    )
    assert text.startswith(markers[0].tag)
    assert text.rstrip().endswith("|>")


def test_rows_of_the_cursors_file_are_shown_once() -> None:
    inputs = PromptInputs(cursor_path="a.py", cursor_excerpt="x\ny\n", cursor_offset_in_excerpt=0, excerpt_start_row=4)
    related = [Snippet("repo/a.py", 5, "y\nz\n"), Snippet("repo/a.py", 6, "z\n"), Snippet("b.py", 0, "q\n")]
    assert [(one.path, one.start_row) for one in snippets_of(inputs, related)] == [
        ("a.py", 4),
        ("repo/a.py", 6),
        ("b.py", 0),
    ]


def test_a_cursor_outside_its_excerpt_is_an_error() -> None:
    inputs = PromptInputs(cursor_path="a.py", cursor_excerpt="x", cursor_offset_in_excerpt=9)
    with pytest.raises(AnswerError, match="not inside any excerpt"):
        snippets_of(inputs, [])


@given(st.text("ab \n", max_size=80), st.text("ab \n", max_size=40))
def test_a_whole_rewrite_gives_the_new_text(old: str, new: str) -> None:
    snippet = Snippet("f", 0, old, is_cursor_file=True)
    [found] = tags(snippet)
    new = new if new.endswith("\n") or not new else f"{new}\n"
    with suppress(AnswerError):  # what looks truncated
        patch = parse_jumps(block(found[0], new, found[-1]), [snippet]).patch
        assert not patch or apply_hunks_loosely(old, read_hunks(patch)).rstrip("\n") == new.rstrip("\n")
