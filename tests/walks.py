"""Random walks through the real window: ask, stream, type, decide, undo, save and close, with what must always hold.

What must hold after each step:
    - the buffer changes by typing, accepting, undo and redo alone, and in the lines meant by that step alone;
    - the file holds what the buffer held when it was saved last, so nothing but accepted text;
    - undo and redo lead through texts that were on screen before.
At the end, with everything decided, nothing of a proposal is left in the editor; undo to the start gives the file as
it was opened, and redo gives the last text back.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Final

from PySide6.QtWidgets import QWidget

from driver import Driver
from redraft.core.diff.hunks import UNDECIDED
from redraft.core.text import TextRange, split_lines
from redraft.qt.editor.annotations import AnnotationRegistry
from redraft.qt.editor.code_editor import CodeEditor
from redraft.qt.editor.inline_diff.frontier import FrontierCell
from redraft.qt.editor.inline_diff.hunk_bar import HunkBar, Wish
from redraft.qt.editor.inline_diff.marks import DiffIndicator
from redraft.qt.editor.inline_diff.range_strip import RangeStrip
from redraft.qt.editor.inline_diff.view import InlineDiffView
from redraft.qt.editor.prompt_block.block import PromptBlock
from servers import Drop, Live, ScriptedServer, Step, openai_end, openai_text

WORDS: Final = ("select", "from", "b = 1", "é := 🌍", "}", "", "\tdeep", "    four", "end;", "-- note", "x", "x")
BOM: Final = b"\xef\xbb\xbf"
STEPS: Final = 14
LOG: Final = logging.getLogger(__name__)


class Walk:
    """One file and what is done to it; the same seed walks the same way."""

    def __init__(self, driver: Driver, server: ScriptedServer, folder: Path, seed: int) -> None:
        self._driver = driver
        self._server = server
        self._random = Random(seed)  # noqa: S311 - to choose steps
        self._end = self._random.choice(("\n", "\n", "\r\n"))
        self._bom = self._random.choice((b"", b"", BOM))
        self._answers: list[tuple[Live, list[Step]]] = []
        self.steps: list[str] = []
        self._path = folder / f"walk{seed}.sql"
        lines = [f"{self._random.choice(WORDS)} {place % 7}" for place in range(self._random.randint(0, 14))]
        text = self._end.join(lines) + self._random.choice(("", self._end))
        self._saved = self._bom + text.encode()
        self._path.write_bytes(self._saved)
        driver.application.bench.documents.open(self._path)
        self.document = driver.document
        self.original = driver.text
        self._seen = {self.original}
        assert self.original == text

    @property
    def editor(self) -> CodeEditor:
        return self.document.editor

    @property
    def text(self) -> str:
        return self.editor.plain_text()

    @property
    def views(self) -> list[InlineDiffView]:
        return [view for view in self.editor.findChildren(InlineDiffView) if view.is_on_screen]

    def run(self) -> None:
        """Walk, and come to an end."""
        choices: tuple[tuple[int, Callable[[], None]], ...] = (
            (4, self._ask),
            (6, self._send),
            (2, self._end_answer),
            (1, self._stop),
            (4, self._type),
            (3, lambda: self._accept(everything=False)),
            (1, lambda: self._accept(everything=True)),
            (3, lambda: self._reject("Alt+N")),
            (1, lambda: self._reject("Ctrl+Backspace")),
            (2, self._click),
            (3, lambda: self._travel("Ctrl+Z")),
            (2, lambda: self._travel("Ctrl+Shift+Z")),
            (2, self._save),
        )
        for _ in range(STEPS):
            step = self._random.choices([step for _, step in choices], [weight for weight, _ in choices])[0]
            step()
            self._driver.pause(self._random.choice((0, 0, 5, 20)))
            self._check_file()
        if self._random.random() < 0.7:
            self._come_to_an_end()
        self._close()

    # --- Steps

    def _ask(self) -> None:
        """Select lines, say something, and have an answer begin."""
        if len(self._answers) > 1:
            return
        before, lines = self.text, split_lines(self.text)
        first = self._random.randint(0, max(len(lines) - 1, 0))
        last = min(first + self._random.randint(0, 6), max(len(lines) - 1, 0))
        self._note(f"ask about {first}-{last}")
        if lines:
            self._driver.select_lines(first + 1, last + 1)
        self._focus()
        self._driver.press("Ctrl+K")
        count = len(self._server.requests)
        live = self._server.live()
        self._driver.type("go on")
        self._driver.press("Return")
        if self._comes(lambda: len(self._server.requests) > count):
            self._answers.append((live, self._answer(lines[first : last + 1])))
        else:
            # The lines belong to an edit that is still running.
            self._server.forget(live)
        assert self.text == before, "asking changed the text"

    def _answer(self, lines: list[str]) -> list[Step]:
        """Another form of some lines, in pieces, with its end: a proper one, a limit, or a lost connection."""
        new: list[str] = []
        for line in lines:
            fate = self._random.random()
            new += [self._random.choice(WORDS) + " new"] if fate < 0.15 else []
            new += [] if 0.15 < fate < 0.3 else [line.rstrip("\r\n") + ("" if fate < 0.7 else " changed")]
        code = "\n".join([*new, "last one"]) + "\n"
        text = f"<GENERATEDCODE>\n{code}</GENERATEDCODE>"
        size = self._random.randint(3, 40)
        pieces = openai_text(*(text[at : at + size] for at in range(0, len(text), size)))
        fate = self._random.random()
        if fate < 0.75:
            return [*pieces, *openai_end()]
        kept = self._random.randint(min(3, len(pieces)), len(pieces))
        return [*pieces[:kept], *(openai_end("length") if fate < 0.9 else (Drop(),))]

    def _send(self) -> None:
        """Let some more of an answer come."""
        if self._answers:
            before = self.text
            self._note("send")
            live, steps = self._random.choice(self._answers)
            for _ in range(min(self._random.randint(1, 8), len(steps) - 2)):
                live.put(steps.pop(0))
            self._driver.pause(20)
            assert self.text == before, "streaming changed the text"

    def _end_answer(self) -> None:
        """Let an answer come to its end."""
        if self._answers:
            before = self.text
            self._note("end of the answer")
            live, steps = self._answers.pop(0)
            for step in steps:
                live.put(step)
            live.end()
            others = len(self._answers)
            self._driver.wait(lambda: others or not self.document.is_running, "the end of the answer", seconds=10)
            self._driver.pause(20)
            assert self.text == before, "the end of an answer changed the text"

    def _stop(self) -> None:
        """Press Esc in the text."""
        before = self.text
        self._note("escape")
        self._focus()
        self._driver.press("Escape")
        assert self.text == before, "Esc changed the text"

    def _type(self) -> None:
        """Type, press Return or delete somewhere."""
        before = self.text
        place = self._random.randint(0, len(before))
        if before[place - 1 : place + 1] == "\r\n":
            place += 1
        key = self._random.choice(("z", "z", "Return", "Return", "Delete"))
        self._note(f"{key} at {place}")
        self._caret(place)
        self._driver.press(key)
        after = self.text
        rest = before[place:]
        if key == "Delete":
            gone = len(before) - len(after)
            assert 0 <= gone <= 2, "Delete deletes one character"
            assert after == before[:place] + rest[gone:], "Delete changed something else"
        elif key == "z":
            assert after == f"{before[:place]}z{rest}", "typing changed something else"
        else:
            # Blanks beside the new line end belong to the indentation.
            head, tail = before[:place].rstrip(" \t"), rest.lstrip(" \t")
            assert after.startswith(head), "Return changed what stands before"
            assert after.endswith(tail), "Return changed what stands behind"
            added = after[len(head) : len(after) - len(tail)]
            assert added.strip(" \t") == self.editor.line_end, f"Return at {place} of {before!r} adds {added!r}"

    def _accept(self, *, everything: bool) -> None:
        """Accept by key, the current hunk or all."""
        if everything and not self._is_shown:
            return  # The key means something else then.
        before, wanted = self.text, self._spliced()
        if everything:
            wanted = {before} | {self._splice(before, view, None) for view in self.views}
        self._note("accept all" if everything else "accept")
        self._focus()
        self._driver.press("Ctrl+Return" if everything else "Alt+Y")
        assert self.text in wanted, "more or less was accepted than a hunk"

    def _reject(self, key: str) -> None:
        """Reject by key, the current hunk or all."""
        if not self._is_shown:
            return
        before = self.text
        self._note(f"reject {key}")
        self._focus()
        self._driver.press(key)
        assert self.text == before, "rejecting changed the text"

    def _click(self) -> None:
        """Click a button of a hunk."""
        bars = self._driver.bars
        if not bars:
            return
        bar = self._random.choice(bars)
        wish = self._random.choice((Wish.ACCEPT, Wish.REJECT))
        before, wanted = self.text, self._spliced()
        self._note(f"click {wish.name}")
        button = bar.buttons[wish]
        if button.isVisible() and button.isEnabled():
            self._driver.click(button)
            assert self.text in (wanted if wish is Wish.ACCEPT else {before}), "a click changed something else"

    def _travel(self, key: str) -> None:
        """Undo or redo."""
        self._note(key)
        self._seen.add(self.text)
        self._focus()
        self._driver.press(key)
        assert self.text in self._seen, f"{key} led to a text that never was"

    def _save(self) -> None:
        """Save with what is on screen undecided."""
        before = self.text
        self._note("save")
        self._focus()
        self._driver.press("Ctrl+S")
        assert self.text == before, "saving changed the text"
        self._saved = self._bom + before.encode()

    # --- The end

    def _come_to_an_end(self) -> None:
        while self._answers:
            self._end_answer()
        self._leave_all()
        final = self.text
        self._check_leftovers()
        self._undo_all()
        assert self.text == self.original, "undo to the start does not give the original"
        while self.editor.canRedo() and self.text != final:
            self._focus()
            self._driver.press("Ctrl+Shift+Z")
        assert self.text == final, "redo does not give the last text back"
        self._check_leftovers()
        self._check_file()

    def _leave_all(self) -> None:
        """Press Esc until nothing of a proposal is on screen."""
        before = self.text
        self._note("leave")
        for _ in range(20):
            if not self.views and self._driver.block is None:
                break
            self._focus()
            self._driver.press("Escape")
            self._driver.pause(0)
        assert not self.views, "Esc does not end a proposal"
        assert self._driver.block is None, "Esc does not close the prompt"
        assert self.text == before, "leaving changed the text"

    def _undo_all(self) -> None:
        self._focus()
        for _ in range(200):
            if not self.editor.canUndo():
                break
            self._driver.press("Ctrl+Z")

    def _close(self) -> None:
        """Close the tab without saving, whatever is still going on."""
        self._note("close")
        self._driver.application.bench.documents.close(self.document, ask=False)
        self._driver.pause(0)
        for live, _ in self._answers:
            live.end()
        self._check_file()

    # --- What holds

    def _check_file(self) -> None:
        assert self._path.read_bytes() == self._saved, "the file holds something else than what was saved"

    def _check_leftovers(self) -> None:
        editor = self.editor
        AnnotationRegistry.of(editor).flush()
        lines = range(editor.lineCount())
        assert [line for line in lines if editor.annotationLines(line)] == [], "rows are left"
        assert [line for line in lines if editor.markerGet(line) & 0xFFF] == [], "markers are left"
        indicator = int(DiffIndicator.REMOVED_WORD)
        assert not editor.indicatorValueAt(indicator, 0), "an indicator is left"
        assert editor.indicatorEnd(indicator, 0) in {0, editor.length()}, "an indicator is left"
        kinds = (RangeStrip, HunkBar, FrontierCell, PromptBlock)
        left = [type(one).__name__ for one in editor.findChildren(QWidget) if isinstance(one, kinds)]
        shown = [one for one in editor.findChildren(QWidget) if isinstance(one, kinds) and not one.isHidden()]
        assert not shown, f"widgets are left: {left}"
        assert not self.document.is_running
        assert not self.document.undecided

    @property
    def _is_shown(self) -> bool:
        """Whether the keys of the review are in force."""
        return self.document.is_running or self.document.undecided > 0

    def _spliced(self) -> set[str]:
        """The text now, and with any one of the undecided hunks in it."""
        text = self.text
        return {text} | {
            self._splice(text, view, review.id)
            for view in self.views
            for review, _, _ in view._proposal.placed
            if review.state in UNDECIDED
        }

    def _splice(self, text: str, view: InlineDiffView, hunk_id: int | None) -> str:
        """The text with one hunk, or all open ones, of a proposal in it; computed apart from the product."""
        lines = split_lines(text)
        wanted = view._proposal.open_ids if hunk_id is None else (hunk_id,)
        for review, line, count in reversed(view._proposal.placed):
            if review.id in wanted:
                lines[line : line + count] = review.hunk.new_lines
        return "".join(lines)

    # --- Hands

    def _comes(self, condition: Callable[[], bool]) -> bool:
        """Whether something comes about within a third of a second."""
        for _ in range(33):
            if condition():
                return True
            self._driver.pause(10)
        return False

    def _note(self, step: str) -> None:
        self._seen.add(self.text)
        self.steps.append(step)
        LOG.info("%s: %s", self._path.stem, step)

    def _focus(self) -> None:
        self.editor.focus_text()

    def _caret(self, place: int) -> None:
        self.editor.select(TextRange(place, place), reveal=True)
        self._focus()
