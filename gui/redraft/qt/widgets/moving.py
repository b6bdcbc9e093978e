"""A widget whose picture moves for as long as it is on screen."""

from __future__ import annotations

from PySide6.QtCore import QElapsedTimer, Qt, QTimer
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from redraft.qt.theme import Theme


class MovingWidget(QWidget):
    """Is drawn anew every `frame` milliseconds while it is visible; with reduced motion it stands still."""

    def __init__(self, theme: Theme, frame: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._clock = QElapsedTimer()
        self._timer = QTimer(self, interval=frame)
        self._timer.timeout.connect(self.update)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    @property
    def theme(self) -> Theme:
        """The theme it is drawn in."""
        return self._theme

    @property
    def moved_for(self) -> int:
        """Milliseconds it has been moving; 0 while it stands still."""
        return self._clock.elapsed() if self._timer.isActive() else 0

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._theme = theme
        self._restart()
        self.update()

    def showEvent(self, event: QShowEvent) -> None:
        self._restart()
        super().showEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        self._timer.stop()
        super().hideEvent(event)

    def _restart(self) -> None:
        if self.isVisible() and not self._theme.reduced_motion:
            self._clock.start()
            self._timer.start()
        else:
            self._timer.stop()
