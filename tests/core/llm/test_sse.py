from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.core.errors import MalformedStream
from redraft.core.llm import sse
from redraft.core.llm.sse import SSEDecoder


def decode(*chunks: bytes) -> list[tuple[str, str]]:
    decoder = SSEDecoder()
    return [(event.event, event.data) for chunk in chunks for event in decoder.feed(chunk)]


@pytest.mark.parametrize(
    ("stream", "events"),
    [
        (b"data: x\n\n", [("message", "x")]),
        (b"data:x\n\n", [("message", "x")]),
        (b"data:  x\n\n", [("message", " x")]),
        (b"data: x\r\n\r\n", [("message", "x")]),
        (b"data: x\r\r", [("message", "x")]),
        (b"data: x\n\r\n", [("message", "x")]),
        (b"data: x\r\n\n", [("message", "x")]),
        (b"data: x\n\r", [("message", "x")]),
        (b"data: a\ndata: b\n\n", [("message", "a\nb")]),
        (b"data: a\n\ndata: b\n\n", [("message", "a"), ("message", "b")]),
        (b"data: a\r\rdata: b\r\r", [("message", "a"), ("message", "b")]),
        (b": OPENROUTER PROCESSING\n\ndata: x\n\n", [("message", "x")]),
        (b":\n:x\n: ping\n\ndata: x\n\n", [("message", "x")]),
        (b"event: ping\ndata: {}\n\n", [("ping", "{}")]),
        (b"event: a\n\ndata: x\n\n", [("message", "x")]),
        (b"event:\nid:\nretry:\ndata: x\n\n", [("message", "x")]),
        (b"id: 1\ndata: x\n\n\n\n\ndata: y\n\n", [("message", "x"), ("message", "y")]),
        (b"id: 1\nretry: 100\n\n", []),
        (b"data\n\n", [("message", "")]),
        (b"data:\n\n", [("message", "")]),
        (b"unknown: y\ndata: x\n\n", [("message", "x")]),
        (b"\xef\xbb\xbfdata: x\n\n", [("message", "x")]),
        (b"data: \xef\xbb\xbfx\n\n", [("message", "\ufeffx")]),
        (b"data: x\x0by\x0cz\xe2\x80\xa8w\n\n", [("message", "x\x0by\x0cz\u2028w")]),
        (b"data: not ended\n", []),
        (b"data: not ended", []),
        (b"data: \xff\n\n", [("message", "�")]),
        (b"", []),
    ],
)
def test_events_of_a_stream_however_it_is_cut(stream: bytes, events: list[tuple[str, str]]) -> None:
    assert decode(stream) == events
    assert decode(*(bytes([byte]) for byte in stream)) == events
    for cut in range(len(stream) + 1):
        assert decode(stream[:cut], stream[cut:]) == events


@pytest.mark.parametrize("end", [b"\n\n", b"\r\n\r\n", b"\r\r"])
def test_multibyte_text_is_whole_at_every_cut(end: bytes) -> None:
    stream = "data: 你好🌍é".encode() + end
    for first in range(len(stream) + 1):
        for second in range(first, len(stream) + 1):
            assert decode(stream[:first], stream[first:second], stream[second:]) == [("message", "你好🌍é")]


@pytest.mark.parametrize("stream", [b"data: x\n\n", b"data: x\r\r", b"data: x\r\n\r"])
def test_an_event_comes_with_the_byte_that_ends_it(stream: bytes) -> None:
    decoder = SSEDecoder()
    assert decoder.feed(stream[:-1]) == []
    assert [event.data for event in decoder.feed(stream[-1:])] == ["x"]


def test_the_id_stays_until_another_comes() -> None:
    events = SSEDecoder().feed(b"id: 1\ndata: x\n\ndata: y\n\nid: 2\0\ndata: z\n\n")
    assert [event.id for event in events] == ["1", "1", "1"]


def test_a_line_without_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sse, "LINE_LIMIT", 100)
    decoder = SSEDecoder()
    decoder.feed(b"x" * 100)
    with pytest.raises(MalformedStream, match="longer than"):
        decoder.feed(b"x")


payloads = st.lists(st.text(alphabet=st.sampled_from("ab:é🌍 "), max_size=8), max_size=5)


@given(payloads, st.sampled_from([b"\n", b"\r\n", b"\r"]), st.lists(st.integers(0, 200), max_size=8))
def test_any_payload_survives_any_cut(lines: list[str], end: bytes, cuts: list[int]) -> None:
    stream = b"".join(b"data: " + line.encode() + end + end for line in lines)
    edges = [0, *sorted(cuts), len(stream)]
    chunks = [stream[first:last] for first, last in pairwise(edges)]
    assert [data for _, data in decode(*chunks)] == lines
