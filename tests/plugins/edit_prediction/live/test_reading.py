from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.core.diff.hunks import Hunk, apply_hunks
from redraft.core.errors import AnswerError
from redraft.core.review.teacher import REGION_END, REGION_START
from redraft.core.text import split_lines
from redraft_edit_prediction.live.reading import AnswerReader

OLD = ["    count = 0\n", "    for item in items:\n", "        n += 1\n", "    return n\n"]
NEW = "    count = 0\n    for item in items:\n        count += 1\n    return count\n"
ABOVE = ["import os\n", "\n", "def f(items):\n"]
BELOW = ["\n", "def g():\n", "    pass\n"]


def read(answer: str, *, is_led: bool = True, size: int = 5, cut_off: bool = False) -> list[Hunk]:
    reader = AnswerReader(OLD, ABOVE, BELOW, is_led=is_led)
    for start in range(0, len(answer), size):
        reader.feed(answer[start : start + size])
    if cut_off:
        reader.cut_off()
    return reader.close()


def new_text(hunks: list[Hunk]) -> str:
    return "".join(apply_hunks(OLD, hunks))


@pytest.mark.parametrize("size", [1, 3, 1000])
@pytest.mark.parametrize(
    "answer",
    [
        NEW,
        f"{NEW}{REGION_END}",
        f"{REGION_START}\n{NEW}{REGION_END}\nSo it is.",
        NEW.removesuffix("\n"),
        NEW.replace("count += 1", "count += 1<|user_cursor|>"),
        NEW + "\ndef g():\n    pass\n",
        "".join(ABOVE) + NEW,
        "def f(items):\n" + NEW,
    ],
)
def test_an_answer_that_was_led_is_the_region(answer: str, size: int) -> None:
    assert new_text(read(answer, size=size)) == NEW


@pytest.mark.parametrize(
    "answer",
    [
        f"They rename it.\n\n`````\n{REGION_START}\n{NEW}{REGION_END}\n`````\n",
        f"{REGION_START}\n{NEW}{REGION_END}",
        f"Here:\n```python\n{NEW}```\n",
    ],
)
def test_any_other_answer_is_read_from_its_tags_or_its_block(answer: str) -> None:
    assert new_text(read(answer, is_led=False)) == NEW


@pytest.mark.parametrize("answer", ["NO_EDITS", "Nothing to do.\n`````\nNO_EDITS\n`````"])
def test_no_edits_changes_nothing(answer: str) -> None:
    assert read(answer, is_led=False) == []


def test_prose_alone_is_no_answer() -> None:
    with pytest.raises(AnswerError):
        read("I would rename it.", is_led=False)


def test_the_first_hunk_is_known_before_the_answer_ends() -> None:
    reader = AnswerReader(OLD, ABOVE, BELOW, is_led=True)
    assert reader.feed("    total = 0\n") == []
    (hunk,) = reader.feed("    for item in items:\n")
    assert hunk == Hunk(0, ("    count = 0\n",), ("    total = 0\n",))


def test_rows_the_answer_never_came_to_stay() -> None:
    assert read("    count = 0\n    for item in items:\n") == []
    assert new_text(read("    count = 1\n    for item", cut_off=True)) == "    count = 1\n" + "".join(OLD[1:])


def test_an_answer_that_was_not_led_and_is_cut_off_is_none() -> None:
    with pytest.raises(AnswerError):
        read(f"{REGION_START}\n{NEW}", is_led=False, cut_off=True)


@given(st.lists(st.sampled_from([*OLD, *BELOW, "x\n", "}\n"]), max_size=8), st.integers(1, 20))
def test_whatever_the_answer_its_hunks_fit_the_region(lines: list[str], size: int) -> None:
    answer = "".join(lines)
    reader = AnswerReader(OLD, ABOVE, BELOW, is_led=True)
    early: list[Hunk] = []
    for start in range(0, len(answer), size):
        early = reader.feed(answer[start : start + size])
    for hunk in (*early, *reader.close()):
        assert tuple(OLD[hunk.old_start : hunk.old_end]) == hunk.old_lines
    assert split_lines(new_text(reader.close()))


@pytest.mark.parametrize("size", [1, 1000])
@pytest.mark.parametrize("is_led", [True, False])
def test_rows_that_end_as_windows_does_are_the_same_rows(size: int, *, is_led: bool) -> None:
    answer = f"{REGION_START}\n{NEW}{REGION_END}\n".replace("\n", "\r\n")
    assert new_text(read(answer, size=size, is_led=is_led)) == NEW
