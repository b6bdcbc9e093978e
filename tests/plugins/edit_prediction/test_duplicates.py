from __future__ import annotations

from pathlib import Path

from pipelines import EpRunner, example, names, write_lines
from redraft.core.review.example import Example
from redraft_edit_prediction.pipeline.duplicates import Fingerprints, shingles


def numbered(name: str, words: str) -> Example:
    return example(name, cursor_position=f"{words}<|user_cursor|>")


WORDS = " ".join(f"word{number}" for number in range(60))


def test_repeats_and_near_repeats_are_thinned_out(ep: EpRunner, tmp_path: Path) -> None:
    data = [
        numbered("a", WORDS),
        numbered("same", WORDS),
        numbered("near", WORDS + " more"),
        numbered("nearer", WORDS + " more words"),
        numbered("other", " ".join(f"thing{number}" for number in range(60))),
    ]
    outcome = ep("read", write_lines(tmp_path / "d.jsonl", data), "--max-duplicates", "1")
    assert names(outcome.examples) == ["a", "other"]
    assert "3 of 5 examples left out" in outcome.err


def test_of_a_cluster_those_that_differ_most_stay() -> None:
    prints = Fingerprints()
    half = " ".join(WORDS.split()[:45]) + " " + " ".join(f"new{number}" for number in range(8))
    for words in (WORDS, WORDS + " more", half):
        prints.add(numbered("x", words))
    assert prints.chosen(2) == [0, 2]
    assert prints.chosen(3) == [0, 1, 2]


def test_of_equals_the_first_in_the_order_of_work_is_kept(ep: EpRunner, tmp_path: Path) -> None:
    data = [
        numbered("late", WORDS).changed(repository_url="z"),
        numbered("early", WORDS).changed(repository_url="a"),
    ]
    outcome = ep("read", write_lines(tmp_path / "d.jsonl", data), "--max-duplicates", "1")
    assert names(outcome.examples) == ["early"]


def test_the_order_stays() -> None:
    prints = Fingerprints()
    for number in range(20):
        prints.add(numbered("x", " ".join(f"w{number}x{index}" for index in range(30))))
    assert prints.chosen(1) == list(range(20))


def test_shingles_are_five_tokens_without_space() -> None:
    assert shingles("a b\nc d e f") == {"a\0b\0c\0d\0e", "b\0c\0d\0e\0f"}
    assert shingles("a b") == {"a\0b"}
    assert shingles("") == {""}
