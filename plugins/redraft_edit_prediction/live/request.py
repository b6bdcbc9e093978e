"""One prediction under way: waits until the user pauses, asks, and carries the answer through changes since."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace

from redraft.api.editor import TextChange
from redraft.api.tasks import TaskHandle, Tasks
from redraft.core.diff.predicted import PredictedEdit, follow
from redraft.core.llm.client import ModelInfo
from redraft_edit_prediction.live.asking import Asker
from redraft_edit_prediction.live.moment import Moment, Offer


class Request:
    """At most one of these is under way.

    Args:
        tasks: Runs it.
        asker: Asks the model.
        take_moment: Called after the pause, on the window's thread; `None` gives it up.
        on_begin: Called when the model is asked.
        on_offer: Hears of edits, in terms of the text as it is now.
        on_done: Hears of its end, and of what went wrong.
    """

    def __init__(
        self,
        tasks: Tasks,
        asker: Asker,
        take_moment: Callable[[], tuple[Moment, ModelInfo] | None],
        *,
        on_begin: Callable[[], None],
        on_offer: Callable[[Offer], None],
        on_done: Callable[[Exception | None], None],
    ) -> None:
        self._tasks = tasks
        self._asker = asker
        self._take_moment = take_moment
        self._on_begin = on_begin
        self._on_offer = on_offer
        self._on_done = on_done
        self._task: TaskHandle | None = None
        self._changes: list[tuple[int, TextChange]] = []
        self._is_over = False
        self.is_asking = False

    def begin(self, delay: float) -> None:
        """Ask after so many seconds."""
        self._task = self._tasks.run(asyncio.sleep(delay), on_done=self._ask, on_error=self._on_done)

    def follow(self, key: int, change: TextChange) -> None:
        """A file's text has changed since."""
        if self.is_asking:
            self._changes.append((key, change))

    def cancel(self) -> None:
        """The user went another way."""
        self._is_over, self.is_asking = True, False
        if self._task is not None:
            self._task.cancel()

    def _ask(self, _nothing: None) -> None:
        taken = self._take_moment()
        if taken is None or self._is_over:
            self._is_over = True
            self._on_done(None)
            return
        self.is_asking = True
        moment, model = taken
        self._task = self._tasks.start(
            self._asker.predict(moment, model), on_events=self._on_events, on_done=self._on_end
        )
        self._on_begin()

    def _on_events(self, offers: Sequence[Offer]) -> None:
        for offer in offers:
            if self._is_over:
                return
            self._on_offer(replace(offer, edits=self._carried(offer.key, offer.edits)))

    def _on_end(self, error: Exception | None) -> None:
        if not self._is_over:
            self._is_over, self.is_asking = True, False
            self._on_done(error)

    def _carried(self, key: int, edits: tuple[PredictedEdit, ...]) -> tuple[PredictedEdit, ...]:
        """Edits in terms of the text as it is now; none if it went another way."""
        carried: tuple[PredictedEdit, ...] | None = edits
        for changed, change in self._changes:
            if changed == key and carried:
                carried = follow(carried, change.start, change.removed, change.added)
        return carried or ()
