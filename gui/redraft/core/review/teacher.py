"""Reads a teacher model's answer: a rewritten region between tags, or the word that nothing should change."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from redraft.core.errors import AnswerError
from redraft.core.review.code_blocks import last_code_block
from redraft.core.review.example import Cursor, Example, PromptInputs
from redraft.core.review.loose_patch import make_hunks
from redraft.core.review.patch_lines import patch_lines

REGION_START: Final = "<|editable_region_start|>"
REGION_END: Final = "<|editable_region_end|>"
USER_CURSOR: Final = "<|user_cursor|>"
NO_EDITS: Final = "NO_EDITS"
KEEP_PREVIOUS: Final = "KEEP_PREVIOUS"
SENTINELS: Final = (REGION_START, REGION_END, USER_CURSOR, NO_EDITS, KEEP_PREVIOUS)

_SPECIAL: Final = re.compile(r"<\|(?:im_start|im_end|endoftext|eot_id|fim_\w+|file_sep|repo_name|marker_[\w-]{4})\|>")


@dataclass(frozen=True, slots=True)
class ParsedPrediction:
    """A patch (empty for no edit) and where the caret goes."""

    patch: str
    cursor: Cursor | None = None


def parse_prediction(example: Example, answer: str) -> ParsedPrediction:
    """Read an answer to the teacher prompt.

    Raises:
        AnswerError: It holds no region, its region is not in the file, or what the prompt gave is missing.
    """
    if says_no_edits(answer):
        return ParsedPrediction("")
    if example.prompt is None:
        raise AnswerError("prompt missing (run format_prompt first)")
    inputs = example.prompt_inputs
    if inputs is None:
        raise AnswerError("prompt_inputs required (run context retrieval first)")
    new = _new_region(answer)
    old = extract_region(example.prompt.input).replace(USER_CURSOR, "")
    if old.startswith("\n") and not new.startswith("\n"):
        new = "\n" + new
    new = _with_line_ends(inputs.cursor_excerpt, old, new)
    cursor = new.find(USER_CURSOR)
    new = new.replace(USER_CURSOR, "")
    start = _find_region(inputs, old)
    patch = _region_patch(inputs, start, old, new)
    refuse_sentinels(patch)
    return ParsedPrediction(patch, _cursor(inputs, start, new, cursor) if cursor >= 0 else None)


def says_no_edits(answer: str) -> bool:
    """Whether the last block holds `NO_EDITS` alone, or the answer ends with that word."""
    block = last_code_block(answer)
    return (block is not None and block.strip() == NO_EDITS) or answer.rstrip(" \t\r\n`").endswith(NO_EDITS)


def extract_region(text: str) -> str:
    """The text between the last start tag and the last end tag, each on its own line, less one more line end.

    Tags inside a line, as in prose that names them, count only where there are no others. A missing tag means the
    text's own end; the region may be empty.

    Raises:
        AnswerError: The tags stand the wrong way round.
    """
    start = _after_last(text, REGION_START + "\n")
    if start < 0:
        start = max(0, _after_last(text, REGION_START))
    end = text.rfind("\n" + REGION_END)
    if end + 1 == start > 0 and text.startswith(REGION_END, start):
        return ""
    if end < start:
        end = text.rfind(REGION_END)
    end = len(text) if end < 0 else end
    if start > end:
        raise AnswerError("invalid editable region markers", words=text)
    return text[start:end].removesuffix("\n")


def _after_last(text: str, mark: str) -> int:
    at = text.rfind(mark)
    return -1 if at < 0 else at + len(mark)


def _new_region(answer: str) -> str:
    """The region of an answer; without tags the last block, for prose must never become code."""
    if REGION_START in answer or REGION_END in answer:
        return extract_region(answer)
    block = last_code_block(answer)
    if block is None:
        raise AnswerError("the answer has neither region tags nor a code block", words=answer)
    return block.removesuffix("\n")


def _with_line_ends(excerpt: str, old: str, new: str) -> str:
    """The new region with CRLF, if all lines of the file end so: models write LF, and that is no edit."""
    count = excerpt.count("\r\n")
    if not count or count != excerpt.count("\n"):
        return new
    new = re.sub(r"\r?\n", "\r\n", new)
    # The region ends before its last LF, so its last line still has the CR.
    return f"{new}\r" if old.endswith("\r") and new and not new.endswith("\r") else new


def _find_region(inputs: PromptInputs, region: str) -> int:
    """Where the region stands in the excerpt; of several places the one nearest to the caret."""
    excerpt = inputs.cursor_excerpt
    caret = len(excerpt.encode()[: inputs.cursor_offset_in_excerpt].decode(errors="ignore"))
    places = []
    at = excerpt.find(region)
    while at >= 0:
        places.append(at)
        at = excerpt.find(region, at + 1)
    if not places:
        raise AnswerError("editable region not found in prompt content")
    return min(places, key=lambda place: abs(place - caret))


def _region_patch(inputs: PromptInputs, start: int, old: str, new: str) -> str:
    """One hunk that shows the whole region, its rows counted within the excerpt; empty if nothing differs."""
    first_row = inputs.cursor_excerpt.count("\n", 0, start)
    hunks = make_hunks(old, new, context=old.count("\n") + 1, first_row=first_row)
    return f"--- a/{inputs.cursor_path}\n+++ b/{inputs.cursor_path}\n{hunks}" if hunks else ""


def refuse_sentinels(patch: str) -> None:
    """Make sure that no control word of a prompt gets into code.

    Raises:
        AnswerError: One would.
    """
    lines = patch_lines(patch)
    known = {token for line in lines if not line.is_added for token in _SPECIAL.findall(line.content)}
    for line in lines:
        if not line.is_added:
            continue
        if any(sentinel in line.content for sentinel in SENTINELS):
            raise AnswerError("the answer would write one of the prompt's own control words into the code", words=patch)
        # Code about models may hold their tokens already; only new ones are slips of the tongue.
        if any(token not in known for token in _SPECIAL.findall(line.content)):
            raise AnswerError("the answer would write one of the model's own tokens into the code", words=patch)


def _cursor(inputs: PromptInputs, start: int, new: str, at: int) -> Cursor:
    before = new[: min(at, len(new))]
    excerpt_before = inputs.cursor_excerpt[:start]
    line_start = before.rfind("\n")
    if line_start >= 0:
        column = len(before[line_start + 1 :].encode())
    else:
        column = len((excerpt_before[excerpt_before.rfind("\n") + 1 :] + before).encode())
    in_region = len(before.encode())
    return Cursor(
        path=inputs.cursor_path,
        row=excerpt_before.count("\n") + before.count("\n"),
        column=column,
        offset=len(excerpt_before.encode()) + in_region,
        editable_region_offset=in_region,
    )
