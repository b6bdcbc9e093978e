"""Whether a file still parses: a check of an answer before it is shown as done."""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from redraft.core.grammars import GRAMMARS, parse

LONGEST: Final = 60_000
"""Characters that are parsed in one go: no other thread runs meanwhile, and the window must not stand still."""
_BOUNDARY: Final = re.compile(r"\n[ \t]*\n(?=[^\s)\]}])")
"""Behind a blank line, where a line at the left margin begins: mostly between two definitions."""


def can_check(language_id: str) -> bool:
    """Whether it can be told if a text of a language parses."""
    return language_id in {"python", "json"} or language_id in GRAMMARS


def nearby(head: str, tail: str, language_id: str, *, room: int = LONGEST) -> tuple[str, str]:
    """The text in front of some lines and behind them, as much of it as tells whether they parse.

    Of a long file that is the definition around them; what is cut in two by that does not parse before the change
    either, and is not held against it.
    """
    if len(head) + len(tail) <= room or language_id == "json":
        return head, tail
    starts = [match.end() for match in _BOUNDARY.finditer(head, max(len(head) - room, 0))]
    end = _BOUNDARY.search(tail)
    return head[starts[-1] if starts else 0 :], tail[: end.end() if end else len(tail)]


def new_syntax_error(before: str, after: str, language_id: str) -> str:
    """The first fault of syntax in a file that had none before, as `line 34: ...`; empty where all is well."""
    error = syntax_error(after, language_id)
    return error if error and not syntax_error(before, language_id) else ""


def syntax_error(text: str, language_id: str) -> str:
    """The first fault of syntax, as `line 34: ...`; empty where there is none, or the language is not known."""
    if language_id == "python":
        return _python_error(text)
    if language_id == "json":
        return _json_error(text)
    if language_id not in GRAMMARS:
        return ""
    root = parse(text, language_id)
    node = next(fault_nodes(root), None)
    return f"line {node.start_point.row + 1}: {fault_words(node)}" if node is not None else ""


def fault_nodes(node: Node) -> Iterator[Node]:
    """The parts of a syntax tree that are wrong, outermost ones only, in their order."""
    if node.is_error or node.is_missing:
        yield node
    elif node.has_error:
        for child in node.children:
            yield from fault_nodes(child)


def fault_words(node: Node) -> str:
    """What is wrong with such a part."""
    return f"{node.type} is missing" if node.is_missing else "this does not parse"


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


def _json_error(text: str) -> str:
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        # The decoder stops where the next value begins; what is missing stands at the end of the line before.
        before = text[: error.pos].rstrip()
        line = before.rsplit("\n", 1)[-1].strip()
        return f"line {before.count(chr(10)) + 1}: {error.msg}, after {line}"
    except RecursionError:
        return ""
    return ""
