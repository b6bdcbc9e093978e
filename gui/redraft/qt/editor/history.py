"""Steps of the undo history that change no text: a rejected proposal comes back with Ctrl+Z."""

from __future__ import annotations

from typing import Protocol


class HistoryGuard(Protocol):
    """Asked before the text's own history; whether it had something to take back."""

    def undo_decision(self) -> bool:
        """Take back a decision that is the next thing to undo."""
        ...

    def redo_decision(self) -> bool:
        """Make a decision again that is the next thing to redo."""
        ...


class History:
    """The guards of one editor; the one that decided last is asked first."""

    def __init__(self) -> None:
        self._guards: list[HistoryGuard] = []

    def add(self, guard: HistoryGuard) -> None:
        """Ask a guard before all others from now on."""
        self.remove(guard)
        self._guards.insert(0, guard)

    def remove(self, guard: HistoryGuard) -> None:
        """Ask a guard no more."""
        self._guards = [other for other in self._guards if other is not guard]

    def undo(self) -> bool:
        """Whether a guard took something back."""
        return any(guard.undo_decision() for guard in list(self._guards))

    def redo(self) -> bool:
        """Whether a guard did something again."""
        return any(guard.redo_decision() for guard in list(self._guards))
