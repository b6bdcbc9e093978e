"""The first-run card: who is to write with you. It shows a `WelcomeModel` and reports what was chosen."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from redraft.api.prompt_block import ActionStyle
from redraft.qt.frame.option_card import OptionCard
from redraft.qt.theme import Theme
from redraft.qt.widgets import KeyButton, LinkButton, PlainLabel, ProgressLine
from redraft.qt.widgets.nesting import nest
from redraft.qt.widgets.painting import draw_box

WIDTH = 632
INSET = 32
EMBEDDED, SERVER, KEY = "embedded", "server", "key"
SERVERS = "Ollama, LM Studio, llama-server, vLLM, Tabby, or any OpenAI-compatible address"
KEYS = "Anthropic, OpenAI or OpenRouter; it is kept in the system keyring"


@dataclass(frozen=True, slots=True)
class WelcomeModel:
    """What the card shows.

    Attributes:
        model: Name of the embedded model, as the catalogue has it.
        detail: What it is, in one line.
        chosen: `"embedded"`, `"server"` or `"key"`.
        progress: Part downloaded, 0 to 1; `None` while nothing is or was fetched.
        progress_text: Size and rate in words.
        is_running: Whether a download runs now.
        is_ready: Whether the model is on this machine.
        smaller: Label of the link to the smaller model; empty hides it.
        fault: What went wrong, in one sentence.
    """

    model: str = ""
    detail: str = ""
    chosen: str = EMBEDDED
    progress: float | None = None
    progress_text: str = ""
    is_running: bool = False
    is_ready: bool = False
    smaller: str = ""
    fault: str = ""


class DownloadRow(QWidget):
    """Progress of the embedded model, with what can be done about it."""

    smaller_wanted = Signal()
    toggle_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.line = ProgressLine(theme, thickness=4, track="accent.bar_dim", bar="accent.fill")
        self.text = PlainLabel(theme, font="small")
        self.smaller = LinkButton(theme, "", weight=400)
        self.toggle = LinkButton(theme, "")
        self.smaller.clicked.connect(self.smaller_wanted)
        self.toggle.clicked.connect(self.toggle_wanted)
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(self.text, 1)
        row.addWidget(self.smaller)
        row.addWidget(self.toggle)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 12, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(self.line)
        nest(layout, row)

    def set_model(self, model: WelcomeModel) -> None:
        """Show how far it is."""
        self.line.set_value(None)
        self.line.set_value(1.0 if model.is_ready else model.progress or 0.0)
        words = model.fault or ("Ready." if model.is_ready else model.progress_text)
        self.text.set_text(words)
        self.text.set_color("state.error" if model.fault else "text.secondary")
        self.smaller.set_text("" if model.is_ready else model.smaller)
        started = model.progress is not None
        self.toggle.set_text("" if model.is_ready else "Pause" if model.is_running else "Resume" if started else "")

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        for widget in (self.line, self.text, self.smaller, self.toggle):
            widget.set_theme(theme)


class WelcomeCard(QWidget):
    """Choose who writes with you; it never blocks the text behind it."""

    option_chosen = Signal(str)
    option_opened = Signal(str)
    start_wanted = Signal()
    later_wanted = Signal()
    smaller_wanted = Signal()
    toggle_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._title = PlainLabel(theme, "Choose who writes with you", font="display", color="text.primary")
        self._lead = PlainLabel(theme, "A model proposes, you decide. Nothing enters a file before you accept it.")
        self.options = {
            EMBEDDED: OptionCard(theme, "The embedded model", "", note="no account"),
            SERVER: OptionCard(theme, "A server I have", SERVERS),
            KEY: OptionCard(theme, "A key", KEYS),
        }
        self.download = DownloadRow(theme)
        self.options[EMBEDDED].add_row(self.download)
        self._foot = PlainLabel(theme, font="small", color="text.muted")
        self.later = KeyButton(theme, "Later", style=ActionStyle.FLAT, large=True)
        self.start = KeyButton(theme, "Start writing", key="Enter", style=ActionStyle.PRIMARY, large=True)
        self._lay_out()
        self._connect()
        self.setFixedWidth(WIDTH)
        self.setAccessibleName("Choose who writes with you")

    def set_model(self, model: WelcomeModel) -> None:
        """Show another state."""
        for name, option in self.options.items():
            option.set_chosen(name == model.chosen)
        self.options[EMBEDDED].detail.set_text(model.detail)
        self.download.set_model(model)
        self.download.setVisible(model.chosen == EMBEDDED)
        self._foot.set_text("You can write while it downloads." if model.is_running else "")
        label = "Start writing" if model.chosen == EMBEDDED else "Set it up"
        if model.chosen == EMBEDDED and model.progress is None and not model.is_ready:
            label = "Download and start"
        self.start.set_label(label)
        self.adjustSize()

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._theme = theme
        for widget in (self._title, self._lead, self.download, self._foot, self.later, self.start):
            widget.set_theme(theme)
        for option in self.options.values():
            option.set_theme(theme)
        self.update()

    def place(self) -> None:
        """Stand in the upper third of the parent, centred."""
        parent = self.parentWidget()
        if parent is not None:
            self.adjustSize()
            y = max(16, min(96, (parent.height() - self.height()) // 3))
            self.move((parent.width() - self.width()) // 2, y)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        painter = QPainter(self)
        edge = theme.color("border.default")
        draw_box(painter, self.rect(), theme.radius("window"), fill=theme.color("surface.2"), edge=edge)
        painter.end()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.start_wanted.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.later_wanted.emit()
        else:
            super().keyPressEvent(event)

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(INSET, INSET, INSET, 24)
        layout.setSpacing(0)
        layout.addWidget(self._title)
        layout.addSpacing(4)
        layout.addWidget(self._lead)
        layout.addSpacing(20)
        for option in self.options.values():
            layout.addWidget(option)
            layout.addSpacing(10)
        layout.addSpacing(14)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self._foot, 1)
        row.addWidget(self.later)
        row.addWidget(self.start)
        nest(layout, row)

    def _connect(self) -> None:
        for name, option in self.options.items():
            option.chosen.connect(lambda name=name: self.option_chosen.emit(name))
            option.opened.connect(lambda name=name: self.option_opened.emit(name))
        self.download.smaller_wanted.connect(self.smaller_wanted)
        self.download.toggle_wanted.connect(self.toggle_wanted)
        self.later.clicked.connect(self.later_wanted)
        self.start.clicked.connect(self.start_wanted)
