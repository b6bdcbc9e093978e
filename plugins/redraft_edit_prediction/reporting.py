"""Puts reports where they are wanted: tables on standard output, pages into files."""

from __future__ import annotations

import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table

from redraft.core.whole_write import write_whole

PIPE_WIDTH = 200


def print_table(table: Table) -> None:
    """Print a table; into a file or pipe with room enough that no column is cut."""
    console = Console(highlight=False, width=None if sys.stdout.isatty() else PIPE_WIDTH)
    console.print(table)


def write_page(path: Path, text: str) -> None:
    """Write a text file whole.

    Raises:
        FileError: It cannot be written.
    """
    write_whole(path, text.encode())
