"""How a code editor looks, whatever its language: fonts, row height, margins, caret, selection, guides."""

from __future__ import annotations

from typing import Final

from PySide6.QtGui import QFontInfo, QPalette
from PySide6.QtWidgets import QWidget
from pyside6_scintilla import Scintilla, ScintillaEdit

from redraft.qt.editor import numbers
from redraft.qt.editor.numbers import Indicator, Margin
from redraft.qt.editor.raw import Message, abgr, bgr
from redraft.qt.theme import Theme

ROW_RATIO: Final = 22 / 13
"""Height of a row to the size of its font."""

_Element: Final = Scintilla.Element
_Style: Final = Scintilla.StylesCommon
_Shape: Final = Scintilla.IndicatorStyle


def prepare(editor: ScintillaEdit) -> None:
    """Set once what no theme changes."""
    editor.setPhasesDraw(Scintilla.PhasesDraw.Multiple)
    editor.setBufferedDraw(False)
    editor.setScrollWidthTracking(False)
    editor.setEndAtLastLine(False)
    editor.setCaretWidth(2)
    editor.setSelectionLayer(Scintilla.Layer.Base)
    editor.setIndentationGuides(Scintilla.IndentView.None_)
    editor.setMarginLeft(numbers.TEXT_AIR)
    editor.setMarginRight(0)
    editor.setXCaretPolicy(Scintilla.CaretPolicy.Slop | Scintilla.CaretPolicy.Even, 48)
    editor.setYCaretPolicy(Scintilla.CaretPolicy.Slop | Scintilla.CaretPolicy.Strict | Scintilla.CaretPolicy.Even, 2)
    editor.setMargins(len(Margin))
    for margin, width in (
        (Margin.SYMBOLS, numbers.SYMBOLS_WIDTH),
        (Margin.NUMBERS, numbers.NUMBERS_WIDTH),
        (Margin.RANGE, numbers.RANGE_WIDTH),
    ):
        editor.setMarginTypeN(margin, Scintilla.MarginType.Colour)
        editor.setMarginMaskN(margin, 0)
        editor.setMarginWidthN(margin, width)
        editor.setMarginCursorN(margin, Scintilla.CursorShape.Arrow)
    editor.setMarginMaskN(Margin.SYMBOLS, numbers.OVERLAY_MARKER_MASK)
    editor.setAutomaticFold(Scintilla.AutomaticFold.Show | Scintilla.AutomaticFold.Change)
    editor.foldDisplayTextSetStyle(Scintilla.FoldDisplayTextStyle.Standard)
    editor.setDefaultFoldDisplayText(" ⋯ ")
    _prepare_indicators(editor)


def _prepare_indicators(editor: ScintillaEdit) -> None:
    for indicator in (Indicator.BRACKET, Indicator.OCCURRENCE, Indicator.FIND, Indicator.FIND_CURRENT):
        editor.indicSetStyle(indicator, _Shape.FullBox)
        editor.indicSetUnder(indicator, True)
        editor.indicSetAlpha(indicator, 255)
        editor.indicSetOutlineAlpha(indicator, 255)
    editor.indicSetAlpha(Indicator.FIND_CURRENT, 0)
    editor.braceHighlightIndicator(True, Indicator.BRACKET)
    editor.indicSetStyle(Indicator.SYNTAX, _Shape.TextFore)
    editor.indicSetFlags(Indicator.SYNTAX, Scintilla.IndicFlag.ValueFore)


def apply_theme(editor: ScintillaEdit, theme: Theme) -> None:
    """Take fonts and all colours but those of the syntax from a theme; every style is reset."""
    background = theme.color("surface.0")
    font = theme.code_font()
    editor.styleResetDefault()
    editor.styleSetFont(_Style.Default, QFontInfo(font).family())
    editor.styleSetSizeFractional(_Style.Default, points(editor, font.pixelSize()))
    editor.styleSetFore(_Style.Default, bgr(theme.syntax("text")))
    editor.styleSetBack(_Style.Default, bgr(background))
    # Plain ASCII is then laid out by counting; without it a line of megabytes takes seconds per key.
    editor.styleSetCheckMonospaced(_Style.Default, True)
    editor.styleClearAll()
    editor.styleSetFore(_Style.LineNumber, bgr(theme.color("editor.number")))
    editor.styleSetFore(_Style.FoldDisplayText, bgr(theme.color("text.muted")))
    editor.styleSetBack(_Style.FoldDisplayText, bgr(theme.color("surface.3")))
    for margin in Margin:
        editor.setMarginBackN(margin, bgr(background))
    for element, token in (
        (_Element.SelectionBack, "editor.selection"),
        (_Element.SelectionAdditionalBack, "editor.selection"),
        (_Element.SelectionSecondaryBack, "editor.selection"),
        (_Element.SelectionInactiveBack, "editor.selection"),
        (_Element.SelectionInactiveAdditionalBack, "editor.selection"),
        (_Element.Caret, "editor.caret"),
        (_Element.CaretAdditional, "editor.caret"),
        (_Element.CaretLineBack, "editor.current_line"),
        (_Element.WhiteSpace, "text.disabled"),
        (_Element.FoldLine, "editor.guide"),
        (_Element.HiddenLine, "editor.guide"),
    ):
        editor.setElementColour(element, abgr(theme.color(token)))
    for indicator, token in (
        (Indicator.BRACKET, "editor.bracket"),
        (Indicator.OCCURRENCE, "editor.bracket"),
        (Indicator.FIND, "editor.find"),
        (Indicator.FIND_CURRENT, "editor.find_edge"),
    ):
        editor.indicSetFore(indicator, bgr(theme.color(token)))
    # At fractional scales text runs do not meet: what shows between them must have their background.
    fill(editor.viewport(), theme)
    set_row_height(editor, font.pixelSize())


def fill(widget: QWidget, theme: Theme) -> None:
    """Give a widget the background of the text, whatever it draws over it."""
    palette = widget.palette()
    for role in (QPalette.ColorRole.Base, QPalette.ColorRole.Window):
        palette.setColor(role, theme.color("surface.0"))
    widget.setPalette(palette)
    widget.setAutoFillBackground(True)


def points(editor: ScintillaEdit, pixels: int) -> int:
    """A font size in pixels as hundredths of a point on this screen."""
    return round(pixels * 7200 / editor.logicalDpiY())


def zoomed_pixels(editor: ScintillaEdit, font_pixels: int) -> float:
    """Size of a font as it is zoomed, in pixels."""
    return max(2.0, font_pixels + editor.send(Message.GetZoom) * editor.logicalDpiY() / 72)


def set_row_height(editor: ScintillaEdit, font_pixels: int) -> None:
    """Give rows the design's height for the font as it is zoomed, by space above and below it."""
    editor.setExtraAscent(0)
    editor.setExtraDescent(0)
    extra = max(0, round(zoomed_pixels(editor, font_pixels) * ROW_RATIO) - editor.textHeight(0))
    editor.setExtraAscent(extra * 2 // 5)
    editor.setExtraDescent(extra - extra * 2 // 5)
