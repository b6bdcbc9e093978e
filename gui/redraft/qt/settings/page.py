"""A page: a heading, a sentence, and what stands below them, all of it scrolling together."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from redraft.api.disposable import DisposableStack
from redraft.qt.settings.sections import Section
from redraft.qt.settings.surfaces import Words
from redraft.qt.theme import Theme
from redraft.qt.widgets import PlainLabel
from redraft.qt.widgets.nesting import nest

INSET_X = 28
INSET_Y = 20


class Content(QWidget):
    """What scrolls; as high as its sentences are at the width there is, not at the smallest one."""

    def minimumSizeHint(self) -> QSize:
        smallest = super().minimumSizeHint()
        width = max(smallest.width(), self.width())
        return QSize(smallest.width(), self.heightForWidth(width) if self.hasHeightForWidth() else smallest.height())


class Page(QScrollArea):
    """The frame of every page; `body` takes its parts from the top, `buttons` those beside the heading."""

    def __init__(self, theme: Theme, about: Section) -> None:
        super().__init__()
        self.theme = theme
        self.about = about
        self.kept = DisposableStack()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(about.title)
        self._content = Content()
        self._outer = QVBoxLayout(self._content)
        self._outer.setContentsMargins(INSET_X, INSET_Y, INSET_X, INSET_Y)
        self._outer.setSpacing(0)
        self.body = QVBoxLayout()
        self.body.setSpacing(theme.space("m"))
        nest(self._outer, self._make_head(), 0)
        self._outer.addSpacing(14)
        nest(self._outer, self.body)
        self._outer.addStretch(1)
        self.setWidget(self._content)
        for ground in (self._content, self.viewport()):
            ground.setAutoFillBackground(False)  # the window has painted it
        self.verticalScrollBar().rangeChanged.connect(self._on_range_changed)

    def add_heading(self, text: str) -> PlainLabel:
        """Add the heading of a part of the page."""
        label = PlainLabel(self.theme, text, font="small", color="text.muted", weight=500)
        self.body.addSpacing(4)
        self.body.addWidget(label)
        return label

    def set_theme(self, theme: Theme) -> None:
        """Build what comes later in another theme; what is there looks after itself."""
        self.theme = theme

    def fill_height(self) -> None:
        """Let what stretches in the body take all the height there is."""
        self._outer.setStretch(self._outer.indexOf(self.body), 1)
        self._outer.setStretch(self._outer.count() - 1, 0)

    def show_entry(self, name: str) -> None:
        """Show one of its entries, where it has any."""

    def may_close(self) -> bool:
        """Whether nothing is lost when the window closes, or the user agrees to lose it."""
        return True

    def stop(self) -> None:
        """Hear of nothing any more."""
        self.kept.dispose()

    def _make_head(self) -> QHBoxLayout:
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(PlainLabel(self.theme, self.about.title, font="title", color="text.primary"))
        self.sentence = Words(self.theme, self.about.sentence)
        words.addWidget(self.sentence)
        head = QHBoxLayout()
        head.setSpacing(self.theme.space("s"))
        nest(head, words, 1)
        self.buttons = QHBoxLayout()
        self.buttons.setSpacing(self.theme.space("s"))
        self.buttons.setAlignment(Qt.AlignmentFlag.AlignTop)
        nest(head, self.buttons)
        return head

    def _on_range_changed(self, _low: int, high: int) -> None:
        # The scroll bar takes its room from the inset, so that nothing moves when it comes.
        room = self.theme.size("scroll_bar") if high > 0 else 0
        self._outer.setContentsMargins(INSET_X, INSET_Y, INSET_X - room, INSET_Y)
