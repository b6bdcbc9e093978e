"""Draws the menus of the registry: titles, keys, ticks, and only what can run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from redraft.core.errors import RedraftError, UsageError
from redraft.host.menus import Menu, MenuItem
from redraft.host.registries import Registries
from redraft.qt.theme import Theme


class PlainMenu(QMenu):
    """A menu with the theme's rounded box and the platform's shadow."""

    def __init__(self, title: str = "", parent: QWidget | None = None) -> None:
        super().__init__(title.replace("&", "&&"), parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        self.setWindowFlag(Qt.WindowType.FramelessWindowHint)
        self.setToolTipsVisible(False)


@dataclass(frozen=True, slots=True)
class MenuChoice:
    """One thing a command can be done with: what the menu says, and what the command is given."""

    title: str
    argument: str


class MenuBuilder:
    """Makes menus from the registries; each is made anew when it opens, so that it is never out of date."""

    def __init__(self, registries: Registries, on_error: Callable[[RedraftError], None]) -> None:
        self._registries = registries
        self._on_error = on_error
        self.choices: dict[str, Callable[[], Sequence[MenuChoice]]] = {}
        """Commands that offer choices: they are listed in a submenu, before the command itself."""

    def main_menu(self, theme: Theme, parent: QWidget) -> QMenu:
        """Everything there is, one submenu for each part."""
        menu = PlainMenu(parent=parent)
        for top in self._registries.menus.menu_bar():
            child = PlainMenu(top.title, menu)
            self._fill(child, top, theme)
            if child.actions():
                menu.addMenu(child)
        return menu

    def menu(self, path: str, theme: Theme, parent: QWidget) -> QMenu:
        """One menu by its path (`"tab/context"`)."""
        menu = PlainMenu(parent=parent)
        self._fill(menu, self._registries.menus.menu(path), theme)
        return menu

    def _fill(self, menu: QMenu, declared: Menu, theme: Theme) -> None:
        for group in declared.groups:
            if menu.actions() and not menu.actions()[-1].isSeparator():
                menu.addSeparator()
            for entry in group:
                if isinstance(entry, Menu):
                    child = PlainMenu(entry.title, menu)
                    self._fill(child, entry, theme)
                    if child.actions():
                        menu.addMenu(child)
                else:
                    self._add_item(menu, entry, theme)
        if menu.actions() and menu.actions()[-1].isSeparator():
            menu.removeAction(menu.actions()[-1])

    def _add_item(self, menu: QMenu, item: MenuItem, theme: Theme) -> None:
        commands, context = self._registries.commands, self._registries.context
        if not item.when.holds(context) or not commands.has_handler(item.command):
            return
        command = commands.get(item.command)
        title = (item.title or command.title).replace("&", "&&")
        key = self._registries.keymap.label(item.command, *item.args)
        choices = self.choices[item.command]() if item.command in self.choices and not item.args else ()
        if choices:
            menu = self._add_choices(menu, item.command, title.removesuffix("…"), choices)
            title = "More…"
        action = QAction(f"{title}\t{key}" if key else title, menu)
        action.setEnabled(commands.is_enabled(item.command))
        if detail := commands.detail(item.command):
            action.setToolTip(f"<span>{escape(detail)}</span>")  # else what looks like markup would be read as such
            menu.setToolTipsVisible(True)
        if command.checked is not None:
            if commands.is_checked(item.command):
                action.setIcon(theme.icon("check", color="text.primary"))
        elif command.icon:
            action.setIcon(theme.icon(command.icon))
        action.triggered.connect(lambda: self.run(item.command, *item.args))
        menu.addAction(action)

    def _add_choices(self, menu: QMenu, command: str, title: str, choices: Sequence[MenuChoice]) -> QMenu:
        child = PlainMenu(title, menu)
        for choice in choices:
            action = QAction(choice.title.replace("&", "&&"), child)
            action.triggered.connect(lambda _=False, argument=choice.argument: self.run(command, argument))
            child.addAction(action)
        child.addSeparator()
        menu.addMenu(child)
        return child

    def run(self, command: str, *args: object) -> None:
        """Run a command; what goes wrong is said in one sentence."""
        try:
            if self._registries.commands.has_handler(command):
                self._registries.commands.execute(command, *args)
            else:
                raise UsageError(f"“{self._registries.commands.get(command).title}” is not available here.")
        except RedraftError as error:
            self._on_error(error)
