"""Commands that lead back: to places the caret was at, and to what was said."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from redraft.api.ui import PickItem, StatusModel
from redraft.core.wording import count_words
from redraft.qt.frame.toast import ICONS
from redraft.qt.palette.picker import Question
from redraft.qt.palette.rows import PickRow
from redraft.qt.places import PlaceHistory
from redraft.qt.workbench import Workbench


class JourneyCommands:
    """Handlers of `go.back`, `go.forward`, `go.last_edit` and `view.problems`."""

    def __init__(self, workbench: Workbench) -> None:
        self._bench = workbench
        self._places = PlaceHistory(workbench.documents, workbench)
        self._places.changed.connect(self._on_places_changed)
        workbench.messages.changed.connect(self._on_messages_changed)

    def handlers(self) -> Mapping[str, Callable[..., object]]:
        """By command id."""
        return {
            "go.back": self._places.back,
            "go.forward": self._places.forward,
            "go.last_edit": self._places.last_edit,
            "view.problems": self.messages,
        }

    def messages(self) -> None:
        """List what was said of late; the one that is chosen is said again, with its button."""
        messages = self._bench.messages.all
        rows = tuple(
            PickRow(
                PickItem(
                    str(place),
                    message.model.text,
                    icon=ICONS[message.model.tone][0],
                    note=f"{message.at:%H:%M}",
                )
            )
            for place, message in enumerate(messages)
        )
        self._bench.window.picker.ask(
            Question("Messages", rows, empty="Nothing was said yet." if not rows else "No message says that."),
            on_chosen=lambda place: self._say_again(int(place)),
        )
        self._bench.messages.mark_read()

    def _say_again(self, place: int) -> None:
        message = self._bench.messages.all[place]
        self._bench.window.toasts.show(message.model, message.on_action)

    def _on_places_changed(self) -> None:
        self._bench.registries.context.update(
            {"can_go_back": self._places.can_go_back, "can_go_forward": self._places.can_go_forward}
        )

    def _on_messages_changed(self) -> None:
        count = self._bench.messages.problems
        words = f"{count_words(count, 'message')} to look at"
        item = StatusModel(str(count), icon="problem", tooltip=words, command="view.problems") if count else None
        self._bench.window.status.set_item("problems", item)
