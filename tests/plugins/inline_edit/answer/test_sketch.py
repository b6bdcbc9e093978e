from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.core.answer.placeholders import find_placeholders
from redraft.core.diff.streaming import StreamingDiff
from redraft.core.languages import LANGUAGES
from redraft.core.text import split_lines
from redraft_inline_edit.answer.sketch import Gap, lost_lines, marker_for
from redraft_inline_edit.presets.preset import PROSE, Preset
from redraft_inline_edit.request import EditRequest, FileFacts, insertion_before, whole_file

TEXT = "".join(f"step({number})\n" for number in range(40))


def request_for(text: str = TEXT, language_id: str = "python") -> EditRequest:
    return EditRequest(text, whole_file(text), FileFacts("a", language_id), "change it")


@pytest.mark.parametrize("language_id", [entry.id for entry in LANGUAGES if entry.id not in PROSE])
def test_the_marker_of_every_language_is_known_again(language_id: str) -> None:
    marker = marker_for(request_for(language_id=language_id), TEXT, 40)
    assert find_placeholders([marker], []), marker


def test_the_marker_is_a_comment_of_the_language_and_unlike_any_text() -> None:
    assert marker_for(request_for(), TEXT, 40) == "# ... existing code ..."
    assert marker_for(request_for(language_id="css"), TEXT, 40) == "/* ... existing code ... */"
    text = f"{TEXT}# ... existing code ...\n"
    marker = marker_for(request_for(text), text, 40)
    assert marker == "# ... existing code 2 ..."
    assert find_placeholders([marker], split_lines(text))


def test_all_is_written_out_where_little_is_asked_for() -> None:
    request = request_for()
    assert not marker_for(request, TEXT, 41)
    assert not marker_for(request, TEXT, 0)
    assert not marker_for(replace(request, target=insertion_before(TEXT, 3)), TEXT, 1)
    assert not marker_for(replace(request, is_question=True), TEXT, 1)
    assert not marker_for(replace(request, preset=Preset("mine", template="{{ document }}")), TEXT, 1)
    assert not marker_for(request_for(language_id="markdown"), TEXT, 1)


def test_differences_are_held_at_the_first_marker() -> None:
    gap, diff = Gap(TEXT), StreamingDiff(split_lines(TEXT))
    drawn = ("step(0)\n", "other(1)\n", "step(2)\n", "# ... existing code ...\n", "step(38)\n", "step(39)\n")
    *_, shown = (gap.take(diff.push(line)) for line in drawn)
    assert gap.is_found
    assert shown.counts == (1, 1)
    assert shown.frontier == 3


def test_an_answer_that_begins_again_is_shown_again() -> None:
    gap = Gap(TEXT)
    gap.take(StreamingDiff(split_lines(TEXT)).push_all(["other(0)\n", "# ... existing code ...\n"]))
    assert gap.is_found
    again = StreamingDiff(split_lines(TEXT)).push("another(0)\n")
    assert gap.take(again) == again
    assert not gap.is_found


SKETCH = "step(0)\nother(1)\nstep(2)\n# ... existing code ...\nstep(30)\nmore(31)\nstep(32)\n# ... existing code ...\n"
MERGED = TEXT.replace("step(1)", "other(1)").replace("step(31)", "more(31)")


def test_a_faithful_merge_loses_nothing() -> None:
    assert lost_lines(TEXT, SKETCH, MERGED) == []


def test_lines_behind_a_marker_that_are_gone_are_lost() -> None:
    gone = MERGED.replace("step(11)\nstep(12)\n", "").replace("step(39)\n", "")
    assert lost_lines(TEXT, SKETCH, gone) == ["step(11)", "step(12)", "step(39)"]


def test_what_the_sketch_itself_takes_away_is_not_lost() -> None:
    sketch = "step(0)\nstep(4)\n# ... existing code ...\n"
    merged = TEXT.replace("step(1)\nstep(2)\nstep(3)\n", "")
    assert lost_lines(TEXT, sketch, merged) == []


def test_lines_that_gave_way_right_before_a_marker_are_not_lost() -> None:
    sketch = "step(0)\nboth(1, 2)\n# ... existing code ...\nstep(30)\n# ... existing code ...\n"
    merged = TEXT.replace("step(1)\nstep(2)\n", "both(1, 2)\n")
    assert lost_lines(TEXT, sketch, merged) == []


def test_a_marker_whose_lines_are_all_gone_has_lost_them_whatever_is_written_beside_it() -> None:
    text = "def total(items):\n    return sum(items)\n"
    sketch = "def total(items):\n    check()\n    check_more()\n    # ... existing code ...\n"
    assert lost_lines(text, sketch, sketch.replace("    # ... existing code ...\n", "")) == ["return sum(items)"]


def test_a_line_that_was_moved_or_indented_is_not_lost() -> None:
    moved = MERGED.replace("step(20)\n", "") + "    step(20)\n"
    assert lost_lines(TEXT, SKETCH, moved) == []


@given(st.integers(2, 38), st.integers(0, 30))
def test_whatever_line_stays_behind_a_marker_is_missed(first: int, length: int) -> None:
    """A sketch that shows only its first and last line stands for all between them."""
    lines = split_lines(TEXT)
    gone = lines[first : first + length]
    merged = "".join(line for line in lines if line not in gone or line == lines[-1])
    lost = lost_lines(TEXT, f"step(0)\n# ... existing code ...\n{lines[-1]}", merged)
    assert lost == [line.strip() for line in gone if line != lines[-1]]
