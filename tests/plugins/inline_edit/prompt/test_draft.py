from __future__ import annotations

import pytest

from fakes import MemoryStorage
from redraft_inline_edit.presets.preset import PresetTable
from redraft_inline_edit.presets.tables import BUILT_IN
from redraft_inline_edit.prompt.draft import Draft, Fill, Run
from redraft_inline_edit.prompt.history import History
from redraft_inline_edit.prompt.palette import age
from redraft_inline_edit.request import Attachment


@pytest.fixture
def draft() -> Draft:
    history = History(MemoryStorage(), project="/p", limit=10, clock=lambda: 7200.0)
    for words in ("use httpx with a timeout", "rename d to minutes"):
        history.add(words)
    return Draft(
        PresetTable(BUILT_IN),
        history,
        language_id="python",
        kind="replace",
        key_of=lambda preset: "Alt+Shift+D" if preset.name == "doc" else "",
        clock=lambda: 14_400.0,
    )


def titles(draft: Draft) -> list[str]:
    return [row.title for row in draft.rows]


def test_own_words_come_first_then_presets_then_earlier_words(draft: Draft) -> None:
    assert titles(draft)[0] == "Your own words"
    assert titles(draft)[-2:] == ["rename d to minutes", "use httpx with a timeout"]
    doc = next(row for row in draft.rows if row.title == "/doc")
    assert (doc.key, doc.source, doc.section) == ("Alt+Shift+D", "built-in", "Presets for Python")
    assert draft.rows[-1].source == "2 h"
    assert draft.rows[-1].actions == ("edit", "remove")
    assert draft.current_row == "own"


def test_a_slash_shows_only_presets_and_the_best_is_current(draft: Draft) -> None:
    draft.type("/do")
    assert titles(draft) == ["/doc", "Your own words"]
    assert draft.rows[0].matched == (0, 1, 2)
    assert draft.choose(draft.current_row) == Run("/doc")


def test_enter_on_own_words_runs_them(draft: Draft) -> None:
    draft.type("  make it fast ")
    assert draft.choose("own") == Run("make it fast")
    draft.type("  ")
    assert draft.choose("own") is None


def test_tab_completes_a_preset_and_leaves_room_for_words(draft: Draft) -> None:
    draft.type("/fi")
    assert draft.complete("preset:fix") == Fill("/fix ")
    draft.type("/fix the batch")
    assert draft.choose("own") == Run("/fix the batch")


def test_down_moves_through_the_palette_and_up_comes_back_before_history(draft: Draft) -> None:
    draft.move(1)
    assert draft.current_row == "preset:fix"
    draft.move(-1)
    assert draft.current_row == "own"
    assert draft.move(-1) == Fill("rename d to minutes")


def test_an_earlier_instruction_can_be_run_changed_or_forgotten(draft: Draft) -> None:
    row = draft.rows[-1].id
    assert draft.choose(row) == Run("use httpx with a timeout")
    assert draft.choose(row, "edit") == Fill("use httpx with a timeout")
    draft.type("")
    draft.choose(row, "remove")
    assert "use httpx with a timeout" not in titles(draft)


def test_a_mention_is_put_where_at_was_typed(draft: Draft) -> None:
    draft.type("use @")
    assert draft.wants_context(5)
    attachment = Attachment("my errors.py", "class E: ...\n")
    assert draft.attach(attachment, 5) == Fill('use @"my errors.py" ')
    assert draft.sent_attachments(draft.words) == (attachment,)
    assert draft.detach("my errors.py") == Fill("use ")
    assert draft.sent_attachments(draft.words) == ()


@pytest.mark.parametrize(("words", "caret", "expected"), [("me@", 3, False), ("@", 1, True), ("a\n@", 3, True)])
def test_at_counts_only_at_the_start_of_a_word(draft: Draft, *, words: str, caret: int, expected: bool) -> None:
    draft.type(words)
    assert draft.wants_context(caret) is expected


@pytest.mark.parametrize(
    ("seconds", "words"), [(5, "now"), (150, "2 min"), (7300, "2 h"), (90_000, "yesterday"), (260_000, "3 days")]
)
def test_ages_are_short(seconds: float, words: str) -> None:
    assert age(seconds) == words
