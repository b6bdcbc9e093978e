"""Registers the bundled fonts: Inter for the window, JetBrains Mono NL for code."""

from __future__ import annotations

from functools import cache

import fontpkg_inter
from PySide6.QtGui import QFontDatabase

from redraft.core.assets import resource


@cache
def register_fonts() -> tuple[str, ...]:
    """Make the bundled fonts known to Qt, once; return the families found in them."""
    files = [*sorted((fontpkg_inter.ROOT / "files").glob("*.ttf")), *sorted(resource("fonts").glob("*.ttf"))]
    families: dict[str, None] = {}
    for file in files:
        number = QFontDatabase.addApplicationFont(str(file))
        families |= dict.fromkeys(QFontDatabase.applicationFontFamilies(number))
    return tuple(families)
