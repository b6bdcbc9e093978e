"""The prompt block of one edit on screen: there or not, with the keyboard or without."""

from __future__ import annotations

from collections.abc import Callable

from redraft.api.editor import TextEditor
from redraft.api.prompt_block import PromptEvent, PromptHandle
from redraft_inline_edit.block.facts import BlockFacts
from redraft_inline_edit.block.model import prompt_model
from redraft_inline_edit.session.place import Place


class Block:
    """At most one block over the lines of an edit; `facts` says what it shows."""

    def __init__(self, editor: TextEditor, place: Place, facts: Callable[[], BlockFacts]) -> None:
        self._editor = editor
        self._place = place
        self._facts = facts
        self._on_event: Callable[[PromptEvent], None] = lambda _event: None
        self._handle: PromptHandle | None = None

    @property
    def is_shown(self) -> bool:
        """Whether it is on screen."""
        return self._handle is not None

    @property
    def has_focus(self) -> bool:
        """Whether the keyboard is in it."""
        return self._handle is not None and self._handle.has_focus

    def listen(self, on_event: Callable[[PromptEvent], None]) -> None:
        """Say who takes what the user does in it, before it is shown."""
        self._on_event = on_event

    def show(self) -> None:
        """Put it on screen, if it is not there."""
        if self._handle is None:
            model = prompt_model(self._facts())
            self._handle = self._editor.show_prompt(self._place.lines, model, on_event=self._on_event)

    def update(self) -> None:
        """Show what is known now."""
        if self._handle is not None:
            self._handle.update(prompt_model(self._facts()))

    def focus(self) -> None:
        """Give it the keyboard."""
        if self._handle is not None:
            self._handle.focus()

    def hide(self) -> None:
        """Take it away; the keyboard goes back to the text if it was in the block."""
        handle, self._handle = self._handle, None
        if handle is None:
            return
        had_focus = handle.has_focus
        handle.dispose()
        if had_focus:
            self._editor.focus()

    def forget(self) -> None:
        """The tab is gone, and the block with it."""
        self._handle = None
