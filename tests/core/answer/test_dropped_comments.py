from __future__ import annotations

import pytest

from redraft.core.answer.dropped_comments import dropped_comments
from redraft.core.answer.pipeline import AnswerFrame, NoteKind, finish_answer

OLD = ["# Rates change at midnight.", "rate = 2", "# Sum them up.", "total = rate * 3"]


@pytest.mark.parametrize(
    ("new", "language_id", "dropped"),
    [
        (["rate = 2", "total = rate * 4"], "python", ["# Rates change at midnight.", "# Sum them up."]),
        (["    # Sum them up.", "total = 6", "# Rates change at midnight."], "python", []),
        (["# Rates change at noon.", "rate = 2", "# Sum them up.", "total = 6"], "python", []),
        (["# Sum them up.", "total = 6"], "python", ["# Rates change at midnight."]),
        (["rate = 2"], "c", []),
        (["rate = 2"], "plaintext", []),
        ([], "python", ["# Rates change at midnight.", "# Sum them up."]),
    ],
)
def test_b43_comments_that_vanish_are_named(new: list[str], language_id: str, dropped: list[str]) -> None:
    assert dropped_comments(new, OLD, language_id) == dropped


def test_b43_a_proposal_says_so() -> None:
    frame = AnswerFrame("", "\n".join(OLD) + "\n", "", language_id="python")
    finished = finish_answer("rate = 2\ntotal = rate * 4\n", frame)
    [note] = [note for note in finished.notes if note.kind is NoteKind.COMMENTS]
    assert note.text == "2 lines of comment would go: # Rates change at midnight."
    assert not note.blocks_accept
