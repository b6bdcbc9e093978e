from __future__ import annotations

from collections.abc import Iterator

import pytest

from fakes import FakeContext, FakeEditor, answer
from inline_edit_window import BETTER, CODE, FUNCTION, make_context, wrapped
from redraft.core.llm.client import ModelInfo
from redraft.core.llm.messages import TextDelta
from redraft_inline_edit import commands
from redraft_inline_edit.session.session import EditSession
from redraft_inline_edit.states import SessionState

GAP = "def total(items):\n    if not items:\n        raise ValueError\n    # ... existing code ...\n"


def open_session(context: FakeContext) -> tuple[FakeEditor, EditSession]:
    editor = context.editor.all[0]
    editor.select_text(FUNCTION)
    commands.open_prompt(context)
    session = commands.manager_of(context).current
    assert session is not None
    return editor, session


@pytest.fixture
def contexts() -> Iterator[list[FakeContext]]:
    made: list[FakeContext] = []
    yield made
    for context in made:
        context.close()


def applying(contexts: list[FakeContext], *scripts: object, name: str = "scripted") -> FakeContext:
    context = make_context(*scripts)
    context.settings.set("inline_edit.apply_model", name)
    contexts.append(context)
    return context


def run(context: FakeContext, session: EditSession) -> None:
    session.run("check for empty")
    context.tasks.settle(lambda: not session.state.is_running)


def state_of(session: EditSession) -> SessionState:
    return session.state


def test_an_answer_with_a_gap_is_merged_and_the_block_says_so(contexts: list[FakeContext]) -> None:
    context = applying(contexts, wrapped(GAP), BETTER)
    editor, session = open_session(context)
    run(context, session)
    assert state_of(session) is SessionState.REVIEWING
    titles = {model.footer for model in editor.prompt.models}
    titles |= {model.strip.text for model in editor.prompt.models if model.strip is not None}
    assert "Merging with scripted" in titles
    assert not any(title.startswith("Repairing") for title in titles)
    assert "Merged with scripted" in [chip.label for chip in editor.prompt.model.chips]
    assert "Merging with scripted." in context.ui.announcements
    assert editor.text == CODE
    session.accept_all()
    assert editor.text == CODE.replace(FUNCTION, BETTER)


def test_stopping_a_merge_keeps_the_lines_that_came_and_loses_none(contexts: list[FakeContext]) -> None:
    head = [TextDelta("def total(items):\n    if not items:\n        raise Val"), *[TextDelta("")] * 500]
    context = applying(contexts, wrapped(GAP), [*head, *answer(BETTER)])
    editor, session = open_session(context)
    session.run("check for empty")
    context.tasks.settle(lambda: session.model_run is None or len(context.models.opened) == 2)
    session.stop()
    assert session.model_run is None
    if state_of(session).has_proposal:
        session.accept_all()
    assert "sum(items)" in editor.text
    assert "existing code" not in editor.text


def test_a_model_that_is_gone_is_told_and_edits_go_on_without_it(contexts: list[FakeContext]) -> None:
    context = applying(contexts, wrapped(BETTER), name="gone")
    _, session = open_session(context)
    run(context, session)
    assert state_of(session) is SessionState.REVIEWING
    assert any("inline_edit.apply_model" in notice for notice in context.ui.notices)


def test_lines_lost_in_merging_are_not_accepted_by_one_key(contexts: list[FakeContext]) -> None:
    context = applying(contexts, wrapped(GAP), BETTER.replace("    return sum(items)\n", ""))
    context.settings.set("inline_edit.repairs", 0)
    editor, session = open_session(context)
    run(context, session)
    commands.accept_all(context)
    assert editor.text == CODE
    assert editor.prompt.model.footer_detail == "Lines lost in merging: press again"


def test_the_model_is_chosen_in_the_list_behind_the_chip_and_taken_back_there(contexts: list[FakeContext]) -> None:
    context = applying(contexts, name="")
    context.models.others.append(ModelInfo("fast", "example", "fast-1"))
    _, _session = open_session(context)

    def choose(item_id: str) -> None:
        commands.choose_model(context)
        _, items, on_chosen = context.ui.picks[-1]
        assert "for_applying" in [item.id for item in items]
        on_chosen("for_applying")
        title, items, on_chosen = context.ui.picks[-1]
        assert title == "Apply large edits with"
        assert item_id in [item.id for item in items]
        on_chosen(item_id)

    choose("model:fast")
    assert context.settings.get("inline_edit.apply_model") == "fast"
    assert context.ui.notices[-1] == "Large edits are applied with the model fast from now on."
    choose("model:")
    assert context.settings.get("inline_edit.apply_model") == ""
