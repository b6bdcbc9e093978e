from __future__ import annotations

import pytest

from redraft.core.diff.hunks import DiffProgress
from redraft.core.grammars import GRAMMARS
from redraft.core.text import TextRange
from redraft_inline_edit.answer.checks import nearby, new_syntax_error, syntax_error
from redraft_inline_edit.answer.writing import AnswerWriter
from redraft_inline_edit.events import EditOutcome, EditState
from redraft_inline_edit.request import EditRequest, FileFacts, target_for
from redraft_inline_edit.turn import checked

GOOD = {
    "c": "int f(void) { return 1; }\n",
    "cpp": "class A { int x = 1; };\n",
    "go": "package a\n\nfunc f() int { return 1 }\n",
    "java": "class A { int f() { return 1; } }\n",
    "javascript": "const f = () => 1;\n",
    "javascriptreact": "const f = () => <b>{1}</b>;\n",
    "json": '{"a": 1}\n',
    "python": "def f():\n    return 1\n",
    "rust": "fn f() -> i32 { 1 }\n",
    "shellscript": "if true; then echo 1; fi\n",
    "typescript": "const a: number = 1;\n",
    "typescriptreact": "const a: number = 1;\n",
}


@pytest.mark.parametrize("language_id", sorted(GRAMMARS))
def test_good_code_parses_and_half_of_it_does_not(language_id: str) -> None:
    good = GOOD[language_id]
    assert syntax_error(good, language_id) == ""
    assert syntax_error(good.replace("1", "1 ((", 1), language_id) != ""


def test_a_fault_is_named_with_its_line() -> None:
    assert syntax_error("a = 1\nb = (\n", "python").startswith("line 2: '(' was never closed")
    assert syntax_error('{\n  "a": 1\n  "b": 2\n}\n', "json").startswith("line ")


def test_a_file_that_was_broken_before_is_not_held_against_the_answer() -> None:
    assert new_syntax_error("def (:\n", "def ((:\n", "python") == ""
    assert new_syntax_error("a = 1\n", "a = (\n", "python") != ""


def test_a_language_without_a_grammar_always_parses() -> None:
    assert syntax_error("((((", "markdown") == ""


def test_of_a_long_file_only_the_definition_around_the_lines_is_parsed() -> None:
    function = "def f(a):\n    b = a\n\n    return b\n"
    head, tail = "\n\n".join([function] * 10) + "\n\ndef g(a):\n    b = a\n", "    return b\n\n\n" + function
    near = nearby(head, tail, "python", room=100)
    assert near == ("def g(a):\n    b = a\n", "    return b\n\n\n")
    assert nearby(head, tail, "python") == (head, tail)
    assert nearby("{\n" * 99, "}\n" * 99, "json", room=10) == ("{\n" * 99, "}\n" * 99)


@pytest.mark.parametrize("count", [0, 3000])
def test_a_fault_in_a_file_of_any_length_is_named_with_its_line_in_the_file(count: int) -> None:
    many = "".join(f"def f_{number}(a):\n    return a + {number}\n\n\n" for number in range(count))
    text = f"{many}def total(items):\n    return sum(items)\n\n\n{many}"
    start = len(many) + len("def total(items):\n")
    target = target_for(text, TextRange(start, start + 5))
    request = EditRequest(text, target, FileFacts("a.py", "python"), "break it")
    writer = AnswerWriter(request)
    writer.feed("<GENERATEDCODE>\n    return sum(items]\n</GENERATEDCODE>")
    written = writer.close(is_complete=True)
    proposal = EditOutcome(EditState.COMPLETED, target.lines, request.original, written.proposed, written.progress)
    found = checked(proposal, request)
    assert found.syntax_error.startswith(f"line {count * 4 + 2}: ")
    assert found.is_checked


def test_nobody_says_that_prose_parses() -> None:
    text = "Some words.\n"
    request = EditRequest(text, target_for(text, TextRange(0, 4)), FileFacts("a.txt"), "more")
    outcome = EditOutcome(EditState.COMPLETED, request.target.lines, text, "Words.\n", DiffProgress((), 0))
    assert not checked(outcome, request).is_checked
