"""The look as a value: colours, sizes, fonts and icons read from the theme tokens."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Final, Literal

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QGuiApplication, QIcon

from redraft.core.assets import resource
from redraft.qt.fonts import register_fonts
from redraft.qt.icons import GlyphEngine, glyph

ThemeName = Literal["dark", "light", "contrast"]
ThemeChoice = Literal["system", "dark", "light", "contrast"]
VARIABLE: Final = "Inter"
STILL: Final = frozenset({"quick", "normal", "settle", "sweep"})
"""Motions that reduced motion takes away; the others are plain waiting times."""


@dataclass(frozen=True, slots=True)
class FontChoice:
    """The user's own fonts; empty names and a size of 0 take the theme's."""

    ui: str = ""
    code: str = ""
    code_size: int = 0


@dataclass(frozen=True, eq=False)
class Theme:
    """One look; all names are those of `resources/themes/tokens.toml`."""

    name: ThemeName
    colors: Mapping[str, str]
    syntax_colors: Mapping[str, str]
    tokens: Mapping[str, Any] = field(repr=False)
    shows_glyphs: bool = False
    reduced_motion: bool = False
    fonts: FontChoice = FontChoice()

    @property
    def is_dark(self) -> bool:
        """Whether light text stands on a dark ground."""
        return self.name != "light"

    @property
    def shows_edges(self) -> bool:
        """Whether chips and buttons have an edge of their own."""
        return self.name == "contrast"

    def hex(self, name: str) -> str:
        """A colour as `#RRGGBB`."""
        return self.colors[name]

    def color(self, name: str) -> QColor:
        """A colour (`"surface.0"`)."""
        return QColor(self.colors[name])

    def syntax(self, name: str) -> QColor:
        """The colour of a syntax class (`"keyword"`)."""
        return QColor(self.syntax_colors[name])

    def space(self, name: str) -> int:
        """A distance in px (`"m"`)."""
        return self._number("space", name)

    def radius(self, name: str) -> int:
        """The radius of a corner in px (`"large"`)."""
        return self._number("radius", name)

    def size(self, name: str) -> int:
        """The size of a part in px (`"chip"`)."""
        return self._number("size", name)

    def motion(self, name: str) -> int:
        """How long a motion takes, in ms; 0 where motion is reduced."""
        return 0 if self.reduced_motion and name in STILL else self._number("motion", name)

    def font(self, name: str, *, weight: int | None = None, tabular: bool = False) -> QFont:
        """A font of the window (`"body"`); `tabular` gives all figures one width."""
        size, _, usual_weight = self.tokens["font"]["scale"][name]
        families = [*filter(None, [self.fonts.ui]), *self.tokens["font"]["ui"]]
        font = _font(families, size, weight or usual_weight)
        if tabular:
            font.setFeature(QFont.Tag("tnum"), 1)
        return font

    def line_height(self, name: str) -> int:
        """The height of a row of text in a font, in px."""
        return int(self.tokens["font"]["scale"][name][1])

    def code_font(self) -> QFont:
        """The font of code at zoom 1."""
        families = [*filter(None, [self.fonts.code]), *self.tokens["font"]["code"]]
        font = _font(families, self.fonts.code_size or self.tokens["font"]["code_size"], 400)
        font.setFixedPitch(True)
        return font

    def icon_char(self, name: str) -> str:
        """The glyph of a meaning (`"accept"`) as a character of the icon font."""
        return glyph(self.tokens["icon"][name])

    def icon(self, name: str, color: str = "text.muted", size: int = 16) -> QIcon:
        """The icon of a meaning (`"accept"`) in a colour."""
        return QIcon(GlyphEngine(self.icon_char(name), self.color(color), self.color("text.disabled"), size))

    def _number(self, table: str, name: str) -> int:
        return int(self.tokens[table][name])


def _font(families: list[str], size: int, weight: int) -> QFont:
    is_variable = VARIABLE in register_fonts() and families[0] == VARIABLE
    font = QFont(families)
    font.setPixelSize(size)
    if is_variable:
        # Qt takes a variable font for its regular weight only, and would thicken that by itself: ask for the axes.
        font.setVariableAxis(QFont.Tag("wght"), weight)
        font.setVariableAxis(QFont.Tag("opsz"), max(size, 14))
    else:
        font.setWeight(QFont.Weight(weight))
    font.setHintingPreference(QFont.HintingPreference.PreferVerticalHinting)
    return font


@cache
def read_tokens() -> Mapping[str, Any]:
    """All tokens, as they stand in the file."""
    return tomllib.loads(resource("themes/tokens.toml").read_text(encoding="utf-8"))


@cache
def load_theme(name: ThemeName) -> Theme:
    """One of the built-in themes."""
    tokens = read_tokens()
    table = tokens["theme"][name]
    syntax = dict(table["syntax"])
    return Theme(name, dict(_flat(table)), syntax, tokens, shows_glyphs=bool(table.get("glyphs", False)))


def _flat(table: Mapping[str, Any], prefix: str = "") -> list[tuple[str, str]]:
    flat: list[tuple[str, str]] = []
    for key, value in table.items():
        if isinstance(value, str):
            flat.append((prefix + key, value))
        elif isinstance(value, Mapping) and key != "syntax":
            flat += _flat(value, f"{prefix}{key}.")
    return flat


class ThemeManager(QObject):
    """Holds the theme in force; follows the system unless one was chosen."""

    changed = Signal(object)

    def __init__(self, choice: ThemeChoice = "system", parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._choice = choice
        self._glyphs = False
        self._reduced_motion = False
        self._fonts = FontChoice()
        hints = QGuiApplication.styleHints()
        hints.colorSchemeChanged.connect(self._on_system_changed)
        hints.accessibility().contrastPreferenceChanged.connect(self._on_system_changed)
        self._theme = self._resolve()

    @property
    def theme(self) -> Theme:
        """The theme in force."""
        return self._theme

    @property
    def choice(self) -> ThemeChoice:
        """What was chosen; `"system"` follows the desktop."""
        return self._choice

    def choose(self, choice: ThemeChoice) -> None:
        """Take a theme, or follow the system."""
        self._choice = choice
        self._refresh()

    def set_details(self, *, glyphs: bool, reduced_motion: bool, fonts: FontChoice = FontChoice()) -> None:
        """Whether + and - stand beside changed lines in every theme, whether things move, and the user's fonts."""
        self._glyphs, self._reduced_motion, self._fonts = glyphs, reduced_motion, fonts
        self._refresh()

    def _on_system_changed(self) -> None:
        if self._choice == "system":
            self._refresh()

    def _refresh(self) -> None:
        theme = self._resolve()
        before = self._theme
        if _looks(theme) != _looks(before):
            self._theme = theme
            self.changed.emit(theme)

    def _resolve(self) -> Theme:
        theme = load_theme(system_theme() if self._choice == "system" else self._choice)
        return replace(
            theme,
            shows_glyphs=theme.shows_glyphs or self._glyphs,
            reduced_motion=self._reduced_motion,
            fonts=self._fonts,
        )


def _looks(theme: Theme) -> tuple[object, ...]:
    """What tells two themes apart."""
    return theme.name, theme.shows_glyphs, theme.reduced_motion, theme.fonts


def system_theme() -> ThemeName:
    """The theme that fits the desktop: high contrast where it asks for that, dark unless it is light."""
    hints = QGuiApplication.styleHints()
    if hints.accessibility().contrastPreference() == Qt.ContrastPreference.HighContrast:
        return "contrast"
    return "light" if hints.colorScheme() == Qt.ColorScheme.Light else "dark"
