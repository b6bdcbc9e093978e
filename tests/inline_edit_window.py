"""A window that is not there, with one Python file open: shared by the tests of the inline edit."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from fakes import FakeContext, FakeEditor, FakeEditors, FixedModels, ScriptedClient, plugin_settings
from redraft.core.llm.client import Capabilities

CODE = "import math\n\n\ndef total(items):\n    return sum(items)\n\n\ndef area(r):\n    return math.pi * r**2\n"
FUNCTION = "def total(items):\n    return sum(items)\n"
BETTER = "def total(items):\n    if not items:\n        raise ValueError\n    return sum(items)\n"


def wrapped(code: str) -> str:
    """An answer as it is asked for."""
    return f"<GENERATEDCODE>\n{code}</GENERATEDCODE>"


def make_context(*scripts: object, text: str = CODE) -> FakeContext:
    """A window with one file, and a model that answers so."""
    manifest = Path(str(files("redraft_inline_edit") / "plugin.toml"))
    client = ScriptedClient(*scripts, capabilities=Capabilities(stop_sequences=False))  # type: ignore[arg-type]  # as it takes them
    editor = FakeEditor(text, path=Path("/project/totals.py"))
    editors = FakeEditors(editor, folder=Path("/project"))
    return FakeContext(settings=plugin_settings(manifest, presets=()), models=FixedModels(client), editor=editors)
