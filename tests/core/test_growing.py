from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.core.growing import larger_selection
from redraft.core.text import TextRange

PYTHON = 'def total(items):\n    """Sum ä."""\n    return sum(items[1:], start)\n'


def grown(text: str, language_id: str, caret: int) -> list[str]:
    """What is selected, step by step, until nothing is larger."""
    selection, steps = TextRange(caret, caret), []
    while (larger := larger_selection(text, language_id, selection)) != selection:
        selection = larger
        steps.append(selection.of(text))
    return steps


def test_python_grows_along_its_syntax() -> None:
    assert grown(PYTHON, "python", PYTHON.index("items[") + 2) == [
        "items",
        "items[1:]",
        "(items[1:], start)",
        "sum(items[1:], start)",
        "return sum(items[1:], start)",
        PYTHON[PYTHON.index('"""') : -1],
        PYTHON[PYTHON.index("    ") :],
        PYTHON,
    ]


def test_a_language_without_grammar_grows_along_brackets_and_lines() -> None:
    text = "intro\n\nfoo(bar[1, two], x)\nnext\n"
    steps = grown(text, "plaintext", text.index("two"))
    assert steps == [
        "two",
        "1, two",
        "[1, two]",
        "bar[1, two], x",
        "(bar[1, two], x)",
        "foo(bar[1, two], x)",
        "foo(bar[1, two], x)\n",
        "foo(bar[1, two], x)\nnext\n",
        text,
    ]


@pytest.mark.parametrize("language_id", ["python", "plaintext"])
@given(text=st.text("ab ([{)]}\n'\"ä", max_size=40), data=st.data())
def test_a_selection_only_grows_and_ends_with_everything(language_id: str, text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    selection = TextRange(start, data.draw(st.integers(start, len(text))))
    while (larger := larger_selection(text, language_id, selection)) != selection:
        assert larger.start <= selection.start
        assert larger.end >= selection.end
        assert len(larger) > len(selection)
        selection = larger
    assert selection == TextRange(0, len(text))
