from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.core.review.metrics.reversal import Reversal, find_edits, reversal
from redraft.core.text import TextEdit, TextRange, apply_edits
from rows import row


@pytest.mark.parametrize(
    ("before", "current", "predicted", "undone", "total"),
    [
        row(93, "a\ndeleted\nb", "a\nb", "a\ndeleted\nb", 8, 8),
        row(94, "hello beautiful world", "hello world", "hello beautiful world", 10, 10),
        row(95, "foo", "", "bar", 0, 3),
        row(97, "same", "same", "different", 0, 13),
        row(98, "keep\ndelete_me\nkeep2", "keep\nadded\nkeep2", "keep\ndelete_me\nkeep2", 14, 14),
        row(99, "the quick brown fox", "the slow brown fox", "the fast brown fox", 4, 8),
        row(101, "", "my_function()", "test_my_function()", 0, 5),
        row(102, "", "test_my_function", "a_test_for_my_special_function_plz", 0, 18),
        row(103, "", "a_b_c", "_a__b__c__", 0, 5),
        row(105, "", "abc", "cba", 3, 6),
        row(106, "", "abcd", "axbx", 4, 8),
        row(107, "", "vec.pu", "vec.push(item)", 0, 8),
        row(109, "", "name: St", "name: String", 0, 4),
        row(110, "", "hello", "world", 5, 10),
        row(111, "", "mistake", "", 7, 7),
        row(
            113,
            "from my_project import Foo\n",
            "ifrom my_project import Foo\n",
            "import\nfrom my_project import Foo\n",
            0,
            6,
        ),
        row(114, "from", "ifrom", "from", 1, 1),
        row(115, 'print("Hello, World!")', 'sys.("Hello, World!")', 'sys.stdout.write("Hello, World!\\n")', 0, 14),
        row(117, "", "🎉", "🎉🎊🎈", 0, 2),
        row(118, "héllo wörld", "héllo", "héllo wörld", 6, 6),
        row(119, "café", "café latté", "café", 6, 6),
        row(121, "", "日本", "中国", 2, 4),
    ],
)
def test_characters_that_undo_the_users_edit(
    before: str, current: str, predicted: str, undone: int, total: int
) -> None:
    assert reversal(before, current, predicted) == Reversal(undone, total)


def test_what_was_deleted_right_behind_a_replaced_word_is_not_brought_back_by_it() -> None:
    assert reversal("foo Bar-baz", "foo Bar-", "foo Zaz-") == reversal("foo Bar-", "foo Bar-", "foo Zaz-")


def test_no_prediction_undoes_nothing() -> None:
    assert reversal("a", "b", "b").ratio == 0


texts = st.text("ab \n", max_size=25)


@given(texts, texts)
def test_the_edits_lead_from_one_text_to_the_other(old: str, new: str) -> None:
    edits = [TextEdit(TextRange(edit.start, edit.end), edit.inserted) for edit in find_edits(old, new)]
    assert apply_edits(old, edits) == new


@given(texts, texts, texts)
def test_a_ratio_stays_between_0_and_1(before: str, current: str, predicted: str) -> None:
    assert 0 <= reversal(before, current, predicted).ratio <= 1


@pytest.mark.parametrize(
    ("deleted", "inserted", "restored"),
    [("abc", "abc", 3), ("abc", "def", 0), ("abcdef", "ace", 3), ("AGGTAB", "GXTXAYB", 4), ("日本語", "日語", 2)],
)
def test_what_was_deleted_comes_back_in_order(deleted: str, inserted: str, restored: int) -> None:
    """A deleted line that is answered by another one there: the characters they share, in order, undo the deletion."""
    found = reversal(f"a\n{deleted}\nb\n", "a\nb\n", f"a\n{inserted}\nb\n")
    assert found == Reversal(restored + 1, len(inserted) + 1)  # the line's end comes back, too


@pytest.mark.parametrize(("one", "other"), [("", ""), ("abc", "")])
def test_nothing_comes_back_from_nothing(one: str, other: str) -> None:
    assert reversal(one, "", other) == Reversal(0, len(other))
