from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from redraft.api.prompt_block import ActionStyle, Chip, Tone
from redraft.qt.theme import Theme, load_theme
from redraft.qt.widgets import ChipWidget, IconButton, KeyBadge, KeyButton, PlainLabel, ProgressLine, Ring


@pytest.fixture
def theme(qtbot: QtBot) -> Theme:
    return load_theme("dark")


def has_color(widget: QWidget, color: str) -> bool:
    image = widget.grab().toImage()
    return any(
        image.pixelColor(x, y).name().upper() == color for x in range(image.width()) for y in range(image.height())
    )


def test_button_heights_follow_the_component_table(theme: Theme, qtbot: QtBot) -> None:
    small = KeyButton(theme, "Stop", key="Esc", icon="stop", style=ActionStyle.STOP)
    large = KeyButton(theme, "Save", style=ActionStyle.PRIMARY, large=True)
    qtbot.addWidget(small)
    qtbot.addWidget(large)
    assert (small.sizeHint().height(), large.sizeHint().height()) == (24, 30)


@pytest.mark.parametrize(
    ("style", "fill"),
    [(ActionStyle.PRIMARY, "accent.fill"), (ActionStyle.ACCEPT, "accept.fill"), (ActionStyle.DEFAULT, "surface.3")],
)
def test_button_is_filled_in_its_colour(theme: Theme, qtbot: QtBot, style: ActionStyle, fill: str) -> None:
    button = KeyButton(theme, "Go", style=style)
    qtbot.addWidget(button)
    button.resize(button.sizeHint())
    assert button.grab().toImage().pixelColor(4, 12).name().upper() == theme.hex(fill)


def test_button_names_itself_and_its_key(theme: Theme, qtbot: QtBot) -> None:
    button = KeyButton(theme, "Accept", key="Alt+Y")
    qtbot.addWidget(button)
    assert (button.accessibleName(), button.accessibleDescription()) == ("Accept", "Alt+Y")


def test_a_longer_key_makes_the_button_wider(theme: Theme, qtbot: QtBot) -> None:
    button = KeyButton(theme, "Accept", key="")
    qtbot.addWidget(button)
    narrow = button.sizeHint().width()
    button.set_key("Ctrl+Enter")
    assert button.sizeHint().width() > narrow


def test_enter_presses_the_focused_button(theme: Theme, qtbot: QtBot) -> None:
    button = KeyButton(theme, "Accept")
    qtbot.addWidget(button)
    button.show()
    with qtbot.waitSignal(button.clicked):
        qtbot.keyClick(button, Qt.Key.Key_Return)


def test_focus_is_a_ring_inside_the_edge(theme: Theme, qtbot: QtBot) -> None:
    button = IconButton(theme, "close", "Close")
    qtbot.addWidget(button)
    button.show()
    qtbot.waitExposed(button)
    assert not has_color(button, theme.hex("focus"))
    button.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(button.hasFocus)
    assert has_color(button, theme.hex("focus"))


def test_icon_button_says_what_it_does(theme: Theme, qtbot: QtBot) -> None:
    button = IconButton(theme, "close", "Close <b>it</b>", key="Ctrl+W")
    qtbot.addWidget(button)
    assert button.accessibleName() == "Close <b>it</b>"
    assert "<b>" not in button.toolTip()
    assert "Ctrl+W" in button.toolTip()


def test_cross_of_a_chip_removes_and_the_rest_does_not(theme: Theme, qtbot: QtBot) -> None:
    chip = ChipWidget(theme, Chip("file", "readings.py", icon="file", detail="512", removable=True))
    qtbot.addWidget(chip)
    chip.show()
    qtbot.waitExposed(chip)
    chip.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(chip.hasFocus)
    with qtbot.waitSignal(chip.removed):
        qtbot.mouseClick(chip, Qt.MouseButton.LeftButton, pos=QPoint(chip.width() - 10, chip.height() // 2))
    with qtbot.assertNotEmitted(chip.removed), qtbot.waitSignal(chip.clicked):
        qtbot.mouseClick(chip, Qt.MouseButton.LeftButton, pos=QPoint(12, chip.height() // 2))


def test_delete_removes_a_focused_chip(theme: Theme, qtbot: QtBot) -> None:
    chip = ChipWidget(theme, Chip("file", "readings.py", removable=True))
    qtbot.addWidget(chip)
    with qtbot.waitSignal(chip.removed):
        qtbot.keyClick(chip, Qt.Key.Key_Delete)


def test_chip_of_a_tone_stands_on_its_tint(theme: Theme, qtbot: QtBot) -> None:
    chip = ChipWidget(theme, Chip("check", "Parses", tone=Tone.OK))
    qtbot.addWidget(chip)
    chip.resize(chip.sizeHint())
    assert chip.grab().toImage().pixelColor(3, 11).name().upper() == theme.hex("state.ok_tint")
    assert chip.height() == 22


def test_progress_never_runs_backwards(theme: Theme, qtbot: QtBot) -> None:
    line = ProgressLine(theme)
    qtbot.addWidget(line)
    line.set_value(0.6)
    line.set_value(0.4)
    assert line.value == 0.6
    line.set_value(None)
    line.set_value(0.2)
    assert line.value == 0.2


def test_progress_is_drawn_from_the_left(theme: Theme, qtbot: QtBot) -> None:
    line = ProgressLine(theme)
    qtbot.addWidget(line)
    line.resize(100, 2)
    line.set_value(0.5)
    image = line.grab().toImage()
    assert image.pixelColor(20, 1).name().upper() == theme.hex("accent.bar")
    assert image.pixelColor(80, 1).name().upper() == theme.hex("border.soft")


def test_ring_turns_only_while_it_is_seen(theme: Theme, qtbot: QtBot) -> None:
    ring = Ring(theme)
    qtbot.addWidget(ring)
    assert not ring._timer.isActive()
    ring.show()
    assert ring._timer.isActive()
    ring.hide()
    assert not ring._timer.isActive()


def test_label_shortens_and_keeps_the_whole_text_in_its_tooltip(theme: Theme, qtbot: QtBot) -> None:
    label = PlainLabel(theme, "a rather <b>long</b> sentence that has no room")
    qtbot.addWidget(label)
    label.resize(60, 20)
    label.set_text(label.text())
    assert label.text().startswith("a rather <b>")
    assert "&lt;b&gt;" in label.toolTip()


def test_badge_without_a_key_is_hidden(theme: Theme, qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    badge = KeyBadge(theme, "", parent=parent)
    parent.show()
    assert not badge.isVisible()
    badge.set_key("Ctrl+K")
    assert badge.isVisible()
    assert badge.sizeHint().height() == 16
