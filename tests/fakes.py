"""Stand-ins for the editor's services, for tests of plugins without a window."""

from __future__ import annotations

import asyncio
import tomllib
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from redraft.api.disposable import Disposable, OnDispose
from redraft.api.editor import GhostTextHandle, Indentation, TextChange, TextEditor
from redraft.api.inline_diff import (
    CurrentHunkChanged,
    DiffEvent,
    DiffKeys,
    DiffLayout,
    HunkDecided,
    HunkState,
    KeptProposal,
    ReviewHunk,
)
from redraft.api.menu import MenuModel
from redraft.api.prediction import PredictionClosed, PredictionEnd, PredictionEvent, PredictionModel, PredictionTaken
from redraft.api.prompt_block import PromptEvent, PromptModel, Tone
from redraft.api.ui import PanelModel, PickItem, StatusModel
from redraft.core.diff.hunks import DiffProgress
from redraft.core.diff.predicted import PredictedEdit, follow
from redraft.core.diff.proposal import Proposal
from redraft.core.errors import ModelUnavailable
from redraft.core.llm.client import Capabilities, ChatClient, ModelInfo
from redraft.core.llm.messages import ChatRequest, Stop, StopReason, StreamEvent, TextDelta
from redraft.core.prompts import PromptLibrary
from redraft.core.text import TextEdit, TextIndex, TextRange, apply_edits, split_lines

T = TypeVar("T")


class ScriptedClient:
    """A model that answers what it was told, one script for each request; an exception in a script is raised."""

    def __init__(
        self,
        *scripts: Iterable[StreamEvent | Exception] | str,
        info: ModelInfo | None = None,
        capabilities: Capabilities | None = None,
    ) -> None:
        self.info = info or ModelInfo("scripted", "test", "scripted-1")
        self.capabilities = capabilities or Capabilities()
        self.requests: list[ChatRequest] = []
        self.is_closed = False
        self._scripts = [answer(script) if isinstance(script, str) else list(script) for script in scripts]

    async def stream(self, request: ChatRequest) -> AsyncGenerator[StreamEvent, None]:
        self.requests.append(request)
        for event in self._scripts.pop(0):
            if isinstance(event, Exception):
                raise event
            await asyncio.sleep(0)
            yield event

    async def aclose(self) -> None:
        self.is_closed = True


def answer(text: str, reason: StopReason = StopReason.END, *, size: int = 7) -> list[StreamEvent | Exception]:
    """A whole answer in small pieces."""
    pieces = [TextDelta(text[start : start + size]) for start in range(0, len(text), size)]
    return [*pieces, Stop(reason)]


class MemorySettings:
    """Settings in a dictionary."""

    def __init__(self, **values: Any) -> None:
        self.values: dict[str, Any] = {name.replace("__", "."): value for name, value in values.items()}
        self._listeners: list[tuple[str, Callable[[Any], None]]] = []

    def get(self, name: str) -> Any:
        return self.values[name]

    def set(self, name: str, value: Any) -> None:
        self.values[name] = value
        for wanted, callback in list(self._listeners):
            if wanted == name:
                callback(value)

    def on_did_change(self, name: str, callback: Callable[[Any], None]) -> Disposable:
        entry = (name, callback)
        self._listeners.append(entry)
        return OnDispose(lambda: self._listeners.remove(entry))


class MemoryStorage:
    """A plugin's files in a dictionary."""

    def __init__(self, folder: Path = Path("/nowhere")) -> None:
        self.files: dict[str, str] = {}
        self.data_folder = folder
        self.cache_folder = folder

    def read(self, name: str) -> str | None:
        return self.files.get(name)

    def write(self, name: str, text: str) -> None:
        self.files[name] = text


class FixedModels:
    """One model, always the same client; others can be listed beside it."""

    def __init__(self, client: ChatClient | None = None) -> None:
        self.client = client
        self.others: list[ModelInfo] = []
        self.opened: list[ModelInfo] = []

    def list_models(self) -> Sequence[ModelInfo]:
        return [self.client.info, *self.others] if self.client else []

    def default(self, purpose: str) -> ModelInfo | None:
        return self.client.info if self.client else None

    def find(self, name: str) -> ModelInfo:
        for info in self.list_models():
            if info.name == name:
                return info
        raise ModelUnavailable(f"There is no model called {name}.")

    async def open(self, model: ModelInfo) -> ChatClient:
        self.opened.append(model)
        if self.client is None:
            raise ModelUnavailable("No model is set up.")
        return self.client


@dataclass
class OpenPrivacy:
    """Lets everything out but what `secret` names; trusts the folders in `trusted`."""

    ai_enabled: bool = True
    secret: set[Path] = field(default_factory=set)
    trusted: set[Path] = field(default_factory=set)

    def refusal(self, path: Path | None, *, model: ModelInfo | None = None) -> str:
        return f"{path.name} is named like a secret." if path in self.secret and path is not None else ""

    def allow(self, path: Path) -> None:
        self.secret.discard(path)

    def is_trusted(self, folder: Path) -> bool:
        return folder in self.trusted

    def trust(self, folder: Path) -> None:
        self.trusted.add(folder)


class ListedPresets:
    """Presets that plugins bring."""

    def __init__(self, *presets: Mapping[str, Any]) -> None:
        self._presets = presets

    def presets(self) -> Sequence[Mapping[str, Any]]:
        return self._presets


class QuietLog:
    """Keeps what was logged."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def debug(self, message: str, *args: object) -> None:
        self.lines.append(message % args)

    info = warning = error = debug


@dataclass
class FakeCliContext:
    """What a plugin's command line is handed."""

    settings: MemorySettings = field(default_factory=MemorySettings)
    models: FixedModels = field(default_factory=FixedModels)
    prompts: PromptLibrary = field(default_factory=PromptLibrary)
    storage: MemoryStorage = field(default_factory=MemoryStorage)
    privacy: OpenPrivacy = field(default_factory=OpenPrivacy)
    contributions: ListedPresets = field(default_factory=ListedPresets)
    log: QuietLog = field(default_factory=QuietLog)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run(work)


class FakeTask:
    """Work of `FakeTasks`."""

    def __init__(self, task: asyncio.Task[None]) -> None:
        self.task = task
        self.is_cancelled = False

    @property
    def is_done(self) -> bool:
        return self.task.done()

    def cancel(self) -> None:
        self.is_cancelled = True
        self.task.cancel()


class FakeTasks:
    """Runs coroutines while the test waits for something; callbacks come on the test's thread, as in the window."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self._jobs: list[FakeTask] = []

    @property
    def is_quiet(self) -> bool:
        return all(job.is_done for job in self._jobs)

    def start(
        self,
        events: AsyncIterator[Any],
        *,
        on_events: Callable[[Sequence[Any]], None],
        on_done: Callable[[Exception | None], None],
    ) -> FakeTask:
        async def consume() -> None:
            error: Exception | None = None
            try:
                async for event in events:
                    if not handle.is_cancelled:
                        on_events([event])
            except asyncio.CancelledError:
                pass
            except Exception as raised:  # noqa: BLE001 - handed on, as the window does
                error = raised
            on_done(error)

        handle = FakeTask(self.loop.create_task(consume()))
        self._jobs.append(handle)
        return handle

    def run(
        self, work: Coroutine[Any, Any, T], *, on_done: Callable[[T], None], on_error: Callable[[Exception], None]
    ) -> FakeTask:
        async def finish() -> None:
            try:
                result = await work
            except Exception as raised:  # noqa: BLE001 - handed on, as the window does
                on_error(raised)
            else:
                on_done(result)

        task = self.loop.create_task(finish())
        # Work that was cancelled before its first step would complain that nobody awaited it.
        task.add_done_callback(lambda _task: work.close())
        self._jobs.append(FakeTask(task))
        return self._jobs[-1]

    def settle(self, until: Callable[[], bool], *, seconds: float = 20.0) -> None:
        """Let work go on until something holds."""

        async def wait() -> None:
            while not until():  # noqa: ASYNC110 - what is waited for may be anything
                await asyncio.sleep(0.001)

        self.loop.run_until_complete(asyncio.wait_for(wait(), seconds))

    def close(self) -> None:
        """End all work."""
        for task in asyncio.all_tasks(self.loop):
            task.cancel()
        self.loop.run_until_complete(asyncio.sleep(0.01))
        self.loop.run_until_complete(self.loop.shutdown_asyncgens())
        self.loop.close()


class FakePrompt:
    """A prompt block that remembers what it showed."""

    def __init__(self, model: PromptModel, on_event: Callable[[PromptEvent], None]) -> None:
        self.models = [model]
        self.say = on_event
        self.has_focus = False
        self.is_disposed = False

    @property
    def model(self) -> PromptModel:
        return self.models[-1]

    def update(self, model: PromptModel) -> None:
        self.models.append(model)

    def focus(self) -> None:
        self.has_focus = True

    def dispose(self) -> None:
        self.is_disposed = True
        self.has_focus = False


class FakeDiff:
    """A proposal over the lines of a `FakeEditor`, with decisions but no pixels."""

    def __init__(self, editor: FakeEditor, lines: TextRange, on_event: Callable[[DiffEvent], None]) -> None:
        first = TextIndex(editor.text).line_at(lines.start)
        self.original = lines.of(editor.text)
        self.proposal = Proposal(split_lines(self.original), first)
        self.say = on_event
        self.is_finished = False
        self.is_disposed = False
        self.progress: DiffProgress | None = None
        self.layout = DiffLayout.INLINE
        self._editor = editor

    def show_as(self, layout: DiffLayout) -> None:
        self.layout = layout

    @property
    def current(self) -> int | None:
        return next(iter(self.proposal.undecided_ids), None)

    @property
    def hunks(self) -> Sequence[ReviewHunk]:
        return self.proposal.hunks

    @property
    def proposed(self) -> str:
        return "".join(self.proposal.proposed_lines)

    def update(self, progress: DiffProgress) -> None:
        self.progress = progress
        self.proposal.update(progress)

    def finish(self, progress: DiffProgress) -> None:
        self.update(progress)
        self.is_finished = True

    def accept(self, hunk_id: int | None = None) -> None:
        self._decide([hunk_id or self.proposal.open_ids[0]], HunkState.ACCEPTED)

    def reject(self, hunk_id: int | None = None) -> None:
        self._decide([hunk_id or self.proposal.open_ids[0]], HunkState.REJECTED)

    def accept_all(self) -> None:
        self._decide(self.proposal.open_ids, HunkState.ACCEPTED)

    def reject_all(self) -> None:
        self._decide(self.proposal.undecided_ids, HunkState.REJECTED)

    def next_hunk(self) -> None:
        self.say(CurrentHunkChanged(1, len(self.proposal.open_ids)))

    previous_hunk = next_hunk

    def show_current(self) -> None:
        """There is no caret."""

    def follow(self) -> None:
        """There is nothing to scroll."""

    def dispose(self) -> None:
        self.is_disposed = True
        self._editor.diffs.remove(self)

    def _decide(self, ids: Sequence[int], state: HunkState) -> None:
        ids = list(ids)
        if state is HunkState.ACCEPTED:
            lines = split_lines(self._editor.text)
            for change in self.proposal.accept(ids):
                lines[change.start : change.start + change.removed] = change.lines
            self._editor.text = "".join(lines)
        else:
            self.proposal.reject(ids)
        remaining = len(self.proposal.undecided_ids)
        for place, hunk_id in enumerate(ids, start=1):
            self.say(HunkDecided(hunk_id, state, remaining + len(ids) - place))


class FakePrediction:
    """A prediction in a `FakeEditor`: it follows the text, and is taken whole."""

    def __init__(self, editor: FakeEditor, model: PredictionModel, on_event: Callable[[PredictionEvent], None]) -> None:
        self.model = model
        self.edits: tuple[PredictedEdit, ...] = tuple(model.edits)
        self.is_visible = True
        self._editor = editor
        self._on_event = on_event
        self._is_taking = False

    def replace(self, edits: Sequence[PredictedEdit]) -> None:
        self.edits = tuple(edits)

    def accept(self) -> None:
        if not self.edits:
            self._close(PredictionEnd.FOLLOWED)
            return
        self._is_taking = True
        edit = self.edits[0]
        self._editor.change(edit.start, edit.removed, edit.added)
        self._is_taking = False

    accept_word = accept_line = accept

    def hide(self) -> None:
        self._close(PredictionEnd.HIDDEN)

    def dispose(self) -> None:
        self.is_visible = False
        if self._editor.prediction is self:
            self._editor.prediction = None

    def follow(self, change: TextChange) -> None:
        left = follow(self.edits, change.start, change.removed, change.added)
        if left is None:
            self._close(PredictionEnd.OUTDATED)
        elif not left:
            self._close(PredictionEnd.ACCEPTED if self._is_taking else PredictionEnd.TYPED)
        else:
            self.edits = left
            if self._is_taking:
                self._on_event(PredictionTaken())

    def _close(self, end: PredictionEnd) -> None:
        if self.is_visible:
            self.dispose()
            self._on_event(PredictionClosed(end))


class FakeTracked:
    """A range that stays where it is, unless the test moves it."""

    def __init__(self, tracked: TextRange) -> None:
        self.range = tracked
        self.is_touched = False
        self.is_disposed = False

    def dispose(self) -> None:
        self.is_disposed = True


class FakeEditor:
    """An open file without a window."""

    def __init__(self, text: str, *, path: Path | None = None, language_id: str = "python") -> None:
        self.text = text
        self.path = path
        self.title = path.name if path else "untitled"
        self.language_id = language_id
        self.selection = TextRange(0, 0)
        self.is_read_only = False
        self.is_large = False
        self.is_under_edit = False
        self.line_end = "\r\n" if "\r\n" in text else "\n"
        self.indentation = Indentation()
        self.has_focus = False
        self.prompts: list[FakePrompt] = []
        self.diffs: list[FakeDiff] = []
        self.tracked: list[FakeTracked] = []
        self.prediction: FakePrediction | None = None
        self.predictions: list[FakePrediction] = []
        self._on_close: list[Callable[[], None]] = []
        self._on_activity: list[Callable[[], None]] = []
        self._on_change: list[Callable[[TextChange], None]] = []
        self._on_selection: list[Callable[[TextRange], None]] = []

    @property
    def revision(self) -> int:
        return 0

    @property
    def caret(self) -> int:
        return self.selection.end

    @property
    def prompt(self) -> FakePrompt:
        return self.prompts[-1]

    def select(self, selection: TextRange, *, reveal: bool = True) -> None:
        self.selection = selection

    def select_text(self, text: str) -> None:
        start = self.text.index(text)
        self.selection = TextRange(start, start + len(text))

    def focus(self) -> None:
        self.has_focus = True
        for prompt in self.prompts:
            prompt.has_focus = False

    def apply(self, edits: Sequence[TextEdit]) -> None:
        self.text = apply_edits(self.text, edits)

    def track(self, tracked: TextRange) -> FakeTracked:
        self.tracked.append(FakeTracked(tracked))
        return self.tracked[-1]

    def show_prompt(
        self, anchor: TextRange, model: PromptModel, *, on_event: Callable[[PromptEvent], None]
    ) -> FakePrompt:
        self.prompts.append(FakePrompt(model, on_event))
        return self.prompts[-1]

    def show_inline_diff(
        self, lines: TextRange, *, keys: DiffKeys, on_event: Callable[[DiffEvent], None], label: str = ""
    ) -> FakeDiff:
        self.diffs.append(FakeDiff(self, lines, on_event))
        return self.diffs[-1]

    def show_ghost_text(self, offset: int, text: str) -> GhostTextHandle:
        raise NotImplementedError

    def show_prediction(self, model: PredictionModel, *, on_event: Callable[[PredictionEvent], None]) -> FakePrediction:
        if self.prediction is not None:
            self.prediction.dispose()
        self.prediction = FakePrediction(self, model, on_event)
        self.predictions.append(self.prediction)
        return self.prediction

    def change(self, start: int, removed: str, added: str, *, is_undo: bool = False) -> None:
        """The user replaces a stretch of text, and the caret stands behind it."""
        assert self.text.startswith(removed, start)
        self.text = self.text[:start] + added + self.text[start + len(removed) :]
        caret = start + len(added)
        self.selection = TextRange(caret, caret)
        change = TextChange(start, removed, added, is_undo=is_undo)
        if self.prediction is not None:
            self.prediction.follow(change)
        for callback in list(self._on_change):
            callback(change)

    def insert(self, text: str) -> None:
        """The user types at the caret."""
        for char in text:
            self.change(self.caret, "", char)

    def put_caret(self, offset: int, end: int | None = None) -> None:
        """The user moves the caret, or selects."""
        self.selection = TextRange(offset, offset if end is None else end)
        for callback in list(self._on_selection):
            callback(self.selection)

    def set_under_edit(self, *, is_under_edit: bool) -> None:
        """A prompt block comes or goes."""
        self.is_under_edit = is_under_edit
        for callback in list(self._on_activity):
            callback()

    def on_did_change_activity(self, callback: Callable[[], None]) -> Disposable:
        self._on_activity.append(callback)
        return OnDispose(lambda: self._on_activity.remove(callback))

    def on_did_change(self, callback: Callable[[TextChange], None]) -> Disposable:
        self._on_change.append(callback)
        return OnDispose(lambda: self._on_change.remove(callback))

    def type(self, text: str) -> None:
        """The user writes another text."""
        before, self.text = self.text, text
        for callback in list(self._on_change):
            callback(TextChange(0, before, text))

    def on_did_change_selection(self, callback: Callable[[TextRange], None]) -> Disposable:
        self._on_selection.append(callback)
        return OnDispose(lambda: self._on_selection.remove(callback))

    def on_did_close(self, callback: Callable[[], None]) -> Disposable:
        self._on_close.append(callback)
        return OnDispose(lambda: self._on_close.remove(callback))

    def close(self) -> None:
        """The user closes the tab."""
        for callback in list(self._on_close):
            callback()


class FakeEditors:
    """The open files of a window that is not there."""

    def __init__(self, *editors: FakeEditor, folder: Path | None = None) -> None:
        self.all: Sequence[FakeEditor] = list(editors)
        self.active: FakeEditor | None = editors[0] if editors else None
        self.folder = folder
        self.scratches: list[FakeTab] = []
        self._on_active: list[Callable[[TextEditor | None], None]] = []

    def bring_forward(self, editor: FakeEditor) -> None:
        """The user goes to another tab."""
        self.active = editor
        for callback in list(self._on_active):
            callback(editor)

    def on_did_recover(self, callback: Callable[[TextEditor, KeptProposal], None]) -> Disposable:
        return OnDispose(lambda: None)

    def open_scratch(self, title: str, text: str, language_id: str = "plaintext") -> FakeTab:
        tab = FakeTab(self, title, text, language_id)
        self.scratches.append(tab)
        return tab

    def on_did_change_active(self, callback: Callable[[TextEditor | None], None]) -> Disposable:
        self._on_active.append(callback)
        return OnDispose(lambda: self._on_active.remove(callback))


class FakeTab:
    """A tab of a plugin, in front of the others."""

    def __init__(self, editors: FakeEditors, title: str, text: str, language_id: str) -> None:
        self.editor = FakeEditor(text, language_id=language_id)
        self.editor.title = title
        self.is_closed = False
        self._editors = editors
        editors.active = self.editor

    def dispose(self) -> None:
        self.is_closed = True
        if self._editors.active is self.editor:
            self._editors.active = next(iter(self._editors.all), None)


class FakeStatus:
    """An item of the status bar."""

    def __init__(self) -> None:
        self.model: StatusModel | None = None

    def update(self, model: StatusModel | None) -> None:
        self.model = model

    def dispose(self) -> None:
        self.model = None


@dataclass
class FakeUi:
    """Keeps what the window would say."""

    notices: list[str] = field(default_factory=list)
    actions: dict[str, Callable[[], None]] = field(default_factory=dict)
    announcements: list[str] = field(default_factory=list)
    shown: list[tuple[str, str, str]] = field(default_factory=list)
    picks: list[tuple[str, Sequence[PickItem], Callable[[str], None]]] = field(default_factory=list)
    settings_pages: list[str] = field(default_factory=list)
    menus: list[tuple[MenuModel, Callable[[str], None]]] = field(default_factory=list)
    copied: list[str] = field(default_factory=list)
    status: FakeStatus = field(default_factory=FakeStatus)

    def notify(
        self, text: str, *, action: str = "", on_action: Callable[[], None] | None = None, tone: Tone = Tone.PLAIN
    ) -> None:
        self.notices.append(text)
        if on_action is not None:
            self.actions[action] = on_action

    def announce(self, text: str) -> None:
        self.announcements.append(text)

    def pick(
        self, title: str, items: Sequence[PickItem], *, on_chosen: Callable[[str], None], current: str = ""
    ) -> None:
        self.picks.append((title, items, on_chosen))

    def show_menu(self, item_id: str, menu: MenuModel, *, on_chosen: Callable[[str], None]) -> None:
        self.menus.append((menu, on_chosen))

    def show_text(self, title: str, text: str, language_id: str = "plaintext") -> None:
        self.shown.append((title, text, language_id))

    def copy(self, text: str) -> None:
        self.copied.append(text)

    def status_item(self, item_id: str) -> FakeStatus:
        return self.status

    def show_panel(self, panel_id: str, model: PanelModel) -> None:
        raise NotImplementedError

    def open_settings(self, page: str = "") -> None:
        self.settings_pages.append(page)


class FakeCommands:
    """Key labels and context keys."""

    def __init__(self, **labels: str) -> None:
        self.labels = labels
        self.context: dict[str, object] = {}
        self.executed: list[str] = []

    def execute(self, command_id: str, *args: object) -> None:
        self.executed.append(command_id)

    def key_label(self, command_id: str, *args: object) -> str:
        return self.labels.get(" ".join([command_id.rpartition(".")[2], *map(str, args)]), "")

    def set_context(self, name: str, value: object) -> None:
        self.context[name] = value


@dataclass
class FakeContext:
    """What a plugin is handed in a window."""

    editor: FakeEditors
    models: FixedModels
    settings: MemorySettings
    plugin_id: str = "test"
    ui: FakeUi = field(default_factory=FakeUi)
    tasks: FakeTasks = field(default_factory=FakeTasks)
    prompts: PromptLibrary = field(default_factory=PromptLibrary)
    privacy: OpenPrivacy = field(default_factory=OpenPrivacy)
    storage: MemoryStorage = field(default_factory=MemoryStorage)
    commands: FakeCommands = field(default_factory=FakeCommands)
    contributions: ListedPresets = field(default_factory=ListedPresets)
    log: QuietLog = field(default_factory=QuietLog)
    kept: list[Disposable] = field(default_factory=list)

    def keep(self, item: Disposable) -> None:
        self.kept.append(item)

    def close(self) -> None:
        """The plugin is deactivated."""
        while self.kept:
            self.kept.pop().dispose()
        self.tasks.close()


def plugin_settings(manifest: Path, **more: Any) -> MemorySettings:
    """The defaults of a manifest's settings, and more."""
    declared = tomllib.loads(manifest.read_text(encoding="utf-8")).get("settings", [])
    settings = MemorySettings(**more)
    settings.values = {entry["name"]: entry["default"] for entry in declared} | settings.values
    return settings
