from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.host.keys import Key


@pytest.mark.parametrize(
    ("written", "normal"),
    [
        ("ctrl+shift+;", "Ctrl+Shift+;"),
        ("Shift+Control+k", "Ctrl+Shift+K"),
        (" alt + Ctrl + Down ", "Ctrl+Alt+Down"),
        ("return", "Enter"),
        ("Escape", "Esc"),
        ("F07", "F7"),
        ("Ctrl++", "Ctrl++"),
        ("+", "+"),
        ("Ctrl+plus", "Ctrl++"),
        ("Ctrl+-", "Ctrl+-"),
        ("Super+PgUp", "Meta+PageUp"),
        ("Ctrl+ö", "Ctrl+Ö"),
    ],
)
def test_different_spellings_have_one_normal_form(written: str, normal: str) -> None:
    assert str(Key.parse(written)) == normal


@pytest.mark.parametrize(
    "written", ["", "Ctrl+", "Hyper+K", "Ctrl+K Ctrl+S", "Ctrl+K, X", "F25", "F0", "Ctrl+Enterr", " "]
)
def test_what_is_no_single_key_is_refused(written: str) -> None:
    with pytest.raises(ValueError, match="key"):
        Key.parse(written)


def test_a_sequence_is_refused_with_the_reason() -> None:
    with pytest.raises(ValueError, match="takes a single key"):
        Key.parse("Ctrl+K S")


MODIFIERS = st.lists(st.sampled_from(["Ctrl", "Alt", "Shift", "Meta"]), unique=True)
NAMES = st.sampled_from(["Enter", "K", ";", "+", "-", "F12", "Left", "PageDown", "Space", "Tab", "0", "\\"])


@given(MODIFIERS, NAMES)
def test_normal_form_reads_back_as_itself_whatever_the_order(modifiers: list[str], name: str) -> None:
    key = Key.parse("+".join((*modifiers, name)))
    assert Key.parse(str(key)) == key
    assert Key.parse("+".join((*reversed(modifiers), name.lower()))) == key
