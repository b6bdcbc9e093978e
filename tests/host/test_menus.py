from __future__ import annotations

from redraft.host.contributions import MenuContribution
from redraft.host.menus import Menu, MenuItem, MenuRegistry


def entry(menu: str, command: str, group: str = "", order: int = 0) -> MenuContribution:
    return MenuContribution(menu=menu, command=command, group=group, order=order)


def outline(menu: Menu) -> list[object]:
    """Commands, `-` for a line, and a submenu as its title with its own outline."""
    lines: list[object] = []
    for group in menu.groups:
        if lines:
            lines.append("-")
        lines.extend(item.command if isinstance(item, MenuItem) else (item.title, outline(item)) for item in group)
    return lines


def registry(*entries: MenuContribution) -> MenuRegistry:
    made = MenuRegistry()
    made.add(entries)
    return made


def test_groups_are_sorted_by_name_and_entries_by_order_then_declaration() -> None:
    made = registry(
        entry("File", "file.quit", "9"),
        entry("File", "file.open", "1"),
        entry("File", "file.save", "2"),
        entry("File", "file.first", "1", order=-1),
        entry("File", "file.last", "1"),
    )
    assert outline(made.menu("File")) == ["file.first", "file.open", "file.last", "-", "file.save", "-", "file.quit"]


def test_a_submenu_stands_in_the_group_of_its_first_entry() -> None:
    made = registry(
        entry("View", "view.a", "1"),
        entry("View/Folding", "view.fold_all", "3"),
        entry("View/Folding", "view.fold", "2"),
        entry("View", "view.z", "3"),
        entry("View/Folding/Deep", "view.deep", "2"),
    )
    assert outline(made.menu("View")) == [
        "view.a",
        "-",
        ("Folding", ["view.fold", ("Deep", ["view.deep"]), "-", "view.fold_all"]),
        "-",
        "view.z",
    ]


def test_the_menu_bar_keeps_the_order_of_declaration_and_leaves_context_menus_out() -> None:
    made = registry(
        entry("File", "a.b"), entry("editor/context", "a.c"), entry("Help/More", "a.d"), entry("File", "a.e")
    )
    assert [menu.title for menu in made.menu_bar()] == ["File", "Help"]
    assert outline(made.menu("editor/context")) == ["a.c"]


def test_a_menu_nobody_declares_is_empty() -> None:
    assert MenuRegistry().menu("File") == Menu("File")


def test_entries_go_with_their_plugin_even_if_another_has_equal_ones() -> None:
    made = registry(entry("AI", "a.b"))
    heard: list[int] = []
    made.on_did_change(lambda: heard.append(len(outline(made.menu("AI")))))
    added = made.add([entry("AI", "a.b")])
    added.dispose()
    assert heard == [2, 1]
