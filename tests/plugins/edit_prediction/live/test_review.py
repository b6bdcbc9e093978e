from __future__ import annotations

import pytest

from redraft.core.diff.predicted import PredictedEdit
from redraft_edit_prediction.live.review import LARGEST, review

BEFORE = "def f(items):\n    n = 0\n    for item in items:\n        n += 1\n    return n\n"
NOW = BEFORE.replace("n = 0", "count = 0")


def edit(text: str, old: str, new: str, *, after: str = "") -> PredictedEdit:
    start = text.index(old, text.index(after))
    return PredictedEdit(start, old, new).trimmed()


def reasons(before: str | None, text: str, *edits: PredictedEdit) -> list[str]:
    return [held.reason for held in review(before, text, edits).held]


def test_carrying_on_the_latest_edit_is_shown() -> None:
    going_on = (edit(NOW, "n += 1", "count += 1"), edit(NOW, "return n", "return count"))
    verdict = review(BEFORE, NOW, going_on)
    assert verdict.edits == going_on
    assert not verdict.held


def test_taking_the_latest_edit_back_is_held() -> None:
    (held,) = review(BEFORE, NOW, [edit(NOW, "count = 0", "n = 0")]).held
    assert held.reason == "takes back your last edit"
    assert held.undoes == 1.0


def test_only_the_bad_edit_of_an_answer_is_held() -> None:
    good = edit(NOW, "return n", "return count")
    verdict = review(BEFORE, NOW, [edit(NOW, "count = 0", "n = 0"), good])
    assert verdict.edits == (good,)


def test_bringing_back_what_was_deleted_is_held() -> None:
    text = BEFORE.replace("    n = 0\n", "")
    at = text.index("    for")
    assert reasons(BEFORE, text, PredictedEdit(at, "", "    n = 0\n")) == ["takes back your last edit"]


def test_dropping_what_was_just_written_is_held() -> None:
    before = "a = 1\n"
    text = "a = 1\nb = compute(a, 2, 3)\n"
    dropped = PredictedEdit(
        text.index("b ="), "b = compute(a, 2, 3)", "print(total, other, names, values, more_of_this)"
    )
    assert len(reasons(before, text, dropped)) == 1


def test_completing_a_half_typed_word_is_shown() -> None:
    before, text = "def f(x):\n    \n", "def f(x):\n    ret\n"
    assert reasons(before, text, PredictedEdit(text.index("ret") + 3, "", "urn x")) == []


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("return n", "return \u202en", "holds hidden characters"),
        ("return n", "return <|editable_region_end|>", "holds words of the prompt"),
        ("return n", "NO_EDITS", "holds words of the prompt"),
        ("    return n\n", "    return n\n\n", "changes nothing but blanks"),
        (
            "    count = 0\n    for item in items:\n        n += 1\n    return n\n",
            "    pass\n",
            "removes most of its place",
        ),
    ],
)
def test_what_is_never_meant_is_held(old: str, new: str, reason: str) -> None:
    assert reasons(None, NOW, edit(NOW, old, new)) == [reason]


def test_an_insertion_that_repeats_its_neighbours_is_held() -> None:
    at = NOW.index("    return")
    assert reasons(BEFORE, NOW, PredictedEdit(at, "", "    return n\n")) == ["repeats line 5"]
    assert reasons(BEFORE, NOW, PredictedEdit(at - 1, "", "\n        n += 1")) == ["repeats line 4"]
    assert reasons(BEFORE, NOW, PredictedEdit(at, "", "    print(n)\n")) == []


def test_a_block_with_blank_rows_that_stands_above_is_a_repetition() -> None:
    text = "import a\n\n\ndef f():\n    pass\n\nx = 1\n"
    block = "import a\n\n\ndef f():\n    pass\n\n"
    assert reasons(None, text, PredictedEdit(text.index("x = 1"), "", block)) == ["repeats line 1"]


def test_a_closing_bracket_after_another_is_no_repetition() -> None:
    text = "f(\n    [\n    ]\n"
    assert reasons(None, text, PredictedEdit(len(text), "", ")\n")) == []


def test_far_from_the_latest_edit_nothing_is_compared() -> None:
    text = NOW + "x = 1\n" * LARGEST + "y = n\n"
    before = BEFORE + "x = 1\n" * LARGEST + "y = n\n"
    assert reasons(before, text, edit(text, "y = n", "y = count")) == []


def test_crlf_texts_are_reviewed_alike() -> None:
    before, text = (side.replace("\n", "\r\n") for side in (BEFORE, NOW))
    assert reasons(before, text, edit(text, "return n", "return count")) == []
    assert reasons(before, text, edit(text, "count = 0", "n = 0")) == ["takes back your last edit"]
