"""What was said of late: toasts go by themselves, here they can be read again."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from PySide6.QtCore import QObject, Signal

from redraft.api.prompt_block import Tone
from redraft.qt.frame.toast import ToastModel

REMEMBERED: Final = 100


@dataclass(frozen=True, slots=True)
class Message:
    """One sentence that was said, when, and what its button did."""

    model: ToastModel
    at: datetime
    on_action: Callable[[], None] | None = None

    @property
    def is_problem(self) -> bool:
        """Whether somebody ought to look at it."""
        return self.model.tone in {Tone.WARN, Tone.ERROR}


class Messages(QObject):
    """The latest messages, the newest first, and how many problems among them were not looked at in the list."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._messages: deque[Message] = deque(maxlen=REMEMBERED)
        self._problems = 0

    @property
    def all(self) -> tuple[Message, ...]:
        """The newest first."""
        return tuple(self._messages)

    @property
    def problems(self) -> int:
        """Warnings and errors since the list was looked at."""
        return self._problems

    def add(self, model: ToastModel, on_action: Callable[[], None] | None = None) -> None:
        """Keep what was said."""
        message = Message(model, datetime.now(UTC).astimezone(), on_action)
        self._messages.appendleft(message)
        self._problems += message.is_problem
        self.changed.emit()

    def mark_read(self) -> None:
        """The list was looked at."""
        self._problems = 0
        self.changed.emit()
