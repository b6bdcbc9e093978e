"""Follows the proposals of each file: whether a model writes in it, how many hunks wait, what to keep for recovery."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from redraft.api.inline_diff import (
    DiffClosed,
    DiffEvent,
    DiffKeys,
    InlineDiffHandle,
    KeptProposal,
)
from redraft.api.prompt_block import PromptClosed, PromptEvent, PromptHandle, PromptModel
from redraft.core.diff.lines import whole_diff
from redraft.core.text import TextRange
from redraft.qt.documents.document import Document
from redraft.qt.editor.text_editor import EditorAdapter
from redraft.qt.followed import FollowedDiff, FollowedPrompt


class FollowedEditor(EditorAdapter):
    """The adapter of a document, which keeps the document's activity up to date."""

    def __init__(
        self, document: Document, on_change: Callable[[], None], bring_forward: Callable[[Document], None]
    ) -> None:
        super().__init__(document.editor, document)
        self._bring_forward = bring_forward
        self._document = document
        self._tell_window = on_change
        self._diffs: list[FollowedDiff] = []
        self._prompts: list[FollowedPrompt] = []
        self._was_under_edit = False

    def focus(self) -> None:
        """Bring the tab to the front, and give the text the keyboard."""
        self._bring_forward(self._document)
        super().focus()

    @property
    def shows_prompt(self) -> bool:
        """Whether a prompt block is on screen."""
        return bool(self._prompts)

    @property
    def shows_diff(self) -> bool:
        """Whether a proposal is on screen."""
        return any(diff.is_running or diff.undecided for diff in self._diffs)

    @property
    def is_under_edit(self) -> bool:
        """Whether a prompt block or a proposal is on screen in it."""
        return self.shows_prompt or self.shows_diff

    def show_prompt(  # type: ignore[override]  # the same handle, followed
        self, anchor: TextRange, model: PromptModel, *, on_event: Callable[[PromptEvent], None]
    ) -> PromptHandle:
        """Show a prompt block directly above the first line of `anchor`."""
        followed: FollowedPrompt | None = None

        def hear(event: PromptEvent) -> None:
            on_event(event)
            if isinstance(event, PromptClosed) and followed is not None:
                followed.end()

        followed = FollowedPrompt(super().show_prompt(anchor, model, on_event=hear), self._refresh)
        self._prompts.append(followed)
        self._refresh()
        return followed

    def kept(self) -> tuple[dict[str, Any], ...]:
        """The undecided proposals, as plain values."""
        return tuple(diff.kept() for diff in self._diffs if diff.undecided and not diff.is_running)

    def show_inline_diff(  # type: ignore[override]  # the same handle, followed
        self, lines: TextRange, *, keys: DiffKeys, on_event: Callable[[DiffEvent], None], label: str = ""
    ) -> InlineDiffHandle:
        """Show a proposal over whole lines of the buffer."""
        followed: FollowedDiff | None = None

        def hear(event: DiffEvent) -> None:
            on_event(event)
            if isinstance(event, DiffClosed) and followed is not None:
                followed.end()
            else:
                self._refresh()

        followed = FollowedDiff(super().show_inline_diff(lines, keys=keys, on_event=hear), label, self._refresh)
        self._diffs.append(followed)
        self._refresh()
        return followed

    def show_kept(self, kept: KeptProposal) -> bool:
        """Show a proposal that nobody takes up, so that it can be decided by its buttons."""
        span = TextRange(kept.start, kept.start + len(kept.original))
        try:
            diff = self.show_inline_diff(span, keys=DiffKeys(), on_event=lambda _event: None, label=kept.label)
        except ValueError:
            return False
        diff.finish(whole_diff(kept.original, kept.proposed))
        return True

    def find_kept(self, proposal: Mapping[str, Any]) -> KeptProposal | None:
        """A proposal as it was kept; `None` if the lines it was made for are not there any more."""
        start, original = proposal.get("start"), proposal.get("original")
        proposed, label = proposal.get("proposed"), proposal.get("label", "")
        if not isinstance(start, int) or not isinstance(label, str):
            return None
        if not isinstance(original, str) or not isinstance(proposed, str) or original == proposed:
            return None
        is_there = 0 <= start <= len(self.text) and self.text.startswith(original, start)
        return KeptProposal(start, original, proposed, label) if is_there else None

    def close(self) -> None:
        """The tab goes."""
        self._diffs.clear()
        self._prompts.clear()
        super().close()

    def _refresh(self) -> None:
        self._diffs = [diff for diff in self._diffs if not diff.is_over]
        self._prompts = [prompt for prompt in self._prompts if not prompt.is_over]
        self._document.set_activity(
            is_running=any(diff.is_running for diff in self._diffs),
            undecided=sum(diff.undecided for diff in self._diffs),
        )
        self._tell_window()
        if self.is_under_edit != self._was_under_edit:
            self._was_under_edit = self.is_under_edit
            if self.is_under_edit:
                self.drop_prediction()  # what is predicted would stand in the way of what is proposed
            self.tell_activity()
