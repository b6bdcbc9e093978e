"""The composition root: builds every part of the window and joins them. Nothing else does."""

from __future__ import annotations

import sys

from PySide6.QtWidgets import QApplication, QMainWindow

from redraft.host.launch import LaunchRequest


def run(_request: LaunchRequest) -> int:
    """Open the window as asked and stay until it closes; return the exit status."""
    application = QApplication(sys.argv[:1])
    window = QMainWindow()
    window.show()
    return application.exec()
