"""Counts, times and prices as the prompt block writes them."""

from __future__ import annotations

from collections.abc import Sequence

from redraft_inline_edit.block.facts import BlockFacts


def short_count(count: int) -> str:
    """A number of tokens in few digits: `0.7k`."""
    return f"{count / 1000:.1f}k" if count >= 100 else str(count)


def seconds(value: float) -> str:
    """A time as `4.1 s`."""
    return f"{value:.1f} s"


def milliseconds(value: float) -> str:
    """A short time as `410 ms`, a longer one in seconds."""
    return f"{value * 1000:.0f} ms" if value < 1 else seconds(value)


def joined(*parts: str) -> str:
    """The parts that are not empty, with a dot between them."""
    return " · ".join(part for part in parts if part)


def spent(facts: BlockFacts) -> str:
    """Tokens, time and cost of a run, as far as they are known and wanted."""
    numbers = facts.numbers
    if not facts.shows_numbers or not numbers.total:
        return ""
    cost = f"${numbers.cost:.4f}" if numbers.cost is not None else ""
    sent = f"{short_count(numbers.sent_tokens) if numbers.sent_tokens >= 1000 else numbers.sent_tokens} in"
    return joined(sent, f"{numbers.received_tokens} out", seconds(numbers.total), cost)


def told(error: Exception | str) -> tuple[str, str]:
    """What happened, and what to do about it, of a sentence that says both."""
    sentence = str(error).rstrip(".")
    mark = min((place for place in (sentence.find("; "), sentence.find(". ")) if place > 0), default=len(sentence))
    advice = sentence[mark + 2 :]
    return sentence[:mark], advice[:1].upper() + advice[1:]


def listed(places: Sequence[int]) -> str:
    """Numbers as people list them: `"1, 3 and 4"`."""
    numbers = [str(place) for place in places]
    return " and ".join([", ".join(numbers[:-1]), numbers[-1]] if len(numbers) > 1 else numbers)


def stale_words(places: Sequence[int]) -> str:
    """Some hunks by their places: `"hunk 2"`, `"hunks 1 and 3"`."""
    return f"{'hunk' if len(places) == 1 else 'hunks'} {listed(places)}"
