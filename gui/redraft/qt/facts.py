"""What tabs, status bar and context keys say about the open files, as values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from redraft.api.editor import Indentation
from redraft.api.ui import StatusModel
from redraft.core.languages import language
from redraft.core.wording import count_words
from redraft.qt.documents.document import Document
from redraft.qt.frame.sidebar import OpenProposal
from redraft.qt.frame.tab_button import TabModel

LINE_ENDS: Mapping[str, str] = {"\n": "LF", "\r\n": "CRLF", "\r": "CR"}


def tab_models(documents: Sequence[Document]) -> list[TabModel]:
    """The tabs; files of the same name also show the folder that tells them apart."""
    counts = Counter(document.title for document in documents)
    return [
        TabModel(
            document.number,
            _tab_title(document, is_alone=counts[document.title] == 1),
            tooltip=str(document.path) if document.path else "Not saved yet",
            is_modified=document.is_modified,
            is_running=document.is_running,
            undecided=document.undecided,
            busy="opening" if document.is_loading else "saving" if document.is_saving else "",
        )
        for document in documents
    ]


def _tab_title(document: Document, *, is_alone: bool) -> str:
    if is_alone or document.path is None:
        return document.title
    return f"{document.path.parent.name}/{document.title}"


def open_proposals(documents: Sequence[Document]) -> list[OpenProposal]:
    """The files in which a model writes, or hunks wait."""
    return [
        OpenProposal(
            document.number,
            document.title,
            "writing" if document.is_running else f"{document.undecided} left",
            is_running=document.is_running,
        )
        for document in documents
        if document.is_running or document.undecided
    ]


def file_items(document: Document | None) -> Iterator[tuple[str, StatusModel | None]]:
    """The status items about the file in front."""
    if document is None:
        yield from ((name, None) for name in ("position", "indentation", "encoding", "line_end", "language"))
        return
    editor = document.editor
    file = document.file
    line_end = "Mixed" if file is not None and file.has_mixed_line_ends else LINE_ENDS[editor.line_end]
    yield "position", StatusModel(position_label(document), command="go.line", tooltip="Go to line")
    indentation = indentation_label(editor.indentation)
    yield "indentation", StatusModel(indentation, command="edit.indentation", tooltip="Change indentation")
    encoding = document.encoding_label
    command = "file.reopen_with_encoding" if document.path else "file.save_with_encoding"
    yield "encoding", StatusModel(encoding, command=command, tooltip="Change encoding")
    yield "line_end", StatusModel(line_end, command="edit.line_ends", tooltip="Change line ends")
    name = language(editor.language_id).name
    yield "language", StatusModel(name, command="edit.language", tooltip="Change language")


def position_label(document: Document) -> str:
    """Where the caret stands, and how much is selected."""
    editor = document.editor
    caret = editor.currentPos()
    line = editor.lineFromPosition(caret)
    column = editor.countCharacters(editor.positionFromLine(line), caret)
    label = f"Ln {line + 1}, Col {column + 1}"
    if editor.selections() > 1:
        return f"{label} ({editor.selections()} carets)"
    start, end = editor.selectionStart(), editor.selectionEnd()
    if start == end:
        return label
    # A selection that ends at a line's start has nothing of that line.
    rows = editor.lineFromPosition(max(end - 1, start)) - editor.lineFromPosition(start) + 1
    characters = editor.countCharacters(start, end)
    return f"{label} ({rows} lines, {characters} selected)" if rows > 1 else f"{label} ({characters} selected)"


def indentation_label(indentation: Indentation) -> str:
    """How a file is indented, in words."""
    return f"Tabs: {indentation.tab_width}" if indentation.use_tabs else count_words(indentation.width, "space")


def context_of(documents: Sequence[Document], active: Document | None, folder: Path | None) -> dict[str, object]:
    """The context keys that follow from the open files."""
    keys: dict[str, object] = {
        "editor_open": active is not None,
        "folder_open": folder is not None,
        "tab_count": len(documents),
        "has_path": active is not None and active.path is not None,
        "modified": active is not None and active.is_modified,
        "language": active.editor.language_id if active else "",
    }
    if active is None:
        return keys | {"has_selection": False, "read_only": False, "can_undo": False, "can_redo": False}
    editor = active.editor
    return keys | {
        "has_selection": not editor.selectionEmpty(),
        "read_only": editor.readOnly(),
        "can_undo": editor.canUndo(),
        "can_redo": editor.canRedo(),
    }


def window_title(active: Document | None, folder: Path | None) -> str:
    """The title of the window: file, folder, program; a star for unsaved changes, by Qt's own placeholder."""
    parts = [f"{active.title}[*]"] if active else []
    if folder is not None:
        parts.append(folder.name or str(folder))
    return " – ".join((*parts, "Redraft"))
