"""How much a patch changes: its tokens, and its lines against the lines that were wanted."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from redraft.core.review.alignment import spans
from redraft.core.review.metrics.counts import Counts
from redraft.core.review.patch_lines import change_groups, patch_lines
from redraft.core.review.tokens import tokenize_code


@dataclass(frozen=True, slots=True)
class TokenChanges:
    """Code tokens a patch deletes and inserts."""

    deleted: int
    inserted: int


def count_token_changes(patch: str) -> TokenChanges:
    """Count deleted and inserted code tokens, group of changed lines by group; equal tokens never count."""
    deleted = inserted = 0
    for group in change_groups(patch_lines(patch)):
        for span in spans(tokenize_code("\n".join(group.old)), tokenize_code("\n".join(group.new))):
            if not span.is_equal:
                deleted += span.old_end - span.old_start
                inserted += span.new_end - span.new_start
    return TokenChanges(deleted, inserted)


def changed_lines(patch: str) -> Counter[str]:
    """The added and deleted lines of a patch with their sign, as a multiset."""
    return Counter(line.text for line in patch_lines(patch) if line.is_change)


def exact_lines(expected_patch: str, actual_patch: str) -> Counts:
    """Compare the changed lines of two patches; order and place do not matter, how often does."""
    return Counts.compare(changed_lines(expected_patch), changed_lines(actual_patch))


def braces_disbalance(text: str) -> int:
    """How far braces, brackets and parentheses are from balance: the sum of |opened - closed| of each kind."""
    return sum(abs(text.count(opening) - text.count(closing)) for opening, closing in ("{}", "()", "[]"))
