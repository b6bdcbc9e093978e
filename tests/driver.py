"""Drives the real window as a person does: by keys and clicks, waiting for what shows. For the tour and for tests."""

from __future__ import annotations

import builtins
import time
from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QEventLoop, QPoint, Qt, QTimer
from PySide6.QtGui import QKeySequence, QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from redraft.api.prompt_block import PromptModel
from redraft.app import Application
from redraft.core.text import TextRange
from redraft.qt.documents.document import Document
from redraft.qt.editor.inline_diff.hunk_bar import HunkBar, Wish
from redraft.qt.editor.prediction.hint import KeyHint
from redraft.qt.editor.prompt_block.block import PromptBlock

W = TypeVar("W", bound=QWidget)
LEFT = Qt.MouseButton.LeftButton


class Driver:
    """The hands and eyes of a user."""

    def __init__(self, application: Application) -> None:
        self.application = application
        self.window = application.bench.window

    @property
    def document(self) -> Document:
        """The file in front."""
        document = self.application.bench.documents.active
        assert document is not None, "no file is open"
        return document

    @property
    def text(self) -> str:
        """What the buffer of the file in front holds."""
        return self.document.editor.plain_text()

    @property
    def block(self) -> PromptBlock | None:
        """The prompt block on screen."""
        return next(iter(self.blocks), None)

    @property
    def blocks(self) -> list[PromptBlock]:
        """All prompt blocks on screen."""
        return self._visible(PromptBlock)

    @property
    def shown(self) -> PromptModel:
        """What the prompt block shows."""
        block = self.block
        return block.model if block else PromptModel()

    @property
    def bars(self) -> list[HunkBar]:
        """The button bars of the hunks, from top to bottom."""
        return sorted(self._visible(HunkBar), key=lambda bar: bar.y())

    @property
    def has_prediction(self) -> bool:
        """Whether a predicted edit is on screen."""
        return any(hint.words for hint in self._visible(KeyHint))

    def has_plugins(self) -> bool:
        """Whether the plugins are at work."""
        return any(status.state == "active" for status in self.application.host.manager.statuses())

    def wait(self, condition: Callable[[], object], what: str, seconds: float = 30) -> None:
        """Let the window work until something holds."""
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, f"waited {seconds:.0f} s for {what}"
            self.pause(20)

    def pause(self, milliseconds: int) -> None:
        """Let the window work for a moment."""
        loop = QEventLoop()
        QTimer.singleShot(milliseconds, loop.quit)
        loop.exec()

    def press(self, keys: str) -> None:
        """Press keys, such as `"Ctrl+K"`, where the keyboard is."""
        combination = QKeySequence(keys)[0]  # type: ignore[index]  # a sequence of keys
        QTest.keyClick(self._focused(), combination.key(), combination.keyboardModifiers())

    def type(self, text: str, *, delay: int = -1) -> None:
        """Type text where the keyboard is."""
        QTest.keyClicks(self._focused(), text, Qt.KeyboardModifier.NoModifier, delay)

    def click(self, widget: QWidget) -> None:
        """Click into the middle of a widget."""
        QTest.mouseClick(
            widget, LEFT, Qt.KeyboardModifier.NoModifier, QPoint(widget.width() // 2, widget.height() // 2)
        )

    def click_hunk(self, place: int, wish: Wish) -> None:
        """Click a button of the hunk at a place, counted from the top and 0."""
        bar = self.bars[place]
        button = bar.buttons[wish]
        self.wait(button.isVisible, "the button")
        self.click(button)

    def select_lines(self, first: int, last: int) -> None:
        """Select whole lines, counted from 1 and both included."""
        index = self.document.editor.text_index()
        lines = index.lines_range(first - 1, last - 1)
        self.document.editor.select(TextRange(lines.start, lines.end), reveal=True)
        self.document.editor.focus_text()

    def picture(self) -> QPixmap:
        """The screen as it is now, the window's part of it."""
        screen = self.window.screen()
        corner = self.window.mapToGlobal(QPoint(0, 0)) - screen.geometry().topLeft()
        shown = screen.grabWindow(0, corner.x(), corner.y(), self.window.width(), self.window.height())
        return self.window.grab() if shown.isNull() else shown

    def _focused(self) -> QWidget:
        return QApplication.focusWidget() or self.window

    def _visible(self, kind: builtins.type[W]) -> list[W]:
        return [widget for widget in self.document.editor.findChildren(kind) if widget.isVisible()]
