"""What the tests of the edit-prediction plugin are given."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pipelines import EpRunner
from servers import ScriptedServer


@pytest.fixture
def ep(capfd: pytest.CaptureFixture[str]) -> EpRunner:
    """Runs `redraft ep` in this process."""
    return EpRunner(capfd)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedServer]:
    """A model server; `model:scripted` is a model there."""
    with ScriptedServer() as scripted:
        monkeypatch.setenv("REDRAFT_BASE_URL", f"{scripted.url}/v1")
        monkeypatch.setenv("REDRAFT_MODEL", "scripted")
        yield scripted
