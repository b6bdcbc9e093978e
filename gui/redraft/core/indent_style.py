"""How a file is to be indented and ended: what `.editorconfig` asks, else what its text does, else the default."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import editorconfig

from redraft.core.text import LINE_END, TextEdit, TextRange

LINE_ENDS: Final = {"lf": "\n", "crlf": "\r\n", "cr": "\r"}
WIDTHS: Final = range(1, 17)
# Enough to know a habit, little enough for a large file.
LINES_LOOKED_AT: Final = 5_000
# Looking behind keeps long runs of blanks inside a line from being tried at each of them.
TRAILING_BLANKS: Final = re.compile(r"(?<![ \t])[ \t]++(?=[\r\n]|\Z)")


@dataclass(frozen=True, slots=True)
class Indentation:
    """How a file is indented.

    Attributes:
        use_tabs: Whether one step is a tab.
        width: Columns of one step.
        tab_width: Columns a tab is drawn as.
    """

    use_tabs: bool = False
    width: int = 4
    tab_width: int = 4


@dataclass(frozen=True, slots=True)
class FileStyle:
    """What holds for one file; `None` means that nobody asked for anything.

    Attributes:
        indentation: How to indent.
        line_end: The line end new lines take; lines that are there keep theirs.
        final_newline: Whether the last line ends with a line end.
        trim_trailing_blanks: Whether blanks at line ends go.
        line_length: Columns a line should not pass.
    """

    indentation: Indentation = Indentation()
    line_end: str | None = None
    final_newline: bool | None = None
    trim_trailing_blanks: bool | None = None
    line_length: int | None = None


def file_style(text: str, path: Path | None, default: Indentation = Indentation()) -> FileStyle:
    """All that `.editorconfig` files, the text and the default say of a file."""
    asked = _editorconfig(path)
    return FileStyle(
        indentation=_indentation(text, asked, default),
        line_end=LINE_ENDS.get(asked.get("end_of_line", "")),
        final_newline=_truth(asked.get("insert_final_newline")),
        trim_trailing_blanks=_truth(asked.get("trim_trailing_whitespace")),
        line_length=_number(asked.get("max_line_length"), range(1, 100_000)),
    )


def detect_indentation(text: str, path: Path | None, default: Indentation = Indentation()) -> Indentation:
    """How a file is indented: by `.editorconfig`, else by its text, else by `default`."""
    return _indentation(text, _editorconfig(path), default)


def style_edits(text: str, *, final_newline: bool | None, trim: bool | None, line_end: str) -> list[TextEdit]:
    """The edits that give a text its final line end and take blanks at line ends away, where wanted."""
    edits = [TextEdit(TextRange(*match.span()), "") for match in TRAILING_BLANKS.finditer(text)] if trim else []
    kept = text.rstrip(" \t") if trim else text
    # A file of blanks alone becomes empty rather than one line.
    if final_newline and kept and not kept.endswith(("\n", "\r")):
        if len(kept) < len(text):
            edits.pop()
        edits.append(TextEdit(TextRange(len(kept), len(text)), line_end))
    return edits


def _indentation(text: str, asked: Mapping[str, str], default: Indentation) -> Indentation:
    measured = _measure(text, default)
    tab_width = _number(asked.get("tab_width")) or measured.tab_width
    width = _number(asked.get("indent_size"))
    match asked.get("indent_style"):
        case "tab":
            return Indentation(use_tabs=True, width=width or tab_width, tab_width=tab_width)
        case "space":
            return Indentation(use_tabs=False, width=width or measured.width, tab_width=tab_width)
        case _:
            return Indentation(measured.use_tabs, width or measured.width, tab_width)


def _measure(text: str, default: Indentation) -> Indentation:
    """Count which step most lines take from the line before them."""
    tabs = spaces = 0
    steps: Counter[int] = Counter()
    before = 0
    for line in _lines(text):
        blanks = line[: len(line) - len(line.lstrip(" \t"))]
        tabs += blanks.startswith("\t")
        spaces += blanks.startswith("  ")
        if "\t" not in blanks:
            # A single blank is alignment (` * ` in a comment); stepping out may cross several levels.
            steps[len(blanks) - before] += len(blanks) - before in range(2, 9)
            before = len(blanks)
    if tabs > spaces:
        return Indentation(use_tabs=True, width=default.tab_width, tab_width=default.tab_width)
    if not spaces:
        return default
    width = max((step for step in steps if steps[step]), key=lambda step: (steps[step], -step), default=default.width)
    return Indentation(use_tabs=False, width=width, tab_width=default.tab_width)


def _lines(text: str) -> Iterator[str]:
    """The first lines that hold more than blanks, without their ends."""
    start = 0
    for count, match in enumerate(LINE_END.finditer(text)):
        line = text[start : match.start()]
        if line.strip():
            yield line
        start = match.end()
        if count >= LINES_LOOKED_AT:
            return
    if text[start:].strip():
        yield text[start:]


def _editorconfig(path: Path | None) -> Mapping[str, str]:
    """The properties that `.editorconfig` files give a path; broken or unreadable files give none."""
    if path is None:
        return {}
    try:
        found: Mapping[str, str] = editorconfig.get_properties(str(path.absolute()))
    except (editorconfig.EditorConfigError, OSError, UnicodeError):
        return {}
    return {key: value.strip().lower() for key, value in found.items()}


def _number(value: str | None, allowed: range = WIDTHS) -> int | None:
    return int(value) if value is not None and value.isdecimal() and int(value) in allowed else None


def _truth(value: str | None) -> bool | None:
    return {"true": True, "false": False}.get(value or "")
