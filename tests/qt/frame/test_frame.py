from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QFileSystemWatcher, Qt, QTimer
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from redraft.api.prompt_block import Tone
from redraft.api.ui import StatusModel
from redraft.qt.frame.folder_model import FolderModel
from redraft.qt.frame.folder_tree import FolderTree
from redraft.qt.frame.notice_bar import Notice, NoticeBar
from redraft.qt.frame.sidebar import KeyHint, OpenProposal, Sidebar
from redraft.qt.frame.status_bar import StatusBar
from redraft.qt.frame.toast import ToastModel, Toasts
from redraft.qt.theme import load_theme


def make_project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    for name in ("src/tideline/readings.py", "src/tideline/units.py", "docs/index.md", "README.md"):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x\n", encoding="utf-8")
    return root


def names(model: FolderModel) -> list[str]:
    return [row.entry.name for row in model.rows]


def test_items_stand_in_their_order_whatever_the_order_they_come_in(qtbot: QtBot) -> None:
    bar = StatusBar(load_theme("dark"))
    qtbot.addWidget(bar)
    bar.resize(900, 28)
    bar.set_item("language", StatusModel("Python"))
    bar.set_item("position", StatusModel("Ln 1, Col 1"))
    bar.set_item("hunks", StatusModel("2 hunks to decide", tone=Tone.ACCENT))
    bar.set_item("branch", StatusModel("main", icon="branch"))
    bar.set_item("prediction", StatusModel("Paused here", at_right=True))
    bar.show()
    items = {name: bar.item(name) for name in ("branch", "hunks", "position", "language", "prediction")}
    places = [item.x() for item in items.values() if item is not None]
    assert places == sorted(places)
    assert len(places) == 5


def test_an_item_with_a_command_can_be_pressed_and_others_cannot(qtbot: QtBot) -> None:
    bar = StatusBar(load_theme("dark"))
    qtbot.addWidget(bar)
    bar.set_item("position", StatusModel("Ln 1", command="go.line"))
    bar.set_item("saved", StatusModel("Saved"))
    position, saved = bar.item("position"), bar.item("saved")
    assert position is not None
    assert saved is not None
    with qtbot.waitSignal(bar.triggered) as triggered:
        position.click()
    assert triggered.args == ["position", "go.line"]
    with qtbot.assertNotEmitted(bar.triggered):
        saved.click()
    assert saved.focusPolicy() == Qt.FocusPolicy.NoFocus


def test_an_item_can_be_taken_away(qtbot: QtBot) -> None:
    bar = StatusBar(load_theme("dark"))
    qtbot.addWidget(bar)
    bar.set_item("branch", StatusModel("main"))
    bar.set_item("branch", None)
    assert bar.item("branch") is None


def test_folders_are_read_when_they_are_opened(qtbot: QtBot, tmp_path: Path) -> None:
    model = FolderModel()
    project = make_project(tmp_path)
    model.set_root(project)
    qtbot.waitUntil(lambda: names(model) == ["docs", "src/tideline", "README.md"])
    model.toggle(1)
    qtbot.waitUntil(lambda: len(model.rows) == 5)
    assert names(model) == ["docs", "src/tideline", "readings.py", "units.py", "README.md"]
    assert [row.depth for row in model.rows] == [0, 0, 1, 1, 0]
    model.toggle(1)
    assert names(model) == ["docs", "src/tideline", "README.md"]
    model.stop()


def test_a_new_file_appears_by_itself(qtbot: QtBot, tmp_path: Path) -> None:
    model = FolderModel()
    project = make_project(tmp_path)
    model.set_root(project)
    qtbot.waitUntil(lambda: len(model.rows) == 3)
    (project / "LICENSE").write_text("MIT", encoding="utf-8")
    qtbot.waitUntil(lambda: "LICENSE" in names(model), timeout=10_000)
    model.stop()


def test_a_change_on_disk_after_the_end_is_not_looked_at(qtbot: QtBot, tmp_path: Path) -> None:
    model = FolderModel()
    project = make_project(tmp_path)
    model.set_root(project)
    qtbot.waitUntil(lambda: len(model.rows) == 3)
    watcher = model.findChild(QFileSystemWatcher)
    assert watcher is not None
    model.stop()
    model.stop()
    with qtbot.waitSignal(watcher.directoryChanged, timeout=20_000):
        (project / "LICENSE").write_text("MIT", encoding="utf-8")
    assert not any(timer.isActive() for timer in model.findChildren(QTimer))


def test_open_folders_come_back(qtbot: QtBot, tmp_path: Path) -> None:
    model = FolderModel()
    project = make_project(tmp_path)
    model.set_root(project, {project / "src" / "tideline"})
    qtbot.waitUntil(lambda: "readings.py" in names(model))
    assert model.open_folders == {project / "src" / "tideline"}
    model.stop()


@pytest.mark.parametrize("file_first", [True, False])
def test_the_file_in_front_is_shown_in_the_tree_whichever_comes_first(
    qtbot: QtBot, tmp_path: Path, file_first: object
) -> None:
    project = make_project(tmp_path)
    file = project / "src" / "tideline" / "units.py"
    model = FolderModel()
    tree = FolderTree(load_theme("dark"), model)
    qtbot.addWidget(tree)
    if file_first:
        tree.set_current_file(file)
    model.set_root(project)
    if not file_first:
        qtbot.waitUntil(lambda: len(model.rows) == 3)
        tree.set_current_file(file)
    qtbot.waitUntil(lambda: tree.currentIndex().data() == "units.py")
    model.stop()


def test_a_folder_closed_by_hand_stays_closed_while_its_file_is_in_front(qtbot: QtBot, tmp_path: Path) -> None:
    project = make_project(tmp_path)
    model = FolderModel()
    tree = FolderTree(load_theme("dark"), model)
    qtbot.addWidget(tree)
    model.set_root(project)
    tree.set_current_file(project / "src" / "tideline" / "units.py")
    qtbot.waitUntil(lambda: "units.py" in names(model))
    model.toggle(1)
    tree.set_current_file(project / "src" / "tideline" / "units.py")
    model.toggle(0)
    qtbot.waitUntil(lambda: "index.md" in names(model))
    assert "units.py" not in names(model)
    model.stop()


def test_keys_open_folders_and_files(qtbot: QtBot, tmp_path: Path) -> None:
    model = FolderModel()
    tree = FolderTree(load_theme("dark"), model)
    qtbot.addWidget(tree)
    project = make_project(tmp_path)
    model.set_root(project)
    qtbot.waitUntil(lambda: len(model.rows) == 3)
    tree.setCurrentIndex(model.index(1))
    qtbot.keyClick(tree, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: len(model.rows) == 5)
    qtbot.keyClick(tree, Qt.Key.Key_Down)
    with qtbot.waitSignal(tree.file_chosen) as chosen:
        qtbot.keyClick(tree, Qt.Key.Key_Return)
    assert chosen.args == [project / "src" / "tideline" / "readings.py"]
    qtbot.keyClick(tree, Qt.Key.Key_Left)
    assert tree.currentIndex().row() == 1
    qtbot.keyClick(tree, Qt.Key.Key_Left)
    assert len(model.rows) == 3
    model.stop()


def test_side_bar_invites_to_open_a_folder_and_lists_proposals(qtbot: QtBot) -> None:
    model = FolderModel()
    sidebar = Sidebar(load_theme("light"), model)
    qtbot.addWidget(sidebar)
    sidebar.set_folder(None)
    sidebar.no_folder.set_hints([KeyHint("Edit a selection", "Ctrl+K"), KeyHint("Nothing bound", "")])
    sidebar.show()
    assert sidebar.no_folder.isVisible()
    assert sidebar.proposals.isHidden()
    assert len(sidebar.no_folder._hints) == 1
    sidebar.proposals.set_proposals([OpenProposal(4, "readings.py", "writing", is_running=True)])
    assert sidebar.proposals.isVisible()
    with qtbot.waitSignal(sidebar.proposals.chosen) as chosen:
        sidebar.proposals._rows[0].click()
    assert chosen.args == [4]
    model.stop()


def test_a_notice_offers_its_actions(qtbot: QtBot) -> None:
    bar = NoticeBar(load_theme("dark"))
    qtbot.addWidget(bar)
    bar.set_notice(Notice("Changed on disk.", Tone.WARN, (("keep", "Keep mine"), ("reload", "Reload"))))
    assert [button.text() for button in bar.buttons] == ["Keep mine", "Reload"]
    with qtbot.waitSignal(bar.chosen) as chosen:
        bar.buttons[1].click()
    assert chosen.args == ["reload"]
    bar.set_notice(None)
    assert bar.isHidden()


def test_toasts_stand_above_the_status_bar_and_say_a_thing_once(qtbot: QtBot) -> None:
    window = QWidget()
    window.resize(800, 600)
    qtbot.addWidget(window)
    window.show()
    toasts = Toasts(load_theme("dark"), window)
    for text in ("one", "two", "two", "three", "four"):
        toasts.show(ToastModel(text))
    assert [toast.model.text for toast in toasts.shown] == ["two", "three", "four"]
    lowest = toasts.shown[-1].geometry()
    assert lowest.bottom() == 600 - 28 - 16 - 1
    assert lowest.right() == 800 - 16 - 1


def test_toasts_on_screen_follow_the_theme(qtbot: QtBot) -> None:
    window = QWidget()
    window.resize(800, 600)
    qtbot.addWidget(window)
    window.show()
    toasts = Toasts(load_theme("dark"), window)
    toasts.show(ToastModel("Off now.", action="Bring it back"))
    toasts.set_theme(load_theme("light"))
    picture = toasts.shown[0].grab().toImage()
    assert picture.pixelColor(6, picture.height() // 2) == load_theme("light").color("surface.2")


def test_the_action_of_a_toast_runs_and_ends_it(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    toasts = Toasts(load_theme("dark"), window)
    done: list[bool] = []
    toasts.show(ToastModel("Off now.", action="Bring it back"), lambda: done.append(True))
    toasts.shown[0].action_chosen.emit()
    assert done == [True]
    assert toasts.shown == []
