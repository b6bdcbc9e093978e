"""What can go wrong in an inline edit besides what the model's side reports.

RedraftError
└── NotSent     the user's rules keep a file from being sent without asking: carries `path`
"""

from __future__ import annotations

from pathlib import Path

from redraft.core.errors import RedraftError


class NotSent(RedraftError):
    """A file may not be sent without asking; nothing was.

    Attributes:
        path: The file.
    """

    def __init__(self, message: str, *, path: Path) -> None:
        super().__init__(message)
        self.path = path
