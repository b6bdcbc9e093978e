"""Conditions such as `editor_focus and language == "python"` over context keys, parsed once."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

Evaluate = Callable[[Mapping[str, object]], Any]
_NAMED_CONSTANTS: Final = {"true": True, "false": False}
_ALLOWED: Final = "use and, or, not, ==, !=, in and parentheses"


@dataclass(frozen=True, slots=True)
class WhenExpression:
    """A condition over context keys: names, text and numbers, `and or not == != in not in`, parentheses, lists.

    A context key that was never set counts as false. Two expressions are equal when they say the same in the same
    order, however they are spaced and bracketed.

    Attributes:
        text: Its normal form; empty for the condition that always holds.
        names: The context keys it reads.
    """

    text: str
    names: frozenset[str]
    _evaluate: Evaluate = field(compare=False, repr=False)

    @classmethod
    def parse(cls, text: str) -> WhenExpression:
        """Read a condition; an empty one always holds.

        Raises:
            ValueError: It is not a condition; the message shows the part that is at fault.
        """
        return _parse(text.strip())

    def holds(self, context: Mapping[str, object]) -> bool:
        """Whether it is true with these context keys."""
        return bool(self._evaluate(context))


def _always(_context: Mapping[str, object]) -> bool:
    return True


ALWAYS: Final = WhenExpression("", frozenset(), _always)
"""The condition that always holds."""


@lru_cache(maxsize=1024)
def _parse(text: str) -> WhenExpression:
    if not text:
        return ALWAYS
    try:
        tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ValueError(f"{text!r} is not a condition ({_ALLOWED})") from None
    evaluate = _compile(tree)
    return WhenExpression(ast.unparse(tree), frozenset(_names(tree)), evaluate)


def _compile(node: ast.expr) -> Evaluate:
    match node:
        case ast.BoolOp(op, values):
            return _join(op, [_compile(value) for value in values])
        case ast.UnaryOp(ast.Not(), operand):
            inner = _compile(operand)
            return lambda context: not inner(context)
        case ast.Compare(left, [operator], [right]):
            return _compare(_compile(left), operator, _compile(right), node)
        case ast.Constant(value) if isinstance(value, (bool, int, float, str)):
            return lambda _context: value
        case ast.List(items) | ast.Tuple(items):
            parts = [_compile(item) for item in items]
            return lambda context: [part(context) for part in parts]
        case ast.Name() | ast.Attribute():
            return _lookup(_dotted(node))
        case _:
            raise _fault(node)


def _join(operator: ast.boolop, parts: list[Evaluate]) -> Evaluate:
    if isinstance(operator, ast.And):
        return lambda context: all(part(context) for part in parts)
    return lambda context: any(part(context) for part in parts)


def _compare(left: Evaluate, operator: ast.cmpop, right: Evaluate, node: ast.expr) -> Evaluate:
    match operator:
        case ast.Eq():
            return lambda context: left(context) == right(context)
        case ast.NotEq():
            return lambda context: left(context) != right(context)
        case ast.In():
            return lambda context: _contains(right(context), left(context))
        case ast.NotIn():
            return lambda context: not _contains(right(context), left(context))
        case _:
            raise _fault(node)


def _contains(container: object, item: object) -> bool:
    if isinstance(container, str):
        return isinstance(item, str) and item in container
    return isinstance(container, (list, tuple, set, frozenset)) and item in container


def _lookup(name: str) -> Evaluate:
    if name in _NAMED_CONSTANTS:
        constant = _NAMED_CONSTANTS[name]
        return lambda _context: constant
    return lambda context: context.get(name, False)


def _dotted(node: ast.expr) -> str:
    match node:
        case ast.Name(name):
            return name
        case ast.Attribute(value, name):
            return f"{_dotted(value)}.{name}"
        case _:
            raise _fault(node)


def _names(tree: ast.expr) -> Iterable[str]:
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.Name, ast.Attribute)):
            if (name := _dotted(node)) not in _NAMED_CONSTANTS:
                yield name
        else:
            pending.extend(ast.iter_child_nodes(node))


def _fault(node: ast.expr) -> ValueError:
    return ValueError(f"{ast.unparse(node)!r} cannot stand in a condition ({_ALLOWED})")
