"""The left side of the settings: the field to search in, and the list of sections."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from redraft.qt.icons import draw_glyph
from redraft.qt.settings.fields import TextField
from redraft.qt.settings.sections import SECTIONS, Section
from redraft.qt.theme import Theme
from redraft.qt.widgets import Pressable
from redraft.qt.widgets.painting import draw_box, draw_focus_ring

WIDTH = 232
STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_Home: -100, Qt.Key.Key_End: 100}


class SearchField(TextField):
    """Where a setting is looked for; the key that comes here stands at its right."""

    moved_down = Signal()

    def __init__(self, theme: Theme, key: str) -> None:
        super().__init__(theme, note=key)
        self.setPlaceholderText("Search settings")
        self.setAccessibleName("Search settings")
        self.setStyleSheet("QLineEdit { padding-left: 30px; } QLineEdit:focus { padding-left: 29px; }")

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setPen(self._theme.color("text.muted"))
        draw_glyph(painter, QRect(11, (self.height() - 14) // 2, 14, 14), self._theme.icon_char("search"))
        painter.end()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Down:
            self.moved_down.emit()
            return
        super().keyPressEvent(event)


class SectionRow(Pressable):
    """One section: icon, title, and how many things stand there."""

    def __init__(self, theme: Theme, section: Section) -> None:
        super().__init__(theme)
        self.section = section
        self._count = 0
        self.setCheckable(True)
        self.setAutoExclusive(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.set_count(0)

    def set_count(self, count: int) -> None:
        """Show how many things stand there; none is not shown."""
        self._count = count
        self.setAccessibleName(f"{self.section.title}, {count}" if count else self.section.title)
        self.update()

    def draw(self, painter: QPainter) -> None:
        """Draw the row."""
        theme, is_current = self.theme, self.isChecked()
        if is_current or self.is_hovered:
            fill = theme.color("surface.3" if is_current else "surface.2")
            edge = theme.color("border.default") if theme.shows_edges else None
            draw_box(painter, self.rect(), theme.radius("medium"), fill=fill, edge=edge)
        painter.setPen(theme.color("accent.text" if is_current else "text.muted"))
        draw_glyph(painter, QRect(9, (self.height() - 16) // 2, 16, 16), theme.icon_char(self.section.icon))
        painter.setFont(theme.font("body", weight=500 if is_current else None))
        painter.setPen(theme.color("text.primary" if is_current else "text.secondary"))
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(self.rect().adjusted(34, 0, -30, 0), middle, self.section.title)
        if self._count:
            painter.setFont(theme.font("small", tabular=True))
            painter.setPen(theme.color("text.muted"))
            painter.drawText(self.rect().adjusted(0, 0, -9, 0), middle | Qt.AlignmentFlag.AlignRight, str(self._count))
        if self.hasFocus():
            draw_focus_ring(painter, self.rect(), theme.radius("medium"), theme)

    def sizeHint(self) -> QSize:
        return QSize(120, self.theme.size("list_row"))


class Navigation(QWidget):
    """Reports `chosen` with the id of a section, and `searched` with what was typed."""

    chosen = Signal(str)
    searched = Signal(str)

    def __init__(self, theme: Theme, search_key: str) -> None:
        super().__init__()
        self._theme = theme
        self.search = SearchField(theme, search_key)
        self.rows = {section.id: SectionRow(theme, section) for section in SECTIONS}
        layout = QVBoxLayout(self)
        layout.setContentsMargins(10, 13, 11, 12)
        layout.setSpacing(0)
        layout.addWidget(self.search)
        layout.addSpacing(12)
        for before, row in zip((None, *self.rows.values()), self.rows.values(), strict=False):
            if before is not None and before.section.group != row.section.group:
                layout.addSpacing(10)
            layout.addWidget(row)
            row.clicked.connect(lambda _=False, name=row.section.id: self.chosen.emit(name))
            row.installEventFilter(self)
        layout.addStretch(1)
        self.setFixedWidth(WIDTH)
        self.search.textChanged.connect(self.searched)
        self.search.moved_down.connect(self.focus_current)

    @property
    def current(self) -> str:
        """The id of the section that is chosen; empty while something is searched."""
        return next((name for name, row in self.rows.items() if row.isChecked()), "")

    def set_current(self, name: str) -> None:
        """Show which section is on screen; the list is entered there with Tab."""
        had_keyboard = any(row.hasFocus() for row in self.rows.values())
        for key, row in self.rows.items():
            row.setAutoExclusive(False)
            row.setChecked(key == name)
            row.setAutoExclusive(True)
            row.setFocusPolicy(Qt.FocusPolicy.TabFocus if key == name else Qt.FocusPolicy.NoFocus)
        if had_keyboard:
            self.focus_current()

    def set_counts(self, counts: Mapping[str, int]) -> None:
        """Show how many things stand on some pages."""
        for name, count in counts.items():
            self.rows[name].set_count(count)

    def focus_current(self) -> None:
        """Take the keyboard to the list."""
        self.rows[self.current or next(iter(self.rows))].setFocus()

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._theme = theme
        self.update()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(watched, SectionRow) and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            step = STEPS.get(Qt.Key(event.key()))
            if step is not None:
                self._step(watched, step)
                return True
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(QRect(self.width() - 1, 0, 1, self.height()), self._theme.color("border.soft"))
        painter.end()

    def _step(self, row: SectionRow, step: int) -> None:
        names = list(self.rows)
        place = max(0, min(names.index(row.section.id) + step, len(names) - 1))
        self.chosen.emit(names[place])
