from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import DATA
from redraft.core.diff.preview import PreviewState, render_preview, resolve_preview
from redraft.core.errors import UsageError

CASES: list[dict[str, Any]] = json.loads((DATA / "preview_cases.json").read_text(encoding="utf-8"))["cases"]
ID = "tabby-abc123"


@dataclass(frozen=True)
class Right:
    """What is right where the protocol's own output is at fault."""

    lines: list[str]
    accepted: str
    discarded: str


DIFFERENT = {
    "insert mode, no trailing newline in the edit": Right(["one", "two", f">>>>>>> {ID} [++]"], "one\ntwo\n", ""),
    "empty edited text: everything deleted": Right(["k1", "k2", "k3", f">>>>>>> {ID} [---]"], "", "k1\nk2\nk3\n"),
    "original without trailing newline, edited with": Right(
        ["alpha", "beta", "beta", f">>>>>>> {ID} [=-+] no newline: old"], "alpha\nbeta\n", "alpha\nbeta"
    ),
    "CRLF original, LF edited": Right(
        ["one\r", "two\r", "three\r", f">>>>>>> {ID} [===]"], "one\r\ntwo\r\nthree\r\n", "one\r\ntwo\r\nthree\r\n"
    ),
    "editing: insert mode, two lines so far": Right(["i1", "i2", f">>>>>>> {ID} [||]"], "i1\ni2\n", ""),
    "editing: insert mode, nothing yet": Right(["", f">>>>>>> {ID} [=] no newline: both"], "", ""),
}


def test_all_cases_are_there() -> None:
    assert len(CASES) == 32
    assert set(DIFFERENT) <= {case["name"] for case in CASES}


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_equals_the_protocol_but_for_its_faults(case: dict[str, Any]) -> None:
    preview = render_preview(
        case["originalText"],
        case["editedText"],
        state=case["state"],
        comments=case["comments"],
        language_id=case["languageId"],
        edit_id=case["id"],
    )
    same = Right(case["previewLines"], case["acceptText"], case["discardText"])
    right = DIFFERENT.get(case["name"], same)
    assert preview.lines == right.lines
    assert preview.header == case["headerLine"]
    assert f"{preview.markers}" in preview.lines[-1]
    assert resolve_preview(preview.lines, "accept") == right.accepted
    assert resolve_preview(preview.lines, "discard") == right.discarded
    if case["name"] in DIFFERENT:
        assert right != same


texts = st.lists(st.sampled_from(["a", "b", "", "}", f">>>>>>> {ID} [=]", f"<<<<<<< {ID}", "é\u2028x"]), max_size=6)


@given(
    old=texts,
    new=texts,
    end=st.sampled_from(["\n", "\r\n"]),
    old_ends=st.booleans(),
    new_ends=st.booleans(),
    with_header=st.booleans(),
)
def test_resolves_to_the_exact_texts(
    *, old: list[str], new: list[str], end: str, old_ends: bool, new_ends: bool, with_header: bool
) -> None:
    original = end.join(old) + (end if old and old_ends else "")
    edited = end.join(new) + (end if new and new_ends else "")
    preview = render_preview(original, edited, state="completed", comments="why\n\nindeed", edit_id=ID)
    lines = [preview.header, *preview.lines] if with_header else preview.lines
    assert resolve_preview(lines, "discard") == original
    keeps_end = bool(edited) and not edited.endswith("\n") and (not original or original.endswith("\n"))
    own_end = "\r\n" if "\r\n" in (original or edited) else "\n"
    assert resolve_preview(lines, "accept") == edited + own_end * keeps_end


@given(texts, texts, st.sampled_from(["editing", "stopped"]))
def test_unfinished_edits_can_be_discarded_exactly(old: list[str], new: list[str], state: PreviewState) -> None:
    original = "\n".join([*old, "end"])
    preview = render_preview(original, "\n".join(new), state=state, edit_id=ID)
    assert resolve_preview(preview.lines, "discard") == original


def test_lines_never_reached_are_not_deleted() -> None:
    preview = render_preview("a\nb\nc\n", "a\nX\n", state="stopped", edit_id=ID)
    assert preview.markers == "[=+==]"


def test_of_several_copies_the_ones_the_protocol_marks_are_marked() -> None:
    def markers(original: str, edited: str) -> str:
        return render_preview(original, edited, state="completed", edit_id=ID).markers

    assert markers("b\n}\na\n}\n", "b\nb\nb\nb\n}\na\n") == "[=+++==-]"
    assert markers("x\n}\n}\n", "}\n") == "[-=-]"
    assert markers("}\nb\nb\nb\n}\n}\na\n", "b\nb\n}\n}\na\n") == "[-==-===]"
    assert markers("def f():\n    pass\n\n", "def g():\n    pass\n\ndef f():\n    pass\n\n") == "[+++===]"


def test_a_text_that_ended_still_ends_when_an_answer_left_its_last_line_end_out() -> None:
    preview = render_preview("a\r\nb\r\n", "a\r\nc", state="completed", edit_id=ID)
    assert resolve_preview(preview.lines, "accept") == "a\r\nc\r\n"
    preview = render_preview("a\nb", "a\nc", state="completed", edit_id=ID)
    assert preview.lines[-1] == f">>>>>>> {ID} [=-+] no newline: both"
    assert resolve_preview(preview.lines, "accept") == "a\nc"
    assert resolve_preview(preview.lines, "discard") == "a\nb"


def test_a_half_line_of_a_stopped_edit_takes_the_line_end_of_its_text() -> None:
    preview = render_preview("s1\r\ns2\r\n", "s1\r\nNE", state="stopped", edit_id=ID)
    assert preview.markers == "[=+=]"
    assert resolve_preview(preview.lines, "accept") == "s1\r\nNE\r\ns2\r\n"
    assert resolve_preview(preview.lines, "discard") == "s1\r\ns2\r\n"


def test_an_edit_of_nothing_into_nothing_is_nothing_again() -> None:
    preview = render_preview("", "", state="completed", edit_id=ID)
    assert preview.lines == ["", f">>>>>>> {ID} [=] no newline: both"]
    assert resolve_preview(preview.lines, "accept") == resolve_preview(preview.lines, "discard") == ""


def test_comments_keep_their_own_spacing_and_break_at_white_space() -> None:
    words = "a  b\n    c\r\n" + "w" * 170 + " " + "é" * 79 + " x"
    preview = render_preview("a\n", "b\n", state="completed", comments=words, language_id="ruby", edit_id=ID)
    assert preview.lines[:-3] == ["#a  b", "#    c", "#" + "w" * 90, "#" + "w" * 80, "#" + "é" * 79, "#x"]


def test_paragraphs_of_comments_do_no_harm() -> None:
    preview = render_preview("a\n", "b\n", state="completed", comments="One.\n\nTwo.", language_id="go", edit_id=ID)
    assert preview.lines[:2] == ["//One.", "//Two."]


@pytest.mark.parametrize("lines", [[], ["a"], ["a", f">>>>>>> {ID} [==]"], ["a", "b", f">>>>>>> {ID} [=]"]])
def test_a_damaged_block_is_refused(lines: list[str]) -> None:
    with pytest.raises(UsageError):
        resolve_preview(lines, "accept")
