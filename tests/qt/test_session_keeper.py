from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from redraft.core.session import load_session, save_session
from redraft.core.text import Position
from redraft.qt.session_keeper import SessionKeeper
from redraft.qt.workbench import Workbench


def test_what_was_open_comes_back(bench: Workbench, qtbot: QtBot, tmp_path: Path) -> None:
    project = tmp_path / "project"
    (project / "src").mkdir(parents=True)
    for name in ("a.py", "b.py"):
        (project / "src" / name).write_text("x = 1\n" * 30, encoding="utf-8")
    keeper = SessionKeeper(bench)
    assert keeper.is_first_start
    bench.open_folder(project)
    bench.documents.open(project / "src" / "a.py", Position(20, 2))
    bench.documents.open(project / "src" / "b.py")
    bench.documents.activate(bench.documents.all[0])
    bench.window.set_sidebar_width(300)
    bench.set_zoom(2)
    keeper.mark_welcomed()
    keeper.save()
    bench.documents.close_many(bench.documents.all)
    bench.open_folder(None)
    bench.set_zoom(0)

    again = SessionKeeper(bench)
    again.restore_window()
    again.restore_files()
    assert [document.title for document in bench.documents.all] == ["a.py", "b.py"]
    active = bench.documents.active
    assert active is not None
    assert active.title == "a.py"
    assert active.editor.text_index().position(active.editor.caret()) == Position(20, 2)
    assert bench.folder == project
    assert bench.window.sidebar_width == 300
    assert again.is_welcomed
    assert bench.zoom == 2
    assert active.editor.row_height() > 22
    assert again.recent_files[:2] == (project / "src" / "b.py", project / "src" / "a.py")
    assert again.recent_folders == (project,)


def test_files_that_are_gone_are_left_out(bench: Workbench, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a", encoding="utf-8")
    keeper = SessionKeeper(bench)
    bench.documents.open(tmp_path / "a.txt")
    keeper.save()
    bench.documents.close_many(bench.documents.all)
    (tmp_path / "a.txt").unlink()
    SessionKeeper(bench).restore_files()
    assert bench.documents.all == []
    assert bench.window.toasts.shown == []


def test_a_shape_that_makes_no_sense_is_forgotten(bench: Workbench) -> None:
    save_session(load_session().model_copy(update={"window": "{not json"}))
    keeper = SessionKeeper(bench)
    keeper.restore_window()
    assert keeper.zoom == 0
