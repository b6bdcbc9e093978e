from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QFontInfo, QFontMetrics
from PySide6.QtTest import QSignalSpy
from pytestqt.qtbot import QtBot

from redraft.core.assets import resource
from redraft.qt.fonts import register_fonts
from redraft.qt.theme import FontChoice, Theme, ThemeManager, ThemeName, load_theme, read_tokens

THEMES: tuple[ThemeName, ...] = ("dark", "light", "contrast")
LOWEST = {"dark": 4.5, "light": 4.5, "contrast": 7.0}


def luminance(color: str) -> float:
    """Relative luminance (WCAG 2.2)."""
    channels = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Contrast ratio (WCAG 2.2)."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def surfaces(first: int, last: int) -> list[str]:
    return [f"surface.{number}" for number in range(first, last + 1)]


TEXTS: list[tuple[str, list[str]]] = [
    ("text.primary", surfaces(0, 4)),
    ("text.secondary", surfaces(1, 4)),
    ("text.muted", surfaces(0, 3)),
    ("accent.text", surfaces(0, 3)),
    *((f"state.{state}", [*surfaces(1, 3), f"state.{state}_tint"]) for state in ("ok", "warn", "error")),
    ("state.info", surfaces(1, 3)),
    ("text.on_fill", ["accent.fill", "accent.fill_hover", "accept.fill", "accept.fill_hover", "state.error_fill"]),
    ("accept.text", ["surface.2", "surface.3", "diff.added.line"]),
    ("reject.text", ["surface.2", "surface.3", "diff.removed.line"]),
    ("editor.number", ["surface.0"]),
    ("editor.number_current", ["surface.0", "editor.current_line"]),
    ("editor.ghost", ["surface.0", "editor.current_line"]),
]
MARKS: list[tuple[str, list[str]]] = [
    ("border.strong", ["surface.0", "surface.2"]),
    ("accent.bar", ["surface.0", "surface.2"]),
    ("focus", surfaces(0, 3)),
    ("diff.added.bar", ["surface.0", "diff.added.line"]),
    ("diff.removed.bar", ["surface.0", "diff.removed.line"]),
    ("diff.offered.bar", ["surface.0", "diff.offered.line"]),
    ("editor.find_edge", ["surface.0", "editor.find"]),
]
CODE_GROUNDS = (
    "surface.0",
    "editor.current_line",
    "editor.selection",
    "editor.find",
    "editor.bracket",
    "diff.pending.line",
    "diff.frontier.line",
    "diff.offered.line",
    "diff.added.line",
    "diff.added.word",
    "diff.removed.line",
    "diff.removed.word",
)


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize(("token", "grounds"), TEXTS, ids=[token for token, _ in TEXTS])
def test_text_can_be_read_on_every_surface_it_stands_on(name: ThemeName, token: str, grounds: list[str]) -> None:
    theme = load_theme(name)
    lowest = min((contrast(theme.hex(token), theme.hex(ground)), ground) for ground in grounds)
    assert lowest[0] >= LOWEST[name], lowest


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize(("token", "grounds"), MARKS, ids=[token for token, _ in MARKS])
def test_bars_fields_and_focus_stand_out(name: ThemeName, token: str, grounds: list[str]) -> None:
    theme = load_theme(name)
    assert min(contrast(theme.hex(token), theme.hex(ground)) for ground in grounds) >= 3.0


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("syntax", sorted(read_tokens()["theme"]["dark"]["syntax"]))
def test_code_can_be_read_on_every_tint(name: ThemeName, syntax: str) -> None:
    theme = load_theme(name)
    color = theme.syntax_colors[syntax]
    lowest = min((contrast(color, theme.hex(ground)), ground) for ground in CODE_GROUNDS)
    assert lowest[0] >= (4.45 if name != "contrast" else 7.0), lowest


@pytest.mark.parametrize("name", THEMES)
def test_themes_name_the_same_opaque_colours(name: ThemeName) -> None:
    theme = load_theme(name)
    assert set(theme.colors) == set(load_theme("dark").colors)
    assert set(theme.syntax_colors) == set(load_theme("dark").syntax_colors)
    for color in (*theme.colors.values(), *theme.syntax_colors.values()):
        assert re.fullmatch(r"#[0-9A-F]{6}", color), color


def test_every_icon_has_a_glyph(qtbot: QtBot) -> None:
    theme = load_theme("dark")
    for meaning in theme.tokens["icon"]:
        icon = theme.icon(meaning, color="text.primary", size=16)
        image = icon.pixmap(QSize(16, 16)).toImage()
        inked = sum(image.pixelColor(x, y).alpha() > 0 for x in range(image.width()) for y in range(image.height()))
        assert inked > 4, meaning


def test_an_icon_has_the_colour_it_was_asked_for(qtbot: QtBot) -> None:
    theme = load_theme("dark")
    image = theme.icon("stop", color="state.error", size=16).pixmap(QSize(16, 16)).toImage()
    assert image.pixelColor(8, 8) == QColor(theme.hex("state.error"))


def test_fonts_are_the_bundled_ones(qtbot: QtBot) -> None:
    theme = load_theme("light")
    assert {"Inter", "JetBrains Mono NL"} <= set(register_fonts())
    assert QFontInfo(theme.font("body")).family() == "Inter"
    regular, heavy = (QFontMetrics(theme.font("body", weight=weight)) for weight in (400, 600))
    assert heavy.horizontalAdvance("readings.py") > regular.horizontalAdvance("readings.py")
    assert QFontInfo(theme.code_font()).family() == "JetBrains Mono NL"
    assert QFontMetrics(theme.code_font()).height() == 17


def test_sizes_come_from_the_tokens(qtbot: QtBot) -> None:
    theme = load_theme("dark")
    assert (theme.space("m"), theme.radius("large"), theme.size("chip"), theme.motion("normal")) == (12, 10, 22, 140)


def test_reduced_motion_takes_fades_away_but_not_waiting_times(qtbot: QtBot) -> None:
    manager = ThemeManager("dark")
    manager.set_details(glyphs=False, reduced_motion=True)
    assert (manager.theme.motion("normal"), manager.theme.motion("stub")) == (0, 5000)


def test_a_chosen_theme_is_told_once(qtbot: QtBot) -> None:
    manager = ThemeManager("dark")
    spy = QSignalSpy(manager.changed)
    manager.choose("light")
    manager.choose("light")
    assert spy.count() == 1
    theme = manager.theme
    assert isinstance(theme, Theme)
    assert theme.name == "light"
    assert not theme.is_dark


def test_plus_and_minus_always_stand_in_high_contrast(qtbot: QtBot) -> None:
    manager = ThemeManager("contrast")
    assert manager.theme.shows_glyphs
    manager.choose("dark")
    assert not manager.theme.shows_glyphs
    manager.set_details(glyphs=True, reduced_motion=False)
    assert manager.theme.shows_glyphs


def test_the_users_fonts_stand_before_the_themes_own(qtbot: QtBot) -> None:
    manager = ThemeManager("dark")
    spy = QSignalSpy(manager.changed)
    manager.set_details(glyphs=False, reduced_motion=False, fonts=FontChoice("DejaVu Sans", "DejaVu Sans Mono", 16))
    assert spy.count() == 1
    theme = manager.theme
    assert theme.font("body").families()[:2] == ["DejaVu Sans", "Inter"]
    assert theme.code_font().families()[:2] == ["DejaVu Sans Mono", "JetBrains Mono NL"]
    assert (theme.code_font().pixelSize(), theme.font("body").pixelSize()) == (16, 13)
    manager.set_details(glyphs=False, reduced_motion=False)
    assert manager.theme.font("body").families()[0] == "Inter"


def test_bundled_fonts_carry_their_licence() -> None:
    folder: Path = resource("fonts")
    assert "SIL OPEN FONT LICENSE" in (folder / "OFL.txt").read_text(encoding="utf-8").upper()
