"""The parts a teacher prompt is made of, as text: history, related excerpts, the file with its region, diagnostics."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from redraft.core.review.code_blocks import fence_for
from redraft.core.review.example import Excerpt, PromptInputs, RelatedFile
from redraft.core.review.teacher import REGION_END, REGION_START, USER_CURSOR
from redraft_edit_prediction.pipeline.ranges import Ranges, Span, choose_ranges, tokens_of

HISTORY_LINES: Final = 128
RELATED_TOKENS: Final = 1024
TRUNCATED: Final = "[...truncated...]"
NO_HISTORY: Final = "(No edit history)"
NO_CONTEXT: Final = "(No context)"
MOST_DIAGNOSTICS: Final = 10
DIAGNOSTIC_TOKENS: Final = 2000
SNIPPET_TOKENS: Final = 256


def history_text(history: str) -> str:
    """The last lines of the history; a note at the top tells that earlier ones are gone."""
    lines = history.rstrip("\n").split("\n")
    if not history.strip():
        return NO_HISTORY
    if len(lines) > HISTORY_LINES:
        lines = [TRUNCATED, *lines[-HISTORY_LINES:]]
    return "\n".join(lines)


def related_text(files: Sequence[RelatedFile] | None, budget: int = RELATED_TOKENS) -> str:
    """The most important excerpts that fit the budget, in the order of their files, each file in a fence."""
    parts = [_file_text(file, kept) for file, kept in choose_excerpts(files or (), budget)]
    return "\n\n".join(parts) if parts else NO_CONTEXT


def choose_excerpts(files: Sequence[RelatedFile], budget: int) -> Iterator[tuple[RelatedFile, list[Excerpt]]]:
    """Excerpts by importance until the first that does not fit; then by file."""
    ranked = sorted(
        (excerpt.order, file_index, excerpt_index)
        for file_index, file in enumerate(files)
        for excerpt_index, excerpt in enumerate(file.excerpts)
    )
    kept: dict[int, list[int]] = {}
    for _, file_index, excerpt_index in ranked:
        file = files[file_index]
        excerpt = file.excerpts[excerpt_index]
        size = len(excerpt.text.encode()) + (not excerpt.text.endswith("\n"))
        size += 4 if excerpt.row_range.end < file.max_row else 0
        cost = tokens_of(size)
        if file_index not in kept:
            cost += tokens_of(len(f"`````{file.path}\n`````\n\n".encode()))
        if cost > budget:
            break
        budget -= cost
        kept.setdefault(file_index, []).append(excerpt_index)
    for file_index in sorted(kept):
        yield files[file_index], [files[file_index].excerpts[index] for index in sorted(kept[file_index])]


def current_file_text(inputs: PromptInputs) -> str:
    """The file around the cursor, with the region a model may rewrite."""
    ranges = ranges_of(inputs)
    excerpt = inputs.cursor_excerpt.encode()
    (start, end), (first, last) = ranges.editable, ranges.context
    cursor = min(max(inputs.cursor_offset_in_excerpt, start), end)
    text = "".join(
        (
            excerpt[first:start].decode(errors="ignore"),
            f"{REGION_START}\n",
            excerpt[start:cursor].decode(errors="ignore"),
            USER_CURSOR,
            excerpt[cursor:end].decode(errors="ignore"),
            f"\n{REGION_END}",
            excerpt[end:last].decode(errors="ignore"),
        )
    )
    fence = fence_for(text)
    return f"{fence}{inputs.cursor_path}\n{text}\n{fence}"


def ranges_of(inputs: PromptInputs) -> Ranges:
    """The region and what is shown around it: chosen by syntax, or as they were stored."""
    editable = _span(inputs.excerpt_ranges.get("editable_350"))
    if inputs.syntax_ranges is None and editable is not None:
        return Ranges(editable, _span(inputs.excerpt_ranges.get("editable_350_context_150")) or editable)
    return choose_ranges(inputs.cursor_excerpt, inputs.cursor_offset_in_excerpt, inputs.syntax_ranges or [])


def diagnostics_text(inputs: PromptInputs) -> str:
    """The diagnostics nearest to the cursor, each with its snippet; nothing where none were recorded."""
    before = inputs.cursor_excerpt.encode()[: inputs.cursor_offset_in_excerpt]
    row = (inputs.excerpt_start_row or 0) + before.count(b"\n")
    nearest = sorted(inputs.active_buffer_diagnostics, key=lambda one: abs(_row_of(one) - row))[:MOST_DIAGNOSTICS]
    parts: list[str] = []
    left = DIAGNOSTIC_TOKENS
    for diagnostic in nearest:
        snippet = _cut(str(diagnostic.get("snippet", "")).rstrip("\n"))
        fence = fence_for(snippet)
        text = f"*{diagnostic.get('message', '')}*\n\n{fence}\n{snippet}\n{fence}"
        left -= tokens_of(len(text.encode()))
        if left < 0:
            break
        parts.append(text)
    return "\n\n".join(parts)


def _span(stored: object) -> Span | None:
    """A range as it stands in an example; `None` for what is none."""
    if not isinstance(stored, dict):
        return None
    start, end = stored.get("start"), stored.get("end")
    return (start, end) if isinstance(start, int) and isinstance(end, int) and 0 <= start <= end else None


def _file_text(file: RelatedFile, excerpts: Sequence[Excerpt]) -> str:
    text = ""
    row = 0
    for excerpt in excerpts:
        text += "...\n" if excerpt.row_range.start > row else ""
        text += excerpt.text if excerpt.text.endswith("\n") else f"{excerpt.text}\n"
        row = excerpt.row_range.end
    text += "...\n" if row < file.max_row else ""
    fence = fence_for(text)
    return f"{fence}{file.path}\n{text}{fence}"


def _row_of(diagnostic: dict[str, Any]) -> int:
    place = diagnostic.get("snippet_buffer_row_range") or diagnostic.get("range") or {}
    start = place.get("start", 0) if isinstance(place, dict) else 0
    return start if isinstance(start, int) else 0


def _cut(snippet: str) -> str:
    left = SNIPPET_TOKENS
    lines: list[str] = []
    for line in snippet.split("\n"):
        left -= tokens_of(len(line.encode()) + 1)
        if left < 0:
            return "\n".join([*lines, "..."])
        lines.append(line)
    return snippet
