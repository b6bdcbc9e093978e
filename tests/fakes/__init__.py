"""Stand-ins for the services of the editor, for tests of plugins without a window."""

from fakes.context import FakeCliContext, FakeContext
from fakes.editor import FakeEditor, FakeEditors, FakeTab, FakeTracked
from fakes.models import FixedModels, ScriptedClient, answer
from fakes.overlays import FakeDiff, FakePrediction, FakePrompt
from fakes.services import ListedPresets, MemorySettings, MemoryStorage, OpenPrivacy, QuietLog, plugin_settings
from fakes.tasks import FakeTask, FakeTasks
from fakes.window import FakeCommands, FakeStatus, FakeUi

__all__ = [
    "FakeCliContext",
    "FakeCommands",
    "FakeContext",
    "FakeDiff",
    "FakeEditor",
    "FakeEditors",
    "FakePrediction",
    "FakePrompt",
    "FakeStatus",
    "FakeTab",
    "FakeTask",
    "FakeTasks",
    "FakeTracked",
    "FakeUi",
    "FixedModels",
    "ListedPresets",
    "MemorySettings",
    "MemoryStorage",
    "OpenPrivacy",
    "QuietLog",
    "ScriptedClient",
    "answer",
    "plugin_settings",
]
