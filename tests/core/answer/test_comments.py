from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.core.answer.comments import CommentFilter
from redraft.core.answer.tags import TagPair

TAG = TagPair("<WHY>", "</WHY>")


def split(*chunks: str, tag: TagPair = TAG) -> tuple[str, str]:
    comments = CommentFilter(tag)
    told = [comments.feed(chunk) for chunk in chunks] + [comments.close()]
    return "".join(rest for rest, _ in told), "".join(comment for _, comment in told)


@pytest.mark.parametrize(
    ("text", "rest", "comment"),
    [
        ("x = 1\n", "x = 1\n", ""),
        ("<WHY>shorter</WHY>\n<CODE>\nx\n</CODE>", "<CODE>\nx\n</CODE>", "shorter\n"),
        ("x = 1\n<WHY>a note</WHY>\ny = 2\n", "x = 1\ny = 2\n", "a note\n"),
        ("x = 1\r\n<why>a note</why>\r\ny\r\n", "x = 1\r\ny\r\n", "a note\n"),
        ("a <WHY>b</WHY>\nc", "a \nc", "b\n"),
        ("<WHY>one</WHY><WHY>two</WHY>", "", "one\ntwo\n"),
        ("x\n<WHY>never closed\nat all", "x\n", "never closed\nat all"),
        ("if a <W and b </WHY", "if a <W and b </WHY", ""),
    ],
)
def test_what_stands_between_the_marks_is_taken_out(text: str, rest: str, comment: str) -> None:
    assert split(text) == (rest, comment)


@given(st.lists(st.sampled_from(["<WHY>", "</WHY>", "<", "WH", "Y>", "a", "\n", "\r\n", " "])), st.data())
def test_how_the_answer_is_cut_makes_no_difference(parts: list[str], data: st.DataObject) -> None:
    text = "".join(parts)
    cut = data.draw(st.integers(0, len(text)))
    assert split(text[:cut], text[cut:]) == split(text) == split(*text)


def test_marks_may_be_any_text() -> None:
    assert split("[[why]]so[[/why]]x", tag=TagPair("[[why]]", "[[/why]]")) == ("x", "so\n")
