"""The marks an answer is asked to use: those around its code, and those around what explains it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from redraft.api.services import SettingsView
from redraft.core.answer.parser import TAG
from redraft.core.answer.tags import TagPair
from redraft.core.errors import ConfigError

DOCUMENT_KEY: Final = "inline_edit.response_document_tag"
COMMENT_KEY: Final = "inline_edit.response_comment_tag"
USUAL: Final = TagPair.named(TAG)


@dataclass(frozen=True, slots=True)
class ResponseTags:
    """The marks.

    Attributes:
        document: Around the code.
        comment: Around words about it, if a prompt asks for such; they are shown, and never become code.
    """

    document: TagPair = USUAL
    comment: TagPair | None = None

    def fresh(self, outgoing: str, template: str = "") -> ResponseTags:
        """The same marks, changed where the text that is sent has them; not those a preset's template spells out."""
        document = self.document if self.document.open in template else self.document.fresh(outgoing)
        comment = self.comment
        if comment is not None and comment.open not in template:
            comment = comment.fresh(outgoing)
        return ResponseTags(document, comment)


DEFAULT_TAGS: Final = ResponseTags()


def read_tags(settings: SettingsView) -> ResponseTags:
    """The marks from the user's settings; an own pair takes the place of the usual one.

    Raises:
        ConfigError: A pair cannot be used; the message names the setting.
    """
    document = _pair(DOCUMENT_KEY, settings.get(DOCUMENT_KEY)) or USUAL
    comment = _pair(COMMENT_KEY, settings.get(COMMENT_KEY))
    if comment is not None and {comment.open, comment.close} & {document.open, document.close}:
        raise ConfigError(
            f"{COMMENT_KEY} and {DOCUMENT_KEY} must not share a mark; choose another pair for one of them."
        )
    return ResponseTags(document, comment)


def _pair(key: str, marks: Sequence[str]) -> TagPair | None:
    if not marks:
        return None
    if len(marks) != 2 or not all(isinstance(mark, str) for mark in marks):
        raise ConfigError(f'{key} needs two texts, the opening and the closing mark, such as ["<CODE>", "</CODE>"].')
    opening, closing = (mark.strip() for mark in marks)
    if min(len(opening), len(closing)) < 2 or "\n" in opening + closing:
        raise ConfigError(f"{key}: each mark must have two characters or more, and no line end.")
    if opening.lower() == closing.lower():
        raise ConfigError(f"{key}: the opening and the closing mark must differ, both are {opening!r}.")
    return TagPair(opening, closing)
