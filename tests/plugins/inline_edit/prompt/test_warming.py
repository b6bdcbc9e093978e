from __future__ import annotations

from collections.abc import Iterator

import pytest

from fakes import FakeContext, FixedModels, ScriptedClient
from inline_edit_window import BETTER, CODE, FUNCTION, make_context, wrapped
from redraft.core.llm.client import Capabilities, ModelInfo
from redraft.core.llm.messages import ChatRequest
from redraft.core.prompts import PromptLibrary
from redraft.core.text import TextRange
from redraft_inline_edit import commands
from redraft_inline_edit.context import Limits, build_context
from redraft_inline_edit.framing import frame
from redraft_inline_edit.options import DEFAULT_OPTIONS, EditOptions
from redraft_inline_edit.prompt.warming import stable_start
from redraft_inline_edit.request import EditRequest, FileFacts, Target
from redraft_inline_edit.session.session import EditSession

WARM = Capabilities(warm_up=True)
HERE = ModelInfo("small", "embedded", "small", location="embedded")


@pytest.fixture
def context() -> Iterator[FakeContext]:
    context = make_context("x", wrapped(BETTER))
    client(context).capabilities, client(context).info = WARM, HERE
    yield context
    context.close()


def client(context: FakeContext) -> ScriptedClient:
    found = context.models.client
    assert isinstance(found, ScriptedClient)
    return found


def open_prompt(context: FakeContext) -> EditSession:
    context.editor.all[0].select_text(FUNCTION)
    commands.open_prompt(context)
    session = commands.manager_of(context).current
    assert session is not None
    return session


def request_for(command: str, text: str = CODE) -> EditRequest:
    start = text.index(FUNCTION)
    target = Target(TextRange(start, start + len(FUNCTION)))
    return EditRequest(text, target, FileFacts("totals.py", "python"), command)


def asked(request: EditRequest, options: EditOptions = DEFAULT_OPTIONS) -> ChatRequest:
    answering = ScriptedClient()
    context = build_context(request, answering.info, options.limits)
    return frame(request, context, PromptLibrary(), answering.capabilities).chat


def test_an_open_prompt_lets_the_model_read_what_the_request_will_begin_with(context: FakeContext) -> None:
    session = open_prompt(context)
    requests = client(context).requests
    context.tasks.settle(lambda: len(requests) == 1)
    session.run("check for empty")
    context.tasks.settle(lambda: not session.state.is_running)

    ahead, real = requests
    assert ahead.max_tokens == 1
    assert ahead.messages[0] == real.messages[0]
    assert real.messages[-1].content.startswith(ahead.messages[-1].content)
    assert real.messages[-1].content.removeprefix(ahead.messages[-1].content).strip() == "check for empty"
    assert context.editor.all[0].text == CODE


def test_the_same_start_is_read_once(context: FakeContext) -> None:
    session = open_prompt(context)
    context.tasks.settle(lambda: len(client(context).requests) == 1)
    session.measure()
    session.run("check for empty")
    context.tasks.settle(lambda: not session.state.is_running)
    assert len(client(context).requests) == 2


def test_another_context_is_read_anew(context: FakeContext) -> None:
    session = open_prompt(context)
    context.tasks.settle(lambda: len(client(context).requests) == 1)
    session.left_out.add("file")
    session.measure()
    context.tasks.settle(lambda: len(client(context).requests) == 2)
    assert "import math" not in client(context).requests[1].messages[-1].content


def test_a_request_that_begins_otherwise_does_not_wait_for_the_reading(context: FakeContext) -> None:
    session = open_prompt(context)
    session.run("what is this?", is_question=True)
    context.tasks.settle(lambda: not session.state.is_running)
    # The reading had not begun, and was called off.
    assert len(client(context).requests) == 1


def test_nothing_is_sent_to_other_models() -> None:
    context = make_context(wrapped(BETTER))
    client(context).capabilities = WARM
    session = open_prompt(context)
    session.run("check for empty")
    context.tasks.settle(lambda: not session.state.is_running)
    assert len(client(context).requests) == 1
    context.close()


def test_a_closed_prompt_stops_the_reading(context: FakeContext) -> None:
    session = open_prompt(context)
    session.close()
    context.tasks.settle(lambda: context.tasks.is_quiet)
    assert client(context).requests == []


def test_a_model_that_cannot_start_is_said_when_it_is_asked_and_not_before() -> None:
    context = make_context()
    client(context).info = HERE
    context.models = Broken(client(context))
    session = open_prompt(context)
    context.tasks.settle(lambda: context.tasks.is_quiet)
    assert session.failure is None
    assert any("did not read ahead" in line for line in context.log.lines)
    context.close()


class Broken(FixedModels):
    async def open(self, model: object) -> ScriptedClient:
        raise OSError("no such file")


@pytest.mark.parametrize("length", [1, 60, 190])
def test_what_is_read_ahead_does_not_depend_on_the_length_of_the_instruction(length: int) -> None:
    text = CODE + "".join(f"\n\ndef more_{number}(x):\n    return x * {number}\n" for number in range(2000))
    start = stable_start(request_for("", text), ScriptedClient(), PromptLibrary(), DEFAULT_OPTIONS)
    assert start is not None
    real = asked(request_for("make it " + "much " * (length // 2) + "faster", text))
    assert real.messages[-1].content.startswith(start.messages[-1].content)


def test_nothing_is_read_ahead_where_each_request_has_a_tag_of_its_own() -> None:
    request = request_for("", CODE + "# <GENERATEDCODE>\n")
    assert stable_start(request, ScriptedClient(), PromptLibrary(), EditOptions(Limits())) is None
