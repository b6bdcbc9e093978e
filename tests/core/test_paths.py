from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from redraft.core.errors import FileError
from redraft.core.paths import cache_folder, config_folder, data_folder, private_folder, state_folder


@pytest.mark.parametrize(
    ("folder", "name"),
    [(config_folder, "config"), (state_folder, "state"), (data_folder, "data"), (cache_folder, "cache")],
)
def test_each_kind_of_file_has_its_folder_made_for_the_user_alone(
    own_home: Path, folder: Callable[..., Path], name: str
) -> None:
    path = folder("inner", "most")
    assert path == own_home / name / "redraft" / "inner" / "most"
    for made in (path, path.parent, path.parent.parent):
        assert stat.S_IMODE(made.stat().st_mode) == 0o700
    assert folder("inner", "most") == path


def test_a_folder_that_is_there_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "open").mkdir(mode=0o755)
    assert private_folder(tmp_path / "open").stat().st_mode & 0o777 == 0o755


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(FileError, match="is not there"):
        private_folder(tmp_path / "file" / "inner")
