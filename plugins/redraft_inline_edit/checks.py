"""Checks of an answer before it is shown as done: what would break, and what the model left out."""

from __future__ import annotations

import ast
import importlib
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any, Final

from tree_sitter import Language, Node, Parser

GRAMMARS: Final = {
    "c": ("tree_sitter_c", "language"),
    "cpp": ("tree_sitter_cpp", "language"),
    "go": ("tree_sitter_go", "language"),
    "java": ("tree_sitter_java", "language"),
    "javascript": ("tree_sitter_javascript", "language"),
    "javascriptreact": ("tree_sitter_javascript", "language"),
    "json": ("tree_sitter_json", "language"),
    "python": ("tree_sitter_python", "language"),
    "rust": ("tree_sitter_rust", "language"),
    "shellscript": ("tree_sitter_bash", "language"),
    "typescript": ("tree_sitter_typescript", "language_typescript"),
    "typescriptreact": ("tree_sitter_typescript", "language_tsx"),
}
PLACEHOLDER: Final = re.compile(
    r"(?ix) (?:\#|//|/\*|--|<!--|;|%)\s* (?:\.\.\.|…)"  # a comment that begins with dots: `# ... existing code ...`
    r"| (?:\#|//|/\*|--|<!--|;|%)\s* \W* (?:the\s+)? (?:rest|remaining|remainder|other|existing|previous)\b"
    r"  [^\n]* \b(?:code|unchanged|same|here|methods?|functions?|lines|implementation|file)\b"
)


HIDDEN: Final = {
    **dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x061C, 0x200E, 0x200F), "a text-direction mark"),
    **dict.fromkeys((0x200B, 0x2060, 0xFEFF, 0x00AD, 0x180E), "a zero-width character"),
    **dict.fromkeys(range(0xE0000, 0xE0080), "a tag character"),
}
"""Characters nobody sees, which can make code read differently from what it does."""


class Fault(StrEnum):
    """What a check found."""

    EMPTY = "empty"
    UNCHANGED = "unchanged"
    SYNTAX = "syntax"
    PLACEHOLDER = "placeholder"


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault, in a sentence for the user and the model."""

    fault: Fault
    message: str


def find_faults(before: str, original: str, proposed: str, after: str, language_id: str) -> list[Finding]:
    """What is wrong with a proposal for the text between `before` and `after`, the worst first.

    A file that had faults of syntax already is not held against the proposal.
    """
    if not proposed.strip() and original.strip():
        return [Finding(Fault.EMPTY, "The answer has no code.")]
    if proposed == original:
        return [Finding(Fault.UNCHANGED, "The answer is the selection as it was.")]
    found = []
    if placeholder := new_placeholder(original, proposed):
        found.append(Finding(Fault.PLACEHOLDER, f"“{placeholder}” stands where code was left out."))
    if broken := new_syntax_error(before + original + after, before + proposed + after, language_id):
        found.append(Finding(Fault.SYNTAX, broken))
    return found


def new_placeholder(original: str, proposed: str) -> str:
    """A comment such as `... rest unchanged` that the original did not have; empty where there is none."""
    for match in PLACEHOLDER.finditer(proposed):
        line = _line_around(proposed, match.start()).strip()
        if line not in original:
            return line
    return ""


def new_syntax_error(before: str, after: str, language_id: str) -> str:
    """The first fault of syntax in a file that had none before, as `line 34: ...`; empty where all is well."""
    error = syntax_error(after, language_id)
    return error if error and not syntax_error(before, language_id) else ""


def syntax_error(text: str, language_id: str) -> str:
    """The first fault of syntax, as `line 34: ...`; empty where there is none, or the language is not known."""
    if language_id == "python":
        return _python_error(text)
    if language_id not in GRAMMARS:
        return ""
    root = parse(text, language_id)
    node = next(_faults(root), None) if root.has_error else None
    if node is None:
        return ""
    what = f"{node.type} is missing" if node.is_missing else "this does not parse"
    return f"line {node.start_point.row + 1}: {what}"


def parse(text: str, language_id: str) -> Node:
    """The root of a text's syntax tree; `language_id` is one of `GRAMMARS`."""
    return _parser(language_id).parse(text.encode("utf-8", "surrogatepass")).root_node


def _python_error(text: str) -> str:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            ast.parse(text)
    except SyntaxError as error:
        return f"line {error.lineno or 1}: {error.msg}"
    except (ValueError, RecursionError, MemoryError):
        return ""
    return ""


@cache
def _parser(language_id: str) -> Parser:
    module, function = GRAMMARS[language_id]
    grammar: Any = getattr(importlib.import_module(module), function)()
    return Parser(Language(grammar))


def _faults(node: Node) -> Iterator[Node]:
    if node.is_error or node.is_missing:
        yield node
    elif node.has_error:
        for child in node.children:
            yield from _faults(child)


def _line_around(text: str, offset: int) -> str:
    end = text.find("\n", offset)
    return text[text.rfind("\n", 0, offset) + 1 : end if end >= 0 else len(text)]


def hidden_characters(original: str, proposed: str) -> str:
    """Which hidden characters a proposal brings in that were not there, as a sentence; empty where it brings none."""
    new = {char for char in proposed if ord(char) in HIDDEN} - set(original)
    if not new:
        return ""
    place = next(place for place, char in enumerate(proposed) if char in new)
    kinds = sorted({HIDDEN[ord(char)] for char in new})
    return f"Line {proposed.count(chr(10), 0, place) + 1} of the answer hides {' and '.join(kinds)}"


def without_hidden(original: str, proposed: str) -> str:
    """A proposal without the hidden characters that were not there before."""
    kept = set(original)
    return "".join(char for char in proposed if ord(char) not in HIDDEN or char in kept)
