from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from redraft.core.answer.indentation import IndentStyle, is_mixed
from redraft.core.answer.pipeline import AnswerFrame, NoteKind, finish_answer
from redraft.core.answer.stream import AnswerStream
from redraft.core.text import split_lines

PYTHON = "def f():\n"
BODY = "    a = 1\n    if a:\n        b()\n"
TABS = IndentStyle(uses_tabs=True)


def kinds(code: str, frame: AnswerFrame) -> set[NoteKind]:
    return {note.kind for note in finish_answer(code, frame).notes}


def text(code: str, *, before: str = "", selection: str = "", after: str = "", style: IndentStyle | None = None) -> str:
    return finish_answer(code, AnswerFrame(before, selection, after, indentation=style or IndentStyle())).text


@pytest.mark.parametrize("depth", [0, 4, 8])
def test_b01_a_body_is_moved_once_as_a_whole(depth: int) -> None:
    margin = " " * depth
    code = f"{margin}a = 2\n{margin}if a:\n{margin}    b()\n"
    assert text(code, before=PYTHON, selection=BODY) == "    a = 2\n    if a:\n        b()\n"


def test_b02_a_blank_line_is_empty_and_decides_nothing() -> None:
    assert text("        \n    a\n        \n    b\n", before=PYTHON, selection="    x\n") == "\n    a\n\n    b\n"


def test_b02_a_blank_line_the_selection_has_stays() -> None:
    assert text("    y\n  \n    z\n", before=PYTHON, selection="    x\n  \n    z\n") == "    y\n  \n    z\n"


def test_b03_a_change_of_depth_alone_is_kept() -> None:
    frame = AnswerFrame("if x:\n    pass\n", "a\nb\n", "")
    assert finish_answer("    a\n    b\n", frame).text == "    a\n    b\n"
    assert finish_answer("if y:\n    a\n    b\n", frame).text == "if y:\n    a\n    b\n"


def test_b05_spaces_become_the_files_tabs_at_the_front_only() -> None:
    frame = AnswerFrame("func f() {\n", "\ta := 1\n", "}\n", indentation=TABS)
    finished = finish_answer('    a := 2\n    if a {\n        b("    x")    // y\n    }\n', frame)
    assert finished.text == '\ta := 2\n\tif a {\n\t\tb("    x")    // y\n\t}\n'
    assert NoteKind.CONVERTED in {note.kind for note in finished.notes}


def test_b05_levels_of_two_spaces_are_seen() -> None:
    assert (
        text("a {\n  b {\n    c\n  }\n}\n", selection="\told\n", before="x\n", style=TABS)
        == "\ta {\n\t\tb {\n\t\t\tc\n\t\t}\n\t}\n"
    )


def test_b05_tabs_become_spaces() -> None:
    assert text("\ta = 2\n\t\tb\n", before=PYTHON, selection=BODY) == "    a = 2\n        b\n"


def test_b05_lines_the_file_has_with_the_other_style_stay() -> None:
    selection = "\ta\n    odd\n\tb\n"
    assert text("\ta\n    odd\n\tc\n", selection=selection, style=TABS) == "\ta\n    odd\n\tc\n"
    assert NoteKind.MIXED_INDENTATION not in kinds(
        "\ta\n    odd\n\tc\n", AnswerFrame("", selection, "", indentation=TABS)
    )


def test_b05_mixed_indentation_is_told() -> None:
    assert NoteKind.MIXED_INDENTATION in kinds("\tx\n   y\n", AnswerFrame("", "\tx\n", "", indentation=TABS))


def test_b06_every_row_takes_the_carets_indentation() -> None:
    rows = "a = 1\nif a:\n    b()\n"
    assert text(rows, before="x\n        ", after="\ny\n") == "a = 1\n        if a:\n            b()"
    deep = "        a = 1\n        if a:\n            b()\n"
    assert text(deep, before="x\n        ", after="\ny\n") == "a = 1\n        if a:\n            b()"


def test_a_blank_line_in_place_gives_its_indentation() -> None:
    assert text("a\nb\n", before="x\n", selection="    \n", after="y\n") == "    a\n    b\n"


def test_an_insertion_at_a_lines_beginning_is_not_moved() -> None:
    assert text("    a\n    b", before=PYTHON, after="    return\n") == "    a\n    b\n"


def test_b07_part_of_a_line_stays_part_of_it() -> None:
    assert text("x + 2\n", before="y = (", selection="x + 1", after=") * 2\n") == "x + 2"


def test_b09_the_last_line_keeps_missing_its_end() -> None:
    assert text("B\n", before="a\n", selection="b") == "B"
    assert text("B", before="a\n", selection="b\n") == "B\n"
    assert text("B\n", before="a\n", selection="b", after="\nc\n") == "B"


def test_b12_only_the_changed_line_differs_in_a_crlf_file() -> None:
    frame = AnswerFrame("", "one\r\ntwo\r\nthree\r\n", "", line_end="\r\n")
    assert finish_answer("one\n2\nthree\n", frame).text == "one\r\n2\r\nthree\r\n"


def test_b13_lines_that_stay_keep_their_ends() -> None:
    selection = "a\nb\r\nc = '\rx'\r\nd\n"
    assert text("a\nB\nc = '\rx'\nnew\nd\n", selection=selection) == "a\nB\nc = '\rx'\r\nnew\r\nd\n"


@pytest.mark.parametrize("newlines", [0, 1, 2])
@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_b14_the_files_own_final_newline_stays(newlines: int, end: str) -> None:
    frame = AnswerFrame("x\n", f"a{end}", "", line_end=end or "\n")
    assert finish_answer("b" + "\n" * newlines, frame).text == f"b{end}"


def test_b14_blank_lines_at_the_selections_end_stay() -> None:
    assert text("b\n", selection="a\n\n\n", after="c\n") == "b\n\n\n"


def test_b21_new_typographic_quotes_are_told_and_kept() -> None:
    frame = AnswerFrame("", "r = '[(]'\n", "")
    finished = finish_answer("r = '[\u201c(]'\n", frame)
    assert finished.text == "r = '[\u201c(]'\n"
    assert [(note.kind, note.details) for note in finished.notes] == [(NoteKind.QUOTES, ("U+201C",))]
    assert kinds("x = '\u201c'\ny\n", AnswerFrame("", "x = '\u201c'\n", "")) == set()


@pytest.mark.parametrize(
    ("char", "name"), [("\u202e", "U+202E"), ("\u200b", "U+200B"), ("\U000e0041", "U+E0041"), ("\u2066", "U+2066")]
)
def test_b24_hidden_characters_block(char: str, name: str) -> None:
    (note,) = finish_answer(f"a = 'x{char}y'\n", AnswerFrame("", "a = 1\n", "")).notes
    assert (note.kind, note.details, note.blocks_accept) == (NoteKind.HIDDEN, (name,), True)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("\u202e", "a text-direction mark (U+202E)"),
        ("\u200b\u2066", "a character without width and a text-direction mark (U+200B, U+2066)"),
        ("\U000e0041", "a tag character (U+E0041)"),
    ],
)
def test_b24_what_is_hidden_is_said_in_words(code: str, words: str) -> None:
    (note,) = finish_answer(f"a = 'x{code}y'\n", AnswerFrame("", "a = 1\n", "")).notes
    assert note.text == f"The answer hides {words}."


@pytest.mark.parametrize("code", ["👩‍👩‍👧", "می‌خواهم", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "क्‍ष"])
def test_b24_joiners_that_do_their_work_are_fine(code: str) -> None:
    assert kinds(f"a = '{code}'\n", AnswerFrame("", "a = 1\n", "")) == set()


@pytest.mark.parametrize("code", ["", "  \n", "\n\n"])
def test_b32_an_empty_answer_is_told(code: str) -> None:
    (note,) = finish_answer(code, AnswerFrame("", "a\n", "")).notes
    assert (note.kind, note.blocks_accept) == (NoteKind.EMPTY, True)


@pytest.mark.parametrize(
    "line",
    [
        "# ... existing code ...",
        "// rest of the function remains unchanged",
        "/* ... rest unchanged ... */",
        "<!-- rest of the file unchanged -->",
        "    # ... (rest of the code)",
        "-- existing code here",
        "// ...",
        "{/* ... existing markup ... */}",
        "... rest of the code ...",
    ],
)
def test_b36_new_placeholders_block(line: str) -> None:
    (note,) = finish_answer(f"a\n{line}\n", AnswerFrame("", "a\nb\nc\n", "")).notes
    assert (note.kind, note.details, note.blocks_accept) == (NoteKind.PLACEHOLDER, (line.strip(),), True)
    assert kinds(f"z\n{line}\n", AnswerFrame("", f"a\n{line}\n", "")) == set()


@pytest.mark.parametrize(
    "line", ["# keep the existing order", "// the rest is handled below", "x = ...", "# see other modules", "..."]
)
def test_b36_ordinary_comments_are_none(line: str) -> None:
    assert kinds(f"a\n{line}\n", AnswerFrame("", "a\nb\n", "")) == set()


AROUND = AnswerFrame("import os\n\ndef f():\n", "    return 1\n", "\n\ndef g():\n    return 2\n")


@pytest.mark.parametrize(
    "code",
    [
        "def f():\n    return 3\n\n\ndef g():\n",
        "def f():\n    return 3\n",
        "import os\n\ndef f():\n    return 3\n",
        "    return 3\n\n\ndef g():\n    return 2\n",
        "    def f():\n        return 3\n",
        "import os\n\ndef f():\n    return 3\n\n\ndef g():\n    return 2\n",
    ],
)
def test_b37_what_repeats_the_text_around_is_left_out(code: str) -> None:
    finished = finish_answer(code, AROUND)
    assert finished.text == "    return 3\n"
    assert NoteKind.TRIMMED in {note.kind for note in finished.notes}


def test_b37_a_bracket_or_a_selected_line_is_no_repeat() -> None:
    assert text("}\nx\n}\n", before="a\n}\n", selection="y\n", after="}\n") == "}\nx\n}\n"
    assert text("a\nb\n", before="a\n", selection="a\n") == "a\nb\n"
    assert text("def f():\n", before="def f():\n", selection="    x\n").strip() == "def f():"


def test_b38_the_selections_part_is_cut_out_of_a_whole_file() -> None:
    before = "".join(f"line {index}\n" for index in range(50))
    after = "".join(f"more {index}\n" for index in range(50))
    whole = before.replace("line 3\n", "LINE 3\n") + "new 1\nnew 2\n" + after.replace("more 40\n", "")
    finished = finish_answer(whole, AnswerFrame(before, "old\n", after))
    assert finished.text == "new 1\nnew 2\n"
    assert {note.kind for note in finished.notes} & {NoteKind.CUT_OUT, NoteKind.TRIMMED}


def test_a_selection_of_another_style_is_followed() -> None:
    assert text("a\n    b\n", selection="\tx\n\t\ty\n", style=IndentStyle()) == "\ta\n\t\tb\n"


def test_an_answer_that_changes_nothing_is_told() -> None:
    assert kinds("a\nb", AnswerFrame("", "a\nb\n", "")) == {NoteKind.UNCHANGED}


def streamed(code: str, frame: AnswerFrame, size: int) -> list[str]:
    stream = AnswerStream(frame)
    lines = [line for at in range(0, len(code), size) for line in stream.feed(code[at : at + size])]
    return lines + stream.close()


words = st.sampled_from(["a", "b", "", "    a", "\tb", "  ", "}", "c\r"])


places = st.builds(
    lambda lines, end, uses_tabs: AnswerFrame("x\n", end.join(lines), "", end, IndentStyle(uses_tabs=uses_tabs)),
    st.lists(words.map(lambda line: line.strip("\r")), max_size=5),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
)


@given(st.lists(words, max_size=8), places, st.integers(1, 9))
def test_streamed_lines_are_those_of_the_finished_text(code_lines: list[str], frame: AnswerFrame, size: int) -> None:
    code = "\n".join(code_lines)
    finished = finish_answer(code, frame)
    if "".join(streamed(code, frame, size)) != finished.text:
        # Only a change of depth alone is seen at the end.
        assert finished.text.split() == frame.selection.split()


@given(st.lists(words, max_size=8), st.lists(words, max_size=5))
def test_fitting_twice_changes_nothing_more(code_lines: list[str], selected: list[str]) -> None:
    assume(not is_mixed(selected))
    frame = AnswerFrame("", "\n".join(line.strip("\r") for line in selected), "")
    once = finish_answer("\n".join(code_lines), frame).text
    assert finish_answer(once, frame).text == once


def test_repeated_lines_never_show_while_streaming() -> None:
    stream = AnswerStream(AROUND)
    assert stream.feed("def f():\n") == []
    assert stream.partial == ""
    assert stream.feed("return 3\n") == ["    return 3\n"]


def test_the_unfinished_line_is_moved_too() -> None:
    stream = AnswerStream(AnswerFrame(PYTHON, BODY, ""))
    stream.feed("a = 2\nif ")
    assert stream.partial == "    if "
    assert stream.code == "a = 2\nif "


def test_half_a_line_of_a_cut_off_answer_is_left_out() -> None:
    stream = AnswerStream(AnswerFrame(PYTHON, BODY, ""))
    lines = stream.feed("    a = 2\n    if ")
    assert lines + stream.close(is_complete=False) == ["    a = 2\n"]


def test_a_restart_forgets() -> None:
    stream = AnswerStream(AnswerFrame("", "a\n", ""))
    stream.feed("old\nol")
    stream.restart()
    assert stream.feed("new\n") + stream.close() == ["new\n"]
    assert stream.finish().text == "new\n"


def test_streamed_lines_match_the_old_ones_in_a_file_of_mixed_ends() -> None:
    selection = "a\nb\r\nc\n"
    assert streamed("a\nb\nc\n", AnswerFrame("", selection, ""), 2) == split_lines(selection)


@pytest.mark.parametrize(
    ("before", "code", "after", "text"),
    [
        ("  }\n\n", "  n() {\n  }\n\n", "  /** x */\n", "  n() {\n  }\n\n"),
        ("  }\n\n", "  n() {\n  }\n\n  /** x */\n", "  /** x */\n  g()\n", "  n() {\n  }\n\n"),
        ("  }\n\n", "  n() {\n  }\n", "  /** x */\n", "  n() {\n  }\n"),
        ("  }\n", "  n() {\n  }\n\n", "  /** x */\n", "  n() {\n  }\n"),
        ("  }\n\n", "  n() {\n  }\n\n\n", "\n  /** x */\n", "  n() {\n  }\n"),
        ("", "import a\n\n", "x = 1\n", "import a\n"),
        ("a\n\n", "n\n\n", "", "n\n"),
    ],
)
def test_new_lines_between_a_blank_line_and_code_keep_the_blank_line_they_end_with(
    before: str, code: str, after: str, text: str
) -> None:
    assert finish_answer(code, AnswerFrame(before, "", after)).text == text
    # A blank line with the right indentation may stand for the place.
    assert finish_answer(code, AnswerFrame(before, "\n", after)).text == text
