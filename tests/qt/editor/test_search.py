from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.core.errors import UsageError
from redraft.core.text import TextRange, apply_edits
from redraft.qt.editor.search import FindQuery, Found, count_label, find_matches, replacements, visible_part

TEXTS = st.text(alphabet=st.sampled_from("aAb \n\ré"), max_size=40)


def matched(text: str, query: FindQuery) -> list[str]:
    return [match.of(text) for match in find_matches(text, query).matches]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (FindQuery("ab"), ["ab", "Ab", "ab"]),
        (FindQuery("ab", matches_case=True), ["ab", "ab"]),
        (FindQuery("ab", whole_word=True), ["ab", "Ab"]),
        (FindQuery("a."), []),
        (FindQuery("a.", is_expression=True), ["ab", "Ab", "ab"]),
        (FindQuery("ab$", is_expression=True), ["Ab"]),
        (FindQuery("b\\nx", is_expression=True), ["b\r\nx"]),
        (FindQuery(""), []),
    ],
)
def test_matches(query: FindQuery, expected: list[str]) -> None:
    assert matched("ab Ab\r\nxaby", query) == expected


@given(TEXTS, st.sampled_from(["a", "A", "b", " ", "é"]))
def test_plain_search_finds_what_counting_finds(text: str, word: str) -> None:
    assert matched(text, FindQuery(word, matches_case=True)) == [word] * text.count(word)


@given(TEXTS, st.sampled_from(["a", "b", "é"]), st.sampled_from(["", "x", "aa"]))
def test_replacing_all_is_what_replacing_does(text: str, word: str, new: str) -> None:
    edits = replacements(text, FindQuery(word, matches_case=True), new, "\n")
    assert apply_edits(text, edits) == text.replace(word, new)


def test_groups_and_line_ends_in_a_replacement() -> None:
    query = FindQuery(r"(\w+)=(\w+)", is_expression=True)
    edits = replacements("a=b\r\nc=d", query, r"$2\t${1}$$$&\n", "\r\n")
    assert apply_edits("a=b\r\nc=d", edits) == "b\ta$a=b\r\n\r\nd\tc$c=d\r\n"


def test_a_plain_replacement_is_taken_as_it_is() -> None:
    assert replacements("a", FindQuery("a"), r"$1\n", "\n")[0].text == r"$1\n"


def test_wrong_expressions_are_told_in_a_sentence() -> None:
    with pytest.raises(UsageError, match="not a regular expression"):
        find_matches("a", FindQuery("(", is_expression=True))
    with pytest.raises(UsageError, match="no group 3"):
        replacements("a", FindQuery("a", is_expression=True), "$3", "\n")


def test_one_match_can_be_replaced_alone() -> None:
    edits = replacements("a a a", FindQuery("a"), "b", "\n", TextRange(2, 3))
    assert apply_edits("a a a", edits) == "a b a"


def test_next_and_previous_go_round() -> None:
    found = find_matches("a.a.a", FindQuery("a"))
    assert [found.at_or_after(place) for place in range(6)] == [0, 1, 1, 2, 2, 0]
    assert [found.before(place) for place in range(6)] == [2, 0, 0, 1, 1, 2]
    assert found.index_of(TextRange(2, 3)) == 1
    assert found.index_of(TextRange(2, 4)) is None
    assert Found().at_or_after(0) is None
    assert Found().before(0) is None


def test_the_count_is_told_in_words() -> None:
    query = FindQuery("a")
    found = find_matches("a" * 3, query)
    assert count_label(found, 2, query) == "3 of 3"
    assert count_label(found, None, query) == "3"
    assert count_label(Found(found.matches, is_all=False), 0, query) == "1 of 3+"
    assert count_label(Found(), None, query) == "No results"
    assert count_label(Found(), None, FindQuery("")) == ""


def test_very_many_matches_are_cut() -> None:
    found = find_matches("a" * 30_000, FindQuery("a"))
    assert not found.is_all
    assert len(found.matches) <= 20_000


@given(TEXTS, st.integers(0, 40), st.integers(0, 40))
def test_the_visible_part_holds_all_matches_that_touch_it(text: str, start: int, length: int) -> None:
    found = find_matches(text, FindQuery("a"))
    part = visible_part(found, start, start + length)
    assert set(part) >= {match for match in found.matches if match.end >= start and match.start <= start + length}
