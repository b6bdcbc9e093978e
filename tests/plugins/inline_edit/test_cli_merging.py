from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from redraft.cli import main
from redraft.core.paths import config_folder
from servers import ScriptedServer, error_reply, openai_end, openai_text

LARGE = "def work():\n" + "".join(f"    step({number})\n" for number in range(30)) + "    return 1\n"
SKETCH = "def work():\n    start()\n    step(0)\n    # ... existing code ...\n    step(29)\n    return 2\n"
MERGED = LARGE.replace("def work():\n", "def work():\n    start()\n").replace("return 1", "return 2")
LINES = len(LARGE.splitlines())


@pytest.fixture
def clever() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        yield server


@pytest.fixture
def fast() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        yield server


@pytest.fixture
def file(tmp_path: Path, clever: ScriptedServer, fast: ScriptedServer) -> Path:
    """A file with a large function, and two models in the settings."""
    rows = [
        f'[[models]]\nname = "{name}"\nbase_url = "{server.url}/v1"\nmodel = "{name}-1"\nprice_in = 1\nprice_out = 2\n'
        for name, server in (("clever", clever), ("fast", fast))
    ]
    folder = config_folder()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "settings.toml").write_text("[inline_edit]\napply_lines = 20\n\n" + "\n".join(rows))
    path = tmp_path / "work.py"
    path.write_text(LARGE)
    return path


def edit(file: Path, *more: str) -> int:
    return main(["edit", str(file), "--lines", f"1:{LINES}", "--model", "clever", *more, "--", "start first, give 2"])


def script(server: ScriptedServer, text: str, sent: int, received: int) -> None:
    usage = {"usage": {"prompt_tokens": sent, "completion_tokens": received}}
    server.reply(*openai_text(*text.splitlines(keepends=True)), *openai_end(usage=usage["usage"]))


def test_two_servers_make_one_edit(
    clever: ScriptedServer, fast: ScriptedServer, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script(clever, f"<GENERATEDCODE>\n{SKETCH}</GENERATEDCODE>", 500, 50)
    script(fast, f"```python\n{MERGED}```\n", 700, 300)

    assert edit(file, "--apply-model", "fast", "--write", "--format", "json") == 0

    assert file.read_text() == MERGED
    asked = fast.requests[0].json()
    assert asked["model"] == "fast-1"
    assert [message["role"] for message in asked["messages"]] == ["user"]
    assert asked["messages"][0]["content"].startswith("<instruction>start first, give 2</instruction>\n<code>def work")
    assert "# ... existing code ..." in clever.requests[0].json()["messages"][0]["content"]
    out, err = capsys.readouterr()
    told = json.loads(out)
    assert (told["model"], told["merged_by"]) == ("clever", "fast")
    assert told["numbers"]["sent_tokens"] == 1200
    assert told["numbers"]["received_tokens"] == 350
    assert told["numbers"]["cost"] == pytest.approx((1200 + 2 * 350) / 1e6)
    assert "fast merges the answer into the text" in err


def test_the_model_of_the_settings_is_used_too(clever: ScriptedServer, fast: ScriptedServer, file: Path) -> None:
    settings = config_folder() / "settings.toml"
    settings.write_text(settings.read_text().replace("[inline_edit]\n", '[inline_edit]\napply_model = "fast"\n'))
    script(clever, f"<GENERATEDCODE>\n{SKETCH}</GENERATEDCODE>", 500, 50)
    script(fast, MERGED, 700, 300)
    assert edit(file, "--write") == 0
    assert file.read_text() == MERGED


def test_a_server_that_fails_to_merge_leaves_it_to_the_writer(
    clever: ScriptedServer, fast: ScriptedServer, file: Path
) -> None:
    script(clever, f"<GENERATEDCODE>\n{SKETCH}</GENERATEDCODE>", 500, 50)
    fast.reply(*error_reply(400, "no such model"))
    script(clever, f"<GENERATEDCODE>\n{MERGED}</GENERATEDCODE>", 900, 300)
    assert edit(file, "--apply-model", "fast", "--write") == 0
    assert file.read_text() == MERGED
    assert len(clever.requests) == 2


@pytest.mark.parametrize(
    "merged", [SKETCH, MERGED.replace("    step(15)\n    step(16)\n", "")], ids=["a gap stays", "lines are lost"]
)
def test_an_answer_that_would_delete_what_stays_is_incomplete_and_never_written(
    clever: ScriptedServer, fast: ScriptedServer, file: Path, merged: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for _ in range(2):  # it is no better the second time
        script(clever, f"<GENERATEDCODE>\n{SKETCH}</GENERATEDCODE>", 500, 50)
    script(fast, merged, 700, 300)
    assert edit(file, "--apply-model", "fast", "--write") == 4
    assert file.read_text() == LARGE
    _, err = capsys.readouterr()
    assert "leaves code out" in err or "are missing after merging: step(15)" in err


def test_a_name_that_is_none_is_said_before_anything_is_sent(
    clever: ScriptedServer, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert edit(file, "--apply-model", "quick") == 3
    assert "There is no model 'quick'. There are: clever, fast." in capsys.readouterr().err
    assert not clever.requests


def test_a_name_in_the_settings_that_is_none_is_said_and_the_edit_is_made(
    clever: ScriptedServer, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = config_folder() / "settings.toml"
    settings.write_text(settings.read_text().replace("[inline_edit]\n", '[inline_edit]\napply_model = "quick"\n'))
    script(clever, f"<GENERATEDCODE>\n{MERGED}</GENERATEDCODE>", 500, 300)
    assert edit(file, "--write") == 0
    assert "the edit is made without it" in capsys.readouterr().err


def test_a_secret_file_goes_to_neither(clever: ScriptedServer, fast: ScriptedServer, file: Path) -> None:
    secret = file.rename(file.with_name("secrets.py"))
    assert edit(secret, "--apply-model", "fast") == 2
    assert not clever.requests
    assert not fast.requests
