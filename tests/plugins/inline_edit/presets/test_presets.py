from __future__ import annotations

from pathlib import Path

import pytest

from redraft.core.errors import ConfigError
from redraft_inline_edit.presets.preset import Preset, PresetSource, PresetTable, Purpose
from redraft_inline_edit.presets.tables import (
    BUILT_IN,
    preset_from_file,
    preset_from_table,
    presets_from_plugins,
    presets_from_settings,
)


def names(table: PresetTable, language: str, kind: str = "replace") -> list[str]:
    return [preset.name for preset in table.fitting(language, kind)]


def test_doc_is_for_code_and_fix_for_both_in_different_words() -> None:
    table = PresetTable(BUILT_IN)
    assert "doc" in names(table, "python")
    assert "doc" not in names(table, "markdown")
    assert "doc" not in names(table, "plaintext")
    code, prose = table.find("fix", "python", "replace"), table.find("fix", "markdown", "replace")
    assert code is not None
    assert prose is not None
    assert "spelling" in prose.command
    assert "spelling" not in code.command


def test_only_presets_of_the_kind_are_offered() -> None:
    table = PresetTable((*BUILT_IN, Preset("stub", command="write a stub", kind="insert")))
    assert names(table, "python", "insert") == ["stub"]


@pytest.mark.parametrize(
    ("words", "name", "rest"),
    [
        ("/fix the last batch is lost", "fix", "the last batch is lost"),
        ("/doc", "doc", ""),
        ("  /doc  in German ", "doc", "in German"),
        ("/usr is the path", None, "/usr is the path"),
        ("/docs", None, "/docs"),
        ("please /doc", None, "please /doc"),
        ("", None, ""),
    ],
)
def test_words_begin_with_a_preset_or_are_words(words: str, name: str | None, rest: str) -> None:
    preset, command = PresetTable(BUILT_IN).parse(words, "python", "replace")
    assert (preset.name if preset else None, command) == (name, rest)


def test_a_typed_preset_is_meant_even_where_it_does_not_fit() -> None:
    preset, _ = PresetTable(BUILT_IN).parse("/doc", "markdown", "replace")
    assert preset is not None
    assert preset.name == "doc"


def test_further_words_follow_the_presets_own() -> None:
    preset = Preset("a", command="Do it.")
    assert preset.instruction("in two lines") == "Do it.\nin two lines"
    assert preset.instruction("") == "Do it."


def test_what_the_user_wrote_hides_what_is_built_in() -> None:
    own = Preset("doc", command="mine", source=PresetSource.YOURS)
    project = Preset("doc", command="ours", source=PresetSource.PROJECT)
    table = PresetTable((*BUILT_IN, own, project))
    found = table.find("doc", "python", "replace")
    assert found is not None
    assert found.command == "ours"
    assert names(table, "python").count("doc") == 1


def test_other_tools_tables_are_read() -> None:
    tables = [
        {
            "/haiku": {
                "label": "As a haiku",
                "filters": {"languageIdIn": "plaintext, markdown", "languageIdNotIn": ""},
                "kind": "replace",
                "promptTemplate": "Rewrite {{document}} as a haiku. {{command}}",
            }
        }
    ]
    presets, errors = presets_from_settings(tables)
    assert not errors
    assert presets[0].name == "haiku"
    assert presets[0].language_in == {"plaintext", "markdown"}
    assert presets[0].template.startswith("Rewrite")


def test_our_own_tables_are_read() -> None:
    presets, errors = presets_from_settings([{"name": "datum", "command": "Use metres.", "language_id_in": ["python"]}])
    assert not errors
    assert presets[0].label == "Use metres."
    assert presets[0].source is PresetSource.YOURS


@pytest.mark.parametrize(
    ("table", "word"),
    [
        ({}, "command"),
        ({"command": 3}, "command"),
        ({"command": "x", "kind": "both"}, "kind"),
        ({"command": "x", "filters": []}, "filters"),
        ({"command": "x", "purpose": "magic"}, "purpose"),
        ({"command": "x", "language_id_in": [1]}, "language_id_in"),
        ({"command": "x", "lable": "y"}, "no key 'lable'"),
        ({"command": "x", "filters": {"languageIn": "go"}}, "no key 'language_in'"),
        ({"command": "x", "model": 3}, "model"),
    ],
)
def test_a_faulty_table_is_named_with_its_key(table: dict[str, object], word: str) -> None:
    with pytest.raises(ConfigError, match=word):
        preset_from_table("broken", table, PresetSource.YOURS)


def test_a_table_without_an_instruction_alters_what_is_built_in() -> None:
    presets, errors = presets_from_settings([{"name": "fix", "model": "large"}, {"/doc": {"languageIdNotIn": "go"}}])
    assert not errors
    assert [(preset.name, preset.model) for preset in presets] == [("fix", "large"), ("fix", "large"), ("doc", "")]
    assert "spelling" in presets[1].command
    assert presets[2].language_not_in == {"go"}


def test_a_table_without_an_instruction_alters_presets_of_plugins_and_files_too() -> None:
    brought = Preset("sql", command="Use parameters.", source=PresetSource.PLUGIN, origin="tables")
    ours = Preset("fix", command="Mend it our way.", source=PresetSource.PROJECT)
    tables = [{"name": "sql", "model": "large"}, {"name": "fix", "model": "small"}]
    presets, errors = presets_from_settings(tables, (*BUILT_IN, brought, ours))
    assert not errors
    assert (presets[0].command, presets[0].model) == ("Use parameters.", "large")
    found = PresetTable([*presets, *BUILT_IN, brought, ours]).find("fix", "python", "replace")
    assert found is not None
    assert (found.command, found.model) == ("Mend it our way.", "small")


def test_a_model_for_a_preset_that_is_not_there_now_is_no_fault() -> None:
    assert presets_from_settings([{"name": "ours", "model": "large"}]) == ([], [])
    _, errors = presets_from_settings([{"name": "ours", "label": "Ours"}])
    assert "command" in str(errors[0])


def test_the_built_in_presets_of_the_manifest_are_not_taken_twice() -> None:
    assert presets_from_plugins([{"name": "fix", "command": "x", "plugin": "inline_edit"}]) == ([], [])


def test_a_faulty_preset_does_not_keep_the_others() -> None:
    presets, errors = presets_from_settings([{"name": "a b", "command": "x"}, {"name": "good", "command": "x"}])
    assert [preset.name for preset in presets] == ["good"]
    assert len(errors) == 1


def test_plugins_bring_presets_under_their_name() -> None:
    presets, _ = presets_from_plugins([{"name": "sql", "command": "Use parameters.", "plugin": "tables"}])
    assert (presets[0].source, presets[0].origin) == (PresetSource.PLUGIN, "tables")


def test_a_file_is_a_preset_of_its_name() -> None:
    text = "---\nlabel: Metres\nlanguage_id_in: python, go\npurpose: answer\n---\nExpress levels in metres.\n"
    preset = preset_from_file(Path("/p/.redraft/presets/datum.md"), text, PresetSource.PROJECT)
    assert preset.name == "datum"
    assert preset.command == "Express levels in metres."
    assert preset.language_in == {"python", "go"}
    assert preset.purpose is Purpose.ANSWER


def test_a_preset_can_say_how_long_a_model_reasons() -> None:
    presets, errors = presets_from_settings([{"name": "fix", "effort": "high"}, {"name": "doc", "effort": "utmost"}])
    assert {(preset.name, preset.effort) for preset in presets} == {("fix", "high")}
    assert [str(error) for error in errors] == ["The preset /doc: effort must be low, medium or high, not 'utmost'."]
