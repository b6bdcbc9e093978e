from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.core.answer.partial import covered_part
from redraft.core.answer.pipeline import AnswerFrame, NoteKind, finish_answer

GUIDE = """Start from a clean branch:

```bash
git checkout main
git checkout -b warmer
git commit -am "Greet"
git merge warmer
```

If somebody has changed the greeting meanwhile,
the file holds both.

Keep one side whole, or edit the lines by hand.
Lost? Run `git checkout main`.
""".splitlines()

BLOCK = ["git switch main", "git switch -c warmer", 'git commit -am "Greet"', "git merge warmer"]


def test_an_answer_that_is_one_block_of_the_selection_is_found() -> None:
    assert covered_part(BLOCK, GUIDE) == range(3, 7)


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(GUIDE, id="all of it"),
        pytest.param(GUIDE[:7], id="its beginning"),
        pytest.param(GUIDE[9:], id="its end"),
        pytest.param([GUIDE[0], *GUIDE[9:]], id="both ends without the middle"),
        pytest.param(["Ask a colleague.", "Then merge.", "Or rebase."], id="something else"),
        pytest.param([], id="nothing"),
        pytest.param(GUIDE[1:13], id="nearly all of it"),
    ],
)
def test_an_answer_that_may_be_meant_as_it_is_is_not(answer: list[str]) -> None:
    assert covered_part(answer, GUIDE) is None


def test_a_short_selection_is_never_covered_in_part() -> None:
    assert covered_part(["b", "c"], ["a", "b", "c", "d", "e"]) is None


@given(
    st.lists(st.sampled_from(["", "a", "b = 1", "  c", "d()"]), max_size=30),
    st.lists(st.sampled_from(["", "a", "b = 1", "c", "e()"]), max_size=30),
)
def test_a_part_lies_inside_the_selection_with_lines_on_both_sides(answer: list[str], selection: list[str]) -> None:
    part = covered_part(answer, selection)
    if part is not None:
        assert any(line.strip() for line in selection[: part.start])
        assert any(line.strip() for line in selection[part.stop :])


def test_a_proposal_says_so() -> None:
    finished = finish_answer("\n".join(BLOCK) + "\n", AnswerFrame("", "\n".join(GUIDE) + "\n", ""))
    [note] = [note for note in finished.notes if note.kind is NoteKind.PARTIAL]
    assert note.text == "The answer holds only lines 4 to 7 of the selection; the others would go."
    assert not note.blocks_accept
