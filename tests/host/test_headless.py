from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from redraft.core.errors import ModelUnavailable
from redraft.core.paths import config_folder, data_folder
from redraft.host.headless import HeadlessContext, Services

MANIFEST = """
id = "sample"
name = "Sample"
version = "1"
[[settings]]
name = "sample.volume"
type = "int"
default = 3
max = 11
sentence = "How loud."
[[presets]]
name = "doc"
[[model_providers]]
id = "sample"
factory = "sample_of_headless:create"
"""
CODE = """
class Provider:
    id = "sample"
    def __init__(self, context):
        self.context = context
        context.log.info("made")
    def list_models(self):
        return ()
    async def open(self, model):
        raise RuntimeError
    async def aclose(self):
        self.context.storage.write("closed", str(self.context.settings.get("sample.volume")))

def create(context):
    return Provider(context)
"""


@pytest.fixture
def plugin() -> Path:
    folder = data_folder("plugins") / "sample_of_headless"
    folder.mkdir()
    (folder / "plugin.toml").write_text(MANIFEST)
    (folder / "__init__.py").write_text(CODE)
    return folder


def test_settings_of_plugins_are_declared_and_checked(plugin: Path) -> None:
    (config_folder() / "settings.toml").write_text("[sample]\nvolume = 12\n")
    services = Services.load(environment={})
    assert services.settings.get("sample.volume") == 3
    assert "sample.volume" in str(services.settings.problems[0])


def test_presets_name_their_plugin_and_a_plugin_turned_off_has_none(plugin: Path) -> None:
    assert {"name": "doc", "plugin": "sample"} in Services.load(environment={}).presets()
    (config_folder() / "settings.toml").write_text('[plugins]\ndisabled = ["sample"]\n')
    services = Services.load(environment={})
    assert "sample" not in {preset["plugin"] for preset in services.presets()}
    assert "sample" not in {plugin.manifest.id for plugin in services.plugins}
    assert services.settings.get("sample.volume") == 3, "its settings stay known"


def test_safe_mode_uses_no_plugin(plugin: Path) -> None:
    services = Services.load(safe_mode=True, environment={})
    assert services.plugins == ()
    assert list(services.models.list_models()) == []


def test_a_sub_command_runs_a_coroutine_and_models_are_stopped_after_it(plugin: Path) -> None:
    context = HeadlessContext("sample", Services.load(environment={}))

    async def work() -> int:
        with pytest.raises(ModelUnavailable):
            context.models.find("none")
        return 42

    assert context.run(work()) == 42
    assert context.storage.read("closed") == "3"


def test_models_are_stopped_after_an_error_too(plugin: Path) -> None:
    context = HeadlessContext("sample", Services.load(environment={}))

    async def work() -> None:
        context.models.list_models()
        await asyncio.sleep(0)
        raise ValueError("boom")

    with pytest.raises(ValueError, match="boom"):
        context.run(work())
    assert context.storage.read("closed") == "3"


def test_the_environment_chooses_the_model() -> None:
    alone = Services.load(environment={"REDRAFT_BASE_URL": "http://localhost:1/v1"})
    assert (default := alone.models.default("inline_edit")) is not None
    assert default.name == "REDRAFT_BASE_URL"
    named = Services.load(environment={"REDRAFT_BASE_URL": "http://localhost:1/v1", "REDRAFT_MODEL": "m"})
    assert (default := named.models.default("edit_prediction")) is not None
    assert (default.name, default.model) == ("m", "m")


def test_prompts_are_filled() -> None:
    context = HeadlessContext("sample", Services.load(environment={}))
    assert context.prompts.render_text("Hello {{ name }}", name="Ada") == "Hello Ada"


def test_loading_the_services_brings_neither_the_http_library_nor_the_toolkit() -> None:
    script = (
        "import sys; from redraft.host.headless import Services; Services.load();"
        "print(*sorted({name.partition('.')[0] for name in sys.modules} & {'httpx', 'PySide6', 'xllamacpp', 'numpy'}))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "\n"
