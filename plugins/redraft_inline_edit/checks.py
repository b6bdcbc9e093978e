"""Whether a file still parses: a check of an answer before it is shown as done."""

from __future__ import annotations

import ast
import importlib
import json
import warnings
from collections.abc import Iterator
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
