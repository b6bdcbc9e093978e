"""The status bar: facts about the file at the right, what is going on at the left."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from redraft.api.prompt_block import Tone
from redraft.api.ui import StatusModel
from redraft.qt.icons import draw_glyph
from redraft.qt.theme import Theme
from redraft.qt.widgets.nesting import nest
from redraft.qt.widgets.painting import draw_box, draw_focus_ring, set_plain_tooltip
from redraft.qt.widgets.pressable import Pressable
from redraft.qt.widgets.ring import Ring

PADDING = 8
GAP = 6
HEIGHT = 22
COLORS = {
    Tone.PLAIN: "text.muted",
    Tone.ACCENT: "accent.text",
    Tone.OK: "state.ok",
    Tone.WARN: "state.warn",
    Tone.ERROR: "state.error",
}
LEFT = ("branch", "problems", "edits", "hunks")
RIGHT = ("saved", "position", "indentation", "encoding", "line_end", "language")
"""The editor's own items in their order; those of plugins follow."""


class StatusItemWidget(Pressable):
    """One item of the status bar."""

    def __init__(self, theme: Theme, model: StatusModel, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._model = model
        self._ring = Ring(theme, parent=self)
        self.set_model(model)

    @property
    def model(self) -> StatusModel:
        """What it shows."""
        return self._model

    def set_model(self, model: StatusModel) -> None:
        """Show another state."""
        self._model = model
        self.setAccessibleName(model.text or model.tooltip)
        set_plain_tooltip(self, model.tooltip)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus if model.command else Qt.FocusPolicy.NoFocus)
        self._ring.setVisible(model.busy)
        size = self._ring.sizeHint().width()
        self._ring.setGeometry(PADDING, (HEIGHT - size) // 2, size, size)
        self.updateGeometry()
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._ring.set_theme(theme)
        super().set_theme(theme)

    def draw(self, painter: QPainter) -> None:
        """Draw the hover box, the icon and the text."""
        theme, model = self.theme, self._model
        if model.command and (self.is_hovered or self.isDown() or self.isChecked()):
            draw_box(painter, self.rect(), theme.radius("small"), fill=theme.color("surface.3"))
        color = COLORS[model.tone]
        if color == "text.muted" and model.command and self.is_hovered:
            color = "text.secondary"
        painter.setPen(theme.color(color))
        x = PADDING
        size = theme.size("icon_small")
        if model.icon and not model.busy:
            draw_glyph(painter, QRect(x, (self.height() - size) // 2, size, size), theme.icon_char(model.icon))
        if model.icon or model.busy:
            x += size + GAP
        painter.setFont(self._font())
        painter.drawText(QRect(x, 0, self.width() - x, self.height()), Qt.AlignmentFlag.AlignVCenter, model.text)
        if self.hasFocus():
            draw_focus_ring(painter, self.rect(), theme.radius("small"), theme)

    def sizeHint(self) -> QSize:
        width = 2 * PADDING + QFontMetrics(self._font()).horizontalAdvance(self._model.text)
        if self._model.icon or self._model.busy:
            width += self.theme.size("icon_small") + (GAP if self._model.text else 0)
        return QSize(width, HEIGHT)

    def _font(self) -> QFont:
        return self.theme.font("small")


class StatusBar(QWidget):
    """All items; one with a command can be pressed."""

    triggered = Signal(str, str)
    """Item id and command."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._items: dict[str, StatusItemWidget] = {}
        self.setFixedHeight(theme.size("status_bar"))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(8, 1, 8, 0)
        layout.setSpacing(2)
        self._left, self._right = QHBoxLayout(), QHBoxLayout()
        for side in (self._left, self._right):
            side.setSpacing(2)
        nest(layout, self._left)
        layout.addStretch(1)
        nest(layout, self._right)
        self.setAccessibleName("Status bar")

    def item(self, item_id: str) -> StatusItemWidget | None:
        """The widget of an item that is shown."""
        return self._items.get(item_id)

    @property
    def entry(self) -> StatusItemWidget | None:
        """The first item from the left that can be pressed: it takes the keyboard when that comes here."""
        pressable = [item for item in self._items.values() if item.model.command]
        return min(pressable, key=lambda item: item.x(), default=None)

    def set_item(self, item_id: str, model: StatusModel | None) -> None:
        """Show an item, or take it away."""
        known = self._items.get(item_id)
        if model is None:
            if known is not None:
                del self._items[item_id]
                known.hide()
                known.deleteLater()
            return
        if known is not None:
            if known.model != model:
                known.set_model(model)
            return
        widget = StatusItemWidget(self._theme, model, self)
        widget.clicked.connect(lambda: self._on_clicked(item_id))
        self._items[item_id] = widget
        side = self._right if item_id in RIGHT or model.at_right else self._left
        side.insertWidget(self._place(item_id, RIGHT if side is self._right else LEFT), widget)
        widget.show()

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._theme = theme
        for item in self._items.values():
            item.set_theme(theme)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color("surface.1"))
        painter.fillRect(QRectF(0, 0, self.width(), 1), self._theme.color("border.soft"))
        painter.end()

    def _place(self, item_id: str, order: tuple[str, ...]) -> int:
        if item_id not in order:
            return -1
        before = order[: order.index(item_id)]
        return sum(name in self._items for name in before)

    def _on_clicked(self, item_id: str) -> None:
        command = self._items[item_id].model.command
        if command:
            self.triggered.emit(item_id, command)
