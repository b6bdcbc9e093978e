from __future__ import annotations

import subprocess
import sys
from importlib.metadata import Distribution, EntryPoint
from pathlib import Path

import pytest

from redraft.host.discovery import GROUP, Origin, discover

MANIFEST = 'id = "{id}"\nname = "Sample"\nversion = "1"\n'
TRAP = "raise SystemExit('a plugin was imported')\n"


def entry(name: str, value: str) -> EntryPoint:
    return EntryPoint(name, value, GROUP)


def package(folder: Path, name: str, manifest: str) -> Path:
    made = folder / name
    made.mkdir(parents=True)
    (made / "__init__.py").write_text(TRAP)
    (made / "plugin.toml").write_text(manifest)
    return made


def test_a_package_is_found_and_not_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = package(tmp_path, "found_not_imported", MANIFEST.format(id="sample"))
    monkeypatch.syspath_prepend(str(tmp_path))
    found = discover(entries=[entry("sample", "found_not_imported:plugin.toml")])
    assert found.faults == ()
    assert [(plugin.manifest.id, plugin.origin) for plugin in found.plugins] == [("sample", Origin.INSTALLED)]
    assert found.plugins[0].folder == folder
    assert "found_not_imported" not in sys.modules


def test_a_package_below_another_is_found_and_neither_is_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package(tmp_path, "outer_package", MANIFEST.format(id="outer"))
    package(tmp_path / "outer_package", "inner", MANIFEST.format(id="inner"))
    monkeypatch.syspath_prepend(str(tmp_path))
    found = discover(entries=[entry("inner", "outer_package.inner:plugin.toml")])
    assert [plugin.manifest.id for plugin in found.plugins] == ["inner"]
    assert not {"outer_package", "outer_package.inner"} & sys.modules.keys()


def test_the_bundled_plugins_of_this_install_are_found_without_importing_any() -> None:
    script = (
        "import sys; from redraft.host.discovery import discover; found = discover();"
        "print(*(p.manifest.id + ':' + p.origin for p in found.plugins));"
        "print(*(name for name in sys.modules if name.startswith('redraft_')))"
    )
    output = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    plugins, imported = output.split("\n")[:2]
    assert {"inline_edit:bundled", "local_model:bundled"} <= set(plugins.split())
    assert imported == ""


def test_a_missing_package_and_a_broken_manifest_are_faults_and_the_rest_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package(tmp_path, "good_plugin", MANIFEST.format(id="good"))
    package(tmp_path, "bad_plugin", "id = \n")
    monkeypatch.syspath_prepend(str(tmp_path))
    found = discover(
        entries=[
            entry("gone", "gone_plugin:plugin.toml"),
            entry("bad", "bad_plugin:plugin.toml"),
            entry("good", "good_plugin:plugin.toml"),
        ]
    )
    assert [plugin.manifest.id for plugin in found.plugins] == ["good"]
    assert "'gone_plugin' cannot be found" in str(found.faults[0])
    assert "not valid TOML" in str(found.faults[1])


def test_folders_of_the_user_are_found_and_come_after_what_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package(tmp_path / "site", "installed_plugin", MANIFEST.format(id="same"))
    folder = tmp_path / "plugins"
    package(folder, "my_plugin", MANIFEST.format(id="mine"))
    package(folder, "same_plugin", MANIFEST.format(id="same"))
    package(folder, "posing", MANIFEST.format(id="redraft"))
    package(folder, "with-hyphen", MANIFEST.format(id="hyphen"))
    package(folder, "json", MANIFEST.format(id="json"))
    (folder / "no_plugin").mkdir()
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    found = discover(folder, entries=[entry("same", "installed_plugin:plugin.toml")])
    assert [(plugin.manifest.id, plugin.origin) for plugin in found.plugins] == [
        ("same", Origin.INSTALLED),
        ("mine", Origin.USER),
    ]
    reasons = sorted(str(fault) for fault in found.faults)
    assert len(reasons) == 4
    assert any("the id 'same' is taken" in reason for reason in reasons)
    assert any("the id 'redraft' is taken" in reason for reason in reasons)
    assert any("rename it to letters" in reason for reason in reasons)
    assert any("a Python module 'json' already" in reason for reason in reasons)
    assert "my_plugin" not in sys.modules


def test_a_manifest_that_points_outside_its_package_is_refused(tmp_path: Path) -> None:
    package(tmp_path, "reaching", MANIFEST.format(id="reach") + 'activate = "os:abort"\n')
    found = discover(tmp_path, entries=[])
    assert found.plugins == ()
    assert "'os:abort' is not in its own package, 'reaching'" in str(found.faults[0])


def test_no_user_folder_is_no_fault(tmp_path: Path) -> None:
    found = discover(tmp_path / "absent", entries=[])
    assert (found.plugins, found.faults) == ((), ())


def test_the_same_package_from_two_installs_counts_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package(tmp_path, "twice_there", MANIFEST.format(id="twice"))
    monkeypatch.syspath_prepend(str(tmp_path))
    found = discover(entries=[entry("a", "twice_there:plugin.toml"), entry("b", "twice_there:plugin.toml")])
    assert len(found.plugins) == 1
    assert found.faults == ()


def test_installed_entry_points_know_their_distribution() -> None:
    bundled = [point for point in Distribution.from_name("redraft").entry_points if point.group == GROUP]
    assert {point.value.partition(":")[2] for point in bundled} == {"plugin.toml"}
