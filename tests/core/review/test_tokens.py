from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.core.review.tokens import tokenize_code, tokenize_words
from rows import row


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        row(1, "hello world", ["hello", " ", "world"]),
        row(2, "  multiple   spaces  ", ["  ", "multiple", "   ", "spaces", "  "]),
        row(3, "self.name", ["self", ".", "name"]),
        row(5, "hello_world", ["hello_world"]),
        row(6, "fn();", ["fn", "(", ")", ";"]),
        row(7, "foo_bar123 + baz", ["foo_bar123", " ", "+", " ", "baz"]),
        ("a\n    b", ["a", "\n    ", "b"]),
        ("", []),
    ],
)
def test_words_as_a_reader_sees_them(text: str, tokens: list[str]) -> None:
    assert tokenize_words(text) == tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        row(9, "hello world", ["hello", " ", "world"]),
        row(10, "foo_bar123 + baz", ["foo", "_", "bar123", " ", "+", " ", "baz"]),
        row(11, "hello_world", ["hello", "_", "world"]),
        row(
            13,
            "myHTTPServer __private_value foo__bar",
            ["my", "HTTP", "Server", " ", "__", "private", "_", "value", " ", "foo", "__", "bar"],
        ),
        row(14, "XMLHttpRequest Version2Update", ["XML", "Http", "Request", " ", "Version2", "Update"]),
        row(
            15, "a::b -> c != d ..= e", ["a", "::", "b", " ", "->", " ", "c", " ", "!=", " ", "d", " ", "..=", " ", "e"]
        ),
        row(17, "  \n   foo", ["  ", "\n", "   ", "foo"]),
        row(18, "\r\n\nfoo", ["\r\n\n", "foo"]),
        row(19, "x>>>=1", ["x", ">>>=", "1"]),
        ("", []),
    ],
)
def test_code_as_it_is_counted(text: str, tokens: list[str]) -> None:
    assert tokenize_code(text) == tokens


@given(st.text())
def test_no_character_is_lost(text: str) -> None:
    assert "".join(tokenize_words(text)) == text
    assert "".join(tokenize_code(text)) == text
