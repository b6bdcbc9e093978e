"""The door on the command line."""

from __future__ import annotations

from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Open the window on the files named, or run a sub-command of a plugin."""
    from redraft.app import run  # noqa: PLC0415 - sub-commands run where PySide6 is not installed

    return run(argv or ())
