from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import shiboken6
from pytestqt.qtbot import QtBot

from qt.settings.opening import make_context
from redraft.core.llm.loop import EventLoopThread
from redraft.host.assembly import PluginHost
from redraft.host.headless import Services
from redraft.host.registries import Registries
from redraft.qt.settings.downloads import Downloads
from redraft.qt.settings.opener import SettingsOpener
from redraft.qt.settings.services import SettingsServices
from redraft.qt.settings.table_page import TablePage
from redraft.qt.tasks import TaskRunner
from redraft.qt.theme import ThemeManager
from redraft.qt.workbench import Workbench
from window_fakes import PresetQuestions


@pytest.fixture
def bench(qtbot: QtBot) -> Iterator[Workbench]:
    bench = Workbench(Registries.built_in(), ThemeManager("dark"), make_questions=PresetQuestions)
    qtbot.addWidget(bench.window)
    bench.window.show()
    yield bench
    bench.stop()
    bench.window.finish()
    shiboken6.delete(bench)


@pytest.fixture
def opener(bench: Workbench) -> Iterator[SettingsOpener]:
    services = Services.load(environment={})
    host = PluginHost(services, make_context, bench.registries)
    host.start()
    tasks = TaskRunner(EventLoopThread(), bench)
    shared = SettingsServices(
        store=services.settings,
        models=services.models,
        tasks=tasks,
        registries=bench.registries,
        prompts=services.prompts,
        privacy=services.privacy,
        presets=services.presets,
        plugins=host,
        downloads=Downloads(tasks, bench),
        open_file=lambda path, _line: bench.open_paths([path]),
        open_folder=lambda: bench.folder,
    )
    made = SettingsOpener(bench, shared)
    yield made
    made.stop()
    host.stop()
    tasks.stop()


def page(opener: SettingsOpener) -> TablePage:
    assert opener.window is not None
    assert isinstance(opener.window.page, TablePage)
    return opener.window.page


def test_the_window_opens_at_a_page_and_only_once(opener: SettingsOpener) -> None:
    opener.open("network")
    window = opener.window
    assert window is not None
    assert window.isVisible()
    assert page(opener).about.id == "network"
    opener.open("privacy")
    assert opener.window is window
    assert page(opener).about.id == "privacy"
    window.close()
    assert opener.window is None
    opener.open()
    assert page(opener).about.id == "general"


def test_what_is_saved_in_the_editor_holds_at_once(opener: SettingsOpener, bench: Workbench, own_home: Path) -> None:
    opener.open("editor")
    path = own_home / "config" / "redraft" / "settings.toml"
    document = bench.documents.open(path, create=True)
    assert document is not None
    document.editor.insertText(0, "[editor]\ntab_width = 7\n")
    document.editor.buffer.flush()
    bench.documents.writer.save(document)
    field = page(opener).rows["editor.tab_width"].field
    assert field.value() == "7"


def test_a_change_by_another_program_holds_when_one_comes_back(
    opener: SettingsOpener, bench: Workbench, own_home: Path
) -> None:
    opener.open("editor")
    folder = own_home / "config" / "redraft"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "settings.toml").write_text("[editor]\ntab_width = 3\n", encoding="utf-8")
    bench.window.activated.emit()
    assert page(opener).rows["editor.tab_width"].field.value() == "3"


def test_the_window_follows_the_theme(opener: SettingsOpener, bench: Workbench) -> None:
    opener.open("editor")
    window = opener.window
    assert window is not None
    bench.themes.choose("light")
    assert window.grab().toImage().pixelColor(700, 700) == bench.themes.theme.color("surface.0")
