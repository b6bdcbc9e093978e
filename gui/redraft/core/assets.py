"""Finds the files that ship with Redraft: inside the installed package, else in the checkout."""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal

PACKAGE: Final = Path(__file__).resolve().parents[1]


def assets_folder(kind: Literal["docs", "prompts", "resources"]) -> Path:
    """The folder of a kind of asset."""
    installed = PACKAGE / kind
    return installed if installed.is_dir() else PACKAGE.parents[1] / kind


def resource(name: str) -> Path:
    """The file or folder of a resource, named by its path below `resources` (`"themes/tokens.toml"`)."""
    return assets_folder("resources") / name
