"""A unified diff with its changes shown word by word: `[-gone-]` and `{+new+}`.

What a judge and a repairing model read: smaller and clearer than whole lines. Nothing is escaped. A change of blank
lines alone has no words, so it does not show.
"""

from __future__ import annotations

from redraft.core.review.alignment import spans
from redraft.core.review.patch_lines import change_groups, patch_lines
from redraft.core.review.tokens import tokenize_words


def word_diff(patch: str) -> str:
    """Turn a unified diff into a word diff: headers and context stay, each group of changed lines becomes words.

    Changed lines lose their sign, context keeps its leading blank.
    """
    parts: list[str] = []
    for group in change_groups(patch_lines(patch)):
        words = diff_words("\n".join(group.old), "\n".join(group.new))
        if words:
            parts.append(words if words.endswith("\n") else words + "\n")
        if group.after is not None:
            parts.append(group.after.text + "\n")
    return "".join(parts)


def diff_words(old: str, new: str) -> str:
    """The words of `new` with what went and came marked; a replacement is the deletion, then the insertion."""
    old_words, new_words = tokenize_words(old), tokenize_words(new)
    parts: list[str] = []
    for span in spans(old_words, new_words):
        gone = "".join(old_words[span.old_start : span.old_end])
        if span.is_equal:
            parts.append(gone)
            continue
        came = "".join(new_words[span.new_start : span.new_end])
        parts += [f"[-{gone}-]" if gone else "", f"{{+{came}+}}" if came else ""]
    return "".join(parts)
