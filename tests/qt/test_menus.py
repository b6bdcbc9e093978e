from __future__ import annotations

from PySide6.QtWidgets import QMenu

from redraft.qt.menus import MenuChoice
from redraft.qt.workbench import Workbench


def child(menu: QMenu, title: str) -> QMenu:
    found = next(action.menu() for action in menu.actions() if action.text() == title)
    assert isinstance(found, QMenu)
    return found


def test_a_command_with_choices_is_a_submenu_of_them_and_of_itself(bench: Workbench) -> None:
    given: list[str] = []
    bench.registries.commands.register("file.open_recent", lambda path="": given.append(path))
    bench.menus.choices["file.open_recent"] = lambda: [MenuChoice("~/a & b.py", "/home/me/a & b.py")]
    menu = bench.menus.main_menu(bench.themes.theme, bench.window)
    recent = child(child(menu, "File"), "Open Recent")
    titles = [action.text().split("\t")[0] for action in recent.actions() if not action.isSeparator()]
    assert titles == ["~/a && b.py", "More…"]
    for action in (recent.actions()[0], recent.actions()[-1]):
        action.trigger()
    assert given == ["/home/me/a & b.py", ""]


def test_without_choices_the_command_stands_alone(bench: Workbench) -> None:
    bench.registries.commands.register("file.open_recent", lambda: None)
    bench.menus.choices["file.open_recent"] = list
    file = child(bench.menus.main_menu(bench.themes.theme, bench.window), "File")
    assert any(action.text().startswith("Open Recent…") and action.menu() is None for action in file.actions())


def test_what_a_command_would_do_now_is_its_tooltip_and_stands_in_the_palette(bench: Workbench) -> None:
    bench.registries.commands.set_detail("file.new", "as <b>last</b> time")
    file = child(bench.menus.main_menu(bench.themes.theme, bench.window), "File")
    [new] = [action for action in file.actions() if action.text().startswith("New File")]
    assert new.toolTip() == "<span>as &lt;b&gt;last&lt;/b&gt; time</span>"
    assert file.toolTipsVisible()
    bench.run("view.command_palette")
    [row] = [row for row in bench.window.picker.rows if row.item.id == "file.new"]
    assert row.item.detail == "as <b>last</b> time"
