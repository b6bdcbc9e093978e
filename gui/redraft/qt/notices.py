"""Notices over a file: what another program did to it, and what the user decides about that."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from redraft.core import textfile
from redraft.core.diff.patch import make_patch, render_patch
from redraft.core.errors import FileError
from redraft.qt.documents.document import Document
from redraft.qt.documents.watch import DiskWatch
from redraft.qt.frame.notice_bar import Notice
from redraft.qt.workbench import Workbench


class FileNotices(QObject):
    """Shows what `DiskWatch` notices over the files, and carries out the choice."""

    def __init__(self, workbench: Workbench, watch: DiskWatch) -> None:
        super().__init__(workbench)
        self._bench = workbench
        self._watch = watch
        watch.noticed.connect(self._on_noticed)
        watch.reloaded.connect(self._on_reloaded)
        workbench.documents.added.connect(self._on_added)
        workbench.window.activated.connect(watch.check_all)

    def choose(self, document: Document, choice: str) -> None:
        """Do what was chosen over a file."""
        actions: dict[str, Callable[[], object]] = {
            "keep": lambda: self._watch.keep_mine(document),
            "reload": lambda: self._reload(document),
            "merge": lambda: self._merge(document),
            "compare": lambda: self.compare(document),
            "close": lambda: self._bench.documents.close(document),
            "save": lambda: self._bench.documents.writer.save(document),
        }
        actions[choice]()

    def compare(self, document: Document) -> None:
        """Open what differs between the file on disk and the text on screen, as a patch."""
        if document.path is None:
            return
        try:
            on_disk = textfile.load(document.path)
        except FileError as error:
            self._bench.show_error(error)
            return
        patch = make_patch(on_disk.text, document.editor.plain_text(), old_path=document.title, new_path=document.title)
        self._bench.documents.new(render_patch(patch), f"{document.title}: disk and yours", "diff")

    def _merge(self, document: Document) -> None:
        if self._bench.documents.reader.merge(document):
            self._bench.window.view_of(document).notice.set_notice(None)
        else:
            self._watch.check(document)  # it was changed once more meanwhile

    def _reload(self, document: Document) -> None:
        if self._bench.documents.reader.reload(document):
            self._bench.window.view_of(document).notice.set_notice(None)

    def _on_added(self, document: Document) -> None:
        notice = self._bench.window.view_of(document).notice
        notice.chosen.connect(lambda choice: self.choose(document, choice))

    def _on_noticed(self, document: Document, notice: Notice | None) -> None:
        bar = self._bench.window.view_of(document).notice
        if bar.notice != notice:
            bar.set_notice(notice)

    def _on_reloaded(self, document: Document) -> None:
        self._bench.say(f"{document.title} was changed by another program and read again.")
