from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from fakes import FakeEditor
from live_desk import Desk
from redraft_edit_prediction.live.rules import Rules

MakeDesk = Callable[..., Desk]


@pytest.fixture
def desk(make_desk: MakeDesk) -> Desk:
    return make_desk()


@pytest.fixture
def rules(desk: Desk) -> Rules:
    return desk.watcher.rules


def set_patterns(desk: Desk, *patterns: str) -> None:
    desk.context.settings.set("edit_prediction.off_files", patterns)


@pytest.mark.parametrize(
    ("pattern", "is_off"),
    [("*.py", True), ("sums.py", True), ("/sums.py", True), ("src/", False), ("*.md", False), ("", False)],
)
def test_patterns_are_read_as_in_gitignore(desk: Desk, rules: Rules, pattern: str, is_off: bool) -> None:  # noqa: FBT001 - a table
    set_patterns(desk, pattern)
    assert bool(rules.off_pattern(desk.editor)) is is_off


def test_a_file_outside_of_the_folder_is_compared_by_its_whole_path(desk: Desk, rules: Rules) -> None:
    outside = FakeEditor("", path=Path("/elsewhere/notes/a.py"))
    set_patterns(desk, "notes/")
    assert rules.off_pattern(outside) == "notes/"


def test_the_last_pattern_that_names_a_file_decides_and_is_named(desk: Desk, rules: Rules) -> None:
    set_patterns(desk, "*.py", "", "!sums.py")
    assert rules.off_pattern(desk.editor) == ""
    assert rules.off_pattern(desk.other) == "*.py"


def test_one_file_is_switched_off_and_on(desk: Desk, rules: Rules) -> None:
    rules.toggle_file(desk.editor)
    assert desk.context.settings.get("edit_prediction.off_files") == ["sums.py"]
    rules.toggle_file(desk.editor)
    assert desk.context.settings.get("edit_prediction.off_files") == []


def test_a_file_that_a_wider_pattern_names_is_switched_on_as_an_exception(desk: Desk, rules: Rules) -> None:
    set_patterns(desk, "*.py")
    rules.toggle_file(desk.editor)
    assert desk.context.settings.get("edit_prediction.off_files") == ["*.py", "!sums.py"]
    assert rules.off_pattern(desk.editor) == ""
    rules.toggle_file(desk.editor)
    assert desk.context.settings.get("edit_prediction.off_files") == ["*.py"]


def test_signs_of_patterns_in_a_name_are_just_letters(desk: Desk, rules: Rules) -> None:
    strange = FakeEditor("", path=Path("/project/a[1] *.py"))
    rules.toggle_file(strange)
    assert rules.off_pattern(strange)
    assert not rules.off_pattern(FakeEditor("", path=Path("/project/a1 x.py")))


def test_a_model_of_this_machine_waits_while_an_edit_wants_it(make_desk: MakeDesk) -> None:
    here, server = make_desk(), make_desk(location="server")
    for desk in (here, server):
        desk.other.set_under_edit(is_under_edit=True)
    obstacle = here.watcher.rules.obstacle(here.editor)
    assert obstacle is not None
    assert "wanted for an edit" in obstacle.sentence
    assert server.watcher.rules.obstacle(server.editor) is None
