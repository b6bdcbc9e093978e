from __future__ import annotations

import pytest

from redraft.core.patterns import PatternList, pattern_list

PATTERNS = ("*.pem", "", "secret/", "!public.pem")


@pytest.mark.parametrize(
    ("path", "pattern"),
    [("a/key.pem", "*.pem"), ("secret/x.py", "secret/"), ("public.pem", ""), ("KEY.PEM", ""), ("a.py", "")],
)
def test_the_last_pattern_that_fits_is_told_as_it_was_written(path: str, pattern: str) -> None:
    assert PatternList(PATTERNS).find(path) == pattern


def test_case_may_make_no_difference() -> None:
    assert PatternList(("Id_Rsa",), ignores_case=True).find("ID_RSA") == "Id_Rsa"


def test_a_list_is_made_once_for_the_same_patterns() -> None:
    assert pattern_list(PATTERNS) is pattern_list(tuple(PATTERNS))
    assert pattern_list(PATTERNS) is not pattern_list(PATTERNS, ignores_case=True)
