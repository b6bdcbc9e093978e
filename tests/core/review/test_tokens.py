from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.core.review.tokens import tokenize_code, tokenize_words


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("hello world", ["hello", " ", "world"]),
        ("  multiple   spaces  ", ["  ", "multiple", "   ", "spaces", "  "]),
        ("self.name", ["self", ".", "name"]),
        ("hello_world", ["hello_world"]),
        ("fn();", ["fn", "(", ")", ";"]),
        ("foo_bar123 + baz", ["foo_bar123", " ", "+", " ", "baz"]),
        ("a\n    b", ["a", "\n    ", "b"]),
        ("", []),
    ],
)
def test_words_as_a_reader_sees_them(text: str, tokens: list[str]) -> None:
    assert tokenize_words(text) == tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("hello world", ["hello", " ", "world"]),
        ("foo_bar123 + baz", ["foo", "_", "bar123", " ", "+", " ", "baz"]),
        ("hello_world", ["hello", "_", "world"]),
        (
            "myHTTPServer __private_value foo__bar",
            ["my", "HTTP", "Server", " ", "__", "private", "_", "value", " ", "foo", "__", "bar"],
        ),
        ("XMLHttpRequest Version2Update", ["XML", "Http", "Request", " ", "Version2", "Update"]),
        ("a::b -> c != d ..= e", ["a", "::", "b", " ", "->", " ", "c", " ", "!=", " ", "d", " ", "..=", " ", "e"]),
        ("  \n   foo", ["  ", "\n", "   ", "foo"]),
        ("\r\n\nfoo", ["\r\n\n", "foo"]),
        ("x>>>=1", ["x", ">>>=", "1"]),
        ("", []),
    ],
)
def test_code_as_it_is_counted(text: str, tokens: list[str]) -> None:
    assert tokenize_code(text) == tokens


@given(st.text())
def test_no_character_is_lost(text: str) -> None:
    assert "".join(tokenize_words(text)) == text
    assert "".join(tokenize_code(text)) == text
