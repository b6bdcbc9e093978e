"""Texts with their caret or selection marked by `|`, as tests write and read them; and keys with modifiers."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QWidget

from redraft.core.text import TextRange
from redraft.qt.editor.code_editor import CodeEditor


def show(editor: CodeEditor, text: str, language_id: str = "python") -> None:
    """Show a text whose caret or selection is marked by one or two `|`."""
    parts = text.split("|")
    editor.set_document("".join(parts), language_id)
    start = len(parts[0])
    editor.select(TextRange(start, start + len(parts[1]) if len(parts) == 3 else start))


def shown(editor: CodeEditor) -> str:
    """The text with a `|` at the caret, or around the selection."""
    text, span = editor.plain_text(), editor.selection()
    if span.is_empty:
        return f"{text[: span.start]}|{text[span.start :]}"
    return f"{text[: span.start]}|{span.of(text)}|{text[span.end :]}"


def press(widget: QWidget, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    """Press a key; `QTest` would press the modifiers too, and warn that nobody took those."""
    QApplication.sendEvent(widget, QKeyEvent(QEvent.Type.KeyPress, key, modifiers))
