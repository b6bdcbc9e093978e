"""The last row of the block: what the keys do or how far it is, numbers, and the actions of a review."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from redraft.api.prompt_block import ActionStyle, PromptModel, Tone
from redraft.qt.editor.prompt_block.actions import ActionButtons
from redraft.qt.editor.prompt_block.state_strip import ICONS
from redraft.qt.theme import Theme
from redraft.qt.widgets import ProgressLine

HEIGHT = 30
HEIGHT_WITH_BUTTONS = 44
LEFT = 14
RIGHT = 12
AIR = 12
SECOND_ROW = 30
"""What a row of buttons below the words adds, in px."""
SMALL = frozenset({ActionStyle.ICON, ActionStyle.FLAT})


class Footer(QWidget):
    """Shows the footer parts of a `PromptModel`."""

    def __init__(self, theme: Theme, on_action: Callable[[str], None], parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._model = PromptModel()
        self._actions = ActionButtons(theme, self, on_action)
        self._wait = ProgressLine(theme, thickness=4, track="surface.4", parent=self)
        self._divider = -1
        self._right = 0
        self._row = HEIGHT

    def set_model(self, model: PromptModel) -> None:
        """Show another footer."""
        self._model = model
        self._actions.set_actions(model.actions)
        self._wait.setVisible(model.strip is not None and model.progress is not None)
        if model.strip is not None:
            self._wait.set_bar("accent.bar" if model.strip.tone is Tone.PLAIN else ICONS[model.strip.tone])
            if model.progress is None or (self._wait.value or 0) > model.progress:
                self._wait.set_value(None)
            self._wait.set_value(model.progress)
        self.setAccessibleName(" ".join(filter(None, (model.footer, model.footer_detail, model.footer_note))))
        self._place()
        self.update()

    def stops(self) -> list[QWidget]:
        """Its parts in the order of the Tab key."""
        return list(self._actions.buttons)

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._theme = theme
        self._actions.set_theme(theme)
        self._wait.set_theme(theme)
        self.update()

    def height_for(self, width: int) -> int:
        """How high it is at a width, in px."""
        if not self._model.actions:
            return HEIGHT
        return HEIGHT_WITH_BUTTONS + (SECOND_ROW if self._has_two_rows(width) else 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        """One row; where that is too narrow, what decides stands in a row of its own and keeps its keys."""
        width, count = self.width(), len(self._actions.buttons)
        large, right = range(self._first_large, count), width - RIGHT
        has_two_rows = self._has_two_rows(width)
        self._row = self.height() - (SECOND_ROW if has_two_rows else 0)
        self._divider = -1
        self._actions.set_room(has_room=True)
        if has_two_rows:
            self._actions.set_room(has_room=self._actions.width(self._gap, large) <= right - LEFT)
            self._actions.place(right, self.height() - self._row // 2, self._gap, which=large)
            self._right = self._actions.place(right, self._row // 2, self._gap, which=range(large.start))
        else:
            self._right = self._actions.place(right, self._row // 2, self._gap)
            if 0 < large.start < count:
                self._divider = self._actions.buttons[large.start].x() - 11
        self._wait.setGeometry(width - 14 - 96, self._row // 2 - 2, 96, 4)

    @property
    def _first_large(self) -> int:
        """Index of the first button that stands among those with labels; before it are icons."""
        styles = [action.style in SMALL for action in self._actions.actions]
        return styles.index(False) if False in styles else len(styles)

    def _has_two_rows(self, width: int) -> bool:
        """Whether words and buttons with their keys are too wide for one row, so that those with labels go below."""
        count = len(self._actions.buttons)
        if self._first_large == count:
            return False
        had_room = self._actions.has_room
        self._actions.set_room(has_room=True)
        needed = LEFT + self._words_width() + AIR + self._actions.width(self._gap, range(count)) + RIGHT
        self._actions.set_room(has_room=had_room)
        return needed > width

    def _words_width(self) -> int:
        """How wide the words at the left are, in px."""
        model = self._model
        parts = [(model.footer, 500), (model.footer_detail, 400)]
        widths = [self._width(text, weight) for text, weight in parts if text]
        if model.counts and model.footer:
            widths.append(self._counts_width())
        return sum(widths) + 8 * (len(widths) - 1) if widths else 0

    def _counts_width(self) -> int:
        return sum(self._width(text, weight) for text, _, weight in self._counts()) + 6

    def _gap(self, index: int) -> int:
        """Between icons little, between buttons more, and room for a line where the one kind ends."""
        if not index:
            return 0
        before, after = self._actions.actions[index - 1], self._actions.actions[index]
        if (before.style in SMALL) != (after.style in SMALL):
            return 21
        return 2 if before.style in SMALL else 6

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme, model = self._theme, self._model
        if self._divider >= 0:
            painter.fillRect(self._divider, self._row // 2 - 8, 1, 16, theme.color("border.default"))
        right = self._right - AIR if model.actions else self.width() - RIGHT - 2
        if self._wait.isVisibleTo(self):
            right = self._wait.x() - 12
        right = self._draw_note(painter, right)
        strong = "text.primary" if model.actions else "text.secondary"
        x = self._draw(painter, LEFT, right, model.footer, strong, 500)
        if model.counts and model.footer:
            x = self._draw_counts(painter, x + 8 if x > LEFT else x, right)
        if model.footer_detail:
            self._draw(painter, x + 8 if x > LEFT else x, right, model.footer_detail, "text.muted", 400)
        painter.end()

    def _draw_note(self, painter: QPainter, right: int) -> int:
        """Counts and numbers at the right; gives their left end."""
        model = self._model
        counts = self._counts() if model.counts and not model.footer else ()
        parts = [*counts, *((f"{'·  ' if counts else ''}{model.footer_note}", "text.muted", 400),)]
        if not model.footer_note:
            parts.pop()
        for text, color, weight in reversed(parts):
            width = self._width(text, weight)
            self._draw(painter, right - width, right + 1, text, color, weight)
            right -= width + 8
        return right

    def _draw_counts(self, painter: QPainter, x: int, right: int) -> int:
        if x + self._counts_width() > right:  # one of the two alone would mislead
            return x - 8
        for text, color, weight in self._counts():
            x = self._draw(painter, x, right, text, color, weight) + 6
        return x - 6

    def _counts(self) -> tuple[tuple[str, str, int], ...]:
        added, removed = self._model.counts or (0, 0)
        return (f"+{added}", "accept.text", 500), (f"−{removed}", "reject.text", 500)

    def _draw(self, painter: QPainter, x: int, right: int, text: str, color: str, weight: int) -> int:
        font = self._theme.font("small", weight=weight, tabular=True)
        metrics = QFontMetrics(font)
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, max(right - x, 0))
        painter.setFont(font)
        painter.setPen(self._theme.color(color))
        painter.drawText(QRect(x, 0, max(right - x, 0) + 1, self._row), Qt.AlignmentFlag.AlignVCenter, shown)
        return x + metrics.horizontalAdvance(shown)

    def _width(self, text: str, weight: int) -> int:
        return QFontMetrics(self._theme.font("small", weight=weight, tabular=True)).horizontalAdvance(text)
