from __future__ import annotations

import pytest

from redraft.core.text import TextRange
from redraft_inline_edit.presets.preset import Preset
from redraft_inline_edit.problems import Problem, problems_in, repair_words, reported_for

BROKEN = "import math\n\n\ndef total(items):\n    return sum(items\n\n\ndef area(r):\n    return 3\n"


def lines_of(text: str, part: str) -> TextRange:
    return TextRange(text.index(part), text.index(part) + len(part))


def test_pythons_own_complaint_is_reported_on_its_line() -> None:
    lines = lines_of(BROKEN, "def total(items):\n    return sum(items\n")
    assert problems_in(BROKEN, "python", lines) == (Problem(5, "'(' was never closed"),)


def test_a_problem_outside_the_lines_is_not_theirs() -> None:
    assert problems_in(BROKEN, "python", lines_of(BROKEN, "import math\n")) == ()


@pytest.mark.parametrize(
    ("language_id", "text", "line"),
    [
        ("javascript", "let a = 1;\nlet b = = 2;\n", 2),
        ("c", "int f(void) {\n    return 1\n}\n", 2),
        ("json", '{\n  "a": 1\n  "b": 2\n}\n', 2),
        ("go", "package a\n\nfunc f( {\n}\n", 3),
    ],
)
def test_faults_of_other_languages_are_reported_too(language_id: str, text: str, line: int) -> None:
    assert [problem.line for problem in problems_in(text, language_id, TextRange(0, len(text)))][:1] == [line]


@pytest.mark.parametrize(("language_id", "text"), [("python", "x = 1\n"), ("plaintext", "= ) ("), ("json", "[]")])
def test_what_parses_or_is_not_known_has_no_problems(language_id: str, text: str) -> None:
    assert problems_in(text, language_id, TextRange(0, len(text))) == ()


def test_only_fix_takes_them_along() -> None:
    lines = TextRange(0, len(BROKEN))
    assert reported_for(Preset("fix"), BROKEN, "python", lines)[0] == "line 5: '(' was never closed"
    assert reported_for(Preset("doc"), BROKEN, "python", lines) == ()
    assert reported_for(None, BROKEN, "python", lines) == ()


def test_the_palette_says_where() -> None:
    one, other = Problem(33, "invalid syntax"), Problem(40, "invalid syntax")
    assert repair_words(()) == ""
    assert repair_words((one,)) == "Repair the problem reported on line 33"
    assert repair_words((one, other)) == "Repair the 2 problems reported, the first on line 33"
