"""The open files in the hands of one plugin."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from redraft.api.disposable import Disposable, DisposableStack
from redraft.api.editor import ScratchTab, TextEditor
from redraft.api.inline_diff import KeptProposal
from redraft.host.guard import Guard
from redraft.qt.guarded.editor import GuardedEditor
from redraft.qt.plugin_editors import EditorsService


class GuardedEditors:
    """`api.Editors` for one plugin."""

    def __init__(self, shared: EditorsService, guard: Guard, kept: DisposableStack) -> None:
        self._shared = shared
        self._guard = guard
        self._kept = kept
        self._guarded: dict[int, tuple[TextEditor, GuardedEditor]] = {}

    @property
    def active(self) -> TextEditor | None:
        """The one in front."""
        editor = self._shared.active
        return self._guard_editor(editor) if editor else None

    @property
    def all(self) -> Sequence[TextEditor]:
        """All of them, in the order of their tabs."""
        return [self._guard_editor(editor) for editor in self._shared.all]

    @property
    def folder(self) -> Path | None:
        """The open folder, if there is one."""
        return self._shared.folder

    def open_scratch(self, title: str, text: str, language_id: str = "plaintext") -> ScratchTab:
        """Open a text in a tab beside the one in front."""
        tab = self._shared.open_scratch(title, text, language_id)
        self._kept.add(tab)
        return GuardedTab(self._guard_editor(tab.editor), tab)

    def on_did_recover(self, callback: Callable[[TextEditor, KeptProposal], None]) -> Disposable:
        """Hear of proposals that outlived a crash."""
        guarded = self._guard.wrap("taking up a proposal", callback)
        heard = self._shared.on_did_recover(lambda editor, kept: guarded(self._guard_editor(editor), kept))
        self._kept.add(heard)
        return heard

    def on_did_change_active(self, callback: Callable[[TextEditor | None], None]) -> Disposable:
        """Hear that another file came to the front."""
        guarded = self._guard.wrap("hearing which file is in front", callback)
        heard = self._shared.on_did_change_active(
            lambda editor: guarded(self._guard_editor(editor) if editor else None)
        )
        self._kept.add(heard)
        return heard

    def _guard_editor(self, editor: TextEditor) -> GuardedEditor:
        """The same editor gives the same guarded one, so that a plugin can tell files apart by identity."""
        if id(editor) not in self._guarded:
            self._guarded[id(editor)] = editor, GuardedEditor(editor, self._guard, self._kept)
            editor.on_did_close(lambda: self._forget(editor))
        return self._guarded[id(editor)][1]

    def _forget(self, editor: TextEditor) -> None:
        self._guarded.pop(id(editor), None)


@dataclass(frozen=True, slots=True)
class GuardedTab:
    """`api.ScratchTab` for one plugin."""

    editor: TextEditor
    tab: ScratchTab

    def dispose(self) -> None:
        """Close the tab."""
        self.tab.dispose()
