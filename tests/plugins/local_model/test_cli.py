from __future__ import annotations

from pathlib import Path

import pytest

from fakes import FakeCliContext, FixedModels, MemorySettings, MemoryStorage, ScriptedClient
from redraft.core.errors import ModelUnavailable
from redraft.core.llm.client import ModelInfo
from redraft_local_model.cli import main


@pytest.fixture
def context(tmp_path: Path) -> FakeCliContext:
    (tmp_path / "models").mkdir()
    own = ModelInfo("mine", "embedded", "mine", location="embedded")
    return FakeCliContext(MemorySettings(), FixedModels(ScriptedClient(info=own)), storage=MemoryStorage(tmp_path))


def test_the_list_fits_a_terminal_and_marks_the_default(
    context: FakeCliContext, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    (context.storage.data_folder / "models" / "mine.gguf").write_bytes(b"GGUF")
    assert main(["list"], context) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["name", "qwen2.5-coder-1.5b", "qwen2.5-coder-0.5b", "mine"]
    assert lines[3].rstrip().endswith("here, default")
    assert lines[1].rstrip().endswith("not here")
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("command", ["serve", "test", "bench"])
def test_a_model_that_is_not_here_is_said_in_one_sentence(context: FakeCliContext, command: str) -> None:
    with pytest.raises(
        ModelUnavailable, match=r"^nope is not on this machine; fetch it with “redraft models pull nope”\.$"
    ):
        main([command, "nope"], context)
