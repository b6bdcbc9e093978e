from __future__ import annotations

import logging
import stat
from pathlib import Path

import pytest

from redraft.core.errors import UsageError
from redraft.core.paths import state_folder
from redraft.host.storage import PluginLog, PluginStorage


def test_what_is_written_is_read_again_by_the_same_plugin_only() -> None:
    storage = PluginStorage("sample")
    assert storage.read("history.json") is None
    storage.write("history.json", "é\n")
    storage.write("sub/more.txt", "")
    assert PluginStorage("sample").read("history.json") == "é\n"
    assert PluginStorage("sample").read("sub/more.txt") == ""
    assert PluginStorage("other").read("history.json") is None


def test_files_are_for_the_user_alone() -> None:
    PluginStorage("sample").write("secret", "x")
    path = state_folder("sample") / "secret"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


@pytest.mark.parametrize("name", ["", "../x", "a/../../x", "/etc/passwd", "a\0b", "a\\b", "."])
def test_names_that_lead_elsewhere_are_refused(name: str) -> None:
    with pytest.raises(UsageError, match="no name to store under"):
        PluginStorage("sample").write(name, "x")


def test_large_things_have_their_folders(own_home: Path) -> None:
    storage = PluginStorage("sample")
    assert storage.data_folder == own_home / "data" / "redraft"
    assert storage.cache_folder == own_home / "cache" / "redraft"


def test_the_log_names_the_plugin(caplog: pytest.LogCaptureFixture) -> None:
    log = PluginLog("sample")
    with caplog.at_level(logging.DEBUG, logger="redraft.plugins.sample"):
        log.debug("a %s", 1)
        log.info("b")
        log.warning("c")
        log.error("d")
    assert [(record.name, record.getMessage()) for record in caplog.records] == [
        ("redraft.plugins.sample", "a 1"),
        ("redraft.plugins.sample", "b"),
        ("redraft.plugins.sample", "c"),
        ("redraft.plugins.sample", "d"),
    ]
