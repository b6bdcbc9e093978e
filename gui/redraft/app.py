"""The composition root: builds every part of the window and joins them. Nothing else does."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from PySide6.QtWidgets import QApplication, QMainWindow


def run(files: Sequence[str]) -> int:
    """Open the window on some files and stay until it closes; return the exit status."""
    application = QApplication([sys.argv[0], *files])
    window = QMainWindow()
    window.show()
    return application.exec()
