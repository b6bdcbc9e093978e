"""The row of chips: what is sent, or what a review found; numbers and the model at its right."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from redraft.api.prompt_block import ActionStyle, Chip, PromptAction
from redraft.qt.editor.prompt_block.actions import make_button
from redraft.qt.theme import Theme
from redraft.qt.widgets import ChipWidget, Pressable

GAP = 6
MODEL = "model"


class ChipsRow(QWidget):
    """Shows chips side by side; they wrap to further rows where the block is narrow."""

    def __init__(
        self, theme: Theme, on_action: Callable[[str], None], on_removed: Callable[[str], None], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._on_action = on_action
        self._on_removed = on_removed
        self._chips: tuple[Chip, ...] = ()
        self._widgets: list[Pressable] = []
        self._numbers = ""
        self._model: ChipWidget | None = None

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to show."""
        return not self._chips and self._model is None and not self._numbers

    def set_content(self, chips: tuple[Chip, ...], numbers: str, model: Chip | None) -> None:
        """Show other chips, numbers and model."""
        if chips != self._chips:
            self._chips = chips
            for widget in self._widgets:
                widget.hide()
                widget.deleteLater()
            self._widgets = [self._make(chip) for chip in chips]
        self._numbers = numbers
        self._show_model(model)
        self._place(self.width())
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._theme = theme
        for widget in (*self._widgets, *((self._model,) if self._model else ())):
            widget.set_theme(theme)
        self.update()

    def height_for(self, width: int) -> int:
        """How high it is at a width, in px."""
        return self._place(width)

    def stops(self) -> list[QWidget]:
        """Its parts in the order of the Tab key."""
        return [*self._widgets, *([self._model] if self._model else [])]

    def _make(self, chip: Chip) -> Pressable:
        if chip.icon == "add":
            style = ActionStyle.FLAT if chip.label else ActionStyle.ICON
            tooltip = chip.tooltip or "Add context"
            label = chip.label or tooltip
            action = PromptAction(chip.id, label, icon="add", key=chip.detail, style=style, tooltip=tooltip)
            add = make_button(self._theme, action, self, self._on_action)
            add.show()
            return add
        widget = ChipWidget(self._theme, chip, parent=self)
        widget.clicked.connect(lambda: self._on_action(chip.id))
        widget.removed.connect(lambda: self._on_removed(chip.id))
        widget.show()
        return widget

    def _show_model(self, model: Chip | None) -> None:
        if model is None:
            if self._model is not None:
                self._model.hide()
                self._model.deleteLater()
                self._model = None
        elif self._model is None:
            self._model = ChipWidget(self._theme, model, opens_menu=True, parent=self)
            self._model.clicked.connect(lambda: self._on_action(MODEL))
            self._model.show()
        else:
            self._model.set_chip(model)

    def _place(self, width: int) -> int:
        """Put everything in its place for a width; gives the height that takes."""
        height = self._theme.size("chip")
        x, y, right = 0, 0, width
        if self._model is not None:
            size = self._model.sizeHint()
            right -= size.width()
            self._model.setGeometry(right, 0, size.width(), height)
            right -= GAP
        elif self._numbers:
            right -= self._numbers_width() + GAP
        for widget in self._widgets:
            size = widget.sizeHint()
            if x and x + size.width() > right:
                x, y, right = 0, y + height + GAP, width
            widget.setGeometry(x, y + (height - size.height()) // 2, min(size.width(), right - x), size.height())
            x += size.width() + GAP
        return y + height

    def _numbers_width(self) -> int:
        return QFontMetrics(self._theme.font("small", tabular=True)).horizontalAdvance(self._numbers)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place(self.width())

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._numbers or self._model is not None:
            return
        painter = QPainter(self)
        painter.setFont(self._theme.font("small", tabular=True))
        painter.setPen(self._theme.color("text.muted"))
        box = QRect(0, 0, self.width(), self._theme.size("chip"))
        painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, self._numbers)
        painter.end()
