"""Where further text for a request comes from: files of the folder, symbols of the file, the project's own rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Final

from redraft.api.ui import PickItem
from redraft.core import textfile
from redraft.core.errors import FileError, RedraftError
from redraft.core.folder import path_below, walk_files
from redraft.core.languages import language_of
from redraft.core.symbols import Symbol, symbols_of
from redraft_inline_edit.presets.preset import Preset, PresetSource
from redraft_inline_edit.presets.tables import preset_from_file
from redraft_inline_edit.request import Attachment

MOST_FILES: Final = 5_000
PROJECT_PRESETS: Final = Path(".redraft", "presets")
FILE: Final = "file:"
SYMBOL: Final = "symbol:"


def context_items(folder: Path | None, open_files: Iterable[Path], text: str, language_id: str) -> list[PickItem]:
    """What `@` offers: open files, symbols of this file, then all files of the folder."""
    first = list(dict.fromkeys(open_files))
    others = islice(walk_files(folder), MOST_FILES) if folder is not None else ()
    files = [*first, *(path for path in others if path not in set(first))]
    items = [
        PickItem(f"{FILE}{path}", path.name, path_below(path.parent, folder) or str(path.parent), icon="file")
        for path in files[: len(first)]
    ]
    items += [
        PickItem(f"{SYMBOL}{place}", symbol.name, symbol.container, icon="context_item", note=symbol.kind)
        for place, symbol in enumerate(symbols_of(text, language_id))
    ]
    items += [
        PickItem(f"{FILE}{path}", path.name, path_below(path.parent, folder) or str(path.parent), icon="file")
        for path in files[len(first) :]
    ]
    return items


def attachment_of_file(path: Path, folder: Path | None) -> Attachment:
    """A file to send along.

    Raises:
        FileError: It cannot be read as text.
    """
    file = textfile.load(path)
    return Attachment(path_below(path, folder) or str(path), file.text, str(path), language_of(path, file.text))


def attachment_of_symbol(symbol: Symbol, text: str, name: str, language_id: str) -> Attachment:
    """A part of the file to send along."""
    return Attachment("_".join(symbol.name.replace("@", "").split()), symbol.range.of(text), name, language_id)


def mention(name: str) -> str:
    """How an attachment is named in an instruction: `@name`, in quotes where it has spaces."""
    return f'@"{name}"' if any(char.isspace() for char in name) else f"@{name}"


def project_rules(folder: Path | None, names: Sequence[str]) -> str:
    """The text of the first rules file that the folder has; empty where it has none."""
    for name in names if folder is not None else ():
        path = Path(folder, name) if folder is not None else Path(name)
        try:
            return textfile.load(path).text.strip()
        except FileError:
            continue
    return ""


def presets_in(folder: Path, source: PresetSource) -> tuple[list[Preset], list[RedraftError]]:
    """The presets a folder holds, one Markdown file each, and what is wrong with those that cannot be used."""
    presets: list[Preset] = []
    errors: list[RedraftError] = []
    for path in sorted(folder.glob("*.md")):
        try:
            presets.append(preset_from_file(path, textfile.load(path).text, source))
        except RedraftError as error:
            errors.append(error)
    return presets, errors
