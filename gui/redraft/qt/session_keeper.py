"""Brings back what was open last time, and keeps it for the next."""

from __future__ import annotations

import logging
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError
from PySide6.QtCore import QByteArray, QObject, QTimer

from redraft.core.errors import FileError
from redraft.core.session import OpenFile, Session, load_session, save_session
from redraft.core.text import TextRange
from redraft.qt.documents.document import Document
from redraft.qt.workbench import Workbench

DELAY = 3000
"""Milliseconds after a change until the session is kept."""

LOG = logging.getLogger(__name__)


class WindowShape(BaseModel):
    """How the window looked: Qt's own words for its place, the side bar, the folders that were open, the zoom."""

    model_config = ConfigDict(frozen=True)

    geometry: str = ""
    sidebar: int = 0
    is_sidebar_shown: bool = True
    folders: tuple[Path, ...] = ()
    zoom: int = 0
    is_welcomed: bool = False
    sides: tuple[Path, Path] | None = None
    """The files beside each other in a split window."""


class SessionKeeper(QObject):
    """Writes the session some seconds after each change, and at the end."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._bench = workbench
        self._session = load_session()
        self._shape = _read_shape(self._session.window)
        self._timer = QTimer(self, singleShot=True, interval=DELAY)
        self._timer.timeout.connect(self.save)
        documents = workbench.documents
        documents.added.connect(self._on_file_seen)
        documents.changed.connect(self._on_file_seen)
        documents.removed.connect(self._on_changed)
        documents.active_changed.connect(self._on_changed)
        workbench.folder_changed.connect(self._on_folder_changed)
        workbench.window.sidebar_changed.connect(self._on_changed)
        workbench.window.area.split_changed.connect(self._on_changed)

    @property
    def is_first_start(self) -> bool:
        """Whether there was nothing to bring back, not even a recent file."""
        return self._session == Session()

    @property
    def recent_files(self) -> tuple[Path, ...]:
        """The files opened of late, the latest first."""
        return self._session.recent_files

    @property
    def recent_folders(self) -> tuple[Path, ...]:
        """The folders opened of late, the latest first."""
        return self._session.recent_folders

    @property
    def is_welcomed(self) -> bool:
        """Whether the first-run card was answered."""
        return self._shape.is_welcomed

    def mark_welcomed(self) -> None:
        """The first-run card was answered."""
        self._shape = self._shape.model_copy(update={"is_welcomed": True})
        self._timer.start()

    @property
    def zoom(self) -> int:
        """How much larger the code is than usual, in steps."""
        return self._shape.zoom

    def restore_window(self) -> None:
        """Give the window the shape it had."""
        shape, window = self._shape, self._bench.window
        self._bench.set_zoom(shape.zoom)
        if shape.geometry:
            window.restoreGeometry(QByteArray.fromBase64(shape.geometry.encode("ascii", "ignore")))
        if shape.sidebar:
            window.set_sidebar_width(shape.sidebar)
        if not shape.is_sidebar_shown:
            window.show_sidebar(False)

    def restore_files(self) -> None:
        """Open what was open; files that are gone are left out."""
        session = self._session
        if session.folder is not None and session.folder.is_dir():
            self._bench.open_folder(session.folder, set(self._shape.folders))
        for file in session.files:
            if file.path.is_file():
                self._open(file)
        if self._shape.sides is not None:
            self._restore_sides(*self._shape.sides)
        active = self._bench.documents.of_path(session.active) if session.active else None
        if active is not None:
            self._bench.documents.activate(active)

    def save(self) -> None:
        """Write what is open now."""
        self._timer.stop()
        documents = self._bench.documents
        active = documents.active
        session = self._session.model_copy(
            update={
                "files": tuple(_open_file(document) for document in documents.all if document.path),
                "active": active.path if active else None,
                "folder": self._bench.folder,
                "window": self._window_shape().model_dump_json(),
            }
        )
        try:
            save_session(session)
        except FileError as error:
            LOG.warning("the session could not be kept: %s", error)
        else:
            self._session = session

    def _open(self, file: OpenFile) -> None:
        document = self._bench.documents.open(file.path)
        if document is not None:
            document.when_loaded(lambda: self._show_place(document, file))

    def _show_place(self, document: Document, file: OpenFile) -> None:
        length = len(document.editor.plain_text())
        first, last = sorted((min(file.anchor, length), min(file.caret, length)))
        document.editor.select(TextRange(first, last))
        document.editor.setFirstVisibleLine(file.first_line)

    def _restore_sides(self, left: Path, right: Path) -> None:
        documents = self._bench.documents
        first, second = documents.of_path(left), documents.of_path(right)
        if first is not None and second is not None:
            documents.activate(first)
            self._bench.window.split(second)
            documents.activate(second)

    def _sides(self) -> tuple[Path, Path] | None:
        numbers = [number for number in self._bench.window.shown_documents if number is not None]
        shown = [self._bench.documents.of_number(number) for number in numbers]
        paths = [document.path for document in shown if document is not None and document.path is not None]
        return (paths[0], paths[1]) if len(paths) == 2 else None

    def _window_shape(self) -> WindowShape:
        window = self._bench.window
        geometry = bytes(window.saveGeometry().toBase64().data()).decode("ascii")
        return WindowShape(
            geometry=geometry,
            sidebar=window.sidebar_width,
            is_sidebar_shown=window.is_sidebar_shown,
            folders=tuple(sorted(self._bench.folder_model.open_folders)),
            zoom=self._bench.zoom,
            is_welcomed=self.is_welcomed,
            sides=self._sides(),
        )

    def _on_changed(self, *_: object) -> None:
        self._timer.start()

    def _on_file_seen(self, document: Document) -> None:
        if document.path is not None and document.path not in self._session.recent_files[:1]:
            self._session = self._session.with_recent_file(document.path)
        self._timer.start()

    def _on_folder_changed(self, folder: Path | None) -> None:
        if folder is not None:
            self._session = self._session.with_recent_folder(folder)
        self._timer.start()


def _read_shape(words: str) -> WindowShape:
    try:
        return WindowShape.model_validate_json(words or "{}")
    except ValidationError:
        return WindowShape()


def _open_file(document: Document) -> OpenFile:
    editor = document.editor
    selection, caret = editor.selection(), editor.caret()
    anchor = selection.start if caret == selection.end else selection.end
    assert document.path is not None  # noqa: S101 - the caller has looked
    return OpenFile(path=document.path, caret=caret, anchor=anchor, first_line=editor.firstVisibleLine())
