"""The middle of the window: one text, or two beside each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QSplitter, QSplitterHandle, QStackedWidget, QVBoxLayout, QWidget

from redraft.qt.frame.empty_area import EmptyArea
from redraft.qt.frame.sidebar import KeyHint
from redraft.qt.theme import Theme

GRIP: Final = 7
"""Pixels between the panes that can be dragged; one of them is drawn."""


class Grip(QSplitterHandle):
    """The edge between two panes: a line, with air to take hold of it."""

    def __init__(self, splitter: Splitter) -> None:
        super().__init__(Qt.Orientation.Horizontal, splitter)
        self._splitter = splitter

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._splitter.theme
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.color("surface.0"))
        painter.fillRect(QRect(self.width() // 2, 0, 1, self.height()), theme.color("border.default"))
        painter.end()


class Splitter(QSplitter):
    """Lays the panes out side by side."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.theme = theme
        self.setChildrenCollapsible(False)
        self.setHandleWidth(GRIP)

    def createHandle(self) -> QSplitterHandle:
        return Grip(self)


class Pane(QStackedWidget):
    """Shows one page of those it holds, or that there is none."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.empty = EmptyArea(theme)
        # Without it, Qt would give the keyboard to the first button of a window that shows no text.
        self.empty.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.addWidget(self.empty)

    @property
    def page(self) -> QWidget | None:
        """What it shows."""
        widget = self.currentWidget()
        return None if widget is self.empty else widget

    @property
    def pages(self) -> list[QWidget]:
        """All that it holds."""
        widgets = (self.widget(place) for place in range(self.count()))
        return [widget for widget in widgets if widget is not None and widget is not self.empty]

    def show_page(self, page: QWidget | None) -> None:
        """Show a page, wherever it was held, or none."""
        if page is not None and self.indexOf(page) < 0:
            self.addWidget(page)
        self.setCurrentWidget(page or self.empty)


class SplitArea(QWidget):
    """One pane or two. A page stands in one of them; the active pane is where pages are shown next."""

    entered = Signal(object)
    """The keyboard went into the other pane; the page there, or `None`."""

    split_changed = Signal()
    """There are two panes now, or one again."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._splitter = Splitter(theme)
        self._panes = (Pane(theme), Pane(theme))
        self._active = self._panes[0]
        for pane in self._panes:
            self._splitter.addWidget(pane)
        self._panes[1].hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._splitter)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._on_focus_changed)

    @property
    def is_split(self) -> bool:
        """Whether there are two panes."""
        return not self._panes[1].isHidden()

    @property
    def pages(self) -> tuple[QWidget | None, ...]:
        """What is shown, from left to right; `None` for an empty pane."""
        return tuple(pane.page for pane in self._panes[: 2 if self.is_split else 1])

    @property
    def current(self) -> QWidget:
        """What the active pane shows, if only that it is empty."""
        return self._active.page or self._active.empty

    @property
    def others(self) -> Sequence[QWidget]:
        """What the other pane shows, if there is one."""
        other = self._other
        return [other.page or other.empty] if self.is_split else []

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._splitter.theme = theme
        for pane in self._panes:
            pane.empty.set_theme(theme)
        self._splitter.handle(1).update()

    def set_hints(self, hints: Sequence[KeyHint]) -> None:
        """Show these keys where no file is."""
        for pane in self._panes:
            pane.empty.set_hints(hints)

    def add(self, page: QWidget) -> None:
        """Hold a page, to be shown later."""
        self._active.addWidget(page)

    def remove(self, page: QWidget) -> None:
        """Let go of a page; the pane that showed it is empty, and goes unless it is the active one."""
        pane = self._pane_of(page)
        was_shown = pane.page is page
        if was_shown:
            pane.show_page(None)
        pane.removeWidget(page)
        if was_shown and self.is_split and pane is not self._active:
            self.join()

    def show_page(self, page: QWidget | None) -> None:
        """Show a page where it is shown already, else in the active pane; an empty pane that is left so goes."""
        if page is not None and page in self.pages:
            left = self._active
            self._active = self._pane_of(page)
            if left is not self._active and left.page is None:
                self.join()
        else:
            self._active.show_page(page)

    def split(self, page: QWidget | None) -> None:
        """Show a second pane, at the right, with a page in it or none; it is the active one then."""
        if not self.is_split:
            self._panes[1].show_page(page)
            self._panes[1].show()
            self._splitter.setSizes([self.width() // 2] * 2)
        self._active = self._panes[1]
        self.split_changed.emit()

    def join(self) -> None:
        """One pane again: it shows what the active one did."""
        first, second = self._panes
        kept = self._active.page or self._other.page
        for page in second.pages:
            first.addWidget(page)
        second.hide()
        self._active = first
        first.show_page(kept)
        self.split_changed.emit()

    @property
    def _other(self) -> Pane:
        return self._panes[1 - self._panes.index(self._active)]

    def _pane_of(self, page: QWidget) -> Pane:
        return next(pane for pane in self._panes if pane.indexOf(page) >= 0)

    def _on_focus_changed(self, _before: QWidget | None, now: QWidget | None) -> None:
        if self.is_split and now is not None and self._other.isAncestorOf(now):
            self._active = self._other
            self.entered.emit(self._active.page)
