"""What goes along with a request: as much of the file and of other files as the model has room for."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from redraft.core.errors import ContextTooLong
from redraft.core.llm.client import ModelInfo
from redraft.core.text import TextIndex, split_lines
from redraft_inline_edit.request import Attachment, EditRequest

BYTES_PER_TOKEN: Final = 3.2
"""Measured with the embedded model's tokenizer on source code: 3.1 to 3.9. The lower end is the safe one."""

UNKNOWN_CONTEXT: Final = 8192
"""Tokens of a model that does not tell its context size."""

FRAME_TOKENS: Final = 400
"""Tokens kept free for the words around the code."""

ROOM_FOR_ANSWER: Final = 512
"""Tokens an answer may be longer than the selection, at least."""

ROOM_FOR_COMMAND: Final = 200
"""Kept free for the instruction, so that its length does not change where the file is cut: what comes before the
instruction must stay the same while it is typed, for a server's prompt cache."""
MENTION: Final = re.compile(r'(?<!\S)@(?:"([^"\n]+)"|(\S+))')


@dataclass(frozen=True, slots=True)
class Limits:
    """How much may be sent.

    Attributes:
        surrounding_tokens: Most tokens of the file around the lines; 0 leaves it to the model's size.
        attachment_tokens: Most tokens of each attachment; 0 leaves it to the model's size.
        document_max_chars: Limit in UTF-16 units for the lines with what stands around them, as some servers'
            clients have it; 0 for none. With it, text is cut by characters and not at line ends.
        max_files: Most attachments.
        max_chars_per_file: Limit in characters of each attachment; 0 for none.
    """

    surrounding_tokens: int = 0
    attachment_tokens: int = 0
    document_max_chars: int = 0
    max_files: int = 20
    max_chars_per_file: int = 0


@dataclass(frozen=True, slots=True)
class PromptContext:
    """What is sent along, cut to fit.

    Attributes:
        prefix: Text in front of the lines.
        suffix: Text behind them.
        attachments: Other files.
        max_tokens: The longest answer there is room for.
        is_file_cut: Whether part of the file stays out.
        cut_attachments: Names of attachments that were cut or left out.
    """

    prefix: str
    suffix: str
    attachments: tuple[Attachment, ...]
    max_tokens: int
    is_file_cut: bool = False
    cut_attachments: tuple[str, ...] = ()


def estimate_tokens(text: str) -> int:
    """About how many tokens a text has; on the high side for source code."""
    return math.ceil(len(text.encode("utf-8", "surrogatepass")) / BYTES_PER_TOKEN)


def build_context(request: EditRequest, model: ModelInfo, limits: Limits) -> PromptContext:
    """Choose what goes along, in the order of use: the lines, room for the answer, the file, attachments.

    Raises:
        ContextTooLong: The lines alone do not fit; the message says what to do.
    """
    size = model.context_tokens or UNKNOWN_CONTEXT
    selection = estimate_tokens(request.original)
    command = estimate_tokens(request.command)
    words = command + estimate_tokens(request.rules + "".join(request.earlier or ()))
    answer = _answer_tokens(selection, model)
    room = size - FRAME_TOKENS - selection - words - answer
    if room < 0 and model.context_tokens:
        raise ContextTooLong(
            f"The selection has about {selection:,} tokens and its replacement needs as many, but {model.name} holds "
            f"{size:,} in all. Select less, or choose a model with a larger context."
        )
    room -= max(ROOM_FOR_COMMAND - command, 0)
    if not request.with_file:
        prefix, suffix = "", ""
    elif limits.document_max_chars:
        prefix, suffix = cut_by_characters(request.before, request.original, request.after, limits.document_max_chars)
    else:
        prefix, suffix = cut_around(request.before, request.after, _surrounding_room(max(room, 0), model, limits))
    room -= estimate_tokens(prefix) + estimate_tokens(suffix)
    attachments, cut = fit_attachments(request.attachments, max(room, 0), limits)
    is_cut = request.with_file and (len(prefix) < len(request.before) or len(suffix) < len(request.after))
    return PromptContext(prefix, suffix, attachments, answer, is_cut, cut)


def cut_around(before: str, after: str, tokens: int) -> tuple[str, str]:
    """The whole lines nearest to the selection on both sides; a short side leaves its room to the other."""
    half = tokens // 2
    size_before, size_after = estimate_tokens(before), estimate_tokens(after)
    room_before = max(half, tokens - size_after)
    room_after = max(tokens - half, tokens - size_before)
    prefix = before if size_before <= room_before else _last_lines(before, room_before)
    suffix = after if size_after <= room_after else _first_lines(after, room_after)
    return prefix, suffix


def cut_by_characters(before: str, selection: str, after: str, limit: int) -> tuple[str, str]:
    """Cut both sides to a limit in UTF-16 units that includes the selection, half and half; pairs stay whole.

    Raises:
        ContextTooLong: The selection alone passes the limit.
    """
    rest = limit - _units(TextIndex(selection))
    if rest < 0:
        raise ContextTooLong(
            f"The selection has {limit - rest:,} characters, more than the limit of {limit:,} in your settings "
            "(inline_edit.document_max_chars). Select less, or raise the limit."
        )
    above, below = TextIndex(before), TextIndex(after)
    length_before, length_after = _units(above), _units(below)
    if length_before + length_after <= rest:
        return before, after
    if length_before < rest / 2:
        return before, _head(below, rest - length_before)
    if length_after < rest / 2:
        return _tail(above, rest - length_after), after
    return _tail(above, rest - rest // 2), _head(below, rest // 2)


def fit_attachments(
    attachments: Sequence[Attachment], tokens: int, limits: Limits
) -> tuple[tuple[Attachment, ...], tuple[str, ...]]:
    """The attachments that fit, shared out evenly and cut at line ends, and the names of those that were cut."""
    wanted = [attachment for attachment in attachments if attachment.text.strip()]
    kept, cut = wanted[: limits.max_files], [attachment.name for attachment in wanted[limits.max_files :]]
    result: list[Attachment] = []
    for place, attachment in enumerate(kept):
        share = tokens // (len(kept) - place)
        share = min(share, limits.attachment_tokens) if limits.attachment_tokens else share
        text = _first_lines(attachment.text, share)
        if limits.max_chars_per_file:
            text = _head_at_line_end(text, limits.max_chars_per_file)
        if len(text) < len(attachment.text):
            cut.append(attachment.name)
        if text:
            result.append(Attachment(attachment.name, text, attachment.path, attachment.language_id))
        tokens -= estimate_tokens(text)
    return tuple(result), tuple(cut)


def mentions(words: str) -> Iterable[str]:
    """The files and symbols that an instruction names: `@name`, or `@"name with spaces"`."""
    for match in MENTION.finditer(words):
        yield match[1] or match[2].rstrip(".,;:!?)")


def _answer_tokens(selection: int, model: ModelInfo) -> int:
    wanted = selection + max(selection // 2, ROOM_FOR_ANSWER)
    return min(wanted, model.max_output_tokens) if model.max_output_tokens else wanted


def _surrounding_room(room: int, model: ModelInfo, limits: Limits) -> int:
    if limits.surrounding_tokens:
        return min(room, limits.surrounding_tokens)
    # Reading a long prompt is what takes time on a machine without a graphics card: 80 to 90 tokens a second.
    usual = 1200 if model.location == "embedded" else 6000
    return min(room * 2 // 3, usual)


def _first_lines(text: str, tokens: int) -> str:
    kept, room = [], tokens * BYTES_PER_TOKEN
    # What may fit is in here; the line that is cut off at its end passes the room, and is not kept.
    for line in split_lines(text[: int(room) + 1]):
        room -= len(line.encode("utf-8", "surrogatepass"))
        if room < 0:
            break
        kept.append(line)
    return "".join(kept)


def _last_lines(text: str, tokens: int) -> str:
    kept, room = [], tokens * BYTES_PER_TOKEN
    for line in reversed(split_lines(text[-int(room) - 1 :])):
        room -= len(line.encode("utf-8", "surrogatepass"))
        if room < 0:
            break
        kept.append(line)
    return "".join(reversed(kept))


def _head_at_line_end(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    head = text[:limit]
    end = head.rfind("\n")
    return head[: end + 1] if end > 0 else head


def _units(index: TextIndex) -> int:
    return index.to_utf16(len(index.text))


def _head(index: TextIndex, units: int) -> str:
    return index.text[: index.from_utf16(units)]


def _tail(index: TextIndex, units: int) -> str:
    start = _units(index) - units
    offset = index.from_utf16(start)
    return index.text[offset + (index.to_utf16(offset) < start) :]
