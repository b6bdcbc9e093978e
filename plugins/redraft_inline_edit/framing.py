"""Puts a request into words: the messages, the tags and the limits that go to a model."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass, replace
from typing import Final

from redraft.api.services import Prompts
from redraft.core.answer.tags import TagPair
from redraft.core.llm.client import Capabilities
from redraft.core.llm.messages import ChatMessage, ChatRequest, Role
from redraft.core.text import TextIndex, split_lines
from redraft_inline_edit.answer.response_tags import ResponseTags
from redraft_inline_edit.answer.sketch import marker_for
from redraft_inline_edit.context import PromptContext, estimate_tokens
from redraft_inline_edit.options import DEFAULT_OPTIONS, EditOptions
from redraft_inline_edit.presets.preset import PROSE
from redraft_inline_edit.request import EditKind, EditRequest

NEIGHBOURS: Final = 5
"""Lines shown again on both sides of the place of an insertion."""


@dataclass(frozen=True, slots=True)
class FramedRequest:
    """A request as it goes out.

    Attributes:
        chat: What the client is given.
        tag: The marks around the code in the answer; `None` where an answer in words was asked for.
        tokens: About how many tokens are sent.
        comment: The marks around words that explain it, if there are such.
        marker: The line that may stand in the answer for lines that stay; empty where none may.
        is_bare: Whether the answer is code from its first letter on, without marks.
    """

    chat: ChatRequest
    tag: TagPair | None
    tokens: int
    comment: TagPair | None = None
    marker: str = ""
    is_bare: bool = False


def frame(
    request: EditRequest,
    context: PromptContext,
    prompts: Prompts,
    capabilities: Capabilities,
    options: EditOptions = DEFAULT_OPTIONS,
) -> FramedRequest:
    """Fill the templates: what stays the same between edits of a file comes first, the command last."""
    outgoing = f"{context.prefix}{request.original}{context.suffix}{request.command}{request.rules}"
    outgoing += "".join(attachment.text for attachment in context.attachments) + "".join(request.earlier or ())
    tags = options.tags.fresh(outgoing, request.preset.template if request.preset is not None else "")
    tag = None if request.is_question else tags.document
    marker = marker_for(request, outgoing, options.sketch_lines)
    values = _values(request, context, prompts, tags, _fresh_mark(outgoing)) | {"marker": marker}
    messages = _messages(request, prompts, values, capabilities)
    chat = ChatRequest(
        messages,
        max_tokens=context.max_tokens,
        temperature=options.temperature,
        effort=(request.preset.effort if request.preset is not None else "") or options.effort,
        # What explains the code may come behind it.
        stop=_stops(tag, capabilities) if tags.comment is None else (),
        prefill=f"{tag.open}\n" if tag and capabilities.prefill else "",
    )
    tokens = sum(estimate_tokens(message.content) for message in messages)
    return FramedRequest(chat, tag, tokens, tags.comment if tag is not None else None, marker)


def repair(framed: FramedRequest, answer: str, complaint: str, prompts: Prompts) -> FramedRequest:
    """The same request with the model's answer and what is wrong with it, as two more turns."""
    assert framed.tag is not None, "only edits are repaired"  # noqa: S101 - a caller's mistake, not a user's
    said = f"{framed.tag.open}\n{answer}{framed.tag.close}"
    words = prompts.render("edit_repair", complaint=complaint, tag_open=framed.tag.open, tag_close=framed.tag.close)
    turns = (ChatMessage(Role.ASSISTANT, said), ChatMessage(Role.USER, words))
    chat = replace(framed.chat, messages=(*framed.chat.messages, *turns))
    tokens = framed.tokens + sum(estimate_tokens(turn.content) for turn in turns)
    return replace(framed, chat=chat, tokens=tokens)


def resume(framed: FramedRequest, so_far: str, prompts: Prompts, capabilities: Capabilities) -> FramedRequest:
    """The same request with the part of the answer that came, for the model to go on behind it."""
    assert framed.tag is not None, "only edits are continued"  # noqa: S101 - a caller's mistake, not a user's
    begun = f"{framed.tag.open}\n{so_far}"
    if capabilities.prefill:
        return replace(framed, chat=replace(framed.chat, prefill=begun))
    words = prompts.render("edit_continue", last_line=so_far.rstrip("\n").rsplit("\n", 1)[-1], tag_open=framed.tag.open)
    turns = (ChatMessage(Role.ASSISTANT, begun), ChatMessage(Role.USER, words))
    return replace(framed, chat=replace(framed.chat, messages=(*framed.chat.messages, *turns)))


def _fresh_mark(outgoing: str) -> str:
    """What makes the frame's own tags different from any in the text: usually nothing."""
    mark = ""
    while re.search(rf"</?(?:FILE|BEFORE|AFTER|SELECTION|PLACE|HERE|RULES|EARLIER){re.escape(mark)}\b", outgoing):
        mark = f"_{secrets.token_hex(3).upper()}"
    return mark


def _stops(tag: TagPair | None, capabilities: Capabilities) -> tuple[str, ...]:
    return (tag.close,) if tag is not None and capabilities.stop_sequences else ()


def _messages(
    request: EditRequest, prompts: Prompts, values: dict[str, object], capabilities: Capabilities
) -> tuple[ChatMessage, ...]:
    if request.preset is not None and request.preset.template:
        return (ChatMessage(Role.USER, prompts.render_text(request.preset.template, **values)),)
    name = "question" if request.is_question else request.target.kind.value
    system = prompts.render(f"{name}_system", **values).strip()
    user = prompts.render(name, **values)
    if not capabilities.system_role:
        return (ChatMessage(Role.USER, f"{system}\n\n{user}"),)
    return ChatMessage(Role.SYSTEM, system), ChatMessage(Role.USER, user)


def _values(
    request: EditRequest, context: PromptContext, prompts: Prompts, tags: ResponseTags, mark: str
) -> dict[str, object]:
    index = TextIndex(request.text)
    first = index.line_at(request.target.lines.start)
    count = len(split_lines(request.original))
    values: dict[str, object] = {
        "filepath": request.file.name,
        "language_id": request.file.language_id,
        "document_prefix": context.prefix,
        "document": request.original,
        "document_suffix": context.suffix,
        "command": _command(request),
        "file_context": prompts.render("file_context", files=context.attachments) if context.attachments else "",
    }
    return values | {
        "tag_open": tags.document.open,
        "tag_close": tags.document.close,
        "comment_open": tags.comment.open if tags.comment else "",
        "comment_close": tags.comment.close if tags.comment else "",
        "mark": mark,
        "first_line": first + 1,
        "last_line": first + max(count, 1),
        "indent": request.target.indent,
        "lines_before": "".join(split_lines(context.prefix)[-NEIGHBOURS:]),
        "lines_after": "".join(split_lines(context.suffix)[:NEIGHBOURS]),
        "picked": request.target.picked,
        "rules": request.rules,
        "diagnostics": request.diagnostics,
        "earlier_command": request.earlier[0] if request.earlier else "",
        "earlier_code": request.earlier[1] if request.earlier else "",
        "is_prose": request.file.language_id in PROSE,
        "is_insertion": request.target.kind is EditKind.INSERT,
    }


def instruction_of(request: EditRequest) -> str:
    """The user's words, with those of the preset."""
    return request.command if request.preset is None else request.preset.instruction(request.command)


def _command(request: EditRequest) -> str:
    if request.preset is None:
        return request.command
    # A template of its own brings the preset's instruction itself, so that only the user's words remain.
    return request.command if request.preset.template else request.preset.instruction(request.command)
