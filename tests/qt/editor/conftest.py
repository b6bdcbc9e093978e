from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from redraft.qt.editor.code_editor import CodeEditor
from redraft.qt.theme import load_theme


@pytest.fixture
def editor(qtbot: QtBot) -> CodeEditor:
    """An editor on screen, empty."""
    editor = CodeEditor(load_theme("dark"))
    qtbot.addWidget(editor)
    editor.resize(900, 500)
    with qtbot.waitExposed(editor):
        editor.show()
    return editor
