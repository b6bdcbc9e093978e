"""The palette below the field: rows under their headings, scrolled where the view is low."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from redraft.api.prompt_block import PaletteRow
from redraft.qt.editor.prompt_block.palette_row import PaletteRowWidget
from redraft.qt.theme import Theme
from redraft.qt.widgets import PlainLabel

EDGE: Final = 6
TOP: Final = 8
BOTTOM: Final = 4
HEADING: Final = 26
FEW_ROWS: Final = 5


class PaletteList(QScrollArea):
    """Shows palette rows; says which one was chosen and by which small button."""

    def __init__(self, theme: Theme, on_chosen: Callable[[str, str], None], parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._on_chosen = on_chosen
        self._rows: tuple[PaletteRow, ...] = ()
        self._heading_action = ""
        self._current = ""
        self._content = QWidget()
        self._widgets: list[PaletteRowWidget] = []
        self._labels: dict[str, PlainLabel] = {}
        self._note = PlainLabel(theme, font="micro", color="text.muted", parent=self._content)
        self.setWidget(self._content)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self._content.setAutoFillBackground(False)
        self.setAccessibleName("Presets and history")
        self._style_bar()

    def set_rows(self, rows: tuple[PaletteRow, ...], current: str, heading_action: str) -> None:
        """Show other rows, one of them current."""
        if rows != self._rows or heading_action != self._heading_action:
            self._rows, self._heading_action = rows, heading_action
            self._rebuild()
        self._current = current
        for widget in self._widgets:
            widget.set_current(widget.row.id == current)
            if widget.row.id == current:
                self._show_row(widget)

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._theme = theme
        self._style_bar()
        for widget in self._widgets:
            widget.set_theme(theme)
        for label in (*self._labels.values(), self._note):
            label.set_theme(theme)

    def height_for(self, *, is_low: bool) -> int:
        """How high it is, in px; five rows where the view `is_low`."""
        whole = TOP + BOTTOM + len(self._rows) * self._theme.size("list_row") + len(self._labels) * HEADING
        few = TOP + BOTTOM + FEW_ROWS * self._theme.size("list_row")
        return min(whole, few) if is_low else whole

    def _style_bar(self) -> None:
        thumb, hover = self._theme.hex("scroll.thumb"), self._theme.hex("scroll.thumb_hover")
        width = self._theme.size("scroll_thumb")
        self.verticalScrollBar().setStyleSheet(
            f"QScrollBar {{ background: transparent; width: {width + 2}px; margin: 4px 2px 4px 0; border: none; }}"
            f"QScrollBar::handle {{ background: {thumb}; border-radius: {width // 2}px; min-height: 24px; }}"
            f"QScrollBar::handle:hover {{ background: {hover}; }}"
            "QScrollBar::add-line, QScrollBar::sub-line { height: 0; }"
            "QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }"
        )

    def _show_row(self, widget: PaletteRowWidget) -> None:
        """Scroll a row into view, and its heading or the edge along with it."""
        bar = self.verticalScrollBar()
        above = widget.y() - (TOP if widget is self._widgets[0] else HEADING)
        below = widget.geometry().bottom() + BOTTOM - self.viewport().height()
        bar.setValue(max(min(bar.value(), above), below))

    def _rebuild(self) -> None:
        for part in (*self._widgets, *self._labels.values()):
            part.hide()
            part.deleteLater()
        self._widgets, self._labels = [], {}
        for row in self._rows:
            if row.section and row.section not in self._labels:
                label = PlainLabel(self._theme, row.section, font="micro", color="text.muted", parent=self._content)
                label.show()
                self._labels[row.section] = label
            widget = PaletteRowWidget(self._theme, row, self._content)
            widget.chosen.connect(lambda action, row_id=row.id: self._on_chosen(row_id, action))
            widget.show()
            self._widgets.append(widget)
        self._note.set_text(self._heading_action)
        self._place()

    def _place(self) -> None:
        width = self.viewport().width()
        height = self._theme.size("list_row")
        y = TOP
        headed: set[str] = {""}  # rows without a section stand under no heading, wherever they are
        for widget in self._widgets:
            section = widget.row.section
            if section not in headed:
                headed.add(section)
                box = QRect(EDGE + 8, y, width - 2 * (EDGE + 8), HEADING)
                self._labels[section].setGeometry(box)
                self._place_note(box)
                y += HEADING
            widget.setGeometry(EDGE, y, width - 2 * EDGE, height)
            y += height
        self._note.setVisible(bool(self._heading_action and self._labels))
        self._content.resize(width, y + BOTTOM)

    def _place_note(self, heading: QRect) -> None:
        """The note stands at the right of the last heading."""
        width = self._note.sizeHint().width()
        self._note.setGeometry(heading.right() + 1 - width, heading.y(), width, heading.height())
        self._note.raise_()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()
