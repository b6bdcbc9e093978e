from __future__ import annotations

import pytest

from redraft.core.answer.trimming import LeadingTrim, Trim, find_trim, says_something

BEFORE = ["class A:", "", "    def f(self):", "        x = 1", ""]
AFTER = ["", "    def g(self):", "        return 2"]
SELECTION = ["        return x"]


@pytest.mark.parametrize(
    ("answer", "trim"),
    [
        (["        return y"], Trim()),
        (["        x = 1", "        return y"], Trim(before=1)),
        (["        x = 1", "", "        return y"], Trim(before=2)),
        (["class A:", "    def f(self):", "        x = 1", "        return y"], Trim(before=3)),
        (["def f(self):", "    x = 1", "    return y"], Trim(before=2)),
        (["        return y", "", "    def g(self):"], Trim(after=2)),
        (["        return y", "    def g(self):", "        return 2"], Trim(after=2)),
        (["        x = 1", "        return y", "", "    def g(self):"], Trim(before=1, after=2)),
        (["        x = 2", "        return y"], Trim()),
        (["        x = 1"], Trim()),
        (["    x = 1", "            return y"], Trim(before=1)),
    ],
)
def test_repeats_are_found_whatever_blank_lines_or_depth(answer: list[str], trim: Trim) -> None:
    assert find_trim(answer, SELECTION, BEFORE, AFTER) == trim


def test_lines_moved_unlike_each_other_are_no_repeat() -> None:
    assert find_trim(["def f(self):", "        x = 1", "z"], SELECTION, BEFORE, AFTER) == Trim()


def test_the_longest_repeat_wins() -> None:
    before = ["go()", "stop()", "go()", "stop()"]
    assert find_trim(["go()", "stop()", "go()", "stop()", "new()"], ["old()"], before, []) == Trim(before=4)


def test_a_line_decides_as_soon_as_it_can() -> None:
    trim = LeadingTrim(["a = 1", "b = 2"], ["c = 3"])
    assert trim.take("a = 1")
    assert not trim.take("b = 2")
    assert trim.settled == 2


@pytest.mark.parametrize(
    ("line", "says"), [("}", False), ("else:", False), ("", False), ("return", False), ("x", True)]
)
def test_brackets_and_common_words_say_nothing(line: str, says: bool) -> None:  # noqa: FBT001 - a table
    assert says_something(line) == says
