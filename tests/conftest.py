"""What every test stands on: an own home, no display, no keyring of the machine's."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import keyring
import platformdirs
import pytest
from hypothesis import settings

from planted import MemoryKeyring

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.null.Keyring"

# A busy machine is no failure: properties have no deadline of their own.
settings.register_profile("redraft", deadline=None)
settings.load_profile("redraft")

DATA = Path(__file__).parent / "data"


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Settings, state, caches and models of a test go into its own folder."""
    home = tmp_path / "home"
    home.mkdir()
    for name in ("CONFIG", "STATE", "DATA", "CACHE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(home / name.lower()))
    for name in ("REDRAFT_BASE_URL", "REDRAFT_MODEL", "REDRAFT_API_KEY", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    return home


@pytest.fixture
def ring() -> Iterator[MemoryKeyring]:
    """A keyring of the test's own."""
    before, ring = keyring.get_keyring(), MemoryKeyring()
    keyring.set_keyring(ring)
    yield ring
    keyring.set_keyring(before)


REAL_MODELS = platformdirs.user_data_path("redraft") / "models"
"""Where `make model` puts the small model; read before a test's own home hides it."""


@pytest.fixture
def small_model() -> Path:
    """The file of the small embedded model."""
    path = REAL_MODELS / "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf"
    assert path.exists(), "run `make model` first: it fetches the small model the tests use"
    return path
