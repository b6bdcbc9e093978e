"""Bad input at the window: one sentence that says what to do, and no text is lost."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import psutil
import pytest

from driver import Driver
from redraft.core.paths import config_folder
from redraft.core.text import TextRange
from redraft_local_model import worker
from reviews import ANSWER, ask, ask_and_wait
from servers import Drop, ScriptedServer, openai_answer, openai_end, openai_text


def said(driver: Driver) -> str:
    """The sentence in the newest toast."""
    shown = driver.window.toasts.shown
    return shown[-1].model.text if shown else ""


def strip_text(driver: Driver) -> str:
    """What the prompt block says of how it goes."""
    strip = driver.shown.strip if driver.block is not None else None
    return f"{strip.text} {strip.detail}" if strip is not None else ""


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("missing", ["not there"]),
        ("folder", ["folder"]),
        ("binary", ["binary"]),
        ("unreadable", ["not allowed", "permission", "may not be read"]),
    ],
)
def test_a_path_that_cannot_be_opened_is_told_and_the_open_file_stays(
    driver: Driver, tmp_path: Path, kind: str, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before, path = driver.text, tmp_path / f"{kind}.py"
    match kind:
        case "folder":
            path.mkdir()
        case "binary":
            path.write_bytes(bytes(range(256)) * 20)
        case "unreadable":
            path.write_text("x = 1\n", encoding="utf-8")
            path.chmod(0)
            if os.access(path, os.R_OK):  # The superuser may read everything.
                refuse(monkeypatch, path)
    driver.application.bench.documents.open(path)
    sentence = said(driver).lower()
    assert path.name in sentence
    assert any(word in sentence for word in words), sentence
    assert driver.text == before


def refuse(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    """Have the system refuse to open one path."""
    really = Path.open

    def open_other(self: Path, *args: object, **kwargs: object) -> object:
        if self == path:
            raise PermissionError(13, "Permission denied", str(path))
        return really(self, *args, **kwargs)  # type: ignore[call-overload]  # as it was called

    monkeypatch.setattr(Path, "open", open_other)


def test_an_unknown_encoding_is_opened_as_the_best_guess_and_no_byte_is_lost(driver: Driver, tmp_path: Path) -> None:
    path = tmp_path / "old.py"
    content = 'name = "Łódź, Kraków, Gdańsk, Wrocław i inne piękne miasta, także źródła"\n'.encode("iso-8859-2")
    path.write_bytes(content)
    driver.application.bench.documents.open(path)
    driver.document.editor.select(TextRange(0, 0))
    driver.document.editor.focus_text()
    driver.type("z")
    driver.press("Ctrl+S")
    assert path.read_bytes() == b"z" + content


def test_a_broken_settings_file_is_named_with_its_line_and_left_alone(driver: Driver, server: ScriptedServer) -> None:
    path = config_folder() / "settings.toml"
    path.write_text('theme = "dark"\nbroken = [\n', encoding="utf-8")
    driver.application.services.settings.reload()
    problems = [str(problem) for problem in driver.application.services.settings.problems]
    assert any("settings.toml" in problem and "line" in problem for problem in problems)
    assert path.read_text(encoding="utf-8") == 'theme = "dark"\nbroken = [\n'
    server.reply(*openai_answer(ANSWER))
    ask_and_wait(driver)


def test_no_disk_space_while_saving_keeps_file_and_text(
    driver: Driver, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = file.read_bytes()
    driver.type("z")

    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    monkeypatch.setattr(os, "fsync", full)
    driver.press("Ctrl+S")
    monkeypatch.undo()
    assert file.read_bytes() == before
    assert "space" in said(driver)
    assert driver.text.encode() == b"z" + before
    assert driver.document.is_modified


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("", "empty answer try again"),
        ("<GENERATEDCODE>\n</GENERATEDCODE>", "empty answer try again"),
        ("<GENERATEDCODE>   </GENERATEDCODE>", "empty answer try again"),
        ("I would rather talk about it.", "in words, without code"),
    ],
)
def test_an_answer_without_code_is_told_and_changes_nothing(
    driver: Driver, server: ScriptedServer, file: Path, answer: str, words: str
) -> None:
    before = driver.text
    for _ in range(3):
        server.reply(*openai_answer(answer))
    ask(driver, "make it better")
    driver.wait(lambda: driver.shown.main and driver.shown.main.id == "again", "the failure")
    assert words in strip_text(driver).lower()
    assert driver.text == before
    assert not driver.bars
    assert driver.shown.words == "make it better"


def test_a_cut_off_answer_says_so_and_offers_to_go_on(driver: Driver, server: ScriptedServer) -> None:
    before = driver.text
    server.reply(*openai_text("<GENERATEDCODE>\n", ANSWER[16:90]), *openai_end("length"))
    ask(driver)
    driver.wait(lambda: "cut off" in strip_text(driver), "the sentence")
    assert driver.shown.strip is not None
    assert [action.id for action in driver.shown.strip.actions] == ["reject_all", "keep_part", "continue"]
    assert driver.text == before


def test_a_lost_connection_says_so_and_keeps_the_words(driver: Driver, server: ScriptedServer) -> None:
    before = driver.text
    server.reply(*openai_text("<GENERATEDCODE>\n", ANSWER[16:90]), Drop())
    ask(driver, "some words")
    driver.wait(lambda: driver.bars and not driver.document.is_running, "the end")
    assert "connection" in strip_text(driver).lower()
    assert driver.shown.words == "some words"
    assert driver.text == before


def test_b80_a_selection_larger_than_the_model_is_refused_before_it_is_sent(
    driver: Driver, server: ScriptedServer, tmp_path: Path
) -> None:
    path = tmp_path / "large.py"
    path.write_text("".join(f"value_{place} = {place}\n" for place in range(2_000)), encoding="utf-8")
    driver.application.bench.documents.open(path)
    before = driver.text
    driver.application.services.settings.set("inline_edit.document_max_chars", 3000)
    driver.document.editor.select(TextRange(0, len(before)), reveal=False)
    driver.document.editor.focus_text()
    driver.press("Ctrl+K")
    driver.type("shorten")
    driver.press("Return")
    driver.wait(lambda: "select less" in strip_text(driver).lower(), "the refusal")
    assert not server.requests
    assert driver.text == before


@pytest.mark.model
@pytest.mark.timeout(600)
def test_a_model_process_that_dies_leaves_the_text_says_so_and_the_next_edit_works(
    driver: Driver, small_model: Path, own_home: Path
) -> None:
    models = own_home / "data" / "redraft" / "models"
    models.mkdir(parents=True, exist_ok=True)
    (models / small_model.name).symlink_to(small_model)
    driver.application.services.models._chosen = ""
    chosen = next(one for one in driver.application.services.models.list_models() if "0.5b" in one.name)
    driver.application.services.settings.set("default_models.inline_edit", chosen.name)
    before = driver.text

    def start() -> None:
        driver.select_lines(4, 8)
        driver.press("Ctrl+K")
        driver.type("write a long comment above every line")
        driver.press("Return")
        driver.wait(lambda: driver.document.is_running, "the first text of the embedded model", 240)

    start()
    [process] = [
        child for child in psutil.Process().children(recursive=True) if worker.__name__ in " ".join(child.cmdline())
    ]
    os.kill(process.pid, signal.SIGKILL)
    driver.wait(lambda: not driver.document.is_running, "the end", 60)
    assert driver.text == before
    assert strip_text(driver)
    for _ in range(4):
        driver.document.editor.focus_text()
        driver.press("Escape")
    driver.wait(lambda: driver.block is None, "the end of the first edit")
    start()
    assert driver.text == before
    driver.document.editor.focus_text()
    driver.press("Escape")
