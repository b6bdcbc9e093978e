from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication

from redraft.qt.editor.code_editor import CodeEditor
from redraft.qt.editor.inline_diff.follow import StreamFollower


def test_lines_that_come_right_after_the_user_scrolled_do_not_take_the_view_back(editor: CodeEditor) -> None:
    editor.set_document("x = 1\n" * 300, "python")
    follower = StreamFollower(editor)
    follower.show(1, "")
    follower.show(200, "")
    QApplication.processEvents()
    began = editor.firstVisibleLine()
    assert began > 100
    place = QPointF(editor.viewport().rect().center())
    event = QWheelEvent(
        place, editor.viewport().mapToGlobal(place), QPoint(), QPoint(0, 120 * 60), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(editor.viewport(), event)
    top = editor.firstVisibleLine()
    assert top < began
    follower.show(201, "")
    assert editor.firstVisibleLine() == top
    assert follower.chip.isVisible()
    follower.close()
