from __future__ import annotations

from pathlib import Path

import pytest

from redraft.core.languages import LANGUAGES, language, language_of


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("readings.py", "python"),
        ("CMakeLists.txt", "cmake"),
        ("notes.txt", "plaintext"),
        ("Dockerfile.dev", "dockerfile"),
        ("Makefile", "makefile"),
        ("APP.TSX", "typescriptreact"),
        ("tsconfig.json", "jsonc"),
        ("no_suffix", "plaintext"),
        (".bashrc", "shellscript"),
    ],
)
def test_a_files_name_tells_its_language(name: str, expected: str) -> None:
    assert language_of(Path("/somewhere", name)) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("#!/bin/sh\n", "shellscript"),
        ("#!/usr/bin/env python3\nprint()", "python"),
        ("#!/usr/bin/python3.11 -u\n", "python"),
        ("#!/usr/bin/env -S node --harmony\n", "javascript"),
        ("# !/bin/sh\n", "plaintext"),
        ("", "plaintext"),
    ],
)
def test_a_first_line_tells_the_language_of_a_file_without_suffix(line: str, expected: str) -> None:
    assert language_of("script", line) == expected


def test_a_suffix_goes_before_the_first_line() -> None:
    assert language_of("tool.rb", "#!/usr/bin/env python3\n") == "ruby"


def test_no_key_of_the_table_stands_for_two_languages() -> None:
    keys = [key for entry in LANGUAGES for key in (*entry.suffixes, *entry.names, *entry.programs)]
    assert len(keys) == len(set(keys))
    assert len({entry.id for entry in LANGUAGES}) == len(LANGUAGES)


def test_an_unknown_language_is_plain_text() -> None:
    assert language("klingon").name == "Plain text"
