from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from host.samples import forget_modules, start_host, step_clock, write_plugin
from redraft.core.errors import UsageError
from redraft.host.discovery import Origin
from redraft.host.guard import Guard
from redraft.host.manager import PluginState
from redraft.host.watchdog import Watchdog

MANIFEST = """
    id = "sample"
    name = "Sample"
    version = "1"
    activate = "PACKAGE:activate"
    [[commands]]
    id = "sample.greet"
    title = "Greet"
    handler = "PACKAGE.commands:greet"
    [[commands]]
    id = "sample.fail"
    title = "Fail"
    handler = "PACKAGE.commands:fail"
    [[commands]]
    id = "sample.leave"
    title = "Leave"
    handler = "PACKAGE.commands:leave"
    [[commands]]
    id = "sample.absent"
    title = "Absent"
    handler = "PACKAGE.commands:absent"
    [[commands]]
    id = "sample.say"
    title = "Say"
    handler = "PACKAGE.commands:say"
    [[menus]]
    menu = "AI"
    command = "sample.greet"
    [[keybindings]]
    command = "sample.greet"
    key = "F8"
    [[context]]
    name = "sample.greeting"
    description = "A greeting."
"""
START = """
    from redraft.api.disposable import OnDispose

    def activate(context):
        context.notes.append("activated")
        context.keep(OnDispose(lambda: context.notes.append("taken back")))
"""
SPIN = """
    def spin(context):
        while True:
            try:
                number = 1
            except Exception:
                pass
"""
COMMANDS = """
    import sys
    from redraft.core.errors import ModelUnavailable

    def greet(context, *names):
        context.notes.append(names)

    def fail(context):
        raise ValueError("boom")

    def leave(context):
        sys.exit(3)

    def say(context):
        raise ModelUnavailable("No model is set up; choose one in Settings, Models.")
"""


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "plugins"
    forget_modules()


@pytest.fixture
def sample(folder: Path) -> str:
    return write_plugin(folder, MANIFEST, __init__=START, commands=COMMANDS)


def test_everything_is_declared_before_any_code_is_fetched(folder: Path, sample: str) -> None:
    host = start_host(folder)
    assert sample not in sys.modules
    assert host.registries.commands.is_enabled("sample.greet")
    assert host.registries.keymap.label("sample.greet") == "F8"
    assert [menu.title for menu in host.registries.menus.menu_bar()] == ["AI"]
    assert host.registries.context["sample.greeting"] is False
    assert host.manager.status("sample").state is PluginState.READY


def test_the_first_use_activates_once(folder: Path, sample: str) -> None:
    host = start_host(folder)
    host.registries.commands.execute("sample.greet", "Ada")
    host.registries.commands.execute("sample.greet")
    (context,) = host.contexts
    assert context.notes == ["activated", ("Ada",), ()]
    assert sample in sys.modules
    assert host.manager.status("sample").state is PluginState.ACTIVE


def test_a_fault_is_named_logged_with_its_traceback_and_contained(
    folder: Path, sample: str, caplog: pytest.LogCaptureFixture
) -> None:
    host = start_host(folder)
    with caplog.at_level(logging.ERROR):
        host.registries.commands.execute("sample.fail")
    (problem,) = host.problems
    assert problem.message == "The plugin “Sample” failed in “Fail”: ValueError: boom. The log has the details."
    assert problem.is_fault
    assert not problem.is_off
    assert "in fail" in caplog.text
    assert caplog.records[0].name == "redraft.plugins.sample"
    host.registries.commands.execute("sample.greet")
    assert host.contexts[0].notes[-1] == ()


def test_three_faults_turn_it_off_and_one_click_brings_it_back(folder: Path, sample: str) -> None:
    host = start_host(folder)
    for _ in range(3):
        host.registries.commands.execute("sample.fail")
    assert [problem.is_off for problem in host.problems] == [False, False, True]
    assert host.problems[-1].message.endswith("It is off now.")
    status = host.manager.status("sample")
    assert (status.state, status.faults) == (PluginState.FAULTY, 3)
    assert host.contexts[0].notes == ["activated", "taken back"]
    assert host.registries.commands.all() == ()
    assert host.registries.keymap.all() == ()
    assert host.registries.menus.menu_bar() == ()
    assert host.manager.disabled == frozenset(), "a fault must not be remembered as the user's wish"

    host.manager.enable("sample")
    assert host.manager.status("sample").faults == 0
    host.registries.commands.execute("sample.greet", "again")
    assert host.contexts[1].notes == ["activated", ("again",)]


def test_leaving_the_process_is_contained_like_any_fault(folder: Path, sample: str) -> None:
    host = start_host(folder)
    host.registries.commands.execute("sample.leave")
    assert "SystemExit: 3" in host.problems[0].message


def test_a_message_to_the_user_is_shown_as_it_is_and_is_no_fault(folder: Path, sample: str) -> None:
    host = start_host(folder)
    for _ in range(4):
        host.registries.commands.execute("sample.say")
    assert host.problems[0].message == "No model is set up; choose one in Settings, Models."
    assert not host.problems[0].is_fault
    assert host.manager.status("sample").faults == 0


def test_a_handler_that_is_not_there_is_a_fault_that_names_it(folder: Path, sample: str) -> None:
    host = start_host(folder)
    host.registries.commands.execute("sample.absent")
    assert f"'sample' has no function '{sample}.commands:absent'" in host.problems[0].message


def test_a_plugin_that_fails_at_import_takes_nothing_down(folder: Path, sample: str) -> None:
    write_plugin(
        folder,
        """
        id = "broken"
        name = "Broken"
        version = "1"
        activate = "PACKAGE:activate"
        [[commands]]
        id = "broken.go"
        title = "Go"
        handler = "PACKAGE:go"
        """,
        __init__="raise RuntimeError('at import')",
    )
    host = start_host(folder)
    for _ in range(3):
        host.registries.commands.execute("broken.go")
    assert host.manager.status("broken").state is PluginState.FAULTY
    assert "RuntimeError: at import" in host.problems[0].message
    host.registries.commands.execute("sample.greet")
    assert host.manager.status("sample").state is PluginState.ACTIVE


def test_what_a_failing_activation_had_registered_is_taken_back(folder: Path) -> None:
    write_plugin(
        folder,
        MANIFEST,
        __init__=START + "\n        raise ValueError('half-way')\n",
        commands=COMMANDS,
    )
    host = start_host(folder)
    host.registries.commands.execute("sample.greet")
    assert host.contexts[0].notes == ["activated", "taken back"]
    assert host.manager.status("sample").state is PluginState.READY


def test_deactivating_takes_back_and_the_next_use_activates_anew(folder: Path, sample: str) -> None:
    host = start_host(folder)
    host.registries.commands.execute("sample.greet")
    host.manager.deactivate("sample")
    host.manager.deactivate("sample")
    assert host.contexts[0].notes == ["activated", (), "taken back"]
    host.registries.commands.execute("sample.greet")
    assert host.contexts[1].notes == ["activated", ()]


def test_an_end_that_fails_is_a_fault_and_the_plugin_still_goes(folder: Path) -> None:
    write_plugin(
        folder,
        MANIFEST,
        __init__="""
        from redraft.api.disposable import OnDispose

        def activate(context):
            context.keep(OnDispose(lambda: 1 / 0))
        """,
        commands=COMMANDS,
    )
    host = start_host(folder)
    host.registries.commands.execute("sample.greet")
    host.manager.disable("sample")
    assert host.manager.status("sample").state is PluginState.OFF
    assert "its end" in host.problems[0].message


def test_the_users_wish_is_kept_and_obeyed(folder: Path, sample: str) -> None:
    host = start_host(folder)
    host.manager.disable("sample")
    assert host.manager.disabled == {"sample"}
    assert host.registries.commands.all() == ()
    assert host.manager.enabled() == ()

    later = start_host(folder, disabled=host.manager.disabled)
    assert later.manager.status("sample").state is PluginState.OFF
    assert later.registries.commands.all() == ()
    later.manager.enable("sample")
    assert later.manager.disabled == frozenset()
    assert later.registries.commands.is_enabled("sample.greet")


def test_safe_mode_starts_with_none_and_forgets_no_wish(folder: Path, sample: str) -> None:
    host = start_host(folder, safe_mode=True)
    assert host.registries.commands.all() == ()
    assert host.manager.enabled() == ()
    assert host.manager.disabled == frozenset()
    host.manager.enable("sample")
    assert host.registries.commands.is_enabled("sample.greet")


def test_a_slow_callback_is_named_in_the_log(folder: Path, sample: str, caplog: pytest.LogCaptureFixture) -> None:
    # Its manifest is entered, it is activated, the command runs: each begins and ends.
    host = start_host(folder, guards=partial(Guard, clock=step_clock([0.0, 0.0, 0.0, 0.1, 1.0, 1.25])))
    with caplog.at_level(logging.WARNING):
        host.registries.commands.execute("sample.greet")
    assert [record.getMessage() for record in caplog.records] == [
        "The plugin Sample held its thread for 250 ms in “Greet”"
    ]


def test_a_plugin_may_wait_for_the_first_editor(folder: Path) -> None:
    write_plugin(
        folder, MANIFEST.replace("[[commands]]", 'activate_on = "editor"\n    [[commands]]', 1), __init__=START
    )
    host = start_host(folder)
    assert host.contexts == []
    host.manager.activate_on("editor")
    host.manager.activate_on("editor")
    assert [context.notes for context in host.contexts] == [["activated"]]


def test_a_command_two_plugins_declare_goes_to_the_first_and_is_a_fault_of_the_second(
    folder: Path, sample: str
) -> None:
    write_plugin(
        folder,
        """
        id = "sample-"
        name = "Twin"
        version = "1"
        [[commands]]
        id = "sample_.a"
        title = "A"
        """,
    )
    write_plugin(
        folder,
        """
        id = "sample_"
        name = "Other twin"
        version = "1"
        [[commands]]
        id = "sample_.a"
        title = "A"
        """,
    )
    host = start_host(folder)
    assert host.manager.status("sample_").faults == 1
    assert "declares 'sample_.a', a command that 'sample-' has" in host.manager.status("sample_").last_fault


def test_a_callback_that_never_ends_is_stopped_and_named(folder: Path, sample: str) -> None:
    spin = """
        id = "spinner"
        name = "Spinner"
        version = "1"
        [[commands]]
        id = "spinner.spin"
        title = "Spin"
        handler = "PACKAGE:spin"
    """
    write_plugin(folder, spin, __init__=SPIN)
    host = start_host(folder, guards=partial(Guard, watchdog=Watchdog(limit=0.2)))
    host.registries.commands.execute("spinner.spin")
    assert host.problems[0].message.startswith(
        "The plugin “Spinner” failed in “Spin”: CallbackStopped: it computed without an end and was stopped."
    )
    host.registries.commands.execute("sample.greet")
    assert host.manager.status("sample").state is PluginState.ACTIVE


def test_callbacks_a_plugin_forgot_to_take_back_do_nothing_after_its_end(folder: Path, sample: str) -> None:
    host = start_host(folder)
    host.registries.commands.execute("sample.greet")
    calls: list[int] = []
    forgotten = host.contexts[0].guard.wrap("a callback", calls.append)
    forgotten(1)
    host.manager.disable("sample")
    forgotten(2)
    host.manager.enable("sample")
    host.registries.commands.execute("sample.greet")
    forgotten(3)
    host.contexts[1].guard.wrap("a callback", calls.append)(4)
    assert calls == [1, 4]


def test_changes_of_state_are_heard(folder: Path, sample: str) -> None:
    host = start_host(folder)
    states: list[PluginState] = []
    host.manager.on_did_change(lambda status: states.append(status.state))
    host.registries.commands.execute("sample.greet")
    host.manager.disable("sample")
    host.manager.enable("sample")
    assert states == [PluginState.ACTIVE, PluginState.OFF, PluginState.READY]


def test_stopping_takes_everything_back(folder: Path, sample: str) -> None:
    host = start_host(folder)
    host.registries.commands.execute("sample.greet")
    host.manager.stop()
    assert host.contexts[0].notes[-1] == "taken back"
    assert host.registries.commands.all() == ()
    assert host.manager.disabled == frozenset()


def test_an_unknown_plugin_is_named(folder: Path) -> None:
    host = start_host(folder)
    with pytest.raises(UsageError, match="no plugin 'x'"):
        host.manager.enable("x")


def test_a_folder_without_init_works_too_and_its_modules_find_each_other(folder: Path) -> None:
    name = write_plugin(
        folder,
        MANIFEST,
        start=START,
        commands="from PACKAGE.helper import greet\n",
        helper="def greet(context):\n    pass\n",
    )
    (folder / name / "__init__.py").unlink()
    manifest = folder / name / "plugin.toml"
    manifest.write_text(manifest.read_text().replace(f"{name}:activate", f"{name}.start:activate"))
    host = start_host(folder)
    host.registries.commands.execute("sample.greet")
    assert host.problems == []
    assert host.manager.status("sample").state is PluginState.ACTIVE


def test_the_code_of_a_command_is_fetched_aside_and_awaited_in_the_windows_own_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands = """
        import threading
        THREAD = threading.current_thread()

        def greet(context):
            context.notes.append(THREAD is threading.current_thread())
    """
    write_plugin(tmp_path, MANIFEST, __init__=START, commands=commands)
    host = start_host(tmp_path, origin=Origin.INSTALLED)
    monkeypatch.syspath_prepend(tmp_path)
    ready: list[bool] = []
    waits: list[str] = []

    def wait_for(condition: Callable[[], bool]) -> None:
        waits.append("models" if condition == host.manager.is_ready else "code")
        ready.append(True)
        while not condition():
            pass

    host.manager.wait_for = wait_for
    host.manager.is_ready = lambda: len(ready) > 1
    for _ in range(2):
        assert host.registries.commands.execute("sample.greet")
    assert waits == ["code", "models"], "what has been fetched is not waited for"
    assert host.contexts[0].notes == ["activated", False, False]


def test_a_users_own_plugin_is_fetched_under_its_guard(tmp_path: Path) -> None:
    write_plugin(tmp_path, MANIFEST, __init__=START, commands="def greet(context): context.notes.append(1)")
    host = start_host(tmp_path)
    host.manager.wait_for = lambda _condition: pytest.fail("it may never come back")
    assert host.registries.commands.execute("sample.greet")
    assert host.contexts[0].notes == ["activated", 1]
