"""The strip over a page that says what is wrong with the settings file, and how to get to the line."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy

from redraft.api.prompt_block import ActionStyle
from redraft.core.config.document import ConfigProblem
from redraft.qt.icons import draw_glyph
from redraft.qt.settings.surfaces import Strip, Words
from redraft.qt.theme import Theme
from redraft.qt.widgets import KeyButton

INSET = 28
ABOVE = 12


class ProblemBanner(Strip):
    """Shows the first problem, or is hidden."""

    open_wanted = Signal()
    start_over_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "state.warn_tint")
        self._is_fatal = False
        self.words = Words(theme, color="text.primary")
        self.open = KeyButton(theme, "Open the file")
        self.start_over = KeyButton(theme, "Start over", style=ActionStyle.FLAT)
        self.open.clicked.connect(lambda _=False: self.open_wanted.emit())
        self.start_over.clicked.connect(lambda _=False: self.start_over_wanted.emit())
        layout = QHBoxLayout(self)
        layout.setContentsMargins(INSET + 40, ABOVE + 9, INSET + 10, 9)
        layout.setSpacing(8)
        layout.addWidget(self.words, 1)
        layout.addWidget(self.start_over, 0, Qt.AlignmentFlag.AlignVCenter)
        layout.addWidget(self.open, 0, Qt.AlignmentFlag.AlignVCenter)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.hide()

    def show_problems(self, problems: Sequence[ConfigProblem]) -> None:
        """Say what is wrong: where the whole file is, that first."""
        self._is_fatal = any(problem.is_fatal for problem in problems)
        self.setVisible(bool(problems))
        if not problems:
            return
        first = next((problem for problem in problems if problem.is_fatal), problems[0])
        self.words.setText(describe(first, len(problems) - 1))
        self.setAccessibleName(self.words.text())
        self.start_over.setVisible(self._is_fatal)
        self.set_ground("state.error_tint" if self._is_fatal else "state.warn_tint")

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), max(44 + ABOVE, self.heightForWidth(self.width())))

    def paintEvent(self, event: QPaintEvent) -> None:
        self.draw_ground(self.rect().adjusted(INSET, ABOVE, -INSET, 0))
        painter = QPainter(self)
        painter.setPen(self._theme.color("state.error" if self._is_fatal else "state.warn"))
        box = QRect(INSET + 14, (self.height() + ABOVE - 16) // 2, 16, 16)
        draw_glyph(painter, box, self._theme.icon_char("error" if self._is_fatal else "problem"))
        painter.end()


def describe(problem: ConfigProblem, others: int = 0) -> str:
    """A problem as one sentence, with its line and key: `"settings.toml, line 3, editor.tab_width: …"`."""
    place = [problem.path.name]
    if problem.line:
        place.append(f"line {problem.line}")
    if problem.key and problem.key not in problem.message:
        place.append(problem.key)
    more = f" {others} more like it." if others else ""
    return f"{', '.join(place)}: {problem.message}{more}"
