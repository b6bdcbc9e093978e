from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from redraft.api.editor import TextChange
from redraft.core.text import TextRange
from redraft.qt.editor.changes import join_changes, moved_range, net_change

TEXTS = st.text(alphabet="ab\n", max_size=12)


def applied(text: str, change: TextChange) -> str:
    end = change.start + len(change.removed)
    assert text[change.start : end] == change.removed
    return text[: change.start] + change.added + text[end:]


@st.composite
def edited(draw: st.DrawFn) -> tuple[str, str, list[TextChange]]:
    before = text = draw(TEXTS)
    changes = []
    for _ in range(draw(st.integers(0, 5))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, len(text)))
        changes.append(TextChange(start, text[start:end], draw(TEXTS)))
        text = applied(text, changes[-1])
    return before, text, changes


@given(edited())
def test_the_net_change_does_what_all_changes_did(case: tuple[str, str, list[TextChange]]) -> None:
    before, after, changes = case
    net = net_change(before, changes)
    assert (applied(before, net) if net else before) == after


@given(edited())
def test_joined_changes_do_what_the_single_ones_did(case: tuple[str, str, list[TextChange]]) -> None:
    text, after, changes = case
    single = [
        part
        for change in changes
        for part in (TextChange(change.start, change.removed, ""), TextChange(change.start, "", change.added))
    ]
    joined = join_changes(single)
    assert len(joined) <= len(single)
    for change in joined:
        text = applied(text, change)
    assert text == after


@given(edited(), st.data())
def test_a_moved_range_stays_in_the_text(case: tuple[str, str, list[TextChange]], data: st.DataObject) -> None:
    text, after, changes = case
    start = data.draw(st.integers(0, len(text)))
    span = TextRange(start, data.draw(st.integers(start, len(text))))
    for change in changes:
        span, _ = moved_range(span, change)
    assert span.end <= len(after)


def test_edges_and_insides() -> None:
    span = TextRange(2, 4)
    assert moved_range(span, TextChange(2, "", "x")) == (TextRange(3, 5), False)
    assert moved_range(span, TextChange(4, "", "x")) == (TextRange(2, 4), False)
    assert moved_range(span, TextChange(3, "", "x")) == (TextRange(2, 5), True)
    assert moved_range(span, TextChange(2, "ab", "xyz")) == (TextRange(2, 5), True)
    assert moved_range(span, TextChange(1, "ab", "x")) == (TextRange(2, 3), True)
    assert moved_range(span, TextChange(3, "bc", "x")) == (TextRange(2, 3), True)
    assert moved_range(TextRange(2, 2), TextChange(2, "", "xy")) == (TextRange(4, 4), False)
