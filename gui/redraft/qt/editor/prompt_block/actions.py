"""Buttons made from a plugin's actions; made anew only when the actions changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from redraft.api.prompt_block import ActionStyle, PromptAction
from redraft.qt.icons import draw_glyph
from redraft.qt.theme import Theme
from redraft.qt.widgets import IconButton, KeyButton, Pressable
from redraft.qt.widgets.painting import draw_box, set_plain_tooltip

ICON: Final = 16


class FilledIconButton(IconButton):
    """An icon button with a ground of its own: the one that sends."""

    def draw(self, painter: QPainter) -> None:
        """Draw the ground, then the icon."""
        fill = self.theme.color("surface.4" if self.is_hovered or self.isDown() else "surface.3")
        edge = self.theme.color("border.default") if self.theme.shows_edges else None
        draw_box(painter, self.rect(), self.theme.radius("medium"), fill=fill, edge=edge)
        if not self.is_hovered and not self.isDown():
            super().draw(painter)
            return
        box = QRect((self.width() - ICON) // 2, (self.height() - ICON) // 2, ICON, ICON)
        painter.setPen(self.theme.color("text.primary"))
        draw_glyph(painter, box, self.theme.icon_char("send"))


class PlaceLabel(KeyButton):
    """A flat action that cannot be pressed only says where one is: `1/2` between two arrows."""

    def draw(self, painter: QPainter) -> None:
        """Draw the words."""
        painter.setFont(self.theme.font("small", weight=500, tabular=True))
        painter.setPen(self.theme.color("text.primary"))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.text())

    def sizeHint(self) -> QSize:
        size = super().sizeHint()
        return QSize(size.width() - 10, size.height())


def make_button(theme: Theme, action: PromptAction, parent: QWidget, on_pressed: Callable[[str], None]) -> Pressable:
    """A button for an action, 24 px high."""
    button: Pressable
    if action.style is ActionStyle.ICON:
        icon_kind = FilledIconButton if action.icon == "send" else IconButton
        button = icon_kind(theme, action.icon, action.label, key=action.key, side=24, color="text.secondary")
        button.setParent(parent)
        if action.tooltip:
            set_plain_tooltip(button, action.tooltip)
    else:
        is_place = action.style is ActionStyle.FLAT and not action.enabled and not action.icon
        kind = PlaceLabel if is_place else KeyButton
        button = kind(theme, action.label, key=action.key, icon=action.icon, style=action.style, parent=parent)
        set_plain_tooltip(button, action.tooltip)
    button.setEnabled(action.enabled)
    button.clicked.connect(lambda: on_pressed(action.id))
    return button


class ActionButtons:
    """The buttons of a row, right-aligned, in the order of their actions."""

    def __init__(self, theme: Theme, parent: QWidget, on_pressed: Callable[[str], None]) -> None:
        self._theme = theme
        self._parent = parent
        self._on_pressed = on_pressed
        self._actions: tuple[PromptAction, ...] = ()
        self.buttons: list[Pressable] = []
        self.has_room = True
        """Whether keys stand beside the labels."""

    @property
    def actions(self) -> Sequence[PromptAction]:
        """What they stand for."""
        return self._actions

    def set_actions(self, actions: tuple[PromptAction, ...]) -> None:
        """Show buttons for other actions, keeping the keyboard on the one with the same id."""
        if actions == self._actions:
            return
        focused = next((a.id for a, b in zip(self._actions, self.buttons, strict=True) if b.hasFocus()), None)
        for button in self.buttons:
            button.hide()
            button.deleteLater()
        self._actions = actions
        self.has_room = True
        self.buttons = [make_button(self._theme, action, self._parent, self._on_pressed) for action in actions]
        for action, button in zip(actions, self.buttons, strict=True):
            button.show()
            if action.id == focused:
                button.setFocus()

    def place(
        self, right: int, center: int, gaps: Callable[[int], int] | None = None, *, which: range | None = None
    ) -> int:
        """Put them side by side, or `which` of them, the last ending at `right`; gives the left end."""
        which = range(len(self.buttons)) if which is None else which
        for index in reversed(which):
            button = self.buttons[index]
            size = button.sizeHint()
            button.setGeometry(right - size.width(), center - size.height() // 2, size.width(), size.height())
            right -= size.width()
            if index > which.start:
                right -= gaps(index) if gaps else 8
        return right

    def width(self, gaps: Callable[[int], int], which: range) -> int:
        """How wide some of them are side by side, in px."""
        widths = sum(self.buttons[index].sizeHint().width() for index in which)
        return widths + sum(gaps(index) for index in which[1:])

    def set_room(self, *, has_room: bool) -> None:
        """Whether there is room for the keys beside the labels."""
        self.has_room = has_room
        for button in self.buttons:
            if isinstance(button, KeyButton):
                button.set_room(has_room=has_room)

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._theme = theme
        for button in self.buttons:
            button.set_theme(theme)
