from __future__ import annotations

import pytest

from redraft.core.grammars import GRAMMARS
from redraft_inline_edit.checks import new_syntax_error, syntax_error

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
