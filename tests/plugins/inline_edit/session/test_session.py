from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from fakes import FakeContext, FakeEditor, answer
from inline_edit_window import BETTER, CODE, FUNCTION, make_context, wrapped
from redraft.api.inline_diff import ProposalTouched
from redraft.api.prompt_block import (
    ActionTriggered,
    Escaped,
    RowChosen,
    RowMoved,
    Submitted,
    WordsChanged,
)
from redraft.core.errors import AuthenticationError, ConnectionFailed
from redraft.core.llm.client import ModelInfo
from redraft.core.llm.messages import RetryScheduled, Stop, StopReason, StreamEvent, TextDelta
from redraft_inline_edit import commands
from redraft_inline_edit.session.session import EditSession
from redraft_inline_edit.states import SessionState

Open = Callable[..., tuple[FakeContext, FakeEditor, EditSession]]


@pytest.fixture
def opened() -> Iterator[Open]:
    """Opens the prompt on the first function, with a model that answers so."""
    contexts: list[FakeContext] = []

    def open_prompt(*scripts: object, text: str = CODE) -> tuple[FakeContext, FakeEditor, EditSession]:
        context = make_context(*scripts, text=text)
        contexts.append(context)
        editor = context.editor.all[0]
        editor.select_text(FUNCTION)
        commands.open_prompt(context)
        session = commands.manager_of(context).current
        assert session is not None
        return context, editor, session

    yield open_prompt
    for context in contexts:
        context.close()


def run(context: FakeContext, session: EditSession, words: str = "check for empty") -> None:
    session.run(words)
    context.tasks.settle(lambda: not session.state.is_running)


def state_of(session: EditSession) -> SessionState:
    """Its state now; the type checker does not know that it changes between two looks."""
    return session.state


def test_the_prompt_opens_on_whole_lines_with_presets_and_what_is_sent(opened: Open) -> None:
    _, editor, session = opened()
    model = editor.prompt.model
    assert state_of(session) is SessionState.PREPARING
    assert model.placeholder == "What should change in lines 4–5?"
    assert [row.title for row in model.rows[:3]] == ["Your own words", "/fix", "/doc"]
    assert [chip.id for chip in model.chips] == ["range", "file", "add_context"]
    assert editor.prompt.has_focus


def test_an_accepted_answer_is_in_the_text_and_the_block_is_gone(opened: Open) -> None:
    context, editor, session = opened(wrapped(BETTER))
    run(context, session)

    assert state_of(session) is SessionState.REVIEWING
    assert editor.text == CODE
    assert editor.prompt.model.counts == (2, 0)

    session.accept_all()
    assert editor.text == CODE.replace(FUNCTION, BETTER)
    assert editor.prompt.is_disposed


def test_a_rejected_answer_leaves_no_trace(opened: Open) -> None:
    context, editor, session = opened(wrapped(BETTER))
    run(context, session)
    session.reject_all()
    assert editor.text == CODE
    assert editor.prompt.is_disposed


def test_words_typed_into_the_block_are_run_by_enter(opened: Open) -> None:
    context, editor, session = opened(wrapped(BETTER))
    editor.prompt.say(WordsChanged("check for empty", 15))
    editor.prompt.say(RowChosen("own"))
    context.tasks.settle(lambda: not session.state.is_running)
    assert session.words == "check for empty"
    assert "check for empty" in context.models.client.requests[0].messages[-1].content  # type: ignore[union-attr]  # scripted


def test_escape_goes_one_step_down_each_time(opened: Open) -> None:
    slow: list[StreamEvent | Exception] = [TextDelta("<GENERATEDCODE>\ndef total(items):\n    if not items:\n")]
    slow += [TextDelta("") for _ in range(100_000)]
    context, editor, session = opened(slow)
    session.run("check")
    context.tasks.settle(lambda: session.state is SessionState.STREAMING)

    editor.prompt.say(Escaped())
    assert session.state is SessionState.STOPPED
    assert editor.text == CODE
    assert editor.prompt.model.strip is not None
    assert editor.prompt.model.strip.text == "Stopped at line 1 of 2"
    assert editor.prompt.model.strip.detail == "line 5 stays as it is"

    editor.prompt.say(Escaped())
    assert editor.text == CODE
    assert editor.prompt.is_disposed


def test_stopping_before_the_first_text_keeps_the_words(opened: Open) -> None:
    context, editor, session = opened([TextDelta("") for _ in range(100_000)])
    session.run("check for empty")
    assert session.state is SessionState.WAITING
    editor.prompt.say(Escaped())
    assert state_of(session) is SessionState.PREPARING
    assert editor.prompt.model.words == "check for empty"
    assert not context.models.client.is_closed  # type: ignore[union-attr]  # scripted


def test_lines_never_reached_stay_when_the_answer_is_cut_off(opened: Open) -> None:
    cut = answer("<GENERATEDCODE>\ndef total(items):\n    if not items:\n        ra", StopReason.LENGTH)
    context, editor, session = opened(cut)
    run(context, session)
    assert session.state is SessionState.INCOMPLETE
    assert [action.id for action in editor.prompt.model.strip.actions] == ["reject_all", "keep_part", "continue"]  # type: ignore[union-attr]  # shown
    session.accept_all()
    assert editor.text == CODE.replace("(items):\n", "(items):\n    if not items:\n", 1)


def test_a_cut_off_answer_goes_on_where_it_broke_off(opened: Open) -> None:
    cut = answer("<GENERATEDCODE>\ndef total(items):\n    if not items:\n        ra", StopReason.LENGTH)
    rest = wrapped("        raise ValueError\n    return sum(items)\n")
    context, editor, session = opened(cut, rest)
    run(context, session)
    editor.prompt.say(ActionTriggered("continue"))
    context.tasks.settle(lambda: not session.state.is_running)
    assert state_of(session) is SessionState.REVIEWING
    session.accept_all()
    assert editor.text == CODE.replace(FUNCTION, BETTER)


def test_a_refused_key_is_told_with_a_way_out_and_the_words_stay(opened: Open) -> None:
    context, editor, session = opened([AuthenticationError("The key was refused (401).", status=401)], wrapped(BETTER))
    run(context, session)
    model = editor.prompt.model
    assert session.state is SessionState.FAILED
    assert model.words == "check for empty"
    assert model.strip is not None
    assert model.strip.actions[0].label == "Open key settings"
    editor.prompt.say(ActionTriggered("open_models"))
    assert context.ui.settings_pages == ["models"]
    editor.prompt.say(ActionTriggered("again"))
    context.tasks.settle(lambda: not session.state.is_running)
    assert state_of(session) is SessionState.REVIEWING


def test_a_lost_connection_keeps_what_came(opened: Open) -> None:
    script = [TextDelta("<GENERATEDCODE>\ndef total(items):\n    if not items:\n"), ConnectionFailed("Lost.")]
    context, _, session = opened(script)
    run(context, session)
    assert session.state is SessionState.INCOMPLETE
    assert session.view.open_hunks


def test_words_without_code_are_shown_and_change_nothing(opened: Open) -> None:
    context, editor, session = opened("The function is fine as it is.")
    run(context, session)
    assert session.state is SessionState.FAILED
    assert editor.prompt.model.answer == "The function is fine as it is."
    assert editor.text == CODE


def test_an_unchanged_answer_says_so(opened: Open) -> None:
    context, editor, session = opened(wrapped(FUNCTION), wrapped(FUNCTION))
    run(context, session)
    assert session.state is SessionState.UNCHANGED
    assert editor.prompt.model.strip is not None
    assert editor.prompt.model.strip.text == "The model proposed no change"
    assert not editor.diffs


def test_a_broken_answer_goes_back_once_and_the_better_one_is_shown(opened: Open) -> None:
    broken = BETTER.replace("raise ValueError", "raise ValueError(")
    context, editor, session = opened(wrapped(broken), wrapped(BETTER))
    run(context, session)
    assert state_of(session) is SessionState.REVIEWING
    assert "Repaired" in [chip.label for chip in editor.prompt.model.chips]
    client = context.models.client
    assert "does not parse" in client.requests[1].messages[-1].content  # type: ignore[union-attr]  # scripted
    session.accept_all()
    assert editor.text == CODE.replace(FUNCTION, BETTER)


def test_a_refinement_sends_the_answer_along(opened: Open) -> None:
    context, editor, session = opened(wrapped(BETTER), wrapped(BETTER.replace("ValueError", "EmptyError")))
    run(context, session)
    editor.prompt.say(Submitted("use EmptyError"))
    context.tasks.settle(lambda: not session.state.is_running)
    assert "raise ValueError" in context.models.client.requests[1].messages[-1].content  # type: ignore[union-attr]  # scripted
    session.accept_all()
    assert "EmptyError" in editor.text


def test_retries_stand_beside_each_other(opened: Open) -> None:
    other = BETTER.replace("ValueError", "LookupError")
    context, editor, session = opened(wrapped(BETTER), wrapped(other))
    run(context, session)
    session.retry()
    context.tasks.settle(lambda: not session.state.is_running)
    assert [action.label for action in editor.prompt.model.actions][1] == "2/2"
    session.show_alternative(-1)
    session.accept_all()
    assert editor.text == CODE.replace(FUNCTION, BETTER)


def test_a_question_changes_nothing(opened: Open) -> None:
    context, editor, session = opened("It adds the items.")
    editor.prompt.say(WordsChanged("what is this?", 13))
    commands.ask(context)
    context.tasks.settle(lambda: not session.state.is_running)
    assert session.state is SessionState.ANSWERED
    assert editor.prompt.model.answer == "It adds the items."
    assert not editor.diffs


def test_hidden_characters_block_accepting_until_they_are_removed(opened: Open) -> None:
    context, editor, session = opened(wrapped(BETTER.replace("ValueError", 'ValueError("\u202eempty")')))
    run(context, session)
    session.accept_all()
    commands.accept_hunk(context)
    assert editor.text == CODE
    assert editor.prompt.model.strip is not None
    assert editor.prompt.model.strip.actions[0].label == "Remove them"
    editor.prompt.say(ActionTriggered("remove_hidden"))
    session.accept_all()
    assert editor.text == CODE.replace(FUNCTION, BETTER.replace("ValueError", 'ValueError("empty")'))


def test_two_edits_live_side_by_side_and_an_overlapping_one_focuses_the_first(opened: Open) -> None:
    context, editor, first = opened(wrapped(BETTER))
    editor.focus()
    editor.select_text("    return math")
    commands.open_prompt(context)
    second = commands.manager_of(context).current
    assert second is not None
    assert second is not first
    editor.focus()
    editor.select_text("sum")
    commands.open_prompt(context)
    assert first.has_focus
    assert len(commands.manager_of(context).sessions) == 2


def test_typing_inside_the_lines_stops_the_model(opened: Open) -> None:
    slow = [TextDelta("<GENERATEDCODE>\ndef total(items):\n")] + [TextDelta("") for _ in range(100_000)]
    context, editor, session = opened(slow)
    session.run("check")
    context.tasks.settle(lambda: session.state is SessionState.STREAMING)
    editor.diffs[0].say(ProposalTouched())
    assert session.state is SessionState.STOPPED
    assert "You changed these lines" in context.ui.notices[0]


def test_closing_the_tab_ends_everything(opened: Open) -> None:
    context, editor, session = opened([TextDelta("") for _ in range(100_000)])
    session.run("check")
    editor.close()
    assert session.state is SessionState.CLOSED
    assert commands.manager_of(context).sessions == []


def test_the_last_instruction_is_repeated_on_another_selection(opened: Open) -> None:
    context, editor, session = opened(wrapped(BETTER), wrapped("def area(r):\n    return 3 * r**2\n"))
    run(context, session, "simplify it")
    session.reject_all()
    session.close()
    editor.select_text("def area(r):\n    return math.pi * r**2\n")
    assert context.commands.details["inline_edit.repeat"] == "simplify it"
    commands.repeat_last(context)
    session = commands.manager_of(context).sessions[-1]
    context.tasks.settle(lambda: not session.state.is_running)
    assert session.words == "simplify it"
    assert state_of(session) is SessionState.REVIEWING


def test_up_brings_earlier_words_and_down_the_draft_back(opened: Open) -> None:
    context, editor, session = opened(wrapped(BETTER))
    run(context, session, "first words")
    session.reject_all()
    session.close()
    editor.select_text(FUNCTION)
    commands.open_prompt(context)
    editor.prompt.say(WordsChanged("my draft", 8))
    editor.prompt.say(RowMoved(-1, at_edge=True))
    assert editor.prompt.model.words == "first words"
    editor.prompt.say(RowMoved(1, at_edge=True))
    assert editor.prompt.model.words == "my draft"


def test_a_secret_file_is_sent_only_after_asking(opened: Open) -> None:
    context, editor, session = opened(wrapped(BETTER))
    assert editor.path is not None
    context.privacy.secret.add(editor.path)
    run(context, session)
    assert session.state is SessionState.FAILED
    assert not context.models.opened
    editor.prompt.say(ActionTriggered("send_anyway"))
    context.tasks.settle(lambda: not session.state.is_running)
    assert state_of(session) is SessionState.REVIEWING


def test_a_wait_that_the_server_asks_for_is_counted_down(opened: Open) -> None:
    wait: list[StreamEvent | Exception] = [RetryScheduled(2, 5, 7.0, "OpenRouter asks to wait (429).")]
    context, editor, session = opened([*wait, *[TextDelta("") for _ in range(200)], Stop(StopReason.END)])
    session.run("check")
    context.tasks.settle(lambda: any(model.footer_detail == "Try 2 of 5" for model in editor.prompt.models))
    shown = next(model for model in editor.prompt.models if model.footer_detail == "Try 2 of 5")
    assert shown.strip is not None
    assert shown.strip.detail == "next try in 7 s"
    assert shown.main is not None
    assert shown.main.label == "Cancel"


def test_automatic_acceptance_is_one_edit_and_only_for_sound_answers(opened: Open) -> None:
    context, editor, session = opened(wrapped(BETTER))
    context.settings.set("inline_edit.auto_accept", True)
    context.settings.set("inline_edit.auto_accept_delay", 0.0)
    run(context, session)
    context.tasks.settle(lambda: not session.view.open_hunks)
    assert editor.text == CODE.replace(FUNCTION, BETTER)
    assert editor.prompt.is_disposed


def test_the_status_bar_and_context_keys_follow(opened: Open) -> None:
    context, _, session = opened(wrapped(BETTER))
    session.run("check")
    assert context.commands.context["inline_edit.running"] is True
    assert context.ui.status.model is not None
    assert context.ui.status.model.text == "1 edit running"
    context.tasks.settle(lambda: not session.state.is_running)
    assert context.commands.context["inline_edit.running"] is False
    assert context.ui.status.model.text == "1 hunk to decide"
    session.accept_all()
    session.close()
    assert context.commands.context["inline_edit.any"] is False
    assert context.ui.status.model is None


def test_a_read_only_file_gets_its_answer_in_a_new_tab(opened: Open) -> None:
    context, editor, session = opened(wrapped(BETTER))
    editor.is_read_only = True
    run(context, session)
    assert context.ui.shown == [("totals.py", BETTER, "python")]
    assert editor.text == CODE


@pytest.mark.parametrize("times", [200])
def test_opening_and_closing_many_times_leaves_nothing_behind(opened: Open, times: int) -> None:
    context, editor, session = opened()
    for _ in range(times):
        session.escape()
        commands.open_prompt(context)
        session = commands.manager_of(context).sessions[-1]
    assert len(commands.manager_of(context).sessions) == 1
    assert all(prompt.is_disposed for prompt in editor.prompts[:-1])


def test_a_reported_problem_is_named_in_the_palette_and_sent_with_fix() -> None:
    broken = CODE.replace(FUNCTION, FUNCTION.replace("sum(items)", "sum(items"))
    context = make_context(wrapped(FUNCTION), text=broken)
    editor = context.editor.all[0]
    editor.select_text(FUNCTION.replace("sum(items)", "sum(items"))
    commands.open_prompt(context)
    session = commands.manager_of(context).current
    assert session is not None
    assert editor.prompt.model.rows[1].detail == "Repair the problem reported on line 5"
    run(context, session, "/fix")
    asked = context.models.client.requests[0].messages[-1].content  # type: ignore[union-attr]  # scripted
    assert "Problems reported in the selection:\n- line 5: '(' was never closed\n" in asked
    context.close()


def test_a_preset_of_ones_own_names_its_model_and_shows_its_key() -> None:
    context = make_context(wrapped(BETTER), wrapped(BETTER))
    info = context.models.list_models()[0]
    mine = {"name": "mine", "command": "Do it.", "model": info.name}
    context.settings.set("presets", ({"name": "fix", "model": "absent"}, mine))
    context.commands.labels["preset mine"] = "Ctrl+Alt+S"
    editor = context.editor.all[0]
    editor.select_text(FUNCTION)
    commands.open_prompt(context)
    session = commands.manager_of(context).current
    assert session is not None
    assert {row.title: row.key for row in editor.prompt.model.rows}["/mine"] == "Ctrl+Alt+S"
    run(context, session, "/fix")
    assert session.failure is not None
    assert "/fix is set to the model absent, which is not there." in str(session.failure.error)
    assert not context.models.opened
    session.choose_model(info)
    run(context, session, "/fix")
    assert state_of(session) is SessionState.REVIEWING
    context.close()


LARGE = ModelInfo("large", "example", "large-1", location="cloud")


def picked(context: FakeContext, item_id: str) -> str:
    """Choose from the list that is open; its label."""
    _, items, on_chosen = context.ui.picks[-1]
    label = next(item.label for item in items if item.id == item_id)
    on_chosen(item_id)
    return label


def offered(context: FakeContext) -> list[str]:
    """What the model chip's list offers to keep of a choice."""
    commands.choose_model(context)
    rows = [item for item in context.ui.picks[-1][1] if not item.id.startswith("model:")]
    assert rows.pop().id == "for_applying"
    return [item.label for item in rows]


def chip(editor: FakeEditor) -> str:
    model = editor.prompt.model.model
    assert model is not None
    return model.label


def test_a_model_is_made_the_default_of_a_preset_and_the_usual_one_again(opened: Open) -> None:
    context, editor, session = opened()
    context.models.others.append(LARGE)
    usual = context.models.list_models()[0].name
    editor.prompt.say(WordsChanged("/fix it", 7))
    assert offered(context) == []
    picked(context, "model:large")
    assert chip(editor) == "large"
    assert offered(context) == ["Set as default for /fix", "Set as default for all inline edits"]
    picked(context, "for_preset")
    assert context.settings.get("presets") == [{"name": "fix", "model": "large"}]
    assert context.ui.notices[-1] == "/fix asks the model large from now on."
    editor.prompt.say(WordsChanged("another thing", 13))
    assert chip(editor) == usual
    assert offered(context) == []
    editor.prompt.say(WordsChanged("/fix", 4))
    assert chip(editor) == "large"
    assert offered(context)[0] == "Use the usual model for /fix"
    assert picked(context, "usual_for_preset") == "Use the usual model for /fix"
    assert context.settings.get("presets") == []
    assert chip(editor) == usual
    assert session.has_focus


def test_the_embedded_model_takes_over_where_a_server_fails(opened: Open) -> None:
    context, editor, session = opened([ConnectionFailed("Nothing answers at a.test.")], wrapped(BETTER))
    embedded = ModelInfo("qwen", "local_model", "qwen", location="embedded")
    context.models.others.append(embedded)
    run(context, session)
    assert editor.prompt.model.strip is not None
    assert [action.id for action in editor.prompt.model.strip.actions][-1] == "use_embedded"
    editor.prompt.say(ActionTriggered("use_embedded"))
    context.tasks.settle(lambda: not session.state.is_running)
    assert context.models.opened[-1] == embedded
    assert state_of(session) is SessionState.REVIEWING


def test_the_list_of_models_says_what_each_is(opened: Open) -> None:
    context, _, _ = opened()
    context.models.others += [LARGE, ModelInfo("qwen", "local_model", "qwen", location="embedded")]
    commands.choose_model(context)
    told = {item.label: item.detail for item in context.ui.picks[-1][1] if item.id.startswith("model:")}
    assert (told["large"], told["qwen"]) == ("large-1", "on this computer")


def test_a_model_is_made_the_default_of_a_preset_by_command(opened: Open) -> None:
    context, editor, session = opened()
    context.models.others.append(LARGE)
    session.choose_model(LARGE)
    editor.prompt.say(WordsChanged("as you like", 11))
    commands.keep_model(context)
    assert context.ui.notices[-1].startswith("Begin the instruction with a preset")
    editor.prompt.say(WordsChanged("/doc", 4))
    commands.keep_model(context)
    assert context.settings.get("presets") == [{"name": "doc", "model": "large"}]


def test_a_model_is_made_the_default_for_all_edits(opened: Open) -> None:
    context, _, session = opened()
    context.models.others.append(LARGE)
    session.choose_model(LARGE)
    assert offered(context) == ["Set as default for all inline edits"]
    picked(context, "for_edits")
    assert context.settings.get("default_models.inline_edit") == "large"


def test_a_run_of_a_preset_asks_its_model_and_other_words_the_usual_one(opened: Open) -> None:
    context, editor, session = opened(wrapped(BETTER), wrapped(FUNCTION))
    context.models.others.append(LARGE)
    context.settings.set("presets", [{"name": "fix", "model": "large"}])
    session.use_presets(commands.manager_of(context).presets_for(editor, session.lines))
    run(context, session, "/fix")
    assert context.models.opened == [LARGE]
    run(context, session, "shorter")
    assert context.models.opened[-1] != LARGE
