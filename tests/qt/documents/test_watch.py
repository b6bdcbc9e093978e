from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from redraft.api.editor import TextChange
from redraft.qt.documents.document import Document
from redraft.qt.documents.watch import CHANGED, GONE, MERGEABLE, DiskWatch
from redraft.qt.notices import FileNotices
from redraft.qt.workbench import Workbench


@pytest.fixture
def notices(bench: Workbench) -> FileNotices:
    return FileNotices(bench, DiskWatch(bench.documents, bench))


@pytest.fixture
def document(bench: Workbench, notices: FileNotices, tmp_path: Path) -> Document:
    path = tmp_path / "tide.txt"
    path.write_text("one\ntwo\n", encoding="utf-8")
    document = bench.documents.open(path)
    assert document is not None
    return document


def path_of(document: Document) -> Path:
    assert document.path is not None
    return document.path


def edit(document: Document, text: str) -> None:
    document.editor.insertText(0, text)
    document.editor.buffer.flush()


def test_a_clean_file_is_read_again_by_itself(bench: Workbench, qtbot: QtBot, document: Document) -> None:
    path_of(document).write_text("three\n", encoding="utf-8")
    qtbot.waitUntil(lambda: document.editor.plain_text() == "three\n", timeout=10_000)
    assert not document.is_modified
    assert bench.window.view_of(document).notice.notice is None


def test_a_file_that_is_replaced_whole_is_noticed_twice(qtbot: QtBot, document: Document) -> None:
    def replace_with(text: str) -> None:
        other = path_of(document).with_suffix(".new")
        other.write_text(text, encoding="utf-8")
        other.rename(path_of(document))
        qtbot.waitUntil(lambda: document.editor.plain_text() == text, timeout=10_000)

    replace_with("three\n")
    replace_with("four\n")


def test_unsaved_changes_are_kept_and_the_user_is_asked(bench: Workbench, qtbot: QtBot, document: Document) -> None:
    edit(document, "mine ")
    path_of(document).write_text("theirs\n", encoding="utf-8")
    bar = bench.window.view_of(document).notice
    qtbot.waitUntil(lambda: bar.notice == CHANGED, timeout=10_000)
    assert document.editor.plain_text() == "mine one\ntwo\n"


def test_keeping_ones_own_overwrites_on_the_next_save(
    bench: Workbench, notices: FileNotices, document: Document
) -> None:
    edit(document, "mine ")
    path_of(document).write_text("theirs\n", encoding="utf-8")
    notices._watch.check(document)
    notices.choose(document, "keep")
    assert bench.window.view_of(document).notice.notice is None
    assert bench.documents.writer.save(document)
    assert path_of(document).read_text(encoding="utf-8") == "mine one\ntwo\n"


def test_reloading_takes_what_is_on_disk(notices: FileNotices, document: Document) -> None:
    edit(document, "mine ")
    path_of(document).write_text("theirs\n", encoding="utf-8")
    notices._watch.check(document)
    notices.choose(document, "reload")
    assert document.editor.plain_text() == "theirs\n"
    assert not document.is_modified


def test_comparing_opens_a_patch(bench: Workbench, notices: FileNotices, document: Document) -> None:
    edit(document, "mine ")
    notices.choose(document, "compare")
    shown = bench.documents.active
    assert shown is not None
    assert shown.editor.language_id == "diff"
    assert "-one\n+mine one\n" in shown.editor.plain_text()


def test_under_undecided_hunks_only_the_lines_that_differ_are_changed(
    bench: Workbench, notices: FileNotices, document: Document
) -> None:
    changes: list[TextChange] = []
    document.set_activity(is_running=False, undecided=1)
    document.editor.text_changed.connect(changes.append)
    path_of(document).write_text("one\n2\n", encoding="utf-8")
    notices._watch.check(document)
    assert document.editor.plain_text() == "one\n2\n"
    assert changes == [TextChange(4, "two\n", "2\n", is_from_disk=True)]
    assert not document.is_modified
    assert bench.window.view_of(document).notice.notice is None


def test_a_new_time_with_the_same_bytes_is_no_change(
    bench: Workbench, notices: FileNotices, document: Document
) -> None:
    edit(document, "mine ")
    path_of(document).write_text("one\ntwo\n", encoding="utf-8")
    notices._watch.check(document)
    assert bench.window.view_of(document).notice.notice is None


def test_a_removed_file_can_be_saved_again(bench: Workbench, notices: FileNotices, document: Document) -> None:
    path_of(document).unlink()
    notices._watch.check(document)
    assert bench.window.view_of(document).notice.notice == GONE
    notices.choose(document, "save")
    assert path_of(document).read_text(encoding="utf-8") == "one\ntwo\n"
    assert bench.window.view_of(document).notice.notice is None


def test_changes_that_lie_apart_can_be_merged_and_stay_unsaved(
    bench: Workbench, notices: FileNotices, tmp_path: Path
) -> None:
    path = tmp_path / "long.txt"
    path.write_text("one\ntwo\nthree\nfour\n", encoding="utf-8")
    document = bench.documents.open(path)
    assert document is not None
    edit(document, "mine ")
    path.write_text("one\ntwo\nthree\n4\n", encoding="utf-8")
    notices._watch.check(document)
    assert bench.window.view_of(document).notice.notice == MERGEABLE
    notices.choose(document, "merge")
    assert document.editor.plain_text() == "mine one\ntwo\nthree\n4\n"
    assert document.is_modified
    assert bench.window.view_of(document).notice.notice is None
    assert path.read_text(encoding="utf-8") == "one\ntwo\nthree\n4\n"
    document.editor.undo()
    assert document.editor.plain_text() == "mine one\ntwo\nthree\nfour\n"
    assert bench.documents.writer.save(document), "the file on disk is known: nobody has to be asked"
