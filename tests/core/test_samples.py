from __future__ import annotations

import ast
from pathlib import Path

from redraft.core.assets import resource
from redraft.core.samples import FIRST_FILE, sample_project


def test_the_users_copy_is_theirs(own_home: Path) -> None:
    project = sample_project()
    file = project / FIRST_FILE
    assert file.read_text(encoding="utf-8") == (resource("samples/tideline") / FIRST_FILE).read_text(encoding="utf-8")
    assert own_home in project.parents
    file.write_text("# mine\n", encoding="utf-8")
    assert sample_project() == project
    assert file.read_text(encoding="utf-8") == "# mine\n"


def test_every_python_file_of_the_sample_parses() -> None:
    files = list(resource("samples").rglob("*.py"))
    assert len(files) >= 9
    for file in files:
        ast.parse(file.read_text(encoding="utf-8"), file.name)
