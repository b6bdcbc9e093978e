"""The small widgets every part of the window is made of; each shows a state and reports an intent."""

from redraft.qt.widgets.chip import ChipWidget
from redraft.qt.widgets.icon_button import IconButton
from redraft.qt.widgets.key_badge import KeyBadge
from redraft.qt.widgets.key_button import KeyButton
from redraft.qt.widgets.link import LinkButton
from redraft.qt.widgets.plain_label import PlainLabel
from redraft.qt.widgets.pressable import Pressable
from redraft.qt.widgets.progress_line import ProgressLine
from redraft.qt.widgets.ring import Ring

__all__ = [
    "ChipWidget",
    "IconButton",
    "KeyBadge",
    "KeyButton",
    "LinkButton",
    "PlainLabel",
    "Pressable",
    "ProgressLine",
    "Ring",
]
