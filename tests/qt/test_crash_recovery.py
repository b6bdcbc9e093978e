from __future__ import annotations

import os
from pathlib import Path

import pytest

from redraft.core.recovery import RecoveryJournal
from redraft.qt.activity import FollowedEditor
from redraft.qt.crash_recovery import CrashRecovery
from redraft.qt.documents.recovery import RecoveryKeeper
from redraft.qt.documents.watch import DiskWatch
from redraft.qt.notices import FileNotices
from redraft.qt.plugin_editors import EditorsService
from redraft.qt.workbench import Workbench


@pytest.fixture
def crashed(bench: Workbench, tmp_path: Path) -> Path:
    """A file with unsaved changes in the window of a process that was killed."""
    path = tmp_path / "tide.txt"
    path.write_text("one\n", encoding="utf-8")
    journal = RecoveryJournal()
    keeper = RecoveryKeeper(bench.documents, journal, parent=bench)
    document = bench.documents.open(path)
    assert document is not None
    document.editor.insertText(0, "unsaved ")
    document.editor.buffer.flush()
    keeper.write_now()
    assert journal._lock is not None
    os.close(journal._lock)  # as the kernel does for a killed process
    journal._lock = None
    keeper._journal = RecoveryJournal(tmp_path / "other")
    bench.documents.close(document, ask=False)
    return path


def restore_all(bench: Workbench) -> None:
    editors = EditorsService(
        bench, lambda document: FollowedEditor(document, bench.refresh_soon, bench.documents.activate)
    )
    recovery = CrashRecovery(bench, editors, FileNotices(bench, DiskWatch(bench.documents, bench)))
    recovery.offer()
    [offer] = bench.window.toasts.shown
    assert "tide.txt" in offer.model.text
    offer.action_chosen.emit()
    recovery.stop()


def test_unsaved_text_comes_back_on_wish(bench: Workbench, crashed: Path) -> None:
    restore_all(bench)
    document = bench.documents.of_path(crashed)
    assert document is not None
    assert (document.editor.plain_text(), document.is_modified) == ("unsaved one\n", True)
    assert len(bench.messages.all) == 1


def test_a_file_written_since_the_crash_is_told_and_can_be_compared(bench: Workbench, crashed: Path) -> None:
    crashed.write_text("two\n", encoding="utf-8")
    restore_all(bench)
    assert crashed.read_text(encoding="utf-8") == "two\n"
    told = bench.window.toasts.shown[-1]
    assert "tide.txt was changed on disk" in told.model.text
    told.action_chosen.emit()
    compared = bench.documents.active
    assert compared is not None
    assert "-two\n+unsaved one\n" in compared.editor.plain_text()
