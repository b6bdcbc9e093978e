from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from live_desk import CODE, RENAMED, SAME, Desk
from redraft.api.ui import StatusModel
from redraft.core.diff.predicted import PredictedEdit
from redraft.core.errors import ConnectionFailed, RateLimited
from redraft.core.llm.messages import Stop, StopReason, TextDelta
from redraft_edit_prediction.live import commands

MakeDesk = Callable[..., Desk]


def test_a_change_is_followed_by_a_prediction_that_is_not_in_the_text(make_desk: MakeDesk) -> None:
    desk = make_desk(RENAMED)
    desk.rename()
    desk.settle()
    prediction = desk.editor.prediction
    assert prediction is not None
    assert [(edit.removed, edit.added) for edit in prediction.edits] == [("n", "count"), ("n", "count")]
    assert desk.editor.text == CODE.replace("n = 0", "count = 0")
    assert desk.words == ["Shown, line 4"]
    assert desk.context.ui.announcements == ["An edit is predicted in line 4.  takes it."]


def test_accepting_one_edit_after_the_other_asks_nobody_in_between(make_desk: MakeDesk) -> None:
    desk = make_desk(RENAMED, RENAMED)
    desk.rename()
    desk.settle()
    desk.watcher.accept()
    desk.watcher.accept()
    assert desk.editor.text == CODE.replace("n = 0", "count = 0").replace("n += 1", "count += 1").replace(
        "return n", "return count"
    )
    assert desk.words[:2] == ["Accepted", "Accepted in part"]
    assert len(desk.client.requests) == 1
    desk.settle()
    assert len(desk.client.requests) == 2
    assert [event.predicted for event in desk.watcher.history.events()] == [False, True]


def test_typing_on_ends_a_request_and_begins_another(make_desk: MakeDesk) -> None:
    desk = make_desk(RENAMED, RENAMED)
    desk.rename()
    desk.settle(lambda: len(desk.client.requests) == 1)
    desk.editor.insert("er")
    assert desk.editor.prediction is None
    desk.settle()
    assert len(desk.client.requests) == 2


def test_typing_along_asks_nobody_and_typing_against_it_asks_again(make_desk: MakeDesk) -> None:
    completed = SAME.replace("count = 0", "count = 0  # so far")
    desk = make_desk(completed, SAME)
    desk.rename()
    desk.editor.put_caret(desk.editor.text.index("= 0") + 3)
    desk.settle()
    assert desk.editor.prediction is not None
    desk.editor.insert("  # so")
    assert desk.editor.prediction is not None
    assert desk.editor.prediction.edits[0].added == " far"
    assert len(desk.client.requests) == 1
    desk.editor.insert("x")
    assert desk.editor.prediction is None
    assert desk.words[0] == "Dropped, you typed on"
    desk.settle()
    assert len(desk.client.requests) == 2


def test_typing_elsewhere_keeps_it_and_asks_about_that_place(make_desk: MakeDesk) -> None:
    desk = make_desk(RENAMED, RENAMED)
    desk.rename()
    desk.settle()
    desk.editor.put_caret(0)
    desk.editor.insert("#")
    assert desk.editor.prediction is not None
    desk.settle()
    assert len(desk.client.requests) > 1
    assert desk.editor.prediction is not None


def test_the_first_edit_is_shown_while_the_answer_still_arrives(make_desk: MakeDesk) -> None:
    start = "    count = 0\n    for item in items:\n        count += 1\n        print(item)\n    return n\n"
    desk = make_desk([TextDelta(start), *[TextDelta("")] * 50, Stop(StopReason.END)])
    desk.rename()
    desk.settle(lambda: desk.editor.prediction is not None)
    assert not desk.context.tasks.is_quiet
    desk.watcher.accept()
    assert "count += 1" in desk.editor.text
    desk.settle()
    assert desk.words.count("Accepted") == 1


def test_undo_asks_nobody(make_desk: MakeDesk) -> None:
    desk = make_desk()
    desk.rename()
    desk.editor.change(desk.editor.text.index("count"), "count", "n", is_undo=True)
    desk.settle()
    assert desk.client.requests == []


def test_undo_over_a_shown_prediction_asks_nobody_either(make_desk: MakeDesk) -> None:
    desk = make_desk(RENAMED)
    desk.rename()
    desk.settle()
    at = desk.editor.text.index("n += 1")
    desk.editor.change(at, "n += 1", "m", is_undo=True)
    assert desk.editor.prediction is None
    desk.settle()
    assert len(desk.client.requests) == 1


def test_hiding_asks_nobody_until_the_next_change(make_desk: MakeDesk) -> None:
    desk = make_desk(RENAMED, SAME)
    desk.rename()
    desk.settle()
    desk.watcher.hide()
    desk.settle()
    assert len(desk.client.requests) == 1
    assert desk.words[0] == "Hidden"
    desk.editor.insert("s")
    desk.settle()
    assert len(desk.client.requests) > 1


def test_no_suggestion_and_a_held_one_are_told_apart(make_desk: MakeDesk) -> None:
    undone = SAME.replace("count = 0", "n = 0")
    desk = make_desk(SAME, undone, undone, second_try=False)
    desk.rename()
    desk.settle()
    assert desk.words == ["No suggestion"]
    assert desk.status.tooltip.startswith("Edit prediction: No suggestion here.")
    desk.now += 3600
    desk.editor.change(desk.editor.text.index("count"), "count", "total")
    desk.client.requests.clear()
    desk.settle()
    assert desk.words[0].startswith("Held back by review")


def test_what_is_held_goes_back_to_a_server_once(make_desk: MakeDesk) -> None:
    head = "def total(items):\n"
    undone = head + SAME.replace("count = 0", "n = 0")
    repaired = f"`````\n<|editable_region_start|>\n{head}{RENAMED}\n`````\n"
    desk = make_desk(undone, repaired, location="server")
    desk.rename()
    desk.settle()
    assert desk.editor.prediction is not None
    assert [edit.added for edit in desk.editor.prediction.edits] == ["count", "count"]
    third = desk.client.requests[1].messages
    assert [message.role.value for message in third] == ["user", "assistant", "user"]
    assert "undo" in third[2].content


def test_a_model_of_this_machine_gets_no_second_try(make_desk: MakeDesk) -> None:
    desk = make_desk(SAME.replace("count = 0", "n = 0"))
    desk.rename()
    desk.settle()
    assert len(desk.client.requests) == 1
    assert desk.words[0] == "Held back by review: takes back your last edit"


def test_where_the_old_name_still_stands_in_another_file_is_asked_next(make_desk: MakeDesk) -> None:
    desk = make_desk("def sums(items):\n    n = 0\n", "print(sums([1]))\n", "print(sums([1]))\n")
    desk.editor.change(desk.editor.text.index("total"), "total", "sums")
    desk.settle()
    prediction = desk.editor.prediction
    assert prediction is not None
    assert prediction.model.elsewhere.startswith("use.py, line ")
    assert desk.words[0].endswith("of use.py")
    desk.watcher.accept()
    assert desk.other.has_focus


def test_errors_are_told_and_asking_rests_a_while(make_desk: MakeDesk) -> None:
    desk = make_desk([ConnectionFailed("No route to example.org.", kind="refused")], RENAMED)
    desk.rename()
    desk.settle()
    assert desk.status.tone.value == "warn"
    assert "No route to example.org" in desk.status.tooltip
    assert "Next try in" in desk.status.tooltip
    assert desk.words == ["Failed: ConnectionFailed"]


def test_a_server_that_asks_to_wait_is_left_alone_so_long(make_desk: MakeDesk) -> None:
    desk = make_desk([RateLimited("Too many requests.", retry_after=120)])
    desk.rename()
    desk.settle()
    assert "Next try in 120.0 s" in desk.status.tooltip


def test_an_answer_that_cannot_be_read_is_no_error_of_the_server(make_desk: MakeDesk) -> None:
    desk = make_desk([TextDelta("x"), Stop(StopReason.END)])
    desk.client.capabilities = type(desk.client.capabilities)(prefill=False)
    desk.rename()
    desk.settle()
    assert desk.words == ["The answer could not be read"]


@pytest.mark.parametrize(
    ("obstruct", "text"),
    [
        (lambda desk: desk.editor.set_under_edit(is_under_edit=True), "Paused here"),
        (lambda desk: setattr(desk.editor, "is_read_only", True), "Paused here"),
        (lambda desk: setattr(desk.editor, "is_large", True), "Paused here"),
        (lambda desk: desk.context.privacy.secret.add(Path("/project/sums.py")), "Off here"),
        (lambda desk: commands.toggle_language(desk.context), "Off here"),
        (lambda desk: commands.toggle_file(desk.context), "Off here"),
        (lambda desk: desk.watcher.snooze(), "Snoozed"),
        (lambda desk: commands.switch_off(desk.context), "Prediction off"),
        (lambda desk: setattr(desk.context.privacy, "ai_enabled", False), "Prediction off"),
        (lambda desk: desk.lose_model(), "Prediction off"),
    ],
)
def test_nothing_is_asked_where_it_should_not_be(
    make_desk: MakeDesk, obstruct: Callable[[Desk], None], text: str
) -> None:
    desk = make_desk(RENAMED)
    desk.context.plugin_id = "edit_prediction"
    commands.WATCHERS[id(desk.context)] = desk.watcher
    try:
        obstruct(desk)
        desk.rename()
        desk.settle()
        desk.watcher.refresh()
        assert desk.client.requests == []
        assert desk.status.text == text
    finally:
        del commands.WATCHERS[id(desk.context)]


def test_the_text_of_a_file_that_is_left_out_is_not_shown_for_another(make_desk: MakeDesk) -> None:
    desk = make_desk("def sums(items):\n    n = 0\n", "x")
    desk.context.privacy.secret.add(Path("/project/use.py"))
    desk.editor.change(desk.editor.text.index("total"), "total", "sums")
    desk.settle()
    assert len(desk.client.requests) == 1


def test_nothing_is_predicted_on_its_own_until_a_model_is_chosen(make_desk: MakeDesk) -> None:
    desk = make_desk(RENAMED, mode="auto")
    desk.rename()
    desk.settle()
    assert desk.client.requests == []
    assert "until a model is chosen" in desk.status.tooltip
    desk.context.settings.set("default_models.edit_prediction", "scripted")
    desk.editor.insert("s")
    desk.settle(lambda: len(desk.client.requests) == 1)


def test_automatic_predictions_rest_while_the_model_is_slow(make_desk: MakeDesk) -> None:
    desk = make_desk(mode="auto")
    desk.context.settings.set("default_models.edit_prediction", "scripted")
    for _ in range(3):
        desk.watcher.journal.took(60)
    desk.rename()
    desk.settle()
    assert desk.client.requests == []
    assert desk.status.text == "Prediction rests"
    commands.show_eagerly(desk.context)
    assert desk.status.text == "Prediction"


def test_sleep_ends_by_itself(make_desk: MakeDesk) -> None:
    desk = make_desk(RENAMED)
    desk.watcher.snooze()
    desk.now += 601
    desk.rename()
    desk.settle()
    assert len(desk.client.requests) == 1


def test_a_text_from_disk_is_nobodys_edit(make_desk: MakeDesk) -> None:
    desk = make_desk(RENAMED)
    desk.rename()
    desk.settle()
    desk.editor.change(0, "def total", "def sums", is_from_disk=True)
    desk.settle()
    assert len(desk.client.requests) == 1
    assert len(desk.watcher.history.events()) == 1


def test_the_menu_says_how_it_stands_and_what_happened(make_desk: MakeDesk) -> None:
    desk = make_desk(RENAMED)
    commands.WATCHERS[id(desk.context)] = desk.watcher
    try:
        desk.rename()
        desk.settle()
        commands.open_menu(desk.context)
        menu, choose = desk.context.ui.menus[-1]
        assert menu.title == "Edit prediction"
        assert menu.text.startswith("Ready. The last one took")
        labels = [row.label for section in menu.sections for row in section.rows]
        assert labels[:3] == ["Show at once", "Show only while Alt is held", "Off"]
        assert "Off for Python" in labels
        assert "Off for sums.py" in labels
        assert "Shown, line 4" in labels
        choose("subtle")
        assert desk.context.settings.get("edit_prediction.mode") == "subtle"
        choose("file")
        assert desk.context.settings.get("edit_prediction.off_files") == ["sums.py"]
        choose("file")
        assert desk.context.settings.get("edit_prediction.off_files") == []
    finally:
        del commands.WATCHERS[id(desk.context)]


def test_stopping_ends_what_is_under_way(make_desk: MakeDesk) -> None:
    desk = make_desk(RENAMED)
    desk.rename()
    desk.settle(lambda: desk.editor.prediction is not None)
    desk.watcher.stop()
    assert desk.editor.prediction is None


def test_a_window_has_one_watcher_until_the_plugin_goes(make_desk: MakeDesk) -> None:
    desk = make_desk()
    watcher = commands.watcher_of(desk.context)
    assert commands.watcher_of(desk.context) is watcher
    desk.context.close()
    assert id(desk.context) not in commands.WATCHERS


def test_edits_are_minimal(make_desk: MakeDesk) -> None:
    desk = make_desk(RENAMED)
    desk.rename()
    desk.settle()
    assert desk.editor.prediction is not None
    at = desk.editor.text.index("n += 1")
    assert desk.editor.prediction.edits[0] == PredictedEdit(at, "n", "count")
    assert isinstance(desk.status, StatusModel)
