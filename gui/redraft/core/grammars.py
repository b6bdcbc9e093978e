"""Syntax trees: which grammar belongs to a language, and the tree of a text."""

from __future__ import annotations

import importlib
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
"""Module and function of each grammar, by the language's LSP identifier."""


def parse(text: str, language_id: str) -> Node:
    """The root of a text's syntax tree; `language_id` is one of `GRAMMARS`."""
    return _parser(language_id).parse(text.encode("utf-8", "surrogatepass")).root_node


@cache
def load_grammar(module: str, function: str) -> Language:
    """A grammar as tree-sitter takes it."""
    grammar: Any = getattr(importlib.import_module(module), function)()
    return Language(grammar)


@cache
def _parser(language_id: str) -> Parser:
    return Parser(load_grammar(*GRAMMARS[language_id]))
