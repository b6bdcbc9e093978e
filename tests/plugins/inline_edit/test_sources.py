from __future__ import annotations

from pathlib import Path

import pytest

from redraft.core.symbols import symbols_of
from redraft_inline_edit.presets.preset import PresetSource
from redraft_inline_edit.sources import (
    attachment_of_file,
    attachment_of_symbol,
    context_items,
    mention,
    presets_in,
    project_rules,
)

PYTHON = "class A:\n    def f(self):\n        return 'ä'\n\n\ndef g():\n    pass\n"


def test_symbols_are_found_with_their_class_and_their_text() -> None:
    symbols = symbols_of(PYTHON, "python")
    assert [(symbol.name, symbol.kind, symbol.container) for symbol in symbols] == [
        ("A", "class", ""),
        ("f", "function", "A"),
        ("g", "function", ""),
    ]
    assert symbols[2].range.of(PYTHON) == "def g():\n    pass"


@pytest.mark.parametrize(
    ("language_id", "text", "names"),
    [
        ("c", "int add(int a) { return a; }\n", ["add"]),
        ("go", "package a\n\ntype T struct{}\n\nfunc (t T) M() {}\n", ["T", "M"]),
        ("javascript", "class A { f() {} }\nfunction g() {}\n", ["A", "f", "g"]),
        ("rust", "struct S;\nimpl S { fn f() {} }\n", ["S", "S", "f"]),
        ("plaintext", "class A", []),
    ],
)
def test_symbols_of_other_languages(language_id: str, text: str, names: list[str]) -> None:
    assert [symbol.name for symbol in symbols_of(text, language_id)] == names


def test_the_list_has_open_files_then_symbols_then_the_folder(tmp_path: Path) -> None:
    for name in ("a.py", "b.py", "my notes.md"):
        (tmp_path / name).write_text("x\n")
    items = context_items(tmp_path, [tmp_path / "b.py"], PYTHON, "python")
    assert [item.label for item in items] == ["b.py", "A", "f", "g", "a.py", "my notes.md"]


def test_a_file_goes_along_under_its_path_in_the_folder(tmp_path: Path) -> None:
    path = tmp_path / "src" / "errors.py"
    path.parent.mkdir()
    path.write_text("class E: ...\n")
    attachment = attachment_of_file(path, tmp_path)
    assert (attachment.name, attachment.language_id) == ("src/errors.py", "python")
    assert attachment_of_symbol(symbols_of(PYTHON, "python")[2], PYTHON, "a.py", "python").text.startswith("def g")


def test_names_with_spaces_are_quoted() -> None:
    assert mention("a b.py") == '@"a b.py"'
    assert mention("a.py") == "@a.py"


def test_the_first_rules_file_there_is_counts(tmp_path: Path) -> None:
    names = (".redraft/rules.md", "RULES.md")
    assert project_rules(tmp_path, names) == ""
    (tmp_path / "RULES.md").write_text("Use metres.\n")
    assert project_rules(tmp_path, names) == "Use metres."
    assert project_rules(None, names) == ""


def test_preset_files_of_a_folder_are_read_and_a_faulty_one_is_named(tmp_path: Path) -> None:
    (tmp_path / "datum.md").write_text("Express levels in metres.\n")
    (tmp_path / "empty.md").write_text("")
    presets, errors = presets_in(tmp_path, PresetSource.PROJECT)
    assert [preset.name for preset in presets] == ["datum"]
    assert "empty" in str(errors[0])
