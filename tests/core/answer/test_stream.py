"""An answer all the way: chunks, code, lines, hunks, decisions, text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from redraft.core.answer.events import Code, ParsedAnswer, Restart
from redraft.core.answer.parser import AnswerParser
from redraft.core.answer.pipeline import AnswerFrame
from redraft.core.answer.stream import AnswerStream
from redraft.core.diff.hunks import HunkState
from redraft.core.diff.proposal import Proposal
from redraft.core.diff.streaming import StreamingDiff
from redraft.core.text import split_lines

BEFORE, AFTER = "def f():\n", "\n\ndef g():\n    return 2\n"


class Edit:
    """One running edit, without an editor."""

    def __init__(self, frame: AnswerFrame) -> None:
        self.frame = frame
        self.old = split_lines(frame.selection)
        self.parser = AnswerParser()
        self.stream = AnswerStream(frame)
        self.diff = StreamingDiff(self.old)
        self.proposal = Proposal(self.old)

    def feed(self, chunk: str) -> None:
        for event in self.parser.feed(chunk):
            if isinstance(event, Restart):
                self.stream.restart()
                self.diff = StreamingDiff(self.old)
            elif isinstance(event, Code):
                self.proposal.update(self.diff.push_all(self.stream.feed(event.text)))

    def close(self, *, complete: bool) -> ParsedAnswer:
        events, parsed = self.parser.close(complete)
        for event in events:
            if isinstance(event, Code):
                self.diff.push_all(self.stream.feed(event.text))
        if parsed.is_complete:
            self.proposal.update(self.diff.finish(split_lines(self.stream.finish().text)))
        else:
            self.diff.push_all(self.stream.close(is_complete=False))
            self.proposal.update(self.diff.finish(is_complete=False))
        return parsed

    def accepted(self) -> str:
        lines = list(self.old)
        for replacement in self.proposal.accept():
            lines[replacement.start : replacement.start + replacement.removed] = replacement.lines
        return "".join(lines)


codes = st.lists(st.sampled_from(["a", "    b", "  c", "}", "", "d = '\ré'"]), min_size=1, max_size=8)
ends = st.sampled_from(["\n", "\r\n"])


@given(codes, codes, ends, st.booleans(), st.data())
def test_accepting_all_gives_the_fitted_answer(
    old: list[str],
    new: list[str],
    end: str,
    has_final: bool,  # noqa: FBT001 - drawn by hypothesis
    data: st.DataObject,
) -> None:
    edit = Edit(AnswerFrame(BEFORE, end.join(old) + (end if has_final else ""), AFTER, line_end=end))
    answer = "Sure!\n<GENERATEDCODE>\n" + "\n".join(new) + "\n</GENERATEDCODE>\nDone."
    size = data.draw(st.integers(1, len(answer)))
    for at in range(0, len(answer), size):
        edit.feed(answer[at : at + size])
    parsed = edit.close(complete=True)
    assert parsed.is_complete
    assert edit.proposal.original_lines == tuple(edit.old)
    assert edit.accepted() == edit.stream.finish().text


@given(codes, st.integers(0, 60))
def test_a_cut_off_answer_deletes_nothing_it_did_not_reach(new: list[str], cut: int) -> None:
    selection = "    first()\n    second()\n    third()\n    last()\n"
    edit = Edit(AnswerFrame(BEFORE, selection, AFTER))
    edit.feed(("<GENERATEDCODE>\n    first()\n" + "\n".join(new))[:cut])
    parsed = edit.close(complete=False)
    assert not parsed.is_complete
    assert all(hunk.state is HunkState.OPEN for hunk in edit.proposal.hunks)
    assert edit.accepted().endswith("    second()\n    third()\n    last()\n")


def test_an_example_before_the_real_answer_is_forgotten() -> None:
    edit = Edit(AnswerFrame(BEFORE, "    x = 1\n", AFTER))
    edit.feed("Before:\n```\n    x = 1\n    y = 1\n```\n")
    edit.feed("Now:\n<GENERATEDCODE>\nx = 2\n</GENERATEDCODE>")
    edit.close(complete=True)
    assert edit.accepted() == "    x = 2\n"
