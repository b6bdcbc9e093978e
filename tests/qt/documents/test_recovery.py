from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from redraft.core.recovery import RecoveryJournal
from redraft.qt.documents.document import Document
from redraft.qt.documents.recovery import RecoveryKeeper
from redraft.qt.workbench import Workbench


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "recovery"


def crash(journal: RecoveryJournal) -> None:
    """End a journal as a killed process does: its lock goes, its files stay."""
    assert journal._lock is not None
    os.close(journal._lock)
    journal._lock = None


def edit(document: Document, text: str) -> None:
    document.editor.insertText(0, text)
    document.editor.buffer.flush()


def test_unsaved_text_comes_back_after_a_crash(bench: Workbench, qtbot: QtBot, folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "tide.txt"
    path.write_text("one\n", encoding="utf-8")
    journal = RecoveryJournal(folder)
    keeper = RecoveryKeeper(bench.documents, journal, parent=bench)
    document = bench.documents.open(path)
    assert document is not None
    edit(document, "unsaved ")
    untitled = bench.documents.new()
    edit(untitled, "x = 1\n")
    qtbot.waitUntil(lambda: len(keeper._written) == 2, timeout=10_000)
    crash(journal)
    keeper._journal = RecoveryJournal(folder)
    bench.documents.close(document, ask=False)
    bench.documents.close(untitled, ask=False)

    later = RecoveryKeeper(bench.documents, RecoveryJournal(folder), parent=bench)
    found = later.recoverable()
    assert sorted(recovered.unsaved.title for recovered in found) == ["Untitled", "tide.txt"]
    later.restore(found)
    texts = {one.title: (one.editor.plain_text(), one.is_modified) for one in bench.documents.all}
    assert texts == {"tide.txt": ("unsaved one\n", True), "Untitled": ("x = 1\n", True)}
    assert path.read_text(encoding="utf-8") == "one\n"
    assert later.recoverable() == ()
    later.stop()


def test_saved_and_closed_texts_are_not_offered(bench: Workbench, folder: Path, tmp_path: Path) -> None:
    journal = RecoveryJournal(folder)
    keeper = RecoveryKeeper(bench.documents, journal, parent=bench)
    path = tmp_path / "a.txt"
    path.write_text("one\n", encoding="utf-8")
    document = bench.documents.open(path)
    assert document is not None
    edit(document, "x")
    keeper.write_now()
    bench.documents.writer.save(document)
    keeper.write_now()
    edit(document, "y")
    keeper.write_now()
    bench.documents.close(document, ask=False)
    crash(journal)
    assert RecoveryJournal(folder).recoverable() == ()


def test_undecided_proposals_are_kept_beside_the_saved_text(bench: Workbench, folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("one\n", encoding="utf-8")
    proposal: dict[str, Any] = {"start": 0, "end": 4, "proposed": "two\n"}
    journal = RecoveryJournal(folder)
    keeper = RecoveryKeeper(bench.documents, journal, lambda _document: (proposal,), parent=bench)
    bench.documents.open(path)
    keeper.write_now()
    crash(journal)
    (found,) = RecoveryJournal(folder).recoverable()
    assert (found.unsaved.text, found.unsaved.proposals) == (None, (proposal,))


def test_what_is_not_wanted_is_gone(bench: Workbench, folder: Path) -> None:
    journal = RecoveryJournal(folder)
    keeper = RecoveryKeeper(bench.documents, journal, parent=bench)
    edit(bench.documents.new(), "x")
    keeper.write_now()
    crash(journal)
    later = RecoveryKeeper(bench.documents, RecoveryJournal(folder), parent=bench)
    later.discard(later.recoverable())
    assert later.recoverable() == ()
