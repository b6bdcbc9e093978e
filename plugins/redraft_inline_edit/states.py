"""The states of an edit in the window.

    preparing ──run──> waiting ──first token──> streaming ──whole──> reviewing ──all decided──> closed
        ^                 │                        │  │                  ^
        │                 ├──error──> failed <─────┘  ├──> repairing ────┤
        │                 │              │            ├──> unchanged     │ (a retry, a refinement and a
        └──── Esc ────────┘              │            ├──> answered      │  continuation go back to waiting)
                                         │            ├──stop──> stopped ──accept a part──┤
                                         │            └──cut off──> incomplete ───────────┘
                                         └──run again──> waiting

In `stopped`, `incomplete` and `failed`, lines that the model never reached stay as they are. Esc goes one step down
the ladder each time: stop, then reject, then close.
"""

from __future__ import annotations

from enum import StrEnum


class SessionState(StrEnum):
    """Where an edit is."""

    PREPARING = "preparing"
    """The instruction is being written."""
    WAITING = "waiting"
    """Sent; nothing has come yet, or the model is thinking."""
    STREAMING = "streaming"
    """The answer is being written."""
    REPAIRING = "repairing"
    """The first answer failed a check and went back to the model."""
    REVIEWING = "reviewing"
    """The proposal is whole and waits for decisions."""
    STOPPED = "stopped"
    """The user stopped it; what had come is a proposal."""
    INCOMPLETE = "incomplete"
    """The answer was cut off; what had come is a proposal."""
    FAILED = "failed"
    """No usable answer came."""
    UNCHANGED = "unchanged"
    """The model proposes no change."""
    ANSWERED = "answered"
    """A question was answered in words."""
    CLOSED = "closed"
    """All is decided or dropped; the block is gone."""

    @property
    def is_running(self) -> bool:
        """Whether the model is at work."""
        return self in {SessionState.WAITING, SessionState.STREAMING, SessionState.REPAIRING}

    @property
    def has_proposal(self) -> bool:
        """Whether there may be hunks to decide."""
        return self in {SessionState.REVIEWING, SessionState.STOPPED, SessionState.INCOMPLETE}
