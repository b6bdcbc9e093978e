"""Server-sent events from bytes, however they are cut.

`httpx_sse` brings the event type; its own decoder is not used, for four reasons seen at chunk edges and in the wild: it
holds the last event back while a lone CR waits for the next byte; it decodes by the header's charset, though the format
is always UTF-8, and keeps a byte order mark; it reports an event for every blank line once an `id` was seen; and its
line buffer has no limit.
"""

from __future__ import annotations

import re
from typing import Final

from httpx_sse import ServerSentEvent

from redraft.core.errors import MalformedStream

LINE_LIMIT: Final = 32 * 1024 * 1024

_LINE_END: Final = re.compile(rb"\r\n|\n|\r")
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"


class SSEDecoder:
    """Turns bytes into events: feed what arrives, take what is complete.

    Lines end at LF, CRLF or a lone CR, and an event is reported with the byte that ends it. An event that is not ended
    by a blank line is dropped, as the format demands: https://html.spec.whatwg.org/multipage/server-sent-events.html
    """

    def __init__(self) -> None:
        self._partial: list[bytes] = []
        self._partial_size = 0
        self._is_first_line = True
        self._ended_with_cr = False
        self._event = ""
        self._data: list[str] = []
        self._id = ""

    def feed(self, chunk: bytes) -> list[ServerSentEvent]:
        """The events that `chunk` completes.

        Raises:
            MalformedStream: A line is longer than `LINE_LIMIT` bytes.
        """
        events: list[ServerSentEvent] = []
        if not chunk:
            return events
        # The LF of a CRLF that was cut in two: the CR has ended the line already.
        start = 1 if self._ended_with_cr and chunk.startswith(b"\n") else 0
        self._ended_with_cr = chunk.endswith(b"\r")
        for end in _LINE_END.finditer(chunk, start):
            event = self._line(self._whole(chunk[start : end.start()]))
            if event is not None:
                events.append(event)
            start = end.end()
        self._keep(chunk[start:])
        return events

    def _keep(self, rest: bytes) -> None:
        if rest:
            self._partial.append(rest)
            self._partial_size += len(rest)
        if self._partial_size > LINE_LIMIT:
            raise MalformedStream(f"A line of the answer is longer than {LINE_LIMIT >> 20} MB; the stream was closed.")

    def _whole(self, tail: bytes) -> str:
        line = b"".join((*self._partial, tail))
        self._partial, self._partial_size = [], 0
        if self._is_first_line:
            self._is_first_line = False
            line = line.removeprefix(_BYTE_ORDER_MARK)
        return line.decode("utf-8", "replace")

    def _line(self, line: str) -> ServerSentEvent | None:
        if not line:
            return self._dispatch()
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        match name:
            case "data":
                self._data.append(value)
            case "event":
                self._event = value
            case "id" if "\0" not in value:
                self._id = value
            case _:  # a comment (its name is empty), `retry`, or a field nobody knows
                pass
        return None

    def _dispatch(self) -> ServerSentEvent | None:
        name, data = self._event, self._data
        self._event, self._data = "", []
        return ServerSentEvent(event=name, data="\n".join(data), id=self._id) if data else None
