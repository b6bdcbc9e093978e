from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from redraft.core.review.teacher import REGION_END, REGION_START, USER_CURSOR, extract_region
from redraft.core.text import TextIndex
from redraft_edit_prediction.live.region import LARGE, SMALL, Budget, region_at

TEXT = "".join(f"line number {number}\n" for number in range(200))


def test_a_small_budget_reaches_down_and_a_few_rows_up_and_shows_some_more() -> None:
    region = region_at(TextIndex(TEXT), TEXT.index("number 100"), SMALL)
    assert region.first < region.start < 100 < region.end < region.last
    assert region.end - 100 > 100 - region.start
    assert region.lines_above_place == [f"line number {row}\n" for row in range(region.start, 100)]
    assert region.above[-1] == f"line number {region.start - 1}\n"
    assert region.below[0] == f"line number {region.end}\n"


def test_a_large_budget_reaches_above_too() -> None:
    region = region_at(TextIndex(TEXT), TEXT.index("number 100"), LARGE)
    assert region.start < 100 < region.end


def test_the_excerpt_has_tags_and_the_caret_and_says_the_region_again() -> None:
    caret = TEXT.index("number 100") + 3
    region = region_at(TextIndex(TEXT), caret, SMALL)
    excerpt = region.excerpt()
    assert f"{REGION_START}\nline number {region.start}\n" in excerpt
    assert f"\nline num{USER_CURSOR}ber 100\n" in excerpt
    assert extract_region(excerpt).replace(USER_CURSOR, "") + "\n" == "".join(region.lines)
    assert excerpt.index(REGION_END) < excerpt.index("line number " + str(region.end))


def test_the_empty_row_after_the_last_line_end_counts_only_for_a_caret_in_it() -> None:
    assert region_at(TextIndex("a\nb\n"), 0, LARGE).end == 2
    region = region_at(TextIndex("a\nb\n"), 4, LARGE)
    assert region.end == 3
    assert region.lines[-1] == "\n"
    assert region_at(TextIndex(""), 0, SMALL).lines == ["\n"]


@given(st.text("ab\r\n é", max_size=60), st.data())
def test_rows_stand_in_order_and_hold_the_caret(text: str, data: st.DataObject) -> None:
    index = TextIndex(text)
    caret = data.draw(st.integers(0, len(text)))
    region = region_at(index, caret, Budget(3, 3, 3, 3))
    assert 0 <= region.first <= region.start <= index.line_at(caret) < region.end <= region.last <= index.line_count
    assert len(region.lines) == region.end - region.start
    assert region.excerpt().count(USER_CURSOR) == 1
