from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.core.diff.hunks import DiffProgress, Hunk, HunkState, apply_hunks
from redraft.core.diff.lines import diff_lines
from redraft.core.diff.proposal import LineReplacement, Proposal
from redraft.core.diff.streaming import StreamingDiff
from redraft.core.errors import UsageError
from redraft.core.text import split_lines

ABOVE, BELOW = ["above 1\n", "above 2\n"], ["below\n"]


@dataclass
class Document:
    """A buffer with lines around a proposal's region."""

    proposal: Proposal
    lines: list[str] = field(default_factory=list)

    def apply(self, replacements: list[LineReplacement]) -> None:
        for replacement in replacements:
            self.lines[replacement.start : replacement.start + replacement.removed] = replacement.lines

    def type(self, start: int, removed: int, added: list[str], *, by_history: bool = False) -> None:
        self.lines[start : start + removed] = added
        self.proposal.apply_change(start, removed, added, by_history=by_history)

    @property
    def region(self) -> tuple[str, ...]:
        first = self.proposal.first_line
        return tuple(self.lines[first : first + len(self.proposal.current_lines)])


def make(old: list[str], new: list[str]) -> Document:
    proposal = Proposal(old, first_line=len(ABOVE))
    proposal.update(DiffProgress(tuple(diff_lines(old, new)), len(old), is_final=True))
    return Document(proposal, [*ABOVE, *old, *BELOW])


def states(document: Document) -> list[HunkState]:
    return [hunk.state for hunk in document.proposal.hunks]


OLD = split_lines("a\nb\nc\nd\ne\nf\n")
NEW = split_lines("a\nB\nc\nd\nd2\nf\n")
"""Two hunks: b becomes B; e becomes d2."""


@pytest.fixture
def document() -> Document:
    return make(OLD, NEW)


def test_a_new_proposal_is_open_and_changes_nothing(document: Document) -> None:
    assert states(document) == [HunkState.OPEN, HunkState.OPEN]
    assert document.proposal.counts == (2, 2)
    assert document.proposal.proposed_lines == NEW
    assert document.lines == [*ABOVE, *OLD, *BELOW]


def test_accepting_all_gives_the_new_text(document: Document) -> None:
    document.apply(document.proposal.accept())
    assert document.lines == [*ABOVE, *NEW, *BELOW]
    assert document.proposal.undecided_ids == ()
    assert document.proposal.counts == (0, 0)


def test_each_decision_is_one_step(document: Document) -> None:
    first, second = document.proposal.open_ids
    document.apply(document.proposal.accept([first]))
    document.proposal.reject([second])
    assert states(document) == [HunkState.ACCEPTED, HunkState.REJECTED]
    document.apply(document.proposal.undo())
    assert states(document) == [HunkState.ACCEPTED, HunkState.OPEN]
    document.apply(document.proposal.undo())
    assert states(document) == [HunkState.OPEN, HunkState.OPEN]
    assert document.lines == [*ABOVE, *OLD, *BELOW]
    document.apply(document.proposal.redo())
    document.apply(document.proposal.redo())
    assert states(document) == [HunkState.ACCEPTED, HunkState.REJECTED]
    assert document.lines == [*ABOVE, "a\n", "B\n", *OLD[2:], *BELOW]


def test_hunks_move_with_edits_above(document: Document) -> None:
    document.type(0, 0, ["new\n"])
    assert states(document) == [HunkState.OPEN, HunkState.OPEN]
    first, second = document.proposal.open_ids
    assert document.proposal.lines_of(first) == (4, 1)
    document.type(5, 0, ["between\n"])
    assert document.proposal.lines_of(second) == (8, 1)
    document.apply(document.proposal.accept())
    assert document.lines == ["new\n", *ABOVE, "a\n", "B\n", "between\n", "c\n", "d\n", "d2\n", "f\n", *BELOW]


def test_a_blank_line_typed_before_a_hunk_moves_it(document: Document) -> None:
    document.type(3, 1, ["\n", "b\n"])
    assert states(document) == [HunkState.OPEN, HunkState.OPEN]
    assert document.proposal.lines_of(document.proposal.open_ids[0]) == (4, 1)


def test_only_the_touched_hunk_needs_review(document: Document) -> None:
    first, second = document.proposal.open_ids
    document.type(3, 1, ["bb\n"])
    assert states(document) == [HunkState.NEEDS_REVIEW, HunkState.OPEN]
    assert document.proposal.accept([first]) == []
    document.apply(document.proposal.accept())
    assert document.lines == [*ABOVE, "a\n", "bb\n", "c\n", "d\n", "d2\n", "f\n", *BELOW]
    document.proposal.reject([first])
    assert document.proposal.undecided_ids == ()
    assert document.proposal.hunk_at(3) == first
    assert document.proposal.hunk_at(6) == second


def test_typing_it_back_reopens_the_hunk(document: Document) -> None:
    document.type(3, 1, ["bb\n"])
    document.type(3, 1, ["b\n"], by_history=True)
    assert states(document) == [HunkState.OPEN, HunkState.OPEN]


def test_lines_removed_and_brought_back_reopen_the_hunk(document: Document) -> None:
    document.type(3, 1, [])
    assert states(document)[0] is HunkState.NEEDS_REVIEW
    document.type(3, 0, ["b\n"], by_history=True)
    assert states(document) == [HunkState.OPEN, HunkState.OPEN]
    document.apply(document.proposal.accept())
    assert document.lines == [*ABOVE, *NEW, *BELOW]


def test_edits_after_an_accept_are_never_lost(document: Document) -> None:
    first = document.proposal.open_ids[0]
    document.apply(document.proposal.accept([first]))
    document.type(3, 1, ["B, by hand\n"])
    assert document.proposal.undo() == []
    assert states(document) == [HunkState.NEEDS_REVIEW, HunkState.OPEN]
    assert document.lines[3] == "B, by hand\n"


def test_the_buffers_own_undo_of_an_accept_reopens_the_hunk(document: Document) -> None:
    document.apply(document.proposal.accept([document.proposal.open_ids[0]]))
    document.type(3, 1, ["b\n"], by_history=True)
    assert states(document) == [HunkState.OPEN, HunkState.OPEN]


def test_revisions_bring_decisions_back() -> None:
    document = make(OLD, split_lines("a\nb\nc\nnew\nd\ne\nf\n"))
    proposal = document.proposal
    proposal.remember(0)
    document.apply(proposal.accept())
    proposal.remember(1)
    document.type(0, 0, ["typed\n"])
    proposal.remember(2)
    document.type(0, 1, [], by_history=True)
    assert proposal.recall(1)
    assert states(document) == [HunkState.ACCEPTED]
    document.type(5, 1, [], by_history=True)
    assert proposal.recall(0)
    assert states(document) == [HunkState.OPEN]
    assert document.region == proposal.current_lines == tuple(OLD)
    document.type(5, 0, ["new\n"], by_history=True)
    assert proposal.next_decision is not None
    assert proposal.recall(1)
    assert states(document) == [HunkState.ACCEPTED]
    assert document.region == proposal.current_lines
    assert not proposal.recall(9)


def test_a_rejection_is_undone_at_its_own_revision(document: Document) -> None:
    proposal = document.proposal
    first, second = proposal.open_ids
    proposal.remember(0)
    document.apply(proposal.accept([first]))
    proposal.remember(1)
    proposal.reject([second])
    proposal.remember(1)
    assert proposal.last_decision is not None
    assert (proposal.last_decision.state, proposal.last_decision.revision) == (HunkState.REJECTED, 1)
    assert proposal.undo() == []
    assert states(document) == [HunkState.ACCEPTED, HunkState.OPEN]
    assert proposal.last_decision.state is HunkState.ACCEPTED


def test_part_of_a_hunk_can_be_accepted() -> None:
    document = make(split_lines("a\nb\nc\n"), split_lines("1\n2\n3\n"))
    proposal = document.proposal
    (whole,) = proposal.open_ids
    part = proposal.split(whole, range(1, 2), range(1, 2))
    assert len(proposal.open_ids) == 3
    document.apply(proposal.accept([part]))
    assert document.lines == [*ABOVE, "a\n", "2\n", "c\n", *BELOW]
    assert proposal.proposed_lines == ["1\n", "2\n", "3\n"]
    document.apply(proposal.accept())
    assert document.lines == [*ABOVE, "1\n", "2\n", "3\n", *BELOW]


@pytest.mark.parametrize(("old", "new"), [(range(0), range(0)), (range(2), range(0)), (range(0), range(1, 3))])
def test_a_part_must_be_some_lines_of_the_hunk(old: range, new: range) -> None:
    document = make(["a\n"], ["b\n"])
    with pytest.raises(UsageError):
        document.proposal.split(document.proposal.open_ids[0], old, new)


def test_decided_hunks_stay_while_the_answer_arrives() -> None:
    diff = StreamingDiff(OLD)
    proposal = Proposal(OLD, first_line=len(ABOVE))
    document = Document(proposal, [*ABOVE, *OLD, *BELOW])
    proposal.update(diff.push_all(NEW[:3]))
    (first,) = proposal.open_ids
    document.apply(proposal.accept([first]))
    proposal.update(diff.push_all(NEW[3:]))
    assert proposal.hunks[0].id == first
    assert states(document) == [HunkState.ACCEPTED, HunkState.OPEN]
    proposal.update(diff.finish())
    document.apply(proposal.accept())
    assert document.lines == [*ABOVE, *NEW, *BELOW]


def test_a_growing_hunk_keeps_its_id() -> None:
    proposal = Proposal(["a\n"])
    proposal.update(DiffProgress((Hunk(0, (), ("x\n",)),), 0))
    before = proposal.open_ids
    proposal.update(DiffProgress((Hunk(0, (), ("x\n", "y\n")),), 0))
    assert proposal.open_ids == before


def test_a_hunk_over_lines_edited_meanwhile_needs_review() -> None:
    document = Document(Proposal(OLD, first_line=len(ABOVE)), [*ABOVE, *OLD, *BELOW])
    document.type(6, 1, ["mine\n"])
    document.proposal.update(DiffProgress(tuple(diff_lines(OLD, NEW)), len(OLD), is_final=True))
    assert states(document) == [HunkState.OPEN, HunkState.NEEDS_REVIEW]


def test_an_unknown_hunk_is_named(document: Document) -> None:
    with pytest.raises(UsageError, match="99"):
        document.proposal.lines_of(99)


bare = st.lists(st.sampled_from(["a", "b", "c", "", "    a", "\ta", "é🌍", "}"]), min_size=0, max_size=9)
ends = st.sampled_from(["\n", "\r\n"])


@st.composite
def sides(draw: st.DrawFn) -> tuple[list[str], list[str]]:
    def text() -> list[str]:
        lines = draw(bare)
        end = draw(ends)
        return split_lines(end.join(lines) + (end if draw(st.booleans()) else ""))

    return text(), text()


@given(sides(), st.data())
def test_any_mix_of_decisions_is_spliced(both: tuple[list[str], list[str]], data: st.DataObject) -> None:
    old, new = both
    document = make(old, new)
    proposal = document.proposal
    decided: dict[int, bool] = {}
    for hunk in data.draw(st.permutations(proposal.hunks)):
        decided[hunk.id] = data.draw(st.sampled_from([True, False]))
        document.apply(proposal.accept([hunk.id]) if decided[hunk.id] else proposal.reject([hunk.id]))
    chosen = [hunk.hunk for hunk in proposal.hunks if decided[hunk.id]]
    expected = [*ABOVE, *apply_hunks(old, chosen), *BELOW]
    assert document.lines == expected
    while proposal.last_decision:
        document.apply(proposal.undo())
    assert document.lines == [*ABOVE, *old, *BELOW]
    assert set(states(document)) <= {HunkState.OPEN}
    while proposal.next_decision:
        document.apply(proposal.redo())
    assert document.lines == expected


@given(sides())
def test_all_or_nothing(both: tuple[list[str], list[str]]) -> None:
    old, new = both
    accepted, rejected = make(old, new), make(old, new)
    accepted.apply(accepted.proposal.accept())
    rejected.apply(rejected.proposal.reject())
    assert "".join(accepted.lines) == "".join([*ABOVE, *new, *BELOW])
    assert "".join(rejected.lines) == "".join([*ABOVE, *old, *BELOW])


@given(sides(), st.data())
def test_the_region_is_followed_through_anything(both: tuple[list[str], list[str]], data: st.DataObject) -> None:
    old, new = both
    diff = StreamingDiff(old)
    proposal = Proposal(old, first_line=len(ABOVE))
    document = Document(proposal, [*ABOVE, *old, *BELOW])
    arriving = list(new)
    for _ in range(data.draw(st.integers(1, 12))):
        match data.draw(st.sampled_from(["stream", "accept", "reject", "undo", "redo", "type", "split"])):
            case "stream" if arriving:
                proposal.update(diff.push(arriving.pop(0)))
            case "stream":
                proposal.update(diff.finish())
            case "accept" if proposal.open_ids:
                document.apply(proposal.accept([data.draw(st.sampled_from(proposal.open_ids))]))
            case "reject" if proposal.open_ids:
                document.apply(proposal.reject([data.draw(st.sampled_from(proposal.open_ids))]))
            case "undo":
                document.apply(proposal.undo())
            case "redo":
                document.apply(proposal.redo())
            case "split" if proposal.open_ids:
                split_somewhere(proposal, data)
            case "type":
                start = data.draw(st.integers(0, len(document.lines)))
                removed = data.draw(st.integers(0, min(2, len(document.lines) - start)))
                document.type(start, removed, data.draw(st.lists(st.sampled_from(["a\n", "t\n", "\n"]), max_size=2)))
        check(document)


def split_somewhere(proposal: Proposal, data: st.DataObject) -> None:
    hunk_id = data.draw(st.sampled_from(proposal.open_ids))
    hunk = next(hunk.hunk for hunk in proposal.hunks if hunk.id == hunk_id)
    old_from, old_to = sorted(data.draw(st.tuples(*[st.integers(0, len(hunk.old_lines))] * 2)))
    new_from, new_to = sorted(data.draw(st.tuples(*[st.integers(0, len(hunk.new_lines))] * 2)))
    if old_from < old_to or new_from < new_to:
        assert proposal.split(hunk_id, range(old_from, old_to), range(new_from, new_to)) == hunk_id


def check(document: Document) -> None:
    """The region is where the proposal thinks; hunks are in order; an open hunk stands on its own old lines."""
    proposal = document.proposal
    assert document.region == proposal.current_lines
    done = proposal.first_line
    for hunk in proposal.hunks:
        start, count = proposal.lines_of(hunk.id)
        assert start >= done
        done = start + count
        if hunk.state is HunkState.OPEN:
            assert tuple(document.lines[start:done]) == hunk.hunk.old_lines
    assert done <= proposal.first_line + len(proposal.current_lines)
    assert len({hunk.id for hunk in proposal.hunks}) == len(proposal.hunks)


def test_what_has_come_of_the_answer_since_outlives_a_recall() -> None:
    new = ["a\n", "B\n", "c\n", "d\n", "E\n", "f\n"]
    hunks = tuple(diff_lines(OLD, new))
    proposal = Proposal(OLD)
    proposal.update(DiffProgress(hunks[:1], 3))
    proposal.remember(0)
    proposal.update(DiffProgress(hunks, len(OLD), is_final=True))
    known = proposal.open_ids
    assert proposal.recall(0)
    assert proposal.open_ids == known
    assert proposal.proposed_lines == new


@pytest.mark.parametrize("new", [OLD[1:], OLD[:1] + OLD[2:], [*OLD[:1], "B\n", *OLD[2:]], ["x\n", *OLD]])
def test_a_hunk_accepted_before_more_of_the_answer_came_is_offered_again_after_undo(new: list[str]) -> None:
    whole = [*new[:-1], "F\n"]
    proposal = Proposal(OLD)
    proposal.remember(0)
    proposal.update(DiffProgress(tuple(diff_lines(OLD[:4], new[:-2])), 4))
    (first,) = proposal.open_ids
    proposal.accept()
    proposal.remember(1)
    proposal.update(DiffProgress(tuple(diff_lines(OLD, whole)), len(OLD), is_final=True))
    assert proposal.recall(0)
    assert proposal.current_lines == tuple(OLD)
    assert len(proposal.open_ids) == 2
    assert proposal.open_ids[0] == first
    assert proposal.proposed_lines == whole
    assert proposal.recall(1)
    assert proposal.current_lines == tuple(new)
    proposal.accept()
    assert proposal.current_lines == tuple(whole)


@given(sides(), st.data())
def test_every_revision_is_recalled_with_all_that_has_come(
    both: tuple[list[str], list[str]], data: st.DataObject
) -> None:
    old, new = both
    diff = StreamingDiff(old)
    proposal = Proposal(old)
    proposal.remember(0)
    texts = [proposal.current_lines]
    for line in new:
        proposal.update(diff.push(line))
        if proposal.open_ids and data.draw(st.sampled_from([True, False])):
            proposal.accept([data.draw(st.sampled_from(proposal.open_ids))])
            proposal.remember(len(texts))
            texts.append(proposal.current_lines)
    proposal.update(diff.finish())
    for revision in data.draw(st.lists(st.integers(0, len(texts) - 1), max_size=5)):
        assert proposal.recall(revision)
        assert proposal.current_lines == texts[revision]
        check(Document(proposal, list(texts[revision])))
    assert proposal.recall(0)
    proposal.accept()
    assert list(proposal.current_lines) == new


@pytest.mark.parametrize("new", [["a\n", "x\n", *OLD[1:]], ["A\n", *OLD[1:]]])
def test_accepted_lines_that_undo_takes_back_are_offered_again(new: list[str]) -> None:
    document = make(OLD, new)
    document.apply(document.proposal.accept())
    assert document.region == tuple(new)
    hunk = document.proposal.hunks[0].hunk
    start = len(ABOVE) + hunk.old_start
    document.type(start, len(hunk.new_lines), list(hunk.old_lines), by_history=True)
    assert states(document) == [HunkState.OPEN]
    document.apply(document.proposal.accept())
    assert document.region == tuple(new)
