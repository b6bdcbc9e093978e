from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.core.llm.tokens import estimate_tokens

PROSE = "Select code, press a key, say what you want, and a model's replacement streams into an inline diff."
CODE = """def greet(name: str, *, loud: bool = False) -> str:
    \"\"\"Return a greeting.\"\"\"
    words = f"Hello, {name}"
    if loud:
        return words.upper() + "!"
    return words
"""
GERMAN = "Wählen Sie Code aus, drücken Sie eine Taste und sagen Sie, was Sie möchten."
FAMILIES = json.dumps({"id": [1, 2, 3], "name": "Anna", "items": [True, None]}, indent=2)


# What the tokenizer of Qwen2.5-Coder counts.
@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        (PROSE, 23),
        (CODE, 48),
        (GERMAN, 19),
        (FAMILIES, 41),
        ("Это предложение нужно для проверки того, сколько символов приходится на один токен.", 23),
        ("Αυτή η πρόταση χρησιμεύει για δοκιμή του μετρητή.", 43),
        ("你好世界，这是一个用于测试的句子，看看一个字符需要多少个标记。", 17),
        ("これはテストのための文章です。エディタは差分を表示します。", 18),
        ("이것은 테스트를 위한 문장입니다. 편집기는 차이를 표시합니다.", 24),
        ("هذه الجملة مخصصة لاختبار عدد الأحرف لكل رمز.", 16),
        ("משפט זה משמש לבדיקת מספר התווים לכל אסימון.", 16),
    ],
)
def test_near_what_a_tokenizer_counts(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == pytest.approx(tokens, rel=0.15)


@given(st.text(max_size=200))
def test_only_no_text_takes_no_tokens(text: str) -> None:
    assert (estimate_tokens(text) > 0) is bool(text)


@given(st.text(max_size=100), st.text(max_size=100))
def test_two_texts_take_about_what_they_take_together(one: str, other: str) -> None:
    apart = estimate_tokens(one) + estimate_tokens(other)
    assert abs(estimate_tokens(one + other) - apart) <= 6


def test_every_other_character_takes_about_one_token() -> None:
    assert estimate_tokens("🚫🎉🚀🌍😀") == pytest.approx(5, abs=1)
