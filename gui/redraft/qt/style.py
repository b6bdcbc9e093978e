"""Dresses the parts that Qt draws by itself: palette, application font and the style sheet from its template."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment, StrictUndefined, Template
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication

from redraft.core.assets import resource
from redraft.qt.theme import Theme

ROLES = {
    QPalette.ColorRole.Window: "surface.1",
    QPalette.ColorRole.WindowText: "text.primary",
    QPalette.ColorRole.Base: "surface.0",
    QPalette.ColorRole.AlternateBase: "surface.1",
    QPalette.ColorRole.Text: "text.primary",
    QPalette.ColorRole.PlaceholderText: "text.muted",
    QPalette.ColorRole.Button: "surface.3",
    QPalette.ColorRole.ButtonText: "text.primary",
    QPalette.ColorRole.Highlight: "editor.selection",
    QPalette.ColorRole.HighlightedText: "text.primary",
    QPalette.ColorRole.ToolTipBase: "surface.2",
    QPalette.ColorRole.ToolTipText: "text.primary",
    QPalette.ColorRole.Link: "accent.text",
    QPalette.ColorRole.Accent: "accent.fill",
}


def dress(application: QApplication, theme: Theme) -> None:
    """Give the whole application the look of a theme."""
    application.setStyle("Fusion")
    application.setFont(theme.font("body"))
    application.setPalette(make_palette(theme))
    application.setStyleSheet(style_sheet(theme))


def make_palette(theme: Theme) -> QPalette:
    """The theme's colours as Qt's roles."""
    palette = QPalette()
    for role, token in ROLES.items():
        palette.setColor(role, theme.color(token))
    for role in (QPalette.ColorRole.Text, QPalette.ColorRole.WindowText, QPalette.ColorRole.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, role, theme.color("text.disabled"))
    return palette


def style_sheet(theme: Theme) -> str:
    """The style sheet in the colours of a theme."""
    return _template().render(c=theme.colors, size=theme.tokens["size"], radius=theme.tokens["radius"])


@cache
def _template() -> Template:
    environment = Environment(undefined=StrictUndefined, autoescape=False)  # noqa: S701 - a style sheet is no page
    return environment.from_string(resource("themes/window.qss.jinja").read_text(encoding="utf-8"))
