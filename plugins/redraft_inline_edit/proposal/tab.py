"""The proposed text in a tab of its own, to be changed by hand; what stands there is what will be accepted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from redraft.api.context import PluginContext
from redraft.api.disposable import DisposableStack
from redraft.api.editor import ScratchTab, TextEditor
from redraft.api.tasks import TaskHandle

PAUSE: Final = 0.15
"""Seconds without a change after which the proposal is compared anew."""


class ProposalTab:
    """One tab beside the file; `on_text` takes what was typed, `on_closed` hears that the tab is gone."""

    def __init__(
        self,
        context: PluginContext,
        source: TextEditor,
        text: str,
        on_text: Callable[[str], None],
        on_closed: Callable[[], None],
    ) -> None:
        self._context = context
        self._source = source
        self._on_text = on_text
        self._on_closed = on_closed
        self._told = text
        self._waiting: TaskHandle | None = None
        self._is_closed = False
        self._tab: ScratchTab = context.editor.open_scratch(f"{source.title} (proposal)", text, source.language_id)
        self._kept = DisposableStack()
        self._kept.add(self._tab.editor.on_did_change(lambda _change: self._wait()))
        self._kept.add(self._tab.editor.on_did_close(self._on_tab_closed))
        self._tab.editor.focus()

    @property
    def editor(self) -> TextEditor:
        """The tab's editor."""
        return self._tab.editor

    def flush(self) -> None:
        """Hand on what was typed since the last pause."""
        self._stop_waiting()
        text = self._told if self._is_closed else self._tab.editor.text
        if text != self._told:
            self._told = text
            self._on_text(text)

    def close(self) -> None:
        """Close the tab; what was not handed on is dropped."""
        if self._is_closed:
            return
        was_in_front = self._context.editor.active is self._tab.editor
        self._forget()
        self._tab.dispose()
        if was_in_front:
            self._source.focus()

    def _wait(self) -> None:
        self._stop_waiting()
        self._waiting = self._context.tasks.run(
            asyncio.sleep(PAUSE),
            on_done=lambda _nothing: self.flush(),
            on_error=lambda error: self._context.log.error("the proposal cannot be compared: %s", error),
        )

    def _stop_waiting(self) -> None:
        waiting, self._waiting = self._waiting, None
        if waiting is not None:
            waiting.cancel()

    def _on_tab_closed(self) -> None:
        self.flush()
        self._forget()
        self._on_closed()

    def _forget(self) -> None:
        self._is_closed = True
        self._stop_waiting()
        self._kept.dispose()
