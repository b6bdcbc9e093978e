from __future__ import annotations

import pytest
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from redraft.qt.editor.code_editor import CodeEditor
from redraft.qt.editor.guides import blank_depth
from redraft.qt.theme import load_theme

CODE = "def f():\n    if x:\n        a = 1\n\n        b = 2\n    return a\n"


def guide_rows(editor: CodeEditor) -> list[int]:
    """Lines that have a guide one level deep, in the middle of their row."""
    image = editor.viewport().grab().toImage()
    x = editor.pointXFromPosition(editor.findColumn(1, 4))
    color = editor.theme.color("editor.guide").name()
    half = editor.row_height() // 2
    return [
        line
        for line in range(editor.lineCount())
        if color in {QColor(image.pixel(x + near, editor.line_y(line) + half)).name() for near in (-1, 0)}
    ]


@pytest.mark.parametrize("theme", ["dark", "light", "contrast"])
def test_a_guide_holds_a_block_together_and_leaves_no_dot_below(editor: CodeEditor, theme: str) -> None:
    editor.set_theme(load_theme(theme))
    editor.set_document(CODE, "plaintext")
    assert guide_rows(editor) == [2, 3, 4]
    image = editor.viewport().grab().toImage()
    x, below = editor.pointXFromPosition(editor.findColumn(1, 4)), editor.line_y(5)
    ground = editor.theme.color("surface.0").name()
    assert {QColor(image.pixel(x - 1 + step, below)).name() for step in range(2)} == {ground}


def test_guides_can_be_switched_off(editor: CodeEditor, qtbot: QtBot) -> None:
    editor.set_document(CODE, "plaintext")
    editor.set_guides_shown(shown=False)
    assert guide_rows(editor) == []


@pytest.mark.parametrize(
    ("above", "below", "levels"),
    [(0, 0, 0), (4, 4, 1), (8, 4, 1), (4, 8, 2), (0, 4, 1), (8, 8, 2), (8, 0, 0)],
)
def test_a_blank_line_belongs_to_the_block_around_it(above: int, below: int, levels: int) -> None:
    assert blank_depth(above, below, 4) == levels
