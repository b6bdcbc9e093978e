"""Loopback servers for tests: real sockets, every byte and every pause under the test's control.

    with ScriptedServer() as server:
        gate = Gate()
        server.reply(*openai_text("Hel"), WaitFor(gate), *openai_text("lo"), *openai_end())
        client = make_client(ServerConfig(base_url=server.url + "/v1", ...))
        ...
        gate.open()                       # from any thread
        assert server.requests[0].json()["stream"] is True

A request takes the reply of the `handler`, else the one set for its path with `route`, else the next one queued with
`reply`. `Live` is a reply that the test writes while it runs. A server runs in a thread of its own, so tests of the
window can use it too.
"""

from servers.proxy import ConnectProxy
from servers.replies import (
    anthropic_answer,
    anthropic_end,
    anthropic_event,
    anthropic_start,
    anthropic_text,
    error_reply,
    json_reply,
    openai_answer,
    openai_chunk,
    openai_end,
    openai_text,
)
from servers.scripted import ClientGone, ScriptedServer, read_request
from servers.steps import EVENT_STREAM, PATIENCE, Drop, Gate, Hang, Head, Live, Seen, Send, Step, WaitFor

__all__ = [
    "EVENT_STREAM",
    "PATIENCE",
    "ClientGone",
    "ConnectProxy",
    "Drop",
    "Gate",
    "Hang",
    "Head",
    "Live",
    "ScriptedServer",
    "Seen",
    "Send",
    "Step",
    "WaitFor",
    "anthropic_answer",
    "anthropic_end",
    "anthropic_event",
    "anthropic_start",
    "anthropic_text",
    "error_reply",
    "json_reply",
    "openai_answer",
    "openai_chunk",
    "openai_end",
    "openai_text",
    "read_request",
]
