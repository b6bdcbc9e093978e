from __future__ import annotations

import pytest

from redraft.core.diff.hunks import Hunk
from redraft.core.diff.spoken import SpokenHunk, describe_counts, describe_hunk, diff_in_words


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (("a\n",), ("b\n", "c\n"), "Hunk 2 of 3, 1 line removed, 2 added"),
        (("a\n", "b\n"), (), "Hunk 2 of 3, 2 lines removed"),
        ((), ("a\n",), "Hunk 2 of 3, 1 line added"),
    ],
)
def test_a_hunk_is_said_in_one_sentence(old: tuple[str, ...], new: tuple[str, ...], said: str) -> None:
    assert describe_hunk(Hunk(0, old, new), 2, 3) == said


def test_counts_leave_out_what_is_none() -> None:
    assert describe_counts(3, 12, 4) == "3 hunks, plus 12, minus 4"
    assert describe_counts(1, 0, 3) == "1 hunk, minus 3"


def test_the_text_has_a_header_for_each_hunk_and_signs_before_its_lines() -> None:
    hunks = [
        SpokenHunk(1, 3, Hunk(2, ("a\r\n",), ("b\r\n", "c"))),
        SpokenHunk(2, 9, Hunk(8, ("x\n",), ()), needs_review=True),
    ]
    spoken = diff_in_words("tide.py", hunks)
    assert spoken.text == (
        "tide.py: 2 hunks, plus 2, minus 2\n"
        "\n"
        "Hunk 1 of 2, 1 line removed, 2 added, at line 3\n"
        "- a\n"
        "+ b\n"
        "+ c\n"
        "\n"
        "Hunk 2 of 2, 1 line removed, at line 9; the text it would replace has changed\n"
        "- x\n"
    )
    assert [spoken.text.splitlines()[line][:6] for line in spoken.headers] == ["Hunk 1", "Hunk 2"]
