"""What stands under a tab: the notice bar, and the editor."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from redraft.qt.editor.code_editor import CodeEditor
from redraft.qt.editor.find import FindBar
from redraft.qt.editor.limits import Limits
from redraft.qt.frame.notice_bar import Notice, NoticeBar
from redraft.qt.theme import Theme


class DocumentView(QWidget):
    """Holds an editor, and the bars that belong to its file."""

    def __init__(self, theme: Theme, editor: CodeEditor, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.editor = editor
        self._theme = theme
        self._find_bar: FindBar | None = None
        self.notice = NoticeBar(theme, self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        self.limits_notice = NoticeBar(theme, self)
        self.limits_notice.chosen.connect(lambda _choice: self.limits_notice.set_notice(None))
        layout.addWidget(self.notice)
        layout.addWidget(self.limits_notice)
        layout.addWidget(editor, 1)
        editor.limits_changed.connect(self._on_limits_changed)
        self._on_limits_changed(editor.limits)

    @property
    def find_bar(self) -> FindBar:
        """The find bar over the text, made on first use."""
        if self._find_bar is None:
            self._find_bar = FindBar(self._theme, self.editor)
        return self._find_bar

    @property
    def shows_find(self) -> bool:
        """Whether the find bar is on screen."""
        return self._find_bar is not None and not self._find_bar.isHidden()

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._theme = theme
        self.notice.set_theme(theme)
        self.limits_notice.set_theme(theme)
        if self._find_bar is not None:
            self._find_bar.set_theme(theme)
        self.editor.set_theme(theme)

    def _on_limits_changed(self, limits: Limits) -> None:
        """Say what is left out of a text that is too large."""
        notice = Notice(limits.reason, actions=(("dismiss", "Dismiss"),)) if limits.is_plain else None
        self.limits_notice.set_notice(notice)
