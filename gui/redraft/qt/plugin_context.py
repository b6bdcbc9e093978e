"""What a plugin is handed in the window: the shared services, each callback guarded, each registration taken back."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from redraft.api.disposable import Disposable, DisposableStack
from redraft.api.editor import ScratchTab, TextEditor
from redraft.api.inline_diff import KeptProposal
from redraft.api.menu import MenuModel
from redraft.api.models import Models
from redraft.api.prompt_block import Tone
from redraft.api.services import Privacy, Prompts, SettingsView
from redraft.api.tasks import TaskHandle, Tasks
from redraft.api.ui import PanelModel, PickItem, StatusItem
from redraft.host.guard import Guard
from redraft.host.manifest import PluginManifest
from redraft.host.registries import Registries
from redraft.host.storage import PluginLog, PluginStorage
from redraft.qt.guarded_editor import GuardedEditor
from redraft.qt.plugin_editors import EditorsService
from redraft.qt.plugin_ui import WindowVoice

E = TypeVar("E")
T = TypeVar("T")
Presets = Callable[[], Sequence[Mapping[str, Any]]]


@dataclass(frozen=True, slots=True)
class SharedServices:
    """What all plugins share; `presets` lists what they declare for each other."""

    registries: Registries
    editors: EditorsService
    voice: WindowVoice
    tasks: Tasks
    settings: SettingsView
    prompts: Prompts
    models: Models
    privacy: Privacy
    presets: Presets


class GuardedEditors:
    """`api.Editors` for one plugin."""

    def __init__(self, shared: EditorsService, guard: Guard, kept: DisposableStack) -> None:
        self._shared = shared
        self._guard = guard
        self._kept = kept
        self._guarded: dict[int, tuple[TextEditor, GuardedEditor]] = {}

    @property
    def active(self) -> TextEditor | None:
        """The one in front."""
        editor = self._shared.active
        return self._guard_editor(editor) if editor else None

    @property
    def all(self) -> Sequence[TextEditor]:
        """All of them, in the order of their tabs."""
        return [self._guard_editor(editor) for editor in self._shared.all]

    @property
    def folder(self) -> Path | None:
        """The open folder, if there is one."""
        return self._shared.folder

    def open_scratch(self, title: str, text: str, language_id: str = "plaintext") -> ScratchTab:
        """Open a text in a tab beside the one in front."""
        tab = self._shared.open_scratch(title, text, language_id)
        self._kept.add(tab)
        return GuardedTab(self._guard_editor(tab.editor), tab)

    def on_did_recover(self, callback: Callable[[TextEditor, KeptProposal], None]) -> Disposable:
        """Hear of proposals that outlived a crash."""
        guarded = self._guard.wrap("taking up a proposal", callback)
        heard = self._shared.on_did_recover(lambda editor, kept: guarded(self._guard_editor(editor), kept))
        self._kept.add(heard)
        return heard

    def on_did_change_active(self, callback: Callable[[TextEditor | None], None]) -> Disposable:
        """Hear that another file came to the front."""
        guarded = self._guard.wrap("hearing which file is in front", callback)
        heard = self._shared.on_did_change_active(
            lambda editor: guarded(self._guard_editor(editor) if editor else None)
        )
        self._kept.add(heard)
        return heard

    def _guard_editor(self, editor: TextEditor) -> GuardedEditor:
        """The same editor gives the same guarded one, so that a plugin can tell files apart by identity."""
        if id(editor) not in self._guarded:
            self._guarded[id(editor)] = editor, GuardedEditor(editor, self._guard, self._kept)
            editor.on_did_close(lambda: self._forget(editor))
        return self._guarded[id(editor)][1]

    def _forget(self, editor: TextEditor) -> None:
        self._guarded.pop(id(editor), None)


@dataclass(frozen=True, slots=True)
class GuardedTab:
    """`api.ScratchTab` for one plugin."""

    editor: TextEditor
    tab: ScratchTab

    def dispose(self) -> None:
        """Close the tab."""
        self.tab.dispose()


class GuardedTasks:
    """`api.Tasks` for one plugin; what still runs when it goes is cancelled."""

    def __init__(self, shared: Tasks, guard: Guard, kept: DisposableStack) -> None:
        self._shared = shared
        self._guard = guard
        self._running: set[TaskHandle] = set()
        kept.add(_Cancelling(self._running))

    def start(
        self,
        events: AsyncIterator[E],
        *,
        on_events: Callable[[Sequence[E]], None],
        on_done: Callable[[Exception | None], None],
    ) -> TaskHandle:
        """Consume a stream; events come in batches, and all before `on_done`."""
        handle = self._shared.start(
            events,
            on_events=self._guard.wrap("taking in an answer", on_events),
            on_done=self._guard.wrap("ending a task", on_done),
        )
        return self._keep(handle)

    def run(
        self,
        work: Coroutine[Any, Any, T],
        *,
        on_done: Callable[[T], None],
        on_error: Callable[[Exception], None],
    ) -> TaskHandle:
        """Run one coroutine; neither callback comes after `cancel`."""
        handle = self._shared.run(
            work,
            on_done=self._guard.wrap("ending a task", on_done),
            on_error=self._guard.wrap("hearing of an error", on_error),
        )
        return self._keep(handle)

    def _keep(self, handle: TaskHandle) -> TaskHandle:
        self._running.difference_update({task for task in self._running if task.is_done})
        self._running.add(handle)
        return handle


class _Cancelling:
    def __init__(self, running: set[TaskHandle]) -> None:
        self._running = running

    def dispose(self) -> None:
        for task in list(self._running):
            task.cancel()
        self._running.clear()


class GuardedVoice:
    """`api.UserInterface` for one plugin."""

    def __init__(self, shared: WindowVoice, guard: Guard, kept: DisposableStack) -> None:
        self._shared = shared
        self._guard = guard
        self._kept = kept

    def notify(
        self,
        text: str,
        *,
        action: str = "",
        on_action: Callable[[], None] | None = None,
        tone: Tone = Tone.PLAIN,
    ) -> None:
        """Say one sentence that has no place in a block."""
        guarded = self._guard.wrap(f"“{action}”", on_action) if on_action else None
        self._shared.notify(text, action=action, on_action=guarded, tone=tone)

    def announce(self, text: str) -> None:
        """Say a sentence to screen readers only."""
        self._shared.announce(text)

    def pick(
        self,
        title: str,
        items: Sequence[PickItem],
        *,
        on_chosen: Callable[[str], None],
        current: str = "",
    ) -> None:
        """Let the user choose from a searchable list."""
        self._shared.pick(title, items, on_chosen=self._guard.wrap(f"“{title}”", on_chosen), current=current)

    def show_menu(self, item_id: str, menu: MenuModel, *, on_chosen: Callable[[str], None]) -> None:
        """Open a menu at one's item of the status bar."""
        self._shared.show_menu(item_id, menu, on_chosen=self._guard.wrap(f"“{menu.title}”", on_chosen))

    def show_text(self, title: str, text: str, language_id: str = "plaintext") -> None:
        """Open a new unsaved tab with some text."""
        self._shared.show_text(title, text, language_id)

    def copy(self, text: str) -> None:
        """Put text on the clipboard."""
        self._shared.copy(text)

    def status_item(self, item_id: str) -> StatusItem:
        """A place in the status bar of one's own."""
        item = self._shared.status_item(item_id)
        self._kept.add(item)
        return item

    def show_panel(self, panel_id: str, model: PanelModel) -> None:
        """Show a list."""
        self._shared.show_panel(panel_id, model)

    def open_settings(self, page: str = "") -> None:
        """Open the settings at a page (`"models"`)."""
        self._shared.open_settings(page)


class WindowCommands:
    """`api.Commands` over the registries."""

    def __init__(self, registries: Registries) -> None:
        self._registries = registries

    def execute(self, command_id: str, *args: object) -> None:
        """Run a command."""
        self._registries.commands.execute(command_id, *args)

    def key_label(self, command_id: str, *args: object) -> str:
        """The key that runs it, as shown to the user; empty where none is bound."""
        return self._registries.keymap.label(command_id, *args)

    def set_context(self, name: str, value: object) -> None:
        """Set a context key that when-expressions read."""
        self._registries.context.set(name, value)


class DeclaredContributions:
    """`api.Contributions`: what plugins declare for each other."""

    def __init__(self, presets: Presets) -> None:
        self._presets = presets

    def presets(self) -> Sequence[Mapping[str, Any]]:
        """All `[[presets]]` tables of enabled plugins, each with `plugin` added."""
        return self._presets()


class WindowContext:
    """Implements `api.PluginContext`."""

    def __init__(self, manifest: PluginManifest, kept: DisposableStack, guard: Guard, shared: SharedServices) -> None:
        self.plugin_id = manifest.id
        self.editor = GuardedEditors(shared.editors, guard, kept)
        self.ui = GuardedVoice(shared.voice, guard, kept)
        self.tasks = GuardedTasks(shared.tasks, guard, kept)
        self.settings = shared.settings
        self.prompts = shared.prompts
        self.models = shared.models
        self.privacy = shared.privacy
        self.storage = PluginStorage(manifest.id)
        self.commands = WindowCommands(shared.registries)
        self.contributions = DeclaredContributions(shared.presets)
        self.log = PluginLog(manifest.id)
        self._kept = kept

    def keep(self, item: Disposable) -> None:
        """Take `item` back when the plugin is deactivated."""
        self._kept.add(item)
