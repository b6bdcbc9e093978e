from __future__ import annotations

from itertools import count

from hypothesis import given
from hypothesis import strategies as st

from fakes import MemoryStorage
from redraft_inline_edit.prompt.history import FILE, History, Recall, matched_letters, parse_entries


def make(storage: MemoryStorage, *, project: str = "/p", limit: int = 3) -> History:
    ticks = count(1.0)
    return History(storage, project=project, limit=limit, clock=lambda: next(ticks))


def words(history: History) -> list[str]:
    return [entry.words for entry in history.entries]


def test_instructions_come_back_after_a_restart_newest_first() -> None:
    storage = MemoryStorage()
    history = make(storage)
    history.add("one")
    history.add("two")
    assert words(make(storage)) == ["two", "one"]


def test_the_same_words_stand_once_on_top() -> None:
    history = make(MemoryStorage())
    for text in ("one", "two", " one "):
        history.add(text)
    assert words(history) == ["one", "two"]


def test_only_as_many_as_wanted_are_kept() -> None:
    history = make(MemoryStorage(), limit=2)
    for text in ("one", "two", "three"):
        history.add(text)
    assert words(history) == ["three", "two"]


def test_a_project_sees_its_own_before_others() -> None:
    storage = MemoryStorage()
    make(storage, project="/other").add("theirs")
    history = make(storage)
    history.add("ours")
    assert words(history) == ["ours", "theirs"]


def test_a_limit_of_zero_stores_nothing() -> None:
    storage = MemoryStorage()
    history = make(storage, limit=0)
    history.add("secret")
    assert not storage.files
    assert words(history) == []


def test_removed_and_cleared_instructions_are_gone_from_the_file() -> None:
    storage = MemoryStorage()
    history = make(storage)
    history.add("one")
    history.add("two")
    history.remove("one")
    assert "one" not in storage.files[FILE]
    history.clear()
    assert words(make(storage)) == []


def test_lines_that_cannot_be_read_are_passed_over() -> None:
    text = '{"words": "good", "when": 5}\n{broken\n[]\n{"words": 3}\n"plain words"\n\n{"words": " "}\n'
    assert [entry.words for entry in parse_entries(text)] == ["good", "plain words"]


@given(st.text(max_size=60))
def test_no_file_is_too_broken_to_start(text: str) -> None:
    parse_entries(text)


def test_a_search_finds_near_words_and_the_best_first() -> None:
    history = make(MemoryStorage(), limit=9)
    for text in ("raise ValueError when empty", "use httpx with a timeout", "rename d to minutes"):
        history.add(text)
    assert [entry.words for entry in history.search("timeout")] == ["use httpx with a timeout"]
    assert history.search("valueeror")[0].words == "raise ValueError when empty"
    assert len(history.search("")) == 3


def test_going_up_and_down_brings_the_draft_back() -> None:
    recall = Recall(["newest", "older"])
    assert recall.move(-1, "my draft") == "newest"
    assert recall.move(-1, "newest") == "older"
    assert recall.move(-1, "older") is None
    assert recall.move(1, "older") == "newest"
    assert recall.move(1, "newest") == "my draft"
    assert recall.move(1, "my draft") is None


def test_matched_letters_are_those_typed() -> None:
    assert matched_letters("fi", "/fix") == (1, 2)
    assert matched_letters("fx", "/fix") == (1, 3)
    assert matched_letters("zz", "/fix") == ()
