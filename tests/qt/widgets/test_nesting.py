from __future__ import annotations

from pathlib import Path

import shiboken6
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

import redraft
from redraft.qt.widgets.nesting import nest, nest_in_grid


def item_wrappers() -> int:
    """Python wrappers of layout items, which outlive the items."""
    return sum(type(wrapper).__name__ in {"QWidgetItem", "QSpacerItem"} for wrapper in shiboken6.getAllValidWrappers())


def test_nested_layouts_leave_no_wrappers_that_could_go_stale(qtbot: QtBot) -> None:
    before = item_wrappers()
    widget = QWidget()
    qtbot.addWidget(widget)
    outer, middle, inner = QVBoxLayout(widget), QHBoxLayout(), QHBoxLayout()
    button = QPushButton("inside")
    inner.addWidget(button)
    inner.addStretch(1)
    nest(middle, inner)
    nest(outer, middle)
    grid, cell = QGridLayout(), QHBoxLayout()
    cell.addWidget(QPushButton("in a cell"))
    nest_in_grid(grid, cell, 0, 0)
    nest(outer, grid)
    assert item_wrappers() == before
    widget.show()
    assert button.isVisible()
    assert button.parentWidget() is widget


def test_layouts_are_nested_in_no_other_way() -> None:
    sources = Path(redraft.__file__).parent.rglob("*.py")
    calls = [path.name for path in sources if ".addLayout(" in path.read_text("utf-8")]
    assert calls == ["nesting.py"]
