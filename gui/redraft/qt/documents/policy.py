"""How files are read and written where neither they nor `.editorconfig` say otherwise: the user's settings."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

from redraft.core.indent_style import Indentation


class Settings(Protocol):
    """Where settings are read."""

    def get(self, name: str) -> Any:
        """The value in force."""
        ...


@dataclass(frozen=True, slots=True)
class FilePolicy:
    """The settings that concern files.

    Attributes:
        max_bytes: Size of the largest file that is opened.
        line_end: Line end of new files.
        final_newline: Whether the last line ends with a line end on save.
        trim_blanks: Whether blanks at line ends go on save.
        detect_indentation: Whether a file's own text tells how it is indented.
        indentation: How files are indented that do not tell.
    """

    max_bytes: int = 64 << 20
    line_end: str = "\n"
    final_newline: bool = False
    trim_blanks: bool = False
    detect_indentation: bool = True
    indentation: Indentation = field(default_factory=Indentation)

    @classmethod
    def of(cls, settings: Settings) -> FilePolicy:
        """What the settings say now."""
        return cls(
            max_bytes=settings.get("files.max_size") << 20,
            line_end="\r\n" if settings.get("files.line_end") == "crlf" else "\n",
            final_newline=settings.get("files.final_newline"),
            trim_blanks=settings.get("files.trim_blanks"),
            detect_indentation=settings.get("editor.detect_indentation"),
            indentation=Indentation(
                use_tabs=settings.get("editor.use_tabs"),
                width=settings.get("editor.indent_width"),
                tab_width=settings.get("editor.tab_width"),
            ),
        )
