"""What is shown of a prediction: in the file in front, or there as a word about another file."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from redraft.api.context import PluginContext
from redraft.api.editor import TextChange, TextEditor
from redraft.api.prediction import (
    PredictionClosed,
    PredictionEnd,
    PredictionEvent,
    PredictionHandle,
    PredictionKeys,
    PredictionModel,
)
from redraft.core.diff.predicted import PredictedEdit, follow, goes_along
from redraft.core.text import TextRange
from redraft_edit_prediction.live.rules import PURPOSE


class Screen:
    """Shows one prediction at a time.

    Args:
        context: The plugin's.
        on_event: Hears what the user does with it.
    """

    def __init__(self, context: PluginContext, on_event: Callable[[PredictionEvent], None]) -> None:
        self._context = context
        self._on_event = on_event
        self._handle: PredictionHandle | None = None
        self._editor: TextEditor | None = None
        self._target: TextEditor | None = None
        self._edits: tuple[PredictedEdit, ...] = ()
        self._is_subtle = False
        self._arriving: TextEditor | None = None

    @property
    def is_showing(self) -> bool:
        """Whether there is one, on screen or waiting for Alt."""
        return self._handle is not None

    def is_about(self, editor: TextEditor) -> bool:
        """Whether it is shown in a file, or is in it."""
        return editor in {self._editor, self._target}

    def is_arriving(self, editor: TextEditor | None) -> bool:
        """Whether a file comes to the front because the user goes to a prediction in it."""
        return editor is not None and editor is self._arriving

    def goes_along(self, change: TextChange) -> bool:
        """Whether a change of the file in front is part of what is shown; what is shown has not followed it yet."""
        edits = self._handle.edits if self._handle is not None else ()
        return goes_along(edits, change.start, change.removed, change.added)

    def show(self, editor: TextEditor, edits: Sequence[PredictedEdit], *, subtle: bool) -> None:
        """Show edits of a file; more of what is shown already takes its place."""
        front = self._context.editor.active
        if self._handle is not None and self._target is editor and front is self._editor:
            self._edits = tuple(edits)
            if editor is front:
                self._handle.replace(edits)
            return
        self.drop()
        if front is None:
            return
        self._editor, self._target, self._edits, self._is_subtle = front, editor, tuple(edits), subtle
        if editor is front:
            model = PredictionModel(tuple(edits), self._keys(), subtle=subtle)
        else:
            line = editor.text.count("\n", 0, edits[0].start) + 1
            place = f"{editor.title}, line {line}"
            model = PredictionModel((), self._keys(), subtle=subtle, elsewhere=place)
        self._handle = front.show_prediction(model, on_event=self._hear)

    def follow(self, editor: TextEditor, change: TextChange) -> None:
        """The text of a file changed: what is predicted in it while another is in front moves along, or ends."""
        if editor is not self._target or editor is self._editor:
            return
        edits = follow(self._edits, change.start, change.removed, change.added)
        self.drop()
        if edits and not change.is_from_disk:
            self.show(editor, edits, subtle=self._is_subtle)

    def name_keys(self) -> None:
        """Read the keys again: the key map has changed."""
        if self._handle is not None:
            self._handle.show_keys(self._keys())

    def accept(self) -> None:
        """Take it, or go there."""
        if self._handle is not None:
            self._handle.accept()

    def accept_word(self) -> None:
        """Take its next word."""
        if self._handle is not None:
            self._handle.accept_word()

    def accept_line(self) -> None:
        """Take its next line."""
        if self._handle is not None:
            self._handle.accept_line()

    def hide(self) -> None:
        """The user does not want it."""
        if self._handle is not None:
            self._handle.hide()

    def drop(self) -> None:
        """Take it off the screen."""
        handle = self._handle
        self._forget()
        if handle is not None:
            handle.dispose()

    def _hear(self, event: PredictionEvent) -> None:
        if isinstance(event, PredictionClosed):
            target, edits = self._target, self._edits
            self._forget()
            if event.end is PredictionEnd.FOLLOWED and target is not None:
                self._go_to(target, edits)
        self._on_event(event)

    def _go_to(self, target: TextEditor, edits: tuple[PredictedEdit, ...]) -> None:
        self._arriving = target
        try:
            target.focus()
        finally:
            self._arriving = None
        text = target.text
        fitting = tuple(edit for edit in edits if text[edit.start : edit.end] == edit.removed)
        if fitting:
            target.select(TextRange(fitting[0].start, fitting[0].start))
            self.show(target, fitting, subtle=self._is_subtle)

    def _forget(self) -> None:
        self._handle = self._editor = self._target = None
        self._edits = ()

    def _keys(self) -> PredictionKeys:
        label = self._context.commands.key_label
        return PredictionKeys(
            tab=label(f"{PURPOSE}.accept"),
            accept=label(f"{PURPOSE}.accept_always"),
            word=label(f"{PURPOSE}.accept_word"),
            line=label(f"{PURPOSE}.accept_line"),
        )
