"""The composition root: builds every part of the window and joins them. Nothing else does."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from redraft.api.disposable import DisposableStack
from redraft.api.prompt_block import Tone
from redraft.core.config.store import SettingsStore
from redraft.core.crash import CrashWatch
from redraft.core.errors import FileError
from redraft.core.llm.loop import EventLoopThread
from redraft.core.log import start_log, stop_log
from redraft.core.samples import FIRST_FILE, sample_project
from redraft.core.text import Position
from redraft.host.assembly import PluginHost
from redraft.host.guard import Guard, PluginProblem
from redraft.host.headless import Services
from redraft.host.launch import LaunchRequest
from redraft.host.manifest import PluginManifest
from redraft.host.registries import Registries
from redraft.qt.activity import FollowedEditor
from redraft.qt.commands.edit import EditCommands
from redraft.qt.commands.files import FileCommands
from redraft.qt.commands.go import GoCommands
from redraft.qt.commands.journey import JourneyCommands
from redraft.qt.commands.more import MoreCommands
from redraft.qt.commands.replace import ReplaceCommands
from redraft.qt.commands.search import SearchCommands
from redraft.qt.commands.view import ViewCommands
from redraft.qt.crash_recovery import CrashRecovery
from redraft.qt.documents.autosave import AutoSave
from redraft.qt.documents.document import Document
from redraft.qt.documents.watch import DiskWatch
from redraft.qt.editor.selection_hint import SelectionHint
from redraft.qt.first_run import FirstRun
from redraft.qt.garbage import GarbageCollector
from redraft.qt.notices import FileNotices
from redraft.qt.plugin_context import SharedServices, WindowContext
from redraft.qt.plugin_editors import EditorsService
from redraft.qt.plugin_ui import WindowVoice
from redraft.qt.preferences import Preferences
from redraft.qt.session_keeper import SessionKeeper
from redraft.qt.settings.downloads import Downloads
from redraft.qt.settings.opener import SettingsOpener
from redraft.qt.settings.services import SettingsServices
from redraft.qt.style import dress
from redraft.qt.tasks import TaskRunner
from redraft.qt.theme import Theme, ThemeManager
from redraft.qt.waiting import wait_awake
from redraft.qt.workbench import Workbench
from redraft.qt.zoom import zoomed

LOG = logging.getLogger(__name__)
JOIN_SECONDS = 5.0
"""Longest time the end waits for models to stop."""


class Application:
    """Everything that lives as long as the window.

    The window stands first; the session, the plugins and what a crash left behind come once it is on screen.
    """

    def __init__(self, qt: QApplication, request: LaunchRequest) -> None:
        self._qt = qt
        self._request = request
        self._garbage = GarbageCollector(qt)  # before any thread begins
        self._has_models = False
        self.services = Services.load(safe_mode=request.safe_mode)
        self.themes = ThemeManager(self.services.settings.get("appearance.theme"))
        dress(qt, self.themes.theme)
        self.registries = Registries.built_in()
        self.bench = Workbench(self.registries, self.themes)
        self.session = SessionKeeper(self.bench)
        self.autosave = AutoSave(self.bench.documents, self.bench)
        self.preferences = Preferences(self.bench, self.services.settings, self.autosave)
        self.notices = FileNotices(self.bench, DiskWatch(self.bench.documents, self.bench))
        self.loop = EventLoopThread()
        self.tasks = TaskRunner(self.loop, self.bench)
        self.editors = EditorsService(self.bench, self._make_adapter)
        self.bench.shown_in_text = self._shown_in_text
        self.bench.documents.added.connect(self._add_hint)
        self.recovery = CrashRecovery(self.bench, self.editors, self.notices)
        self.voice = WindowVoice(self.bench, self.open_settings)
        self.first_run = FirstRun(self.bench, self.services.models, self.tasks, self.open_settings)
        self.go = GoCommands(self.bench)
        self.search = SearchCommands(self.bench)
        self.replace = ReplaceCommands(self.bench)
        self._register_commands()
        self.host = PluginHost(self.services, self._make_context, self.registries, safe_mode=request.safe_mode)
        self.host.manager.wait_for = wait_awake
        self.host.manager.is_ready = lambda: self._has_models
        self.host.manager.on_problem(self._on_problem)
        self.host.on_key_fault(self.bench.show_error)
        self.settings = SettingsOpener(self.bench, self._settings_services())
        self.themes.changed.connect(self._on_theme_changed)
        self.bench.quit_wanted.connect(self.quit)

    def show(self) -> None:
        """Put the window on screen; the rest follows."""
        self.session.restore_window()
        self.bench.window.show()
        QTimer.singleShot(0, self.bench, self._on_shown)

    def welcome(self) -> None:
        """Ask who is to write."""
        self.first_run.show(self.session.mark_welcomed)

    def open_settings(self, page: str) -> None:
        """Open the settings at a page."""
        self.settings.open(page)

    def quit(self) -> None:
        """Close the window after asking what is to become of unsaved texts."""
        if self.bench.documents.may_close_all():
            self.session.save()
            self.bench.window.finish()

    def stop(self) -> None:
        """End everything that was started, the last thing first."""
        self.settings.stop()
        self.host.stop()
        self.preferences.stop()
        self.go.stop()
        self.search.stop()
        self.replace.stop()
        self.bench.stop()
        if self.loop.is_running:
            try:
                self.loop.submit(self.services.models.aclose()).result(JOIN_SECONDS)
            except Exception:
                LOG.exception("The models could not be stopped in time")
        self.tasks.stop()
        self.recovery.stop()
        self._garbage.stop()

    def _on_shown(self) -> None:
        self._open_files()
        self.loop.start()
        self.host.start()
        self._say_faults()
        self.recovery.offer()
        self.tasks.run(
            self.services.models.prepare(),
            on_done=lambda _nothing: self._on_models_ready(),
            on_error=self._on_models_failed,
        )
        QTimer.singleShot(0, self.bench, lambda: self.host.manager.activate_on("editor"))

    def _on_models_failed(self, error: Exception) -> None:
        LOG.error("The models cannot be listed: %s", error)
        self._has_models = True  # there is nothing left to wait for

    def _on_models_ready(self) -> None:
        """The models' code has been fetched, away from the window."""
        self._has_models = True
        if not self.session.is_welcomed and self.first_run.is_needed:
            self.welcome()

    def _say_faults(self) -> None:
        for problem in self.services.settings.problems:
            self.bench.say(str(problem), tone=Tone.WARN)
        for fault in self.services.discovery.faults:
            self.bench.show_error(fault)

    def _open_files(self) -> None:
        if self.services.settings.get("files.restore") and not self._request.targets:
            self.session.restore_files()
        for target in self._request.targets:
            place = Position(target.line - 1, max(target.column - 1, 0)) if target.line else None
            self.bench.open_paths([target.path], place, create=True)
        if not self.bench.documents.all and self.session.is_first_start:
            self._open_sample()
        if not self.bench.documents.all:
            self.bench.documents.new()

    def _open_sample(self) -> None:
        try:
            project = sample_project()
        except FileError as error:
            LOG.warning("%s", error)
            return
        file = project / FIRST_FILE
        self.bench.open_folder(project, {file.parent})
        self.bench.documents.open(file)

    def _register_commands(self) -> None:
        more = MoreCommands(self.bench, self.session, self.services.settings, self.open_settings)
        groups: tuple[Mapping[str, Callable[..., object]], ...] = (
            FileCommands(self.bench).handlers(),
            self.go.handlers(),
            self.search.handlers(),
            self.replace.handlers(),
            JourneyCommands(self.bench).handlers(),
            EditCommands(self.bench).handlers(),
            ViewCommands(self.bench, self.preferences.choose_theme).handlers(),
            more.handlers(),
            {"help.welcome": self.welcome},
        )
        for group in groups:
            for command, handler in group.items():
                self.registries.commands.register(command, handler)

    def _make_adapter(self, document: Document) -> FollowedEditor:
        return FollowedEditor(document, self.bench.refresh_soon, self.bench.documents.activate)

    def _add_hint(self, document: Document) -> None:
        SelectionHint(document.editor, lambda: self._hint_words(document))

    def _hint_words(self, document: Document) -> str:
        """`Ctrl+K edit`, as the key map has it; nothing where an edit cannot begin or is under way."""
        is_wanted = self.services.settings.get("editor.selection_hint") and self.services.privacy.ai_enabled
        key = self.registries.keymap.label("inline_edit.open")
        editor = self.editors.of(document)
        is_busy = editor.is_under_edit
        return f"{key} edit" if is_wanted and key and not is_busy else ""

    def _shown_in_text(self, document: Document) -> Mapping[str, object]:
        editor = self.editors.of(document)
        if not isinstance(editor, FollowedEditor):
            return {}
        prediction = editor.prediction
        return {
            "prompt_visible": editor.shows_prompt,
            "diff_visible": editor.shows_diff,
            "prediction_visible": prediction is not None and prediction.is_visible,
            "prediction_takes_tab": prediction is not None and prediction.takes_tab,
            "prediction_at_caret": prediction is not None and prediction.is_at_caret,
        }

    def _make_context(self, manifest: PluginManifest, kept: DisposableStack, guard: Guard) -> WindowContext:
        shared = SharedServices(
            self.registries,
            self.editors,
            self.voice,
            self.tasks,
            self.services.settings,
            self.services.prompts,
            self.services.models,
            self.services.privacy,
            self.services.presets,
        )
        return WindowContext(manifest, kept, guard, shared)

    def _settings_services(self) -> SettingsServices:
        services = self.services
        return SettingsServices(
            store=services.settings,
            models=services.models,
            tasks=self.tasks,
            registries=self.registries,
            prompts=services.prompts,
            privacy=services.privacy,
            presets=services.presets,
            plugins=self.host,
            downloads=Downloads(self.tasks, self.bench),
            open_file=self._open_beside_settings,
            open_folder=lambda: self.bench.folder,
        )

    def _open_beside_settings(self, path: Path, line: int) -> None:
        self.bench.documents.open(path, Position(line - 1, 0) if line else None, create=True)
        self.bench.window.activateWindow()
        self.bench.window.focus_text()

    def _on_problem(self, problem: PluginProblem) -> None:
        if problem.is_off:
            self.bench.say(
                problem.message,
                action="Bring it back",
                on_action=lambda: self.host.set_enabled(problem.plugin_id, enabled=True),
                tone=Tone.ERROR,
            )
        else:
            self.bench.say(problem.message, tone=Tone.ERROR if problem.is_fault else Tone.WARN)

    def _on_theme_changed(self, theme: Theme) -> None:
        dress(self._qt, theme)
        self.bench.set_theme(theme)


def run(request: LaunchRequest) -> int:
    """Open the window as asked and stay until it closes; return the exit status."""
    start_log()
    crashes = CrashWatch()
    crashes.start()
    with zoomed(SettingsStore().get("appearance.zoom")):
        qt = QApplication(sys.argv[:1])
    qt.setApplicationName("Redraft")
    qt.setDesktopFileName("redraft")
    application = Application(qt, request)
    application.show()
    try:
        return qt.exec()
    finally:
        application.stop()
        crashes.stop()
        stop_log()
