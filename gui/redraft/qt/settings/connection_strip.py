"""The strip that tests a provider and says, step by step, what works and what does not."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from PySide6.QtCore import QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from redraft.core.llm.probe import ProbeReport, ProbeStep
from redraft.qt.icons import draw_glyph
from redraft.qt.settings.surfaces import Strip, Words
from redraft.qt.theme import Theme
from redraft.qt.widgets import KeyButton, PlainLabel, Ring
from redraft.qt.widgets.nesting import nest

INSET = 35
STEP_GAP = 18
STEP_ROW = 22
MINUTE = timedelta(minutes=1)
IDLE = "Asks for a few words of an answer, and says at which step it fails if it does."


class Steps(QWidget):
    """The steps that are over, each with a tick or a cross; they wrap where there is no room."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._steps: Sequence[ProbeStep] = ()
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def set_steps(self, steps: Sequence[ProbeStep]) -> None:
        """Show other steps."""
        self._steps = steps
        self.setAccessibleName(", ".join(f"{step_words(step)} {step.detail}".strip() for step in steps))
        self.setVisible(bool(steps))
        self.updateGeometry()
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._theme = theme
        self.update()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        places = self._places(width)
        return places[-1].bottom() + 1 if places else 0

    def sizeHint(self) -> QSize:
        return QSize(200, self.heightForWidth(self.width()))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        painter = QPainter(self)
        middle = Qt.AlignmentFlag.AlignVCenter
        for step, place in zip(self._steps, self._places(self.width()), strict=True):
            painter.setPen(theme.color("state.ok" if step.ok else "state.error"))
            icon = QRect(place.left(), place.center().y() - 6, 14, 14)
            draw_glyph(painter, icon, theme.icon_char("check" if step.ok else "close"))
            painter.setFont(theme.font("small"))
            painter.setPen(theme.color("text.primary"))
            painter.drawText(place.adjusted(20, 0, 0, 0), middle, step_words(step))
            painter.setPen(theme.color("text.secondary"))
            painter.drawText(place.adjusted(26 + self._width_of(step_words(step)), 0, 0, 0), middle, step.detail)
        painter.end()

    def _places(self, width: int) -> list[QRect]:
        places, x, y = [], 0, 0
        for step in self._steps:
            wide = 20 + self._width_of(step_words(step)) + (6 + self._width_of(step.detail) if step.detail else 0) + 1
            if x and x + wide > width:
                x, y = 0, y + STEP_ROW
            places.append(QRect(x, y, wide, STEP_ROW))
            x += wide + STEP_GAP
        return places

    def _width_of(self, text: str) -> int:
        return QFontMetrics(self._theme.font("small")).horizontalAdvance(text)


class ConnectionStrip(Strip):
    """Shows a report; reports `test_wanted` and `cancel_wanted`."""

    test_wanted = Signal()
    cancel_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._icon = ""
        self._color = "text.muted"
        self._is_running = False
        self._summary = ""
        self._minutes = 0
        self.ring = Ring(theme, size=16)
        self.title = PlainLabel(theme, weight=500)
        self.note = PlainLabel(theme, font="small", color="text.secondary")
        self.button = KeyButton(theme, "Test connection", icon="retry")
        self.steps = Steps(theme)
        self.sentence = Words(theme, color="text.primary")
        self._timer = QTimer(self, interval=int(MINUTE.total_seconds() * 1000))
        self._timer.timeout.connect(self._on_minute)
        self.button.clicked.connect(lambda _=False: self._on_button())
        self._lay_out()
        self.show_idle()

    @property
    def is_running(self) -> bool:
        """Whether a test goes on."""
        return self._is_running

    def show_idle(self) -> None:
        """Nothing was tested, or what was tested is not so any more."""
        self._show("Not tested", "", "text.secondary", ground="surface.1", icon="info")
        self._fill((), IDLE, "Test connection")

    def show_running(self, report: ProbeReport | None = None) -> None:
        """A test goes on; show what is known so far."""
        self._show("Testing…", "", "text.primary", ground="surface.1", icon="")
        self._is_running = True
        self.ring.show()
        self._fill(report.steps if report else (), "", "Cancel")

    def show_report(self, report: ProbeReport) -> None:
        """A test is over."""
        if report.works:
            self._show("Works", f"{report.summary}, just now", "state.ok", ground="state.ok_tint", icon="ok")
            self._summary = report.summary
            self._timer.start()
            self._fill(report.steps, "", "Test again")
        else:
            self.show_failure(report.summary, report.steps)

    def show_failure(self, sentence: str, steps: Sequence[ProbeStep] = ()) -> None:
        """Say why it does not work."""
        self._show("Does not work", "", "state.error", ground="state.error_tint", icon="error")
        self._fill(steps, sentence, "Test again")

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), 66)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._icon:
            painter = QPainter(self)
            painter.setPen(self._theme.color(self._color))
            draw_glyph(painter, QRect(12, 15, 16, 16), self._theme.icon_char(self._icon))
            painter.end()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.title)
        head.addWidget(self.note, 1)
        head.addWidget(self.button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(INSET, 10, 12, 10)
        layout.setSpacing(6)
        nest(layout, head)
        layout.addWidget(self.sentence)
        layout.addWidget(self.steps)
        self.ring.setParent(self)
        self.ring.setGeometry(12, 15, 16, 16)

    def _show(self, title: str, note: str, color: str, *, ground: str, icon: str) -> None:
        self._is_running = False
        self._timer.stop()
        self._minutes = 0
        self.ring.hide()
        self._icon, self._color = icon, color
        self.title.set_text(title)
        self.title.set_color(color)
        self.note.set_text(note)
        self.set_ground(ground)

    def _fill(self, steps: Sequence[ProbeStep], sentence: str, label: str) -> None:
        self.steps.set_steps(steps)
        self.sentence.setText(sentence)
        self.sentence.setVisible(bool(sentence))
        self.button.set_label(label)
        self.button.set_icon("close" if self._is_running else "retry")
        self.setAccessibleName(f"{self.title.text()} {self.note.text()} {sentence}".strip())
        self.updateGeometry()

    def _on_button(self) -> None:
        (self.cancel_wanted if self._is_running else self.test_wanted).emit()

    def _on_minute(self) -> None:
        self._minutes += 1
        self.note.set_text(f"{self._summary}, {self._minutes} min ago")


def step_words(step: ProbeStep) -> str:
    """What a step is called; where it failed, its sentence stands above."""
    return step.words if step.ok else step.step.value
