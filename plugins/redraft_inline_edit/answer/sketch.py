"""Answers that leave out what stays: the marker line that stands for it, and what a merge must not lose.

Such an answer is called a sketch: the changed parts with a line or two around each, and marker lines between them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from redraft.core.answer.placeholders import find_placeholders
from redraft.core.answer.trimming import says_something
from redraft.core.diff.hunks import DiffProgress
from redraft.core.diff.lines import diff_lines
from redraft.core.languages import language
from redraft.core.text import split_lines
from redraft_inline_edit.presets.preset import PROSE
from redraft_inline_edit.request import EditKind, EditRequest

BLOCK_COMMENTS: Final = {"css": ("/* ", " */"), "html": ("<!-- ", " -->"), "xml": ("<!-- ", " -->"), "vue": ("// ", "")}
"""Comments of languages that have none to the end of the line; of a component most lines are its script."""
CHANGED_PER_LINE: Final = 2
"""How many old lines next to a marker one new line may stand for."""


def marker_for(request: EditRequest, outgoing: str, fewest_lines: int) -> str:
    """The line that may stand for lines that stay, unlike any in the text; empty where all is to be written out."""
    is_edit = request.target.kind is EditKind.REPLACE and not request.is_question
    has_frame = request.preset is None or not request.preset.template
    language_id = request.file.language_id
    if not (fewest_lines and is_edit and has_frame) or language_id in PROSE:
        return ""
    if len(split_lines(request.original)) < fewest_lines:
        return ""
    count, phrase = 1, "... existing code ..."
    # The same text has the same marker, so that an answer that was cut off can go on.
    while phrase in outgoing:
        count += 1
        phrase = f"... existing code {count} ..."
    return _commented(phrase, language_id)


def _commented(phrase: str, language_id: str) -> str:
    """A phrase as a comment of a language, where it is found again there; else as it is."""
    opening, closing = BLOCK_COMMENTS.get(language_id, (f"{language(language_id).line_comment} ".lstrip(), ""))
    line = f"{opening}{phrase}{closing}"
    return line if find_placeholders([line], []) else phrase


class Gap:
    """Holds the differences of a growing answer at its first marker: behind it nothing is known of the old lines."""

    def __init__(self, original: str) -> None:
        self._old = split_lines(original)
        self._looked_at = 0
        self.progress = DiffProgress((), 0)
        """The differences before the first marker, as far as they have come."""
        self.is_found = False

    def take(self, progress: DiffProgress) -> DiffProgress:
        """What can be shown of the differences."""
        new = [line for hunk in progress.hunks for line in hunk.new_lines]
        if len(new) != self._looked_at:  # fewer, where the answer began again
            self._looked_at = len(new)
            self.is_found = bool(find_placeholders(new, self._old))
        if not self.is_found:
            self.progress = progress
        return self.progress


def lost_lines(original: str, sketch: str, merged: str) -> list[str]:
    """The lines a sketch leaves as they are behind a marker that are not in the merged text.

    Next to a marker some old lines may have given way to new ones that the sketch writes there, but never all.
    """
    old, new, drawn = (_bare(text) for text in (original, merged, sketch))
    gone = Counter(line for line in old if says_something(line))
    gone.subtract(line for line in new if says_something(line))
    removed = {index for hunk in diff_lines(old, new) for index in range(hunk.old_start, hunk.old_end)}
    lost: list[str] = []
    for stretch in _stretches(old, drawn):
        written = [index for index in stretch.lines if says_something(old[index])]
        missing = [index for index in written if index in removed and gone[old[index]] > 0]
        sure = missing if missing == written else [index for index in missing if index in stretch.sure]
        gone.subtract(old[index] for index in sure)
        lost += [old[index] for index in sure]
    return lost


def _bare(text: str) -> list[str]:
    return [line.strip() for line in split_lines(text)]


class Stretch(NamedTuple):
    """The old lines, by index, that a marker stands for, and those of them that surely stay."""

    lines: range
    sure: range


def _stretches(old: Sequence[str], sketch: Sequence[str]) -> Iterator[Stretch]:
    """One for each marker of a sketch, between the nearest lines on both sides that repeat old ones."""
    markers = sorted(found.line for found in find_placeholders(sketch, old))
    drawn = [line for index, line in enumerate(sketch) if index not in markers]
    places = _places(old, drawn)
    for done, marker in enumerate(markers):
        at = marker - done
        start, new_before = _anchor(places[:at][::-1])
        end, new_behind = _anchor(places[at:])
        lines = range(start + 1 if start is not None else 0, end if end is not None else len(old))
        first, last = lines.start + new_before * CHANGED_PER_LINE, lines.stop - new_behind * CHANGED_PER_LINE
        yield Stretch(lines, range(first, max(first, last)))


def _places(old: Sequence[str], drawn: Sequence[str]) -> list[int | None]:
    """For each line of a sketch the old line it repeats, if it says something and does."""
    places: list[int | None] = []
    done = 0
    for hunk in diff_lines(old, drawn):
        places += range(done, hunk.old_start)
        places += [None] * len(hunk.new_lines)
        done = hunk.old_end
    places += range(done, len(old))
    return [place if place is not None and says_something(old[place]) else None for place in places]


def _anchor(places: Sequence[int | None]) -> tuple[int | None, int]:
    """The nearest place that is known, and how many lines stand before it."""
    for distance, place in enumerate(places):
        if place is not None:
            return place, distance
    return None, len(places)
