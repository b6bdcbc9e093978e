from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

from redraft.core.assets import assets_folder, resource

CHECKOUT = Path(__file__).resolve().parents[2]
ASK = (
    "from redraft.core.assets import assets_folder, resource; print(assets_folder('prompts')); print(resource('fonts'))"
)


def test_in_the_checkout_they_stand_at_its_top() -> None:
    assert assets_folder("prompts") == CHECKOUT / "prompts"
    assert resource("themes/tokens.toml") == CHECKOUT / "resources" / "themes" / "tokens.toml"
    assert resource("themes/tokens.toml").is_file()


def test_installed_they_stand_inside_the_package(tmp_path: Path) -> None:
    """Lays a copy out as the wheel does, by the wheel's own table, and asks it."""
    table = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert table["sources"] == ["gui", "plugins"]
    shutil.copytree(CHECKOUT / "gui" / "redraft" / "core", tmp_path / "redraft" / "core")
    shutil.copy(CHECKOUT / "gui" / "redraft" / "__init__.py", tmp_path / "redraft")
    for source, place in table["force-include"].items():
        shutil.copytree(CHECKOUT / source, tmp_path / place)
    result = subprocess.run(
        [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(tmp_path)!r}); {ASK}"],
        capture_output=True,
        text=True,
        check=True,
    )
    inside = tmp_path / "redraft"
    assert result.stdout.split() == [str(inside / "prompts"), str(inside / "resources" / "fonts")]
    assert (inside / "prompts" / "replace.jinja").is_file()
