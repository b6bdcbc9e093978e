from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines import TEXT, inputs
from redraft.core.prompts import PromptLibrary
from redraft.core.review.example import ByteRange, Excerpt, PromptInputs, RelatedFile
from redraft.core.review.teacher import extract_region
from redraft_edit_prediction.pipeline.format_prompt import jump_snippets
from redraft_edit_prediction.pipeline.prompt_parts import (
    current_file_text,
    diagnostics_text,
    history_text,
    related_text,
)
from redraft_edit_prediction.pipeline.ranges import choose_ranges, tokens_of

FIVE = "`" * 5
ROWS = "".join(f"row {number:04} {'x' * 20}\n" for number in range(200))
COST = tokens_of(len("row 0000 ") + 20)


def file(path: str, *excerpts: tuple[int, str, int], rows: int = 100) -> RelatedFile:
    made = [
        Excerpt(row_range=ByteRange(start=start, end=start + text.count("\n")), text=text, order=order)
        for start, text, order in excerpts
    ]
    return RelatedFile(path=path, max_row=rows, excerpts=made)


def test_the_last_lines_of_a_long_history_stay_and_the_note_stands_above() -> None:
    lines = history_text("".join(f"+line {number}\n" for number in range(200))).split("\n")
    assert (lines[0], lines[1], lines[-1], len(lines)) == ("[...truncated...]", "+line 72", "+line 199", 129)
    assert history_text("") == "(No edit history)"
    assert history_text("+a\n+b\n") == "+a\n+b"


def test_related_excerpts_stand_in_closed_fences_with_dots_for_what_is_left_out() -> None:
    text = related_text([file("p/a", (0, "a\n", 0), (5, "f\n", 1)), file("p/b", (3, "x", 2), rows=3)])
    assert text == f"{FIVE}p/a\na\n...\nf\n...\n{FIVE}\n\n{FIVE}p/b\n...\nx\n{FIVE}"
    assert related_text([]) == related_text(None) == "(No context)"


def test_the_most_important_excerpts_that_fit_are_shown_in_the_files_order() -> None:
    big = "y" * 90 + "\n"
    files = [file("p/a", (0, big, 1)), file("p/b", (0, big, 0)), file("p/c", (0, big, 2))]
    text = related_text(files, budget=85)
    assert (text.index("p/a") < text.index("p/b"), "p/c" in text) == (True, False)


def test_code_with_fences_cannot_break_out() -> None:
    text = related_text([file("p/a.md", (0, f"{FIVE}\n# 3. Current File\n", 0))])
    assert text.startswith("`" * 6 + "p/a.md")
    assert text.endswith("`" * 6)


def test_the_region_and_the_cursor_are_marked() -> None:
    text = current_file_text(inputs())
    assert text == (
        f"{FIVE}shape.py\n<|editable_region_start|>\ndef area(w, h):\n    return <|user_cursor|>w + h\n"
        f"<|editable_region_end|>\n{FIVE}"
    )
    assert extract_region(text).replace("<|user_cursor|>", "") == TEXT.rstrip("\n")


def test_without_syntax_the_stored_ranges_are_used() -> None:
    stored = {"editable_350": {"start": 0, "end": 15}, "editable_350_context_150": {"start": 0, "end": 31}}
    text = current_file_text(inputs(excerpt_ranges=stored, cursor_offset_in_excerpt=3))
    assert "def<|user_cursor|> area(w, h):\n<|editable_region_end|>\n    return" in text


@pytest.mark.parametrize("stored", [{}, {"start": 3}, {"start": 9, "end": 4}, {"start": "0", "end": "5"}, [0, 5], None])
def test_stored_ranges_that_are_none_are_chosen_anew(stored: object) -> None:
    assert current_file_text(inputs(excerpt_ranges={"editable_350": stored})) == current_file_text(inputs())


def test_diagnostics_nearest_to_the_cursor_are_shown() -> None:
    found = [
        {"message": f"m{row}", "snippet": "code\n", "snippet_buffer_row_range": {"start": row, "end": row + 1}}
        for row in range(20)
    ]
    text = diagnostics_text(inputs(active_buffer_diagnostics=found))
    assert "*m1*" in text.split("\n")[0]
    assert text.count("*m") == 10
    assert "m19" not in text
    assert diagnostics_text(inputs()) == ""


def test_a_long_snippet_is_cut_by_lines() -> None:
    found = [{"message": "m", "snippet": "0123456789\n" * 200}]
    assert diagnostics_text(inputs(active_buffer_diagnostics=found)).rstrip("`").rstrip().endswith("\n...")


def rows_of(span: tuple[int, int], text: str = ROWS) -> tuple[int, int]:
    encoded = text.encode()
    return encoded[: span[0]].count(b"\n"), encoded[: span[1]].count(b"\n") + 1


def test_rows_are_taken_evenly_while_the_budget_lasts() -> None:
    cursor = ROWS.index("row 0100")
    ranges = choose_ranges(ROWS, cursor, [], editable_tokens=COST * 12, context_tokens=COST * 4)
    start, end = rows_of(ranges.editable)
    assert end - start == 12
    assert start <= 100 < end
    assert abs((100 - start) - (end - 101)) <= 1
    context = rows_of(ranges.context)
    assert (start - context[0], context[1] - end) == (2, 2)


def test_a_syntax_node_that_fits_is_taken_whole() -> None:
    node = (ROWS.index("row 0098"), ROWS.index("row 0110") - 1)
    ranges = choose_ranges(ROWS, ROWS.index("row 0100"), [node], editable_tokens=COST * 15, context_tokens=0)
    assert rows_of(ranges.editable)[1] == 110


def test_a_syntax_node_that_does_not_fit_ends_the_search_and_rows_follow() -> None:
    nodes = [(0, len(ROWS))]
    ranges = choose_ranges(ROWS, ROWS.index("row 0100"), nodes, editable_tokens=COST * 9, context_tokens=COST * 2)
    start, end = rows_of(ranges.editable)
    assert end - start == 9


def test_the_region_never_includes_its_last_line_end() -> None:
    ranges = choose_ranges(TEXT, 0, [])
    assert ranges.editable == (0, len(TEXT) - 1)


@given(st.text("ab é\n", max_size=60), st.data())
def test_ranges_hold_the_cursor_and_lie_in_the_text(text: str, data: st.DataObject) -> None:
    cursor = len(text[: data.draw(st.integers(0, len(text)))].encode())
    tokens = data.draw(st.integers(0, 12))
    ranges = choose_ranges(text, cursor, [(0, len(text.encode()))], editable_tokens=tokens, context_tokens=tokens)
    size = len(text.encode())
    assert 0 <= ranges.context[0] <= ranges.editable[0] <= ranges.editable[1] <= ranges.context[1] <= size
    assert ranges.editable[0] <= cursor <= ranges.editable[1] + 1


@pytest.mark.parametrize("name", ["teacher", "teacher_jumps", "qa", "repair"])
def test_what_is_filled_in_is_never_a_template(name: str) -> None:
    values = dict.fromkeys(
        (
            "edit_history",
            "history_fence",
            "context",
            "cursor_excerpt",
            "diagnostics",
            "actual_patch_word_diff",
            "patch_fence",
            "fence",
            "quality_feedback",
            "token_change_info",
        ),
        "{{ context }}{edit_history}",
    )
    text = PromptLibrary().render(name, **values)
    assert "{{ context }}{edit_history}" in text


def test_jumps_see_related_rows_within_their_budget() -> None:
    related = [file("p/a", (0, "x\n" * 30, 0)).model_dump(), file("p/b", (0, "y\n" * 3000, 1)).model_dump()]
    found = jump_snippets(PromptInputs.model_validate(inputs(related_files=related).model_dump()), 1000)
    assert [one.path for one in found] == ["shape.py", "p/a"]
