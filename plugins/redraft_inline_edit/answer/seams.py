"""Mends a comma at the end of an answer: entries of lists are often written without the one that follows them."""

from __future__ import annotations

from redraft_inline_edit.answer.checks import syntax_error


def mend_seam(before: str, proposed: str, after: str, language_id: str) -> str | None:
    """The proposal with a comma more or less at its end, if only that keeps the file from parsing; else `None`."""
    body = proposed.rstrip()
    end = proposed[len(body) :]
    candidates = [f"{body},{end}"] if not body.endswith(",") else [f"{body[:-1]}{end}"]
    return next((one for one in candidates if body and not syntax_error(before + one + after, language_id)), None)
