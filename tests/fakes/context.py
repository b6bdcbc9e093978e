"""What a plugin is handed, in the window and on the command line."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any

from fakes.editor import FakeEditors
from fakes.models import FixedModels
from fakes.services import ListedPresets, MemorySettings, MemoryStorage, OpenPrivacy, QuietLog
from fakes.tasks import FakeTasks, T
from fakes.window import FakeCommands, FakeUi
from redraft.api.disposable import Disposable
from redraft.core.prompts import PromptLibrary


@dataclass
class _FakeServices:
    """The services that need no window."""

    settings: MemorySettings = field(default_factory=MemorySettings)
    models: FixedModels = field(default_factory=FixedModels)
    prompts: PromptLibrary = field(default_factory=PromptLibrary)
    storage: MemoryStorage = field(default_factory=MemoryStorage)
    privacy: OpenPrivacy = field(default_factory=OpenPrivacy)
    contributions: ListedPresets = field(default_factory=ListedPresets)
    log: QuietLog = field(default_factory=QuietLog)


@dataclass
class FakeCliContext(_FakeServices):
    """What a plugin's command line is handed."""

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run(work)


@dataclass(kw_only=True)
class FakeContext(_FakeServices):
    """What a plugin is handed in a window."""

    editor: FakeEditors
    plugin_id: str = "test"
    ui: FakeUi = field(default_factory=FakeUi)
    tasks: FakeTasks = field(default_factory=FakeTasks)
    commands: FakeCommands = field(default_factory=FakeCommands)
    kept: list[Disposable] = field(default_factory=list)

    def keep(self, item: Disposable) -> None:
        self.kept.append(item)

    def close(self) -> None:
        """The plugin is deactivated."""
        while self.kept:
            self.kept.pop().dispose()
        self.tasks.close()
