from __future__ import annotations

import stat
from pathlib import Path
from typing import Any

import pytest
import tomlkit

from redraft.api.services import SettingsView
from redraft.core.config.builtin import BUILTIN
from redraft.core.config.migrations import Migration, rename
from redraft.core.config.model_settings import ModelSettings
from redraft.core.config.schema import Setting
from redraft.core.config.store import SettingsStore
from redraft.core.errors import ConfigError

WRITTEN = """\
# mine
version = 1

[editor]
tab_width = 8  # as the kernel has it
later_feature = "keep me"

[plugin_of_tomorrow]
answer = 42

[[models]]
# the big one
name = "Workshop"
base_url = "https://gpu.example.com/v1"  # in the cellar
unknown = true

[[models]]
name = "Laptop"
base_url = "http://localhost:11434"
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "settings.toml"


def test_the_store_is_what_plugins_are_given(path: Path) -> None:
    view: SettingsView = SettingsStore(path)
    assert view.get("editor.tab_width") == 4


def test_without_a_file_the_defaults_hold_and_nothing_is_written(own_home: Path) -> None:
    store = SettingsStore()
    assert store.get("appearance.theme") == "system"
    assert not store.is_set("appearance.theme")
    assert store.problems == ()
    assert store.path == own_home / "config" / "redraft" / "settings.toml"
    assert not store.path.exists()
    with pytest.raises(KeyError, match=r"no setting is called editor\.colour"):
        store.get("editor.colour")


def test_what_is_set_is_saved_for_the_user_alone(path: Path) -> None:
    SettingsStore(path).set("editor.tab_width", 2)
    assert SettingsStore(path).get("editor.tab_width") == 2
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert tomlkit.parse(path.read_text())["editor"] == {"tab_width": 2}
    assert path.read_text().startswith("# Your settings")


def test_comments_order_and_unknown_keys_survive(path: Path) -> None:
    path.write_text(WRITTEN)
    store = SettingsStore(path)
    store.set("editor.tab_width", 2)
    store.set("privacy.never_send", ["*.pem"])
    expected = WRITTEN.replace("tab_width = 8", "tab_width = 2") + '\n[privacy]\nnever_send = ["*.pem"]\n'
    assert path.read_text() == expected
    assert path.with_name("settings.toml.bak").read_text() == WRITTEN.replace("tab_width = 8", "tab_width = 2")


def test_a_model_is_changed_without_losing_comments_or_unknown_keys(path: Path) -> None:
    path.write_text(WRITTEN)
    store = SettingsStore(path)
    workshop, laptop = store.get("models")
    store.set("models", [workshop.model_copy(update={"temperature": 0.2}), laptop])
    text = path.read_text()
    assert "# the big one" in text
    assert "# in the cellar" in text
    assert "unknown = true\ntemperature = 0.2\n" in text
    store.set("models", [laptop, {"name": "New", "base_url": "https://new.example"}])
    assert [model.name for model in SettingsStore(path).get("models")] == ["Laptop", "New"]
    assert isinstance(store.get("models")[1], ModelSettings)
    store.set("models", [])
    assert SettingsStore(path).get("models") == ()


def test_reset_lets_the_default_hold_again(path: Path) -> None:
    path.write_text(WRITTEN)
    store = SettingsStore(path)
    store.reset("editor.tab_width")
    store.reset("editor.word_wrap")
    assert store.get("editor.tab_width") == 4
    assert "later_feature" in path.read_text()
    assert "tab_width" not in path.read_text()


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        (b"[editor]\ntab_width = 2,\n", 2, "broken"),
        (b'[editor]\ntheme = "da', 2, "broken"),
        (b"[editor\n", 1, "broken"),
        (b"\0\0\0\0", 1, "broken"),
        (b"[editor]\n\xff = 1\n", 2, "not in UTF-8"),
        (b"[editor]\ntab_width = 2\ntab_width = 3\n", 3, "broken"),
    ],
)
def test_a_broken_file_is_left_alone_and_named_with_its_line(path: Path, content: bytes, line: int, words: str) -> None:
    path.write_bytes(content)
    store = SettingsStore(path)
    (problem,) = store.problems
    assert words in problem.message
    assert problem.line == line
    assert store.is_broken
    assert store.get("editor.tab_width") == 4
    with pytest.raises(ConfigError, match="Nothing was changed"):
        store.set("editor.tab_width", 2)
    assert path.read_bytes() == content
    assert [file.name for file in path.parent.iterdir() if file.is_file()] == ["settings.toml"]


def test_an_empty_file_is_no_fault(path: Path) -> None:
    path.touch()
    store = SettingsStore(path)
    assert store.problems == ()
    store.set("editor.tab_width", 2)
    assert path.read_text() == "[editor]\ntab_width = 2\n"


def test_an_unreadable_file_is_told(path: Path) -> None:
    path.mkdir()
    store = SettingsStore(path)
    assert "cannot be read (Is a directory)" in str(store.problems[0])
    with pytest.raises(ConfigError):
        store.set("editor.tab_width", 2)


def test_a_broken_file_is_put_aside_when_asked(path: Path) -> None:
    path.write_text("[")
    store = SettingsStore(path)
    aside = store.start_over()
    assert aside.read_text() == "["
    assert not store.is_broken
    store.set("editor.tab_width", 2)
    assert SettingsStore(path).get("editor.tab_width") == 2


def test_values_that_do_not_fit_are_named_and_the_rest_counts(path: Path) -> None:
    path.write_text(
        '[editor]\ntab_width = "wide"\nindent_width = 2\ntab_widht = 3\n\n'
        '[[models]]\nname = "A"\nbase_url = "https://a.example"\napi_key = "sk-secret"\n\n[[models]]\nname = "B"\n'
    )
    store = SettingsStore(path)
    assert store.get("editor.tab_width") == 4
    assert store.get("editor.indent_width") == 2
    assert [model.name for model in store.get("models")] == ["A"]
    assert not store.is_broken
    assert [(problem.line, problem.key, problem.message) for problem in store.problems] == [
        (2, "editor.tab_width", "editor.tab_width must be a whole number from 1 to 16; the default is used."),
        (11, "models", "models[2] is left out: base_url: Field required."),
        (6, "models", "api_key is no key of models; it is kept, but does nothing."),
        (4, "editor.tab_widht", "editor.tab_widht is not a setting; editor.tab_width is."),
    ]
    assert str(store.problems[0]).startswith(f"{path}, line 2: editor.tab_width must be")
    assert "secret" not in "".join(map(str, store.problems))


def test_a_long_text_that_looks_like_settings_does_not_mislead(path: Path) -> None:
    path.write_text('[[presets]]\nprompt = """\n[editor]\ntab_width = 1\n"""\n\n[editor]\ntab_width = 0\n')
    assert [problem.line for problem in SettingsStore(path).problems] == [8]


def test_a_setting_where_a_table_should_be_is_told_and_not_overwritten(path: Path) -> None:
    path.write_text("editor = 3\n")
    store = SettingsStore(path)
    assert store.problems[0].message == "editor must be a table; the default is used."
    assert store.problems[0].line == 1
    with pytest.raises(ConfigError, match=r"editor in .* must be a table"):
        store.set("editor.tab_width", 2)
    assert path.read_text() == "editor = 3\n"


def test_a_value_that_does_not_fit_is_not_set(path: Path) -> None:
    store = SettingsStore(path)
    with pytest.raises(ConfigError, match=r"editor\.tab_width must be a whole number from 1 to 16"):
        store.set("editor.tab_width", 99)
    assert not path.exists()


def test_a_file_that_cannot_be_written_changes_nothing(tmp_path: Path) -> None:
    store = SettingsStore(tmp_path / "none" / "settings.toml")
    with pytest.raises(ConfigError, match="The settings were not saved"):
        store.set("editor.tab_width", 2)
    assert store.get("editor.tab_width") == 4


def test_listeners_hear_of_what_changed_until_they_are_disposed(path: Path) -> None:
    store = SettingsStore(path)
    heard: list[Any] = []
    subscription = store.on_did_change("editor.tab_width", heard.append)
    store.set("editor.tab_width", 2)
    store.set("editor.word_wrap", value=True)
    store.set("editor.tab_width", 2)
    store.reset("editor.tab_width")
    subscription.dispose()
    subscription.dispose()
    store.set("editor.tab_width", 3)
    assert heard == [2, 4]


def test_a_listener_that_fails_does_not_keep_others_from_hearing(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    store = SettingsStore(path)
    heard: list[Any] = []
    store.on_did_change("editor.tab_width", lambda _: heard[0])
    store.on_did_change("editor.tab_width", heard.append)
    store.set("editor.tab_width", 2)
    assert heard == [2]
    assert "a listener of editor.tab_width failed" in caplog.text


def test_a_change_on_disk_is_read_and_told(path: Path) -> None:
    store = SettingsStore(path)
    heard: list[Any] = []
    loads: list[Any] = []
    store.on_did_change("editor.tab_width", heard.append)
    store.on_did_load(loads.append)
    assert not store.reload()
    path.write_text("[editor]\ntab_width = 3\n")
    assert store.reload()
    assert not store.reload()
    path.write_text("[editor\n")
    assert store.reload()
    assert heard == [3, 4]
    assert [len(problems) for problems in loads] == [0, 1]


def test_two_windows_do_not_undo_each_others_changes(path: Path) -> None:
    first, second = SettingsStore(path), SettingsStore(path)
    first.set("editor.tab_width", 2)
    second.set("editor.indent_width", 3)
    first.set("appearance.theme", "dark")
    last = SettingsStore(path)
    assert (last.get("editor.tab_width"), last.get("editor.indent_width")) == (2, 3)
    assert second.reload()
    assert second.get("appearance.theme") == "dark"


def test_a_file_that_breaks_meanwhile_is_not_overwritten(path: Path) -> None:
    store = SettingsStore(path)
    store.set("editor.tab_width", 2)
    path.write_text("half a li")
    with pytest.raises(ConfigError):
        store.set("editor.tab_width", 3)
    assert path.read_text() == "half a li"


def test_settings_of_a_plugin_come_into_force_with_it(path: Path) -> None:
    path.write_text("[extra]\ndepth = 7\nother = 1\n")
    assert not SettingsStore(path).problems
    store = SettingsStore(path, schema=BUILTIN.with_settings([Setting("extra.depth", "int", 1, "Depth.")]))
    assert store.get("extra.depth") == 7
    (found,) = store.problems
    assert found.key == "extra.other"


def test_older_files_are_brought_up_to_date_step_by_step(path: Path) -> None:
    migrations = (
        Migration(2, "renamed the width", lambda document: rename(document, "text.width", "editor.tab_width")),
        Migration(3, "renamed it again", lambda document: rename(document, "editor.wrap", "editor.word_wrap")),
    )
    path.write_text("# mine\n[text]\nwidth = 3 # three\n\n[editor]\nwrap = true\n")
    store = SettingsStore(path, migrations=migrations)
    assert (store.get("editor.tab_width"), store.get("editor.word_wrap")) == (3, True)
    assert path.read_text().startswith("# mine\n[text]")
    store.set("editor.line_numbers", value=False)
    assert "# mine" in path.read_text()
    assert "version = 3" in path.read_text()
    again = SettingsStore(path, migrations=(Migration(3, "never", _refuse),))
    assert again.get("editor.tab_width") == 3


def test_a_file_of_a_later_version_is_read_as_it_is(path: Path) -> None:
    path.write_text("version = 99\n[editor]\ntab_width = 2\n")
    store = SettingsStore(path, migrations=(Migration(2, "never", _refuse),))
    store.set("editor.indent_width", 2)
    assert path.read_text().startswith("version = 99\n")


def test_a_folders_own_files_set_nothing(tmp_path: Path, own_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = tmp_path / "project"
    for place in (project, project / ".redraft", project / ".config" / "redraft"):
        place.mkdir(parents=True, exist_ok=True)
        (place / "settings.toml").write_text('[[models]]\nname = "evil"\nbase_url = "https://evil.example"\n')
    monkeypatch.chdir(project)
    store = SettingsStore()
    assert store.get("models") == ()
    assert own_home in store.path.parents


@pytest.mark.parametrize("name", ["editor.tab_width", "models", "privacy.never_send"])
def test_nobody_can_change_a_value_behind_the_stores_back(path: Path, name: str) -> None:
    path.write_text(WRITTEN)
    assert not isinstance(SettingsStore(path).get(name), list | dict)


def _refuse(_: Any) -> None:
    raise AssertionError("this step was done already")
