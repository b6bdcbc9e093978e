"""Layouts inside layouts, without what PySide leaves behind.

`QLayout.addLayout` makes a Python wrapper for every item of the inner layout. Qt deletes such an item when its widget
goes, and PySide does not hear of it: the wrapper stays registered for that address, and the next object that is put
there comes back to Python as a `QWidgetItem`, whatever it is (seen with a scroll bar, PySide 6.11). So the wrappers
are let go at once.
"""

from __future__ import annotations

import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QGridLayout, QLayout

FILL = Qt.AlignmentFlag(0)


def nest(outer: QBoxLayout, inner: QLayout, stretch: int = 0) -> None:
    """Put a layout into a row or column."""
    outer.addLayout(inner, stretch)
    _let_go(inner)


def nest_in_grid(
    grid: QGridLayout,
    inner: QLayout,
    row: int,
    column: int,
    *,
    columns: int = 1,
    align: Qt.AlignmentFlag = FILL,
) -> None:
    """Put a layout into a cell of a grid."""
    grid.addLayout(inner, row, column, 1, columns, align)
    _let_go(inner)


def _let_go(layout: QLayout) -> None:
    for index in range(layout.count()):
        item = layout.itemAt(index)
        if item is None:
            continue
        if isinstance(item, QLayout):
            _let_go(item)
        else:
            shiboken6.invalidate(item)
