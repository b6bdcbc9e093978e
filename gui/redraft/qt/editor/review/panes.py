"""Which way a proposal is looked at: in the text, or in a pane over it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from redraft.api.inline_diff import DiffKeys, DiffLayout
from redraft.qt.editor.code_editor import CodeEditor
from redraft.qt.editor.inline_diff.hunk_bar import Wish
from redraft.qt.editor.inline_diff.layout import Layout
from redraft.qt.editor.raw import Message
from redraft.qt.editor.review.columns_pane import ColumnsPane
from redraft.qt.editor.review.pane import ReviewPane
from redraft.qt.editor.review.state import ReviewState
from redraft.qt.editor.review.text_pane import TextPane
from redraft.qt.editor.review.three_way_pane import ThreeWayPane

PANES: Final[dict[DiffLayout, Callable[[CodeEditor], ReviewPane]]] = {
    DiffLayout.SIDE_BY_SIDE: ColumnsPane,
    DiffLayout.TEXT: TextPane,
    DiffLayout.THREE_WAY: ThreeWayPane,
}


class ReviewPanes:
    """At most one pane of one proposal.

    `on_wish` takes a hunk and what to do with it, `on_all` what to do with all of them, and `on_taken` a hunk with
    the lines that were chosen to stand in its place.
    """

    def __init__(
        self,
        editor: CodeEditor,
        on_wish: Callable[[int, Wish], None],
        on_all: Callable[[Wish], None],
        on_taken: Callable[[int, tuple[str, ...]], None],
    ) -> None:
        self._editor = editor
        self._on_wish = on_wish
        self._on_all = on_all
        self._on_taken = on_taken
        self._pane: ReviewPane | None = None
        self._layout = DiffLayout.INLINE

    @property
    def layout(self) -> DiffLayout:
        """The way it is looked at now."""
        return self._layout

    def show_as(self, layout: DiffLayout) -> None:
        """Look at it in another way; the caller shows the proposal anew after this."""
        if layout is self._layout:
            return
        had_pane = self._pane is not None
        self.close()
        self._layout = layout
        if layout is DiffLayout.INLINE:
            if had_pane:
                self._editor.focus_text()
            return
        pane = self._pane = PANES[layout](self._editor)
        pane.accept_wanted.connect(lambda hunk_id: self._on_wish(hunk_id, Wish.ACCEPT))
        pane.reject_wanted.connect(lambda hunk_id: self._on_wish(hunk_id, Wish.REJECT))
        pane.next_wanted.connect(lambda: self._on_wish(-1, Wish.NEXT))
        pane.previous_wanted.connect(lambda: self._on_wish(-1, Wish.PREVIOUS))
        if isinstance(pane, ThreeWayPane):
            pane.taken.connect(self._on_taken)
        pane.accept_all.connect(lambda: self._on_all(Wish.ACCEPT))
        pane.reject_all.connect(lambda: self._on_all(Wish.REJECT))
        pane.close_wanted.connect(lambda: self.show_as(DiffLayout.INLINE))

    def update(self, layout: Layout, current: int, keys: DiffKeys) -> None:
        """Show the proposal as it is now; with nothing left to decide the text comes back."""
        pane = self._pane
        if pane is None:
            return
        if layout.is_done:
            self.show_as(DiffLayout.INLINE)
            return
        zoom = self._editor.send(Message.GetZoom)
        editor = self._editor
        pane.show_review(ReviewState(editor.plain_text(), editor.language_id, layout.hunks, current, keys, zoom))
        if self._pane is pane and pane.isHidden():
            pane.show()
            pane.raise_()
            pane.take_keyboard()

    def selected_part(self, hunk_id: int) -> tuple[range, range] | None:
        """Old and new lines of the part of a hunk that is selected in the pane; `None` for all of it, or nothing."""
        return self._pane.selected_part(hunk_id) if self._pane is not None else None

    def set_theme(self) -> None:
        """Draw in the editor's theme."""
        if self._pane is not None:
            self._pane.set_theme(self._editor.theme)

    def close(self) -> None:
        """Take the pane away."""
        pane, self._pane = self._pane, None
        self._layout = DiffLayout.INLINE
        if pane is not None:
            self._editor.removeEventFilter(pane)
            pane.hide()
            pane.deleteLater()
