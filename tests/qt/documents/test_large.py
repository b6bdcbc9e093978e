from __future__ import annotations

import weakref
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from redraft.core.text import Position
from redraft.core.textfile import TextFile
from redraft.qt.documents.document import Document
from redraft.qt.editor import buffer
from redraft.qt.workbench import Workbench
from window_fakes import PresetQuestions

TEXT = "ä = 1\r\n" + "value = compute(1)\n" * 2000 + "no end"


@pytest.fixture
def file(bench: Workbench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that counts as large, loaded in many pieces."""
    bench.documents.large.threshold = 1000
    monkeypatch.setattr(buffer, "_PIECE", 777)
    path = tmp_path / "large.py"
    path.write_bytes(TEXT.encode())
    return path


def opened(bench: Workbench, qtbot: QtBot, file: Path) -> Document:
    document = bench.documents.open(file)
    assert document is not None
    qtbot.waitUntil(lambda: not document.is_loading, timeout=20_000)
    return document


def test_a_large_file_is_opened_in_the_background_and_whole(bench: Workbench, qtbot: QtBot, file: Path) -> None:
    document = bench.documents.open(file, Position(500, 3))
    assert document is not None
    bench.refresh()
    assert document.is_loading
    assert (document.title, document.path, document.editor.plain_text()) == ("large.py", file, "")
    assert bench.window.tabs.buttons[0].model.busy == "opening"
    assert not bench.documents.writer.save(document)
    qtbot.waitUntil(lambda: not document.is_loading, timeout=20_000)
    assert document.editor.plain_text() == TEXT
    assert document.editor.text_index().position(document.editor.caret()) == Position(500, 3)
    assert document.editor.isEnabled()
    assert (document.is_modified, document.editor.language_id, document.editor.canUndo()) == (False, "python", False)
    assert file.read_bytes() == TEXT.encode()


def test_a_large_file_that_cannot_be_read_leaves_no_tab(bench: Workbench, qtbot: QtBot, file: Path) -> None:
    file.write_bytes(bytes(range(256)) * 20)
    bench.documents.open(file)
    qtbot.waitUntil(lambda: not bench.documents.all, timeout=20_000)
    assert "large.py" in bench.window.toasts.shown[-1].model.text


def test_a_large_file_closed_while_it_is_read_is_gone(bench: Workbench, qtbot: QtBot, file: Path) -> None:
    document = bench.documents.open(file)
    assert document is not None
    assert bench.documents.close(document)
    other = opened(bench, qtbot, file)
    assert bench.documents.all == [other]


def test_what_is_written_while_a_large_file_is_saved_stays_unsaved(bench: Workbench, qtbot: QtBot, file: Path) -> None:
    document = opened(bench, qtbot, file)
    document.editor.insertText(0, "# first\n")
    document.editor.buffer.flush()
    bench.run("file.save")
    assert document.is_saving
    document.editor.insertText(0, "# second\n")
    document.editor.buffer.flush()
    qtbot.waitUntil(lambda: not document.is_saving, timeout=20_000)
    assert file.read_bytes() == ("# first\n" + TEXT).encode()
    assert document.is_modified
    assert bench.documents.writer.save(document)
    assert file.read_bytes() == ("# second\n# first\n" + TEXT).encode()
    assert not document.is_modified


def test_closing_waits_for_a_large_file_to_be_saved(
    bench: Workbench, qtbot: QtBot, questions: PresetQuestions, file: Path
) -> None:
    document = opened(bench, qtbot, file)
    document.editor.insertText(0, "# mine\n")
    document.editor.buffer.flush()
    bench.run("file.save")
    assert bench.documents.close(document)
    assert questions.asked == []
    assert file.read_bytes() == ("# mine\n" + TEXT).encode()


def test_another_programs_change_is_asked_about_before_a_large_file_is_overwritten(
    bench: Workbench, qtbot: QtBot, questions: PresetQuestions, file: Path
) -> None:
    document = opened(bench, qtbot, file)
    document.editor.insertText(0, "# mine\n")
    document.editor.buffer.flush()
    file.write_text("theirs\n", encoding="utf-8")
    questions.consent = False
    bench.run("file.save")
    qtbot.waitUntil(lambda: not document.is_saving, timeout=20_000)
    assert questions.asked == ["overwrite large.py"]
    assert file.read_text(encoding="utf-8") == "theirs\n"
    assert document.is_modified


def test_who_is_told_of_a_large_file_is_let_go_with_the_word(bench: Workbench, tmp_path: Path) -> None:
    told: list[object] = []

    class Waiting:
        def hear(self, result: object) -> None:
            told.append(result)

    waiting = Waiting()
    last_words = weakref.ref(waiting)
    finish = bench.documents.large.write(TextFile(tmp_path / "new.txt", "tide\n"), waiting.hear)
    del waiting
    finish()
    finish()
    assert last_words() is None
    assert [type(result) for result in told] == [TextFile]


@given(st.text("aä😀\r\n", max_size=60))
def test_pieces_are_the_whole_and_none_ends_inside_a_line_end(text: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(buffer, "_PIECE", 5)
        parts = list(buffer.pieces(text))
    assert "".join(parts) == text
    for part, following in pairwise(parts):
        assert part
        assert not (part.endswith("\r") and following.startswith("\n"))
