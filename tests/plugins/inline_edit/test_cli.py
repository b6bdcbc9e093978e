from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from redraft.cli import main
from redraft.core.paths import config_folder
from servers import (
    PATIENCE,
    Drop,
    Head,
    ScriptedServer,
    Seen,
    Send,
    Step,
    error_reply,
    json_reply,
    openai_end,
    openai_text,
)

FUNCTION = "def total(items):\n    return sum(items)\n"
BETTER = "def total(items):\n    if not items:\n        raise ValueError\n    return sum(items)\n"


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        server.route("GET", "/v1/models", models("someone"))
        yield server


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "totals.py"
    path.write_text(f"import math\n\n{FUNCTION}\n\ndef area(r):\n    return math.pi * r**2\n")
    return path


def models(owner: str) -> tuple[Step, ...]:
    return json_reply({"object": "list", "data": [{"id": "m", "owned_by": owner}]})


def asked(server: ScriptedServer) -> list[Seen]:
    """What the model was asked, without the look at the list of models before."""
    return [request for request in server.requests if request.method == "POST"]


def wrapped(code: str) -> str:
    return f"<GENERATEDCODE>{code}</GENERATEDCODE>"


def edit(server: ScriptedServer, file: Path, *more: str, lines: str = "3:4") -> int:
    return main(["edit", str(file), "--lines", lines, "--base-url", f"{server.url}/v1", *more, "--", "check for empty"])


def test_a_change_is_printed_as_a_diff_and_the_file_is_left_alone(
    server: ScriptedServer, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server.reply(*openai_text(wrapped(BETTER)), *openai_end())
    before = file.read_bytes()

    assert edit(server, file) == 0

    out, _ = capsys.readouterr()
    assert "+    if not items:\n+        raise ValueError\n" in out
    assert not [line for line in out.splitlines() if line.startswith("-") and not line.startswith("---")]
    assert file.read_bytes() == before


def test_write_puts_the_change_into_the_file_and_nothing_else(server: ScriptedServer, file: Path) -> None:
    server.reply(*openai_text(wrapped(BETTER)), *openai_end())
    before = file.read_text()

    assert edit(server, file, "--write") == 0

    assert file.read_text() == before.replace(FUNCTION, BETTER)


def test_an_unchanged_answer_is_status_1(server: ScriptedServer, file: Path) -> None:
    for _ in range(2):  # one more turn is tried
        server.reply(*openai_text(wrapped(FUNCTION)), *openai_end())

    assert edit(server, file, "--write") == 1
    assert len(asked(server)) == 2


def test_an_unchanged_answer_that_says_why_is_not_asked_again(server: ScriptedServer, file: Path) -> None:
    server.reply(*openai_text(f"No changes are needed.\n{wrapped(FUNCTION)}"), *openai_end())

    assert edit(server, file) == 1
    assert len(asked(server)) == 1


@pytest.mark.parametrize(("owner", "is_begun"), [("llamacpp", True), ("vllm", True), ("someone", False)])
def test_the_answer_is_begun_where_the_server_shows_that_it_can(
    server: ScriptedServer, file: Path, owner: str, *, is_begun: bool
) -> None:
    server.route("GET", "/v1/models", models(owner))
    server.reply(*openai_text(wrapped(BETTER)), *openai_end())

    assert edit(server, file) == 0

    assert (asked(server)[0].json()["messages"][-1]["role"] == "assistant") is is_begun
    assert len(server.requests) == 2


def test_a_server_that_does_not_tell_its_models_is_asked_all_the_same(server: ScriptedServer, file: Path) -> None:
    server.route("GET", "/v1/models", error_reply(404))
    server.reply(*openai_text(wrapped(BETTER)), *openai_end())
    assert edit(server, file) == 0


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--lines", "3:4", "--at", "3"],
        ["--lines", "4:3"],
        ["--lines", "3:400"],
        ["--lines", "three"],
        ["--at", "99"],
        ["--no-such-option"],
    ],
)
def test_a_request_that_makes_no_sense_is_status_2(server: ScriptedServer, file: Path, arguments: list[str]) -> None:
    assert main(["edit", str(file), *arguments, "--base-url", server.url, "--", "do it"]) == 2
    assert not server.requests


def test_a_missing_file_is_status_2_with_a_sentence(
    server: ScriptedServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert edit(server, tmp_path / "gone.py") == 2
    assert "gone.py" in capsys.readouterr().err


def test_an_answer_without_code_is_status_3_and_its_words_are_told(
    server: ScriptedServer, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server.reply(*openai_text("I would rather not."), *openai_end())

    assert edit(server, file, "--write") == 3

    out, err = capsys.readouterr()
    assert out == ""
    assert "I would rather not." in err


def test_a_refused_key_is_status_3(server: ScriptedServer, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    server.reply(json_reply({"error": {"message": "bad key"}}, status=401))

    assert edit(server, file) == 3
    assert "key" in capsys.readouterr().err


@pytest.mark.parametrize("ending", [openai_end("length"), [Drop()]], ids=["length", "lost connection"])
def test_a_cut_off_answer_is_status_4_and_nothing_is_written(
    server: ScriptedServer, file: Path, ending: list[Any]
) -> None:
    server.reply(*openai_text("<GENERATEDCODE>def total(items):\n    if not"), *ending)
    before = file.read_bytes()

    assert edit(server, file, "--write") == 4
    assert file.read_bytes() == before


LOST = Head(chunked=False)
"""The connection ends as if nothing were wrong."""


@pytest.mark.parametrize(
    "reply",
    [
        (LOST, *openai_text(wrapped(BETTER))),
        (LOST, *openai_text(f"```python\n{BETTER}```")),
        (LOST, *openai_text("Sure, here")),
        (LOST,),
        (*openai_text(wrapped(BETTER)), *openai_end("length")),
        (*openai_text("Sure, here"), *openai_end("length")),
        (*openai_text("<think>It is"), *openai_end("length")),
    ],
    ids=["whole code", "a fence", "words", "nothing", "whole code, cut off", "words, cut off", "thoughts, cut off"],
)
def test_an_answer_without_a_proper_end_is_status_4_whatever_came_of_it(
    server: ScriptedServer, file: Path, reply: tuple[Step, ...]
) -> None:
    server.reply(*reply)
    before = file.read_bytes()
    assert edit(server, file, "--write") == 4
    assert file.read_bytes() == before


def test_a_server_that_breaks_off_with_an_error_is_status_3(server: ScriptedServer, file: Path) -> None:
    server.reply(*openai_text("<GENERATEDCODE>\ndef total(items):\n"), Send('data: {"error": {"message": "boom"}}\n\n'))
    before = file.read_bytes()
    assert edit(server, file, "--write") == 3
    assert file.read_bytes() == before


def test_an_answer_that_cannot_be_written_is_printed_all_the_same(
    server: ScriptedServer, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_bytes("# déjà vu\nx = 1\n".encode("cp1252"))
    server.reply(*openai_text(wrapped("x = '☃'")), *openai_end())
    assert edit(server, file, "--write", lines="2") == 2
    out, err = capsys.readouterr()
    assert "+x = '☃'\n" in out
    assert "SNOWMAN" in err


def test_a_file_that_changed_meanwhile_is_not_overwritten_and_the_answer_is_printed(
    server: ScriptedServer, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    live = server.live(*openai_text("<GENERATEDCODE>"))
    with ThreadPoolExecutor(1) as pool:
        status = pool.submit(edit, server, file, "--write")
        server.wait_for_request(2)
        file.write_text("someone else's\n")
        for step in (*openai_text(f"{BETTER}</GENERATEDCODE>"), *openai_end()):
            live.put(step)
        live.end()
        assert status.result(PATIENCE) == 2
    out, err = capsys.readouterr()
    assert "+        raise ValueError\n" in out
    assert "totals.py was changed meanwhile, so nothing was written; ask again." in err
    assert file.read_text() == "someone else's\n"


def test_a_binary_context_file_is_named(
    server: ScriptedServer, file: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\0\1\2" * 50)
    assert edit(server, file, "--context", str(tmp_path / "picture.png")) == 2
    assert "picture.png does not hold text" in capsys.readouterr().err


def test_output_that_cannot_be_printed_is_never_taken_for_no_change(server: ScriptedServer, file: Path) -> None:
    command = [sys.executable, "-m", "redraft", "edit", str(file), "--lines", "3:4", "--base-url", f"{server.url}/v1"]
    server.reply(*openai_text(wrapped(BETTER)), *openai_end())
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([*command, "--", "x"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 3
    assert "The result could not be printed: No space left on device." in done.stderr


def test_a_reader_that_has_seen_enough_changes_nothing(server: ScriptedServer, file: Path) -> None:
    command = [sys.executable, "-m", "redraft", "edit", str(file), "--lines", "3:4", "--base-url", f"{server.url}/v1"]
    server.reply(*openai_text(wrapped(BETTER)), *openai_end())
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([*command, "--write", "--", "x"], stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert done.returncode == 0
    assert b"Error" not in done.stderr
    assert "raise ValueError" in file.read_text()


def test_json_tells_all_there_is(server: ScriptedServer, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    server.reply(*openai_text(wrapped(BETTER)), *openai_end())

    assert edit(server, file, "--format", "json") == 0

    told = json.loads(capsys.readouterr().out)
    assert told["state"] == "completed"
    assert (told["start_line"], told["end_line"]) == (3, 4)
    assert told["text"] == BETTER
    assert told["original"] == FUNCTION


def test_an_insertion_comes_before_its_line(server: ScriptedServer, file: Path) -> None:
    server.reply(*openai_text(wrapped("LIMIT = 3\n")), *openai_end())

    assert main(["edit", str(file), "--at", "2", "--base-url", server.url, "--write", "--", "add a limit"]) == 0

    assert file.read_text().startswith("import math\nLIMIT = 3\n\ndef total")


def test_a_context_file_goes_along(server: ScriptedServer, file: Path, tmp_path: Path) -> None:
    other = tmp_path / "errors.py"
    other.write_text("class EmptyError(ValueError): ...\n")
    server.reply(*openai_text(wrapped(BETTER)), *openai_end())

    assert edit(server, file, "--context", str(other)) == 0

    assert "class EmptyError" in json.dumps(asked(server)[0].json())


def test_a_preview_is_printed_while_it_streams(
    server: ScriptedServer, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server.reply(*openai_text(wrapped(BETTER)), *openai_end())

    assert edit(server, file, "--format", "preview") == 0

    lines = capsys.readouterr().out.splitlines()
    footers = [line for line in lines if line.startswith(">>>>>>> tabby-")]
    assert footers[-1].endswith("[=++=]")
    assert any("." in footer.partition("[")[2] for footer in footers[:-1])


def test_the_keys_environment_variables_are_read(
    server: ScriptedServer, file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("REDRAFT_BASE_URL", server.url)
    monkeypatch.setenv("REDRAFT_MODEL", "some-model")
    monkeypatch.setenv("REDRAFT_API_KEY", "planted-key-123")
    server.reply(*openai_text(wrapped(BETTER)), *openai_end())

    assert main(["edit", str(file), "--lines", "3:4", "--", "check"]) == 0

    request = asked(server)[0]
    assert request.json()["model"] == "some-model"
    assert request.headers["authorization"] == "Bearer planted-key-123"
    assert "planted-key-123" not in "".join(capsys.readouterr())


def test_a_file_named_like_a_secret_is_not_sent_to_a_server(server: ScriptedServer, tmp_path: Path) -> None:
    secret = tmp_path / ".env"
    secret.write_text("KEY=1\n")

    assert main(["edit", str(secret), "--lines", "1:1", "--base-url", server.url, "--", "sort"]) == 2
    assert not server.requests


def test_a_template_with_a_mistake_is_status_2_before_anything_is_sent(
    server: ScriptedServer, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = config_folder()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "settings.toml").write_text('[[presets]]\nname = "up"\nprompt_template = "{{ nonsense }}"\n')
    assert main(["edit", str(file), "--lines", "3:4", "--base-url", f"{server.url}/v1", "--", "/up now"]) == 2
    assert "'nonsense' is undefined" in capsys.readouterr().err
    assert not asked(server)
