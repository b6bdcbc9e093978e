from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from redraft.api.editor import TextChange
from redraft.core.review.loose_patch import apply_hunks_loosely, read_hunks
from redraft_edit_prediction.live.history import EVENTS, EditHistory, event_diff

LINES = "".join(f"line {number}\n" for number in range(40))


class Typist:
    """Changes a text and records it."""

    def __init__(self, text: str = LINES) -> None:
        self.now = 0.0
        self.text = text
        self.history = EditHistory(lambda: self.now)

    def change(self, removed: str, added: str, *, predicted: bool = False, key: int = 1) -> None:
        start = self.text.index(removed)
        self.text = self.text[:start] + added + self.text[start + len(removed) :]
        self.history.record(key, f"{key}.py", self.text, TextChange(start, removed, added), predicted=predicted)


def test_what_is_typed_in_one_go_is_one_event() -> None:
    typist = Typist()
    for old, new in [("line 3\n", "lin 3\n"), ("lin 3\n", "l 3\n"), ("l 3\n", "row 3\n"), ("line 7\n", "row 7\n")]:
        typist.change(old, new)
        typist.now += 1
    (event,) = typist.history.events()
    assert event.path == "1.py"
    assert [line for line in event.diff.splitlines() if line[0] in "+-"] == ["-line 3", "+row 3", "-line 7", "+row 7"]
    assert typist.history.before(1) == LINES


def test_far_away_or_much_later_begins_another_event() -> None:
    typist = Typist()
    typist.change("line 3\n", "row 3\n")
    typist.change("line 30\n", "row 30\n")
    typist.now += 3600
    typist.change("line 31\n", "row 31\n")
    assert [event.diff.count("+row") for event in typist.history.events()] == [1, 1, 1]


def test_an_accepted_prediction_is_an_event_of_its_own() -> None:
    typist = Typist()
    typist.change("line 3\n", "row 3\n")
    typist.change("line 4\n", "row 4\n", predicted=True)
    typist.change("line 5\n", "row 5\n")
    assert [event.predicted for event in typist.history.events()] == [False, True, False]


def test_events_of_several_files_stand_in_order() -> None:
    typist = Typist()
    typist.change("line 3\n", "row 3\n", key=1)
    typist.change("line 4\n", "row 4\n", key=2)
    typist.change("line 5\n", "row 5\n", key=1)
    assert [event.path for event in typist.history.events()] == ["1.py", "2.py", "1.py"]
    assert typist.history.before(2) is None


def test_what_was_taken_back_is_no_event() -> None:
    typist = Typist()
    typist.change("line 3\n", "row 3\n")
    typist.change("row 3\n", "line 3\n")
    assert typist.history.events() == ()


def test_only_the_latest_events_are_kept_and_clearing_forgets_all() -> None:
    typist = Typist()
    for number in range(EVENTS + 5):
        typist.now += 3600
        typist.change(f"line {number}\n", f"row {number}\n")
    assert len(typist.history.events()) == EVENTS
    typist.history.clear()
    assert typist.history.events() == ()


TEXTS = st.lists(st.sampled_from(["a", "b", "", "c d"]), max_size=12).map(
    lambda lines: "".join(f"{x}\n" for x in lines)
)


@given(TEXTS, TEXTS)
def test_a_diff_leads_from_one_text_to_the_other(before: str, after: str) -> None:
    diff = event_diff(before, after)
    assert bool(diff) == (before != after)
    hunks = read_hunks(f"--- a/x\n+++ b/x\n{diff}")
    assert apply_hunks_loosely(before, hunks) == after


def test_a_diff_of_a_crlf_file_shows_lines_without_their_ends() -> None:
    assert "\r" not in event_diff("a\r\nb\r\n", "a\r\nc\r\n")


def test_what_several_carets_write_at_once_is_one_event_with_the_text_before_it() -> None:
    history = EditHistory(lambda: 0.0)
    changes = (TextChange(0, "", "é"), TextChange(3, "", "é"), TextChange(6, "", "é"))
    history.record(1, "a.py", "éa\néb\néc\n", *changes)
    assert history.before(1) == "a\nb\nc\n"
    (event,) = history.events()
    assert [line for line in event.diff.splitlines() if line[0] in "+-"] == ["-a", "-b", "-c", "+éa", "+éb", "+éc"]
