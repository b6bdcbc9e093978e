"""The services a plugin is given: tasks, models, settings, prompts, storage, commands and the window's voice."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar, runtime_checkable

from redraft.api.disposable import Disposable
from redraft.api.menu import MenuModel
from redraft.api.prompt_block import Tone
from redraft.core.llm.client import ChatClient, ModelInfo

E = TypeVar("E")
T = TypeVar("T")


class TaskHandle(Protocol):
    """Work in progress on the event loop thread."""

    def cancel(self) -> None:
        """Ask it to end; `on_done` still comes, with `None` for an error."""
        ...

    @property
    def is_done(self) -> bool:
        """Whether it has ended."""
        ...


class Tasks(Protocol):
    """Runs coroutines on the one background event loop; callbacks arrive where the plugin lives (GUI thread)."""

    def start(
        self,
        events: AsyncIterator[E],
        *,
        on_events: Callable[[Sequence[E]], None],
        on_done: Callable[[Exception | None], None],
    ) -> TaskHandle:
        """Consume a stream; events come in batches, at most one every 16 ms, and all before `on_done`.

        Cancelled streams report `None`, like finished ones; no event is delivered after `cancel` returns.
        """
        ...

    def run(
        self,
        work: Coroutine[Any, Any, T],
        *,
        on_done: Callable[[T], None],
        on_error: Callable[[Exception], None],
    ) -> TaskHandle:
        """Run one coroutine; neither callback comes after `cancel`."""
        ...


class ModelProvider(Protocol):
    """Serves models: one configured server, or the embedded one."""

    @property
    def id(self) -> str:
        """The provider's name in settings."""
        ...

    def list_models(self) -> Sequence[ModelInfo]:
        """The models it can serve now, without asking the network."""
        ...

    async def open(self, model: ModelInfo) -> ChatClient:
        """A client for one of its models, started if need be.

        Raises:
            ModelUnavailable: It cannot be served; the message says what to do.
        """
        ...

    async def aclose(self) -> None:
        """Stop what was started."""
        ...


@dataclass(frozen=True, slots=True)
class DownloadableModel:
    """A model that can be fetched and run on this machine.

    Attributes:
        name: How it is named everywhere.
        summary: What it is good for, in one sentence.
        size_bytes: Size of its file.
        memory_bytes: Memory it needs while it runs, estimated.
        licence: Its licence, by SPDX identifier.
        is_downloaded: Whether its file is here and checked.
        partial_bytes: How much of it an interrupted download left here.
        is_running: Whether it is in memory and answers.
    """

    name: str
    summary: str
    size_bytes: int
    memory_bytes: int
    licence: str
    is_downloaded: bool = False
    partial_bytes: int = 0
    is_running: bool = False


@dataclass(frozen=True, slots=True)
class DownloadProgress:
    """How far a download is.

    Attributes:
        name: The model's name.
        done_bytes: Bytes here.
        total_bytes: Bytes in all.
        bytes_per_second: Rate of late, 0 while unknown.
        phase: What goes on, as words for the user (`"downloading"`, `"checking"`, `"ready"`).
    """

    name: str
    done_bytes: int
    total_bytes: int
    bytes_per_second: float = 0.0
    phase: str = "downloading"


@runtime_checkable
class DownloadingProvider(ModelProvider, Protocol):
    """A provider whose models are fetched first."""

    def catalogue(self) -> Sequence[DownloadableModel]:
        """What can be fetched, the recommended model first."""
        ...

    def download(self, name: str) -> AsyncGenerator[DownloadProgress, None]:
        """Fetch one; closing the iterator pauses, and the next call goes on from there.

        Raises:
            ModelUnavailable: It cannot be fetched (no space, no source reached, wrong checksum).
        """
        ...


class Models(Protocol):
    """The models the user has."""

    def list_models(self) -> Sequence[ModelInfo]:
        """All models that are set up, the default first."""
        ...

    def default(self, purpose: str) -> ModelInfo | None:
        """The model for a purpose (`"inline_edit"`, `"edit_prediction"`), or `None` if there is none."""
        ...

    def find(self, name: str) -> ModelInfo:
        """A model by the user's name for it.

        Raises:
            ModelUnavailable: There is none; the message lists those there are.
        """
        ...

    async def open(self, model: ModelInfo) -> ChatClient:
        """A client for a model; kept open and shared between calls.

        Raises:
            ModelUnavailable: It cannot be served; the message says what to do.
        """
        ...


class SettingsView(Protocol):
    """The user's settings, checked; names are dotted (`"inline_edit.after_accept"`)."""

    def get(self, name: str) -> Any:
        """The value in force.

        Raises:
            KeyError: No setting of that name is declared.
        """
        ...

    def set(self, name: str, value: Any) -> None:
        """Change and save one setting.

        Raises:
            ConfigError: The value does not fit, or the file cannot be written.
        """
        ...

    def on_did_change(self, name: str, callback: Callable[[Any], None]) -> Disposable:
        """Hear of a new value."""
        ...


class Privacy(Protocol):
    """What the user lets out, and which folders they trust. Models refuse by themselves while AI is switched off."""

    @property
    def ai_enabled(self) -> bool:
        """Whether any model may be asked."""
        ...

    def refusal(self, path: Path | None, *, model: ModelInfo | None = None) -> str:
        """Why a file's text may not be sent without asking, as one sentence; empty where it may.

        A model embedded in this machine may read everything: nothing is sent.
        """
        ...

    def allow(self, path: Path) -> None:
        """The user agreed that this file's text is sent, until the program ends."""
        ...

    def is_trusted(self, folder: Path) -> bool:
        """Whether prompts, presets and rules from a project folder may be used."""
        ...

    def trust(self, folder: Path) -> None:
        """The user trusts a folder and all below it from now on; only ever on their explicit wish.

        Raises:
            FileError: It cannot be remembered.
        """
        ...


class Prompts(Protocol):
    """Prompt templates, the user's own before the built-in ones."""

    def render(self, name: str, /, **values: object) -> str:
        """Fill a template.

        Raises:
            PromptError: It is missing, broken, or lacks a variable.
        """
        ...

    def render_text(self, template: str, /, **values: object) -> str:
        """Fill a template given as text, as from a preset in settings."""
        ...


class Storage(Protocol):
    """A plugin's own files, readable by the user alone and written whole."""

    def read(self, name: str) -> str | None:
        """The text stored under a name, or `None`."""
        ...

    def write(self, name: str, text: str) -> None:
        """Store text under a name."""
        ...

    @property
    def data_folder(self) -> Path:
        """For large things that can be fetched again (models)."""
        ...

    @property
    def cache_folder(self) -> Path:
        """For things that may vanish at any time."""
        ...


class Log(Protocol):
    """The plugin's log; keys are redacted before anything is written."""

    def debug(self, message: str, *args: object) -> None: ...  # noqa: D102 - as in logging
    def info(self, message: str, *args: object) -> None: ...  # noqa: D102
    def warning(self, message: str, *args: object) -> None: ...  # noqa: D102
    def error(self, message: str, *args: object) -> None: ...  # noqa: D102


class Commands(Protocol):
    """Commands by id, as declared in the manifests."""

    def execute(self, command_id: str, *args: object) -> None:
        """Run a command."""
        ...

    def key_label(self, command_id: str, *args: object) -> str:
        """The key that runs it with these arguments, as shown to the user (`"Ctrl+K"`); empty where none is bound."""
        ...

    def set_context(self, name: str, value: object) -> None:
        """Set a context key that when-expressions read."""
        ...


@dataclass(frozen=True, slots=True)
class StatusModel:
    """An item of the status bar; what goes on stands at the left, what is so at the right."""

    text: str
    icon: str = ""
    tone: Tone = Tone.PLAIN
    tooltip: str = ""
    command: str = ""
    busy: bool = False
    at_right: bool = False


@dataclass(frozen=True, slots=True)
class PickItem:
    """One choice of a list."""

    id: str
    label: str
    detail: str = ""
    icon: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class FormField:
    """One field of a small form; `secret` hides what is typed."""

    name: str
    label: str
    value: str = ""
    placeholder: str = ""
    secret: bool = False
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PanelModel:
    """A list of rows in a side panel or popup."""

    title: str
    rows: tuple[PickItem, ...] = ()
    text: str = ""


class StatusItem(Disposable, Protocol):
    """A place in the status bar."""

    def update(self, model: StatusModel | None) -> None:
        """Show something else, or nothing."""
        ...


class UserInterface(Protocol):
    """The window's voice."""

    def notify(
        self,
        text: str,
        *,
        action: str = "",
        on_action: Callable[[], None] | None = None,
        tone: Tone = Tone.PLAIN,
    ) -> None:
        """Say one sentence that has no place in a block."""
        ...

    def announce(self, text: str) -> None:
        """Say a sentence to screen readers only."""
        ...

    def pick(
        self,
        title: str,
        items: Sequence[PickItem],
        *,
        on_chosen: Callable[[str], None],
        current: str = "",
    ) -> None:
        """Let the user choose from a searchable list."""
        ...

    def show_menu(self, item_id: str, menu: MenuModel, *, on_chosen: Callable[[str], None]) -> None:
        """Open a menu at one's item of the status bar."""
        ...

    def show_text(self, title: str, text: str, language_id: str = "plaintext") -> None:
        """Open a new unsaved tab with some text."""
        ...

    def copy(self, text: str) -> None:
        """Put text on the clipboard."""
        ...

    def status_item(self, item_id: str) -> StatusItem:
        """A place in the status bar of one's own."""
        ...

    def show_panel(self, panel_id: str, model: PanelModel) -> None:
        """Show a list."""
        ...

    def open_settings(self, page: str = "") -> None:
        """Open the settings at a page (`"models"`); `"models/NAME"` shows one model there and tests its connection."""
        ...


class Contributions(Protocol):
    """What other plugins declare for this one to show."""

    def presets(self) -> Sequence[Mapping[str, Any]]:
        """All `[[presets]]` tables of enabled plugins, each with `plugin` added."""
        ...
