from __future__ import annotations

from pytestqt.qtbot import QtBot

from redraft.qt.documents.view import DocumentView
from redraft.qt.editor.code_editor import CodeEditor
from redraft.qt.theme import load_theme


def test_a_text_too_large_to_be_coloured_is_named_until_dismissed(qtbot: QtBot) -> None:
    theme = load_theme("dark")
    editor = CodeEditor(theme)
    view = DocumentView(theme, editor)
    qtbot.addWidget(view)
    assert view.limits_notice.isHidden()
    editor.set_document("x" * 30_000, "javascript")
    assert view.limits_notice.notice is not None
    assert "30,000 characters" in view.limits_notice.notice.text
    view.limits_notice.buttons[0].click()
    assert view.limits_notice.isHidden()
