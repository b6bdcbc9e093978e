"""The side bar: whose folder this is, its files, and the proposals that wait for a decision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QStackedLayout, QVBoxLayout, QWidget

from redraft.qt.frame.folder_model import FolderModel
from redraft.qt.frame.folder_tree import FolderTree
from redraft.qt.icons import draw_glyph
from redraft.qt.theme import Theme
from redraft.qt.widgets import IconButton, KeyBadge, KeyButton, PlainLabel, Pressable, Ring
from redraft.qt.widgets.nesting import nest
from redraft.qt.widgets.painting import draw_box, draw_focus_ring

EDGE = 16


@dataclass(frozen=True, slots=True)
class OpenProposal:
    """A file with proposed hunks: `note` says how far it is (`"writing"`, `"2 left"`)."""

    id: int
    title: str
    note: str
    is_running: bool = False


@dataclass(frozen=True, slots=True)
class KeyHint:
    """What a key does, for who opens the editor for the first time."""

    label: str
    key: str


class ProposalRow(Pressable):
    """One file of the list of open proposals."""

    def __init__(self, theme: Theme, proposal: OpenProposal, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._proposal = proposal
        self._ring = Ring(theme, parent=self)
        self._ring.setVisible(proposal.is_running)
        self._ring.move(EDGE, (theme.size("tree_row") - 14) // 2)
        self.setAccessibleName(f"{proposal.title}, {proposal.note}")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def draw(self, painter: QPainter) -> None:
        """Draw icon, name and note."""
        theme = self.theme
        if self.is_hovered or self.isDown():
            box = self.rect().adjusted(8, 0, -8, 0)
            draw_box(painter, box, theme.radius("medium"), fill=theme.color("surface.3"))
        middle = Qt.AlignmentFlag.AlignVCenter
        if not self._proposal.is_running:
            painter.setPen(theme.color("text.muted"))
            draw_glyph(painter, QRect(EDGE, self.height() // 2 - 7, 14, 14), theme.icon_char("proposal"))
        painter.setFont(theme.font("body"))
        painter.setPen(theme.color("text.secondary"))
        painter.drawText(self.rect().adjusted(EDGE + 23, 0, -60, 0), middle, self._proposal.title)
        painter.setFont(theme.font("micro", tabular=True))
        painter.setPen(theme.color("text.muted"))
        painter.drawText(
            self.rect().adjusted(0, 0, -EDGE, 0), middle | Qt.AlignmentFlag.AlignRight, self._proposal.note
        )
        if self.hasFocus():
            draw_focus_ring(painter, self.rect().adjusted(8, 0, -8, 0), theme.radius("medium"), theme)

    def sizeHint(self) -> QSize:
        return QSize(160, self.theme.size("tree_row"))


class ProposalList(QWidget):
    """All files with open proposals; hidden while there are none."""

    chosen = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._proposals: tuple[OpenProposal, ...] = ()
        self._rows: list[ProposalRow] = []
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 6)
        self._layout.setSpacing(0)
        self._heading = PlainLabel(theme, "Open proposals", font="micro", color="text.muted")
        self._heading.setContentsMargins(EDGE, 0, EDGE, 0)
        heading = QHBoxLayout()
        heading.setContentsMargins(EDGE, 0, EDGE, 5)
        heading.addWidget(self._heading)
        nest(self._layout, heading)
        self.hide()

    def set_proposals(self, proposals: Sequence[OpenProposal]) -> None:
        """Show these."""
        if tuple(proposals) == self._proposals:
            return
        self._proposals = tuple(proposals)
        self._rebuild()

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._theme = theme
        self._heading.set_theme(theme)
        self._rebuild()

    def _rebuild(self) -> None:
        for row in self._rows:
            row.hide()
            row.deleteLater()
        self._rows = [ProposalRow(self._theme, proposal, self) for proposal in self._proposals]
        for row, proposal in zip(self._rows, self._proposals, strict=True):
            row.clicked.connect(lambda _=False, chosen=proposal.id: self.chosen.emit(chosen))
            self._layout.addWidget(row)
        self.setVisible(bool(self._proposals))


class NoFolder(QWidget):
    """What stands in the side bar while no folder is open."""

    open_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._label = PlainLabel(theme, "No folder is open.")
        self._button = KeyButton(theme, "Open folder", icon="folder_open")
        self._button.setFixedHeight(28)
        self._button.clicked.connect(self.open_wanted)
        self._hints: list[tuple[PlainLabel, KeyBadge]] = []
        layout = QVBoxLayout(self)
        layout.setContentsMargins(EDGE, 12, EDGE, 15)
        layout.setSpacing(0)
        layout.addWidget(self._label)
        layout.addSpacing(12)
        layout.addWidget(self._button)
        layout.addStretch(1)
        self._hint_rows = QVBoxLayout()
        self._hint_rows.setSpacing(10)
        nest(layout, self._hint_rows)

    @property
    def button(self) -> KeyButton:
        """What opens a folder."""
        return self._button

    def set_open_key(self, key: str) -> None:
        """Show the key that opens a folder."""
        self._button.set_key(key)

    def set_hints(self, hints: Sequence[KeyHint]) -> None:
        """Show what the most useful keys do; those without a key are left out."""
        for label, badge in self._hints:
            label.deleteLater()
            badge.deleteLater()
        self._hints = []
        for hint in hints:
            if hint.key:
                row = QHBoxLayout()
                label = PlainLabel(self._theme, hint.label, font="small", color="text.muted")
                badge = KeyBadge(self._theme, hint.key)
                row.addWidget(label, 1)
                row.addWidget(badge)
                nest(self._hint_rows, row)
                self._hints.append((label, badge))

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._theme = theme
        self._label.set_theme(theme)
        self._button.set_theme(theme)
        for label, badge in self._hints:
            label.set_theme(theme)
            badge.set_theme(theme)


class SideHeader(QWidget):
    """Menu button, the folder's name, search button."""

    menu_wanted = Signal()
    search_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._menu = IconButton(theme, "menu", "Menu")
        self._title = PlainLabel(theme, "Redraft", color="text.primary", weight=600)
        self._search = IconButton(theme, "search", "Go to file")
        self._menu.clicked.connect(self.menu_wanted)
        self._search.clicked.connect(self.search_wanted)
        self.setFixedHeight(theme.size("header"))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(7, 0, 9, 0)
        layout.setSpacing(3)
        layout.addWidget(self._menu)
        layout.addWidget(self._title, 1)
        layout.addWidget(self._search)

    @property
    def menu_button(self) -> IconButton:
        """Where the menu opens."""
        return self._menu

    def set_title(self, title: str) -> None:
        """Show the name of the folder."""
        self._title.set_text(title)

    def set_search_key(self, key: str) -> None:
        """Show the key that does the same as the search button."""
        self._search.set_label("Go to file", key=key)

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        for widget in (self._menu, self._title, self._search):
            widget.set_theme(theme)


class Sidebar(QWidget):
    """Header, files (or the invitation to open some), open proposals."""

    def __init__(self, theme: Theme, model: FolderModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.header = SideHeader(theme)
        self.tree = FolderTree(theme, model)
        self.no_folder = NoFolder(theme)
        self.proposals = ProposalList(theme)
        self._stack = QStackedLayout()
        self._stack.addWidget(self.no_folder)
        self._stack.addWidget(self.tree)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 1, 0)
        layout.setSpacing(0)
        layout.addWidget(self.header)
        layout.addSpacing(6)
        nest(layout, self._stack, 1)
        layout.addWidget(self.proposals)
        self.setMinimumWidth(theme.size("sidebar_min"))
        self.setMaximumWidth(400)

    @property
    def entry(self) -> QWidget:
        """What takes the keyboard when it comes to the side bar."""
        return self.tree if self._stack.currentWidget() is self.tree else self.no_folder.button

    def set_folder(self, folder: Path | None) -> None:
        """Show a folder's name and files, or the invitation to open one."""
        self.header.set_title(folder.name or str(folder) if folder else "Redraft")
        self._stack.setCurrentWidget(self.tree if folder else self.no_folder)

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._theme = theme
        self.header.set_theme(theme)
        self.tree.set_theme(theme)
        self.no_folder.set_theme(theme)
        self.proposals.set_theme(theme)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._theme.size("sidebar"), 400)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color("surface.1"))
        painter.fillRect(QRect(self.width() - 1, 0, 1, self.height()), self._theme.color("border.soft"))
        painter.end()
