from __future__ import annotations

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from redraft.core.config.store import SettingsStore
from redraft.qt.commands.more import MoreCommands
from redraft.qt.session_keeper import SessionKeeper
from redraft.qt.workbench import Workbench


def test_a_page_of_the_documentation_is_shown_and_never_asked_about(bench: Workbench, qtbot: QtBot) -> None:
    more = MoreCommands(bench, SessionKeeper(bench), SettingsStore(), lambda _page: None)
    bench.window.show()
    more.handlers()["help.documentation"]()
    picker = bench.window.picker
    assert {"plugins", "prompts", "settings"} <= set(picker.shown_ids)
    qtbot.keyClicks(picker.field, "plugins")
    qtbot.keyClick(picker.field, Qt.Key.Key_Return)
    page = bench.documents.active
    assert page is not None
    assert (page.title, page.editor.language_id, page.is_modified) == ("Plugins", "markdown", False)
    assert page.editor.plain_text().startswith("# Plugins")
