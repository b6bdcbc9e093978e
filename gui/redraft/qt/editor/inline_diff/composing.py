"""From a proposal and how far it is to a layout: what is drawn where."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from redraft.core.diff.hunks import UNDECIDED, DiffProgress, Hunk, HunkState, apply_hunks
from redraft.core.diff.proposal import Proposal
from redraft.qt.editor.inline_diff.layout import Layout, PlacedHunk


def compose(
    proposal: Proposal,
    progress: DiffProgress,
    *,
    is_writing: bool,
    first_text: Callable[[], str],
    before: Sequence[PlacedHunk] = (),
) -> Layout:
    """The layout of a proposal as it is now.

    Args:
        proposal: What is shown.
        progress: How far it is.
        is_writing: Whether more comes.
        first_text: Tells what stands in line 0, if that is needed.
        before: The hunks of the frame before; those that stand where they stood are taken over.
    """
    known = {placed.id: placed for placed in before}
    first = proposal.first_line
    frontier, shift = first + progress.frontier, 0
    last = progress.hunks[-1] if is_writing and progress.hunks else None
    # The last hunk grows until a line behind it has been matched.
    grows = last is not None and last.old_end >= progress.frontier
    grows_from = last.old_start if last is not None and grows else len(proposal.original_lines) + 1
    hunks: list[PlacedHunk] = []
    for review, line, lines in proposal.placed:
        hunk = review.hunk
        if hunk.old_end <= progress.frontier:
            frontier += lines - len(hunk.old_lines)
        if review.state in UNDECIDED:
            needs_review = review.state is HunkState.NEEDS_REVIEW
            facts = (
                review.id,
                hunk,
                line,
                line + lines,
                needs_review,
                hunk.old_start < grows_from,
                hunk.old_start + shift,
            )
            same = known.get(review.id)
            hunks.append(same if same is not None and same.facts == facts else PlacedHunk(*facts))
        shift += len(hunk.new_lines) - len(hunk.old_lines)
    if hunks and not (is_writing and progress.frontier == 0):
        hunks[0] = _below_line_0(hunks[0], first_text)
    end = first + len(proposal.current_lines)
    return Layout(first, end, tuple(hunks), min(frontier, end) if is_writing else None, progress.partial)


def _below_line_0(placed: PlacedHunk, first_text: Callable[[], str]) -> PlacedHunk:
    """No row can stand above line 0: what is inserted there is shown as a replacement of that line."""
    if placed.line or placed.end or not (text := first_text()):
        return placed
    hunk = Hunk(placed.hunk.old_start, (text,), (*placed.hunk.new_lines, text))
    return PlacedHunk(placed.id, hunk, 0, 1, placed.needs_review, placed.is_settled, placed.new_start)


def new_side(proposal: Proposal, progress: DiffProgress) -> list[str]:
    """The new side as far as it is known."""
    known = proposal.original_lines[: progress.frontier]
    return apply_hunks(known, [hunk for hunk in progress.hunks if hunk.old_end <= len(known)])
