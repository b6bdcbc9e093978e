from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import pytest
from pytestqt.qtbot import QtBot

from redraft.api.disposable import DisposableStack, OnDispose
from redraft.api.editor import TextEditor
from redraft.api.prompt_block import PromptModel, Submitted
from redraft.api.ui import PickItem, StatusModel
from redraft.core.config.store import SettingsStore
from redraft.core.errors import UsageError
from redraft.core.llm.loop import EventLoopThread
from redraft.core.prompts import PromptLibrary
from redraft.core.text import TextRange
from redraft.host.guard import Guard, PluginProblem
from redraft.host.manifest import parse_manifest
from redraft.host.models import ModelService
from redraft.host.privacy import PrivacyRules
from redraft.qt.documents.document import Document
from redraft.qt.guarded.editor import GuardedEditor
from redraft.qt.plugin_context import SharedServices, WindowContext
from redraft.qt.plugin_editors import ClosableEditor, EditorsService
from redraft.qt.plugin_ui import WindowVoice
from redraft.qt.tasks import TaskRunner
from redraft.qt.workbench import Workbench


class RecordingEditor:
    """A text editor that keeps what it is asked to show."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.callbacks: dict[str, Callable[..., None]] = {}
        self.closed: list[str] = []

    def show_prompt(self, anchor: TextRange, model: PromptModel, *, on_event: Callable[..., None]) -> Any:
        self.callbacks["prompt"] = on_event
        return OnDispose(lambda: self.closed.append("prompt"))

    def on_did_change(self, callback: Callable[..., None]) -> Any:
        self.callbacks["change"] = callback
        return OnDispose(lambda: self.closed.append("change"))

    def on_did_close(self, callback: Callable[[], None]) -> Any:
        self.callbacks.setdefault("close", callback)
        return OnDispose(lambda: self.closed.append("close"))


class Plugin:
    """A context, and what its guard heard."""

    def __init__(self, bench: Workbench, pages: list[str]) -> None:
        self.problems: list[PluginProblem] = []
        self.kept = DisposableStack()
        self.loop = EventLoopThread()
        self.loop.start()
        self.tasks = TaskRunner(self.loop, bench)
        settings = SettingsStore()
        privacy = PrivacyRules(settings)
        shared = SharedServices(
            bench.registries,
            EditorsService(bench, lambda document: cast("ClosableEditor", RecordingEditor(document))),
            WindowVoice(bench, pages.append),
            self.tasks,
            settings,
            PromptLibrary(),
            ModelService([], settings, privacy),
            privacy,
            lambda: [{"name": "doc", "plugin": "demo"}],
        )
        manifest = parse_manifest('id = "demo"\nname = "Demo"\nversion = "1"', "demo")
        guard = Guard("demo", "Demo", on_problem=self.problems.append)
        self.context = WindowContext(manifest, self.kept, guard, shared)


@pytest.fixture
def pages() -> list[str]:
    return []


@pytest.fixture
def plugin(bench: Workbench, pages: list[str]) -> Iterator[Plugin]:
    plugin = Plugin(bench, pages)
    yield plugin
    plugin.tasks.stop()


def recording(plugin: Plugin) -> RecordingEditor:
    active = plugin.context.editor.active
    assert isinstance(active, GuardedEditor)
    return cast("RecordingEditor", active._editor)


def test_the_same_file_is_the_same_editor(bench: Workbench, plugin: Plugin, tmp_path: Path) -> None:
    bench.documents.new()
    first = plugin.context.editor.active
    assert first is not None
    assert plugin.context.editor.active is first
    assert list(plugin.context.editor.all) == [first]
    bench.open_folder(tmp_path)
    assert plugin.context.editor.folder == tmp_path


def test_a_plugin_hears_which_file_is_in_front(bench: Workbench, plugin: Plugin) -> None:
    heard: list[TextEditor | None] = []
    plugin.context.editor.on_did_change_active(heard.append)
    bench.documents.new()
    assert heard == [plugin.context.editor.active]
    plugin.kept.dispose()
    bench.documents.new()
    assert len(heard) == 1


def test_a_callback_that_raises_is_named_and_stays_alone(bench: Workbench, plugin: Plugin) -> None:
    bench.documents.new()
    editor = plugin.context.editor.active
    assert editor is not None

    def fail(_event: object) -> None:
        raise KeyError("hunk")

    editor.show_prompt(TextRange(0, 0), PromptModel(), on_event=fail)
    recording(plugin).callbacks["prompt"](Submitted("x"))
    assert [problem.is_fault for problem in plugin.problems] == [True]
    assert "Demo" in plugin.problems[0].message


def test_what_a_plugin_shows_goes_with_it(bench: Workbench, plugin: Plugin) -> None:
    bench.documents.new()
    editor = plugin.context.editor.active
    assert editor is not None
    prompt = editor.show_prompt(TextRange(0, 0), PromptModel(), on_event=lambda _event: None)
    editor.on_did_change(lambda _change: None)
    shown = recording(plugin)
    plugin.context.ui.status_item("demo").update(StatusModel("Working"))
    assert bench.window.status.item("demo") is not None
    plugin.kept.dispose()
    assert set(shown.closed) >= {"prompt", "change"}
    assert prompt is not None
    assert bench.window.status.item("demo") is None


def test_tasks_end_with_the_plugin(plugin: Plugin, qtbot: QtBot) -> None:
    async def numbers() -> AsyncIterator[int]:
        number = 0
        while True:
            yield number
            number += 1

    seen: list[int] = []

    def take(events: Sequence[int]) -> None:
        seen.extend(events)

    task = plugin.context.tasks.start(numbers(), on_events=take, on_done=lambda _error: None)
    qtbot.waitUntil(lambda: len(seen) > 3, timeout=10_000)
    plugin.kept.dispose()
    qtbot.waitUntil(lambda: task.is_done, timeout=10_000)


def test_a_plugin_asks_says_and_opens(bench: Workbench, plugin: Plugin, pages: list[str], qtbot: QtBot) -> None:
    chosen: list[str] = []
    bench.window.show()
    plugin.context.ui.pick("Model", [PickItem("a", "Small"), PickItem("b", "Large")], on_chosen=chosen.append)
    qtbot.keyClicks(bench.window.picker.field, "large")
    bench.window.picker.accept()
    assert chosen == ["b"]
    plugin.context.ui.notify("Done.")
    assert bench.window.toasts.shown[-1].model.text == "Done."
    plugin.context.ui.announce("3 changes")
    plugin.context.ui.show_text("Answer", "words", "markdown")
    active = bench.documents.active
    assert active is not None
    assert (active.title, active.editor.plain_text(), active.editor.language_id) == ("Answer", "words", "markdown")
    plugin.context.ui.open_settings("models")
    assert pages == ["models"]


def test_commands_know_their_keys_and_set_context(bench: Workbench, plugin: Plugin) -> None:
    assert plugin.context.commands.key_label("view.sidebar") == "Ctrl+B"
    plugin.context.commands.execute("view.sidebar")
    assert not bench.window.is_sidebar_shown
    plugin.context.commands.set_context("diff_visible", True)
    assert bench.registries.context["diff_visible"] is True
    with pytest.raises(UsageError):
        plugin.context.commands.execute("no.such")


def test_contributions_and_storage_are_the_plugins_own(plugin: Plugin) -> None:
    assert plugin.context.contributions.presets() == [{"name": "doc", "plugin": "demo"}]
    plugin.context.storage.write("history.json", "[]")
    assert plugin.context.storage.read("history.json") == "[]"
