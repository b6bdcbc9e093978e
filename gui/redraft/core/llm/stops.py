"""Ends an answer at a stop text, for servers that do not: some refuse stops of white space, some refuse all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from redraft.core.llm.messages import StreamEvent, TextDelta


class StopCutter:
    """Passes text on up to the first stop text; only what may be the beginning of one is held back.

    Attributes:
        has_stopped: Whether a stop text was met; nothing is passed on after that.
    """

    def __init__(self, stops: Sequence[str]) -> None:
        self.has_stopped = False
        self._stops = [stop for stop in stops if stop]
        self._held = ""

    def feed(self, event: StreamEvent) -> Iterator[StreamEvent]:
        """What may be passed on of an event, and of what was held back before it."""
        if not isinstance(event, TextDelta):
            yield event
        elif text := self._cut(event.text):
            yield TextDelta(text)

    def close(self) -> Iterator[StreamEvent]:
        """What was held back, now that no more will come."""
        if self._held and not self.has_stopped:
            yield TextDelta(self._held)
        self._held = ""

    def _cut(self, text: str) -> str:
        if self.has_stopped:
            return ""
        text = self._held + text
        found = [at for at in map(text.find, self._stops) if at >= 0]
        if found:
            self.has_stopped = True
            return text[: min(found)]
        keep = len(text) - max((_overlap(text, stop) for stop in self._stops), default=0)
        self._held = text[keep:]
        return text[:keep]


def _overlap(text: str, stop: str) -> int:
    """How much of the end of `text` is the beginning of `stop`, though not all of it."""
    longest = min(len(text), len(stop) - 1)
    return next((size for size in range(longest, 0, -1) if text.endswith(stop[:size])), 0)
