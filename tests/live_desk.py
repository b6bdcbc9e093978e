"""A window that is not there, with two Python files open and predictions on: shared by the tests of predictions."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

from fakes import FakeContext, FakeEditor, FakeEditors, FixedModels, ScriptedClient, plugin_settings
from redraft.api.ui import StatusModel
from redraft.core.llm.client import Capabilities, ModelInfo
from redraft.core.review.teacher import REGION_END
from redraft_edit_prediction.live.watcher import Watcher

CODE = "def total(items):\n    n = 0\n    for item in items:\n        n += 1\n        print(item)\n    return n\n"
OTHER = "from sums import total\n\nprint(total([1]))\n"


class Desk:
    """The window, its watcher, and a model that says what it was told."""

    def __init__(self, *answers: object, location: str = "embedded", **settings: object) -> None:
        info = ModelInfo("scripted", "test", "scripted-1", location=location)
        capabilities = Capabilities(prefill=True)
        self.client = ScriptedClient(*answers, info=info, capabilities=capabilities)  # type: ignore[arg-type]  # as it takes them
        self.editor = FakeEditor(CODE, path=Path("/project/sums.py"))
        self.other = FakeEditor(OTHER, path=Path("/project/use.py"))
        editors = FakeEditors(self.editor, self.other, folder=Path("/project"))
        manifest = Path(str(files("redraft_edit_prediction") / "plugin.toml"))
        values = {f"edit_prediction.{name}": value for name, value in {"mode": "eager", "delay": 0, **settings}.items()}
        more = {"default_models.edit_prediction": "", "privacy.ai_enabled": True, **values}
        self.context = FakeContext(settings=plugin_settings(manifest), models=FixedModels(self.client), editor=editors)
        self.context.settings.values |= more
        self.now = 1000.0
        self.watcher = Watcher(self.context, clock=lambda: self.now)

    def rename(self) -> None:
        """`n` becomes `count` in line 2, and the caret stands behind it."""
        self.editor.change(self.editor.text.index("n = 0"), "n", "count")

    def lose_model(self) -> None:
        """The model is gone, and some seconds with it."""
        self.context.models.client = None
        self.now += 10

    def settle(self, until: Callable[[], bool] | None = None) -> None:
        """Let work go on until something holds, or until there is none."""
        self.context.tasks.settle(until or (lambda: self.context.tasks.is_quiet))

    @property
    def status(self) -> StatusModel:
        """The status item."""
        assert self.context.ui.status.model is not None
        return self.context.ui.status.model

    @property
    def words(self) -> list[str]:
        """What the journal says, the latest first."""
        return [entry.words for entry in self.watcher.journal.entries]


RENAMED = (
    f"    count = 0\n    for item in items:\n        count += 1\n        print(item)\n    return count\n{REGION_END}"
)
SAME = f"    count = 0\n    for item in items:\n        n += 1\n        print(item)\n    return n\n{REGION_END}"
