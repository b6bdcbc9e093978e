from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.helpers import extract_all_char_ngrams

from redraft.core.review.metrics.chrf import MAX_N, delta_chrf, ngrams
from rows import row

Case = tuple[str, str, str, float, float, float, tuple[int, int, int], float | None]

CASES: list[Case] = [
    row(45, "let x = 42;", "let x = 100;", "let x = 99;", 48.264642, 0.500000, 0.423810, (17, 17, 23), 43.7132),
    row(46, "prefix old suffix", "prefix new suffix", "prefix old suffix", 0, 0, 0, (0, 0, 66), 0),
    row(47, "helloworld", "helloworld", "helloextraworld", 0, 0, 0, (0, 60, 0), 0),
    row(49, "unchanged text", "unchanged text", "unchanged text", 100, 1, 1, (0, 0, 0), 100),
    row(50, "hello world", "hello there", "hello world", 0, 0, 0, (0, 0, 58), 0),
    row(51, "hello world", "hello there", "hello there", 100, 1, 1, (58, 0, 0), 100),
    row(53, "abcdefghij", "abcXXXghij", "abcYYghij", 54.858360, 0.562241, 0.500000, (29, 23, 29), 51.1321),
    row(54, "a", "b", "c", 91.666667, 0.916667, 0.916667, (1, 1, 1), 91.6667),
    row(55, "", "abc", "", 50, 0.5, 0.5, (0, 0, 6), 50),
    row(
        57, "one two three four", "one THREE four", "one two FOUR", 53.713647, 0.571429, 0.433159, (48, 36, 64), 45.5187
    ),
    row(
        58,
        "fn main() {}",
        "fn main() { println!(); }",
        "fn main() { print!(); }",
        78.272203,
        0.807692,
        0.696581,
        (61, 15, 27),
        71.6289,
    ),
    row(
        59,
        "ORIGINAL start of text",
        "NEW start of text",
        "DIFFERENT start of text",
        51.680607,
        0.483066,
        0.717172,
        (46, 50, 18),
        65.3802,
    ),
    row(61, "a b c d", "a X c d", "a Y c d", 50, 0.5, 0.5, (14, 14, 14), 50),
    row(62, "foo", "foo bar", "foo baz", 69.444444, 0.694444, 0.694444, (15, 6, 6), 69.4444),
    row(
        63,
        'fn main() { println!("Hello"); }',
        'fn main() { println!("Hello, World!"); }',
        'fn main() { println!("Goodbye"); }',
        17.962693,
        0.173395,
        0.209788,
        (17, 81, 61),
        20.1337,
    ),
    row(65, "a b", "a  b", "a b", 100, 1, 1, (0, 0, 0), 100),
    row(66, "let x = 42;\n", "let x = 100;\n", "let x = 99;\n", 48.533932, 0.5, 0.434392, (21, 21, 27), None),
    ("", "cccccc", "bbbbbb", 0, 0, 0, (0, 21, 21), None),
]


@pytest.mark.parametrize(("original", "expected", "actual", "score", "precision", "recall", "counts", "older"), CASES)
def test_a_change_is_compared_with_the_change_that_was_wanted(  # noqa: PLR0917 - a table row
    original: str,
    expected: str,
    actual: str,
    score: float,
    precision: float,
    recall: float,
    counts: tuple[int, int, int],
    older: float | None,
) -> None:
    result = delta_chrf(original, expected, actual)
    assert result.score == pytest.approx(score, abs=1e-5)
    assert result.precision == pytest.approx(precision, abs=1e-6)
    assert result.recall == pytest.approx(recall, abs=1e-6)
    assert (result.true_positives, result.false_positives, result.false_negatives) == counts
    assert result.beta == 0.5
    if older is not None:
        assert delta_chrf(original, expected, actual, beta=2.0).score == pytest.approx(older, abs=1e-4)


@pytest.mark.parametrize(
    ("text", "collapsed"),
    [row(42, "abc   \n\n\n   123", "abc \n 123"), row(43, "a\t\tb", "a b"), ("a\r\n\r\nb", "a\nb")],
)
def test_runs_of_space_count_as_one(text: str, collapsed: str) -> None:
    assert delta_chrf("x", text, collapsed).score == 100


@given(st.text("abc \n", max_size=30), st.integers(1, MAX_N))
def test_ngrams_are_those_of_sacrebleu(text: str, n: int) -> None:
    theirs = extract_all_char_ngrams(text, max_order=MAX_N, include_whitespace=True)[n - 1]
    assert ngrams(text, n) == theirs


@given(st.text("ab\n", max_size=20), st.text("ab\n", max_size=20), st.text("ab\n", max_size=20))
def test_a_score_stays_between_0_and_100_and_the_right_answer_misses_nothing(
    original: str, expected: str, other: str
) -> None:
    assert 0 <= delta_chrf(original, expected, other).score <= 100.0001
    right = delta_chrf(original, expected, expected)
    assert (right.false_positives, right.false_negatives) == (0, 0)


def test_where_everything_is_new_the_score_is_chrf() -> None:
    """With an empty original the changed n-grams are all n-grams, so the score is plain chrF."""
    expected, actual = "def total(values):", "def total(items):"
    theirs = CHRF(char_order=MAX_N, word_order=0, beta=2, whitespace=True, eps_smoothing=True)
    # sacrebleu adds a tiny epsilon to every rate.
    assert delta_chrf("", expected, actual, beta=2).score == pytest.approx(
        theirs.sentence_score(actual, [expected]).score, abs=0.01
    )
