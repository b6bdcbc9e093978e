"""What a crash left behind: offered at the next start, and put back on wish with its proposals over it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from redraft.api.prompt_block import Tone
from redraft.core.errors import FileError
from redraft.core.recovery import Recovered, RecoveryJournal
from redraft.qt.activity import FollowedEditor
from redraft.qt.documents.document import Document
from redraft.qt.documents.recovery import RecoveryKeeper, has_changed_since
from redraft.qt.notices import FileNotices
from redraft.qt.plugin_editors import EditorsService
from redraft.qt.workbench import Workbench


class CrashRecovery:
    """Keeps unsaved texts and undecided proposals; without a place to write it keeps none, and says so."""

    def __init__(self, workbench: Workbench, editors: EditorsService, notices: FileNotices) -> None:
        self._bench = workbench
        self._editors = editors
        self._notices = notices
        self._keeper = self._make_keeper()

    def offer(self) -> None:
        """Say what there is, if anything, and restore it if that is wanted."""
        found = self._keeper.recoverable() if self._keeper is not None else ()
        if found:
            names = ", ".join(recovered.unsaved.title for recovered in found)
            self._bench.say(
                f"Redraft ended unexpectedly; unsaved changes were kept: {names}.",
                action="Restore",
                on_action=lambda: self.restore(found),
                tone=Tone.WARN,
            )

    def restore(self, found: Sequence[Recovered]) -> None:
        """Open what was left behind, with its proposals over the text they were made for."""
        if self._keeper is None:
            return
        for recovered, (document, proposals) in zip(found, self._keeper.restore(found), strict=True):
            self._show_proposals(document, proposals)
            if has_changed_since(recovered.unsaved, document):
                self._warn(document)

    def write_now(self) -> None:
        """Bring what is kept up to date."""
        if self._keeper is not None:
            self._keeper.write_now()

    def stop(self) -> None:
        """The end, as it should be: everything was saved or given up."""
        if self._keeper is not None:
            self._keeper.stop()

    def _make_keeper(self) -> RecoveryKeeper | None:
        try:
            journal = RecoveryJournal()
        except FileError as error:
            self._bench.show_error(error)
            return None
        return RecoveryKeeper(self._bench.documents, journal, self._kept_proposals, parent=self._bench)

    def _kept_proposals(self, document: Document) -> Sequence[dict[str, Any]]:
        editor = self._editors.of(document)
        return editor.kept() if isinstance(editor, FollowedEditor) else ()

    def _show_proposals(self, document: Document, proposals: Sequence[dict[str, Any]]) -> None:
        editor = self._editors.of(document)
        if not isinstance(editor, FollowedEditor):
            return
        # All are looked up first: what one of them shows must not hide another's place.
        for kept in [kept for proposal in proposals if (kept := editor.find_kept(proposal)) is not None]:
            if not self._editors.recover(document, kept):
                editor.show_kept(kept)

    def _warn(self, document: Document) -> None:
        self._bench.say(
            f"{document.title} was changed on disk after these changes were kept; saving overwrites that.",
            action="Compare",
            on_action=lambda: self._notices.compare(document),
            tone=Tone.WARN,
        )
