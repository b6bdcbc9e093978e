"""Lets the embedded model read how a prompt begins while its instruction is still being typed."""

from __future__ import annotations

from dataclasses import replace

from redraft.api.context import PluginContext
from redraft.api.services import Prompts
from redraft.api.tasks import TaskHandle
from redraft.core.diff.common_ends import common_head
from redraft.core.llm.client import ChatAnswer, ChatClient, ModelInfo, warm_up
from redraft.core.llm.messages import ChatRequest
from redraft_inline_edit.context import build_context
from redraft_inline_edit.framing import frame
from redraft_inline_edit.options import EditOptions
from redraft_inline_edit.request import EditRequest


class Warming:
    """Reads ahead for one prompt block.

    A request that is sent meanwhile waits for the rest of the reading, which it needs anyway; so reading goes on until
    the block closes or would send something else.
    """

    def __init__(self, context: PluginContext) -> None:
        self._context = context
        self._subject: tuple[EditRequest, ModelInfo] | None = None
        self._task: TaskHandle | None = None

    def follow(self, request: EditRequest, model: ModelInfo | None, options: EditOptions) -> None:
        """Read the start of what would be sent now, unless that was begun already."""
        # Elsewhere text is sent, and perhaps paid for, only when the user says so.
        subject = _subject(request, model) if model is not None and model.location == "embedded" else None
        if subject == self._subject:
            return
        self.stop()
        self._subject = subject
        if subject is not None:
            work = self._read(*subject, options)
            self._task = self._context.tasks.run(work, on_done=lambda _answer: None, on_error=self._on_error)

    def make_way(self, request: EditRequest, model: ModelInfo) -> None:
        """A request goes out: read on if it begins like that, else stop, so that it need not wait."""
        if _subject(request, model) != self._subject:
            self.stop()

    def stop(self) -> None:
        """Read no further."""
        task, self._task, self._subject = self._task, None, None
        if task is not None:
            task.cancel()

    async def _read(self, request: EditRequest, model: ModelInfo, options: EditOptions) -> ChatAnswer | None:
        client = await self._context.models.open(model)
        if not client.capabilities.warm_up:
            return None
        start = stable_start(request, client, self._context.prompts, options)
        return None if start is None else await warm_up(client, start)

    def _on_error(self, error: Exception) -> None:
        # The request itself will say what is wrong, if it still is.
        self._context.log.debug("the model did not read ahead: %s", error)


def _subject(request: EditRequest, model: ModelInfo) -> tuple[EditRequest, ModelInfo]:
    return replace(request, command="", preset=None, diagnostics=()), model


def stable_start(
    request: EditRequest, client: ChatClient, prompts: Prompts, options: EditOptions
) -> ChatRequest | None:
    """How a request begins, whatever its instruction will be; `None` where nothing is sure yet.

    The same templates are filled for two instructions: what both have in common stands before the instruction, in a
    user's own templates too.

    Raises:
        ContextTooLong: The request will not fit into the model.
        PromptError: A template is at fault.
    """

    def messages(command: str) -> ChatRequest:
        asked = replace(request, command=command)
        context = build_context(asked, client.info, options.limits)
        return frame(asked, context, prompts, client.capabilities, options).chat

    one, other = messages("a").messages, messages("b").messages
    # Other earlier messages mean a tag that is made up anew for each request.
    if one[:-1] != other[:-1]:
        return None
    start = one[-1].content[: common_head(one[-1].content, other[-1].content)]
    return ChatRequest((*one[:-1], replace(one[-1], content=start)))
