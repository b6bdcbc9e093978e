"""The exact difference of two lists of lines.

Lines are compared with all their bytes: a change of indentation or of a line end is a change. The longest common
subsequence (bit-parallel, from rapidfuzz) gives the fewest changed lines. Lines that stand once on each side
(Bram Cohen's patience diff) anchor the result where that costs no line that says something, because people read
them as landmarks. Texts too large for either are cut at such anchors, so that time stays bounded.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from rapidfuzz.distance import LCSseq

from redraft.core.diff.hunks import DiffProgress, Hunk
from redraft.core.text import split_lines

EXACT_CELLS: Final = 64_000_000
"""Largest product of line counts that is compared exactly: about 0.1 s and 8 MB."""

LONGEST_SLIDE: Final = 400
"""How far a hunk is moved to find a better place."""


class Block(NamedTuple):
    """A pair of half-open spans: `old_start` to `old_end` gives way to `new_start` to `new_end`."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int


def diff_lines(old: Sequence[str], new: Sequence[str]) -> list[Hunk]:
    """What turns the old lines into the new ones: hunks in order, as few lines as possible.

    Above `EXACT_CELLS` the result is still right, but may name more lines than need be.
    """
    numbers: dict[str, int] = {}
    sides = (_numbered(old, numbers), _numbered(new, numbers))
    says_something = [any(char.isalnum() for char in line) for line in numbers]
    blocks = _changes(_matches(*sides, says_something), len(old), len(new))
    return [_hunk(block, old, new) for block in _placed(_joined(blocks, old, new), old, new)]


def whole_diff(old: str, new: str) -> DiffProgress:
    """What turns one text into another, as of an answer that has come to its end."""
    lines = split_lines(old)
    return DiffProgress(tuple(diff_lines(lines, split_lines(new))), len(lines), is_final=True)


def _numbered(lines: Sequence[str], numbers: dict[str, int]) -> list[int]:
    return [numbers.setdefault(line, len(numbers)) for line in lines]


def _hunk(block: Block, old: Sequence[str], new: Sequence[str]) -> Hunk:
    return Hunk(
        block.old_start, tuple(old[block.old_start : block.old_end]), tuple(new[block.new_start : block.new_end])
    )


def _matches(old: list[int], new: list[int], says_something: list[bool]) -> list[tuple[int, int]]:
    """Pairs of equal lines, rising on both sides."""
    head = _common_prefix(old, new)
    tail = _common_prefix(old[head:][::-1], new[head:][::-1])
    old_core, new_core = old[head : len(old) - tail], new[head : len(new) - tail]
    core = _best_matches(old_core, new_core, says_something)
    pairs = [(index, index) for index in range(head)]
    pairs += [(i + head, j + head) for i, j in core]
    pairs += [(len(old) - tail + index, len(new) - tail + index) for index in range(tail)]
    return pairs


def _common_prefix(old: list[int], new: list[int]) -> int:
    length = 0
    for one, other in zip(old, new, strict=False):
        if one != other:
            break
        length += 1
    return length


def _best_matches(old: list[int], new: list[int], says_something: list[bool]) -> list[tuple[int, int]]:
    if not old or not new:
        return []
    anchored = _anchored_matches(old, new, says_something)
    if len(old) * len(new) > EXACT_CELLS:
        return anchored
    shortest = _common_subsequence(old, new)
    if len(anchored) == len(shortest) or _weight(anchored, old, says_something) > _weight(
        shortest, old, says_something
    ):
        return anchored
    return shortest


def _weight(pairs: list[tuple[int, int]], old: list[int], says_something: list[bool]) -> int:
    return sum(says_something[old[i]] for i, _ in pairs)


def _common_subsequence(old: list[int], new: list[int]) -> list[tuple[int, int]]:
    if len(old) * len(new) > EXACT_CELLS:
        return []
    pairs: list[tuple[int, int]] = []
    for step in LCSseq.opcodes(old, new):
        if step.tag == "equal":
            pairs += zip(range(step.src_start, step.src_end), range(step.dest_start, step.dest_end), strict=True)
    return pairs


def _anchored_matches(old: list[int], new: list[int], says_something: list[bool]) -> list[tuple[int, int]]:
    """Patience: first the lines that are alone on both sides, then what lies between them."""
    pairs: list[tuple[int, int]] = []
    done_old = done_new = 0
    for i, j in [*_unique_anchors(old, new, says_something), (len(old), len(new))]:
        if i < done_old or j < done_new:
            continue
        gap_old, gap_new = old[done_old:i], new[done_new:j]
        head = _common_prefix(gap_old, gap_new)
        pairs += [(done_old + k, done_new + k) for k in range(head)]
        between = _common_subsequence(gap_old[head:], gap_new[head:])
        pairs += [(done_old + head + a, done_new + head + b) for a, b in between]
        if i < len(old):
            pairs.append((i, j))
        done_old, done_new = i + 1, j + 1
    return pairs


def _unique_anchors(old: list[int], new: list[int], says_something: list[bool]) -> list[tuple[int, int]]:
    old_counts, new_counts = Counter(old), Counter(new)
    places = {number: place for place, number in enumerate(new) if new_counts[number] == 1}
    candidates = [
        (i, places[number])
        for i, number in enumerate(old)
        if old_counts[number] == 1 and number in places and says_something[number]
    ]
    return _longest_rising(candidates)


def _longest_rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest run whose second numbers rise (patience sorting)."""
    tops: list[int] = []
    top_pairs: list[int] = []
    before: list[int] = []
    for index, (_, place) in enumerate(pairs):
        pile = bisect_left(tops, place)
        before.append(top_pairs[pile - 1] if pile else -1)
        if pile == len(tops):
            tops.append(place)
            top_pairs.append(index)
        else:
            tops[pile], top_pairs[pile] = place, index
    chain: list[tuple[int, int]] = []
    index = top_pairs[-1] if top_pairs else -1
    while index >= 0:
        chain.append(pairs[index])
        index = before[index]
    return chain[::-1]


def _changes(pairs: list[tuple[int, int]], old_count: int, new_count: int) -> Iterator[Block]:
    """What lies between the matches."""
    done_old = done_new = 0
    for i, j in [*pairs, (old_count, new_count)]:
        if i > done_old or j > done_new:
            yield Block(done_old, i, done_new, j)
        done_old, done_new = i + 1, j + 1


def _joined(blocks: Iterator[Block], old: Sequence[str], new: Sequence[str]) -> list[Block]:
    """Insertions (or deletions) that meet when the first slides down are one."""
    result: list[Block] = []
    todo = list(blocks)[::-1]
    while todo:
        block = todo.pop()
        while todo and (moved := _pushed_down(block, todo[-1], old, new)) is not None:
            todo.pop()
            block = moved
        result.append(block)
    return result


def _pushed_down(block: Block, following: Block, old: Sequence[str], new: Sequence[str]) -> Block | None:
    """The block joined with the following one, if sliding down makes them meet and both change the same side."""
    distance = following.old_start - block.old_end
    lines, start, end = _moving_side(block, old, new)
    if lines is None or _moving_side(following, old, new)[0] is not lines or distance > LONGEST_SLIDE:
        return None
    if any(lines[start + step] != lines[end + step] for step in range(distance)):
        return None
    return Block(block.old_start + distance, following.old_end, block.new_start + distance, following.new_end)


def _moving_side(block: Block, old: Sequence[str], new: Sequence[str]) -> tuple[Sequence[str] | None, int, int]:
    if block.old_start == block.old_end:
        return new, block.new_start, block.new_end
    if block.new_start == block.new_end:
        return old, block.old_start, block.old_end
    return None, 0, 0


def _placed(blocks: list[Block], old: Sequence[str], new: Sequence[str]) -> Iterator[Block]:
    """Every insertion and deletion moved to its best place between its neighbours."""
    room_above = 0
    for index, block in enumerate(blocks):
        room_below = blocks[index + 1].old_start - 1 if index + 1 < len(blocks) else len(old)
        placed = _slid(block, old, new, up=block.old_start - room_above, down=room_below - block.old_end)
        room_above = placed.old_end + 1
        yield placed


def _slid(block: Block, old: Sequence[str], new: Sequence[str], *, up: int, down: int) -> Block:
    """The block where a reader would see it begin (after git's indent heuristic), at most so many lines away."""
    lines, start, end = _moving_side(block, old, new)
    if lines is None:
        return block
    lowest = highest = 0
    while lowest > -min(up, LONGEST_SLIDE) and lines[start + lowest - 1] == lines[end + lowest - 1]:
        lowest -= 1
    while highest < min(down, LONGEST_SLIDE) and lines[start + highest] == lines[end + highest]:
        highest += 1
    best = min(range(highest, lowest - 1, -1), key=lambda by: _cut_cost(lines, start + by) + _cut_cost(lines, end + by))
    return Block(block.old_start + best, block.old_end + best, block.new_start + best, block.new_end + best)


def _cut_cost(lines: Sequence[str], at: int) -> int:
    """How badly a hunk's edge stands before line `at`: deep indentation is bad, a blank line before it is good."""
    if at == 0 or at >= len(lines):
        return 0
    line = lines[at]
    if not line.strip():
        return 6
    indent = len(line) - len(line.lstrip())
    closes = line.lstrip()[:1] in {"}", ")", "]"}
    return 2 * indent + (3 if closes else 0) - (4 if not lines[at - 1].strip() else 0)
