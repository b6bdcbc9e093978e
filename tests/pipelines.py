"""What tests of `redraft ep` share: the command line run in this process, examples, and small repositories."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from redraft.cli import main
from redraft.core.review.example import Example, Prediction, Prompt, PromptInputs
from redraft.core.text import split_lines
from redraft_edit_prediction.pipeline.markdown import read_markdown

SAMPLES = Path(__file__).parents[1] / "resources" / "samples" / "edit_prediction"
FENCE = "`" * 5
TEXT = "def area(w, h):\n    return w + h\n"
PATCH = "--- a/shape.py\n+++ b/shape.py\n@@ -1,2 +1,2 @@\n def area(w, h):\n-    return w + h\n+    return w * h\n"
REGION = f"<|editable_region_start|>\n{TEXT}<|editable_region_end|>"
GOOD = f"{FENCE}\n<|editable_region_start|>\ndef area(w, h):\n    return w * h\n<|editable_region_end|>\n{FENCE}"
JUDGED_GOOD = '```json\n{"reasoning": "right", "reverts_edits": false, "confidence": 5}\n```'
JUDGED_BAD = '```json\n{"reasoning": "wrong", "reverts_edits": false, "confidence": 1}\n```'


@dataclass(frozen=True)
class Outcome:
    """What a command line left."""

    status: int
    out: str
    err: str

    @property
    def examples(self) -> list[Example]:
        """The examples on standard output."""
        return [Example.model_validate_json(line) for line in split_lines(self.out)]


class EpRunner:
    """Runs `redraft ep` and catches what it prints."""

    def __init__(self, capfd: pytest.CaptureFixture[str]) -> None:
        self._capfd = capfd

    def __call__(self, *arguments: object) -> Outcome:
        self._capfd.readouterr()
        status = main(["ep", *map(str, arguments)])
        out, err = self._capfd.readouterr()
        return Outcome(status, out, err)


def example(name: str = "area", **fields: object) -> Example:
    """An example with inputs, ready to be predicted."""
    own: dict[str, object] = {
        "name": name,
        "repository_url": "",
        "revision": "",
        "cursor_path": "shape.py",
        "cursor_position": "def area(w, h):\n    return w<|user_cursor|> + h\n",
        "edit_history": f"// the history of {name}\n",  # else all would be the same question
        "expected_patches": [PATCH],
        "prompt_inputs": inputs(),
    }
    return Example.model_validate(own | fields)


def inputs(**fields: object) -> PromptInputs:
    """The inputs of `example`."""
    own: dict[str, object] = {
        "cursor_path": "shape.py",
        "cursor_excerpt": TEXT,
        "cursor_offset_in_excerpt": 27,
        "excerpt_start_row": 0,
        "related_files": [],
    }
    return PromptInputs.model_validate(own | fields)


def predicted(patch: str | None = PATCH, output: str = GOOD, **fields: object) -> Prediction:
    """A prediction as the pipeline leaves it."""
    own: dict[str, object] = {"provider": "teacher:sonnet45", "actual_patch": patch, "actual_output": output}
    return Prediction.model_validate(own | fields)


def prompt(provider: str = "teacher:sonnet45") -> Prompt:
    """A prompt that holds the region of `example`."""
    return Prompt(input=f"# 3. Current File\n\n{FENCE}shape.py\n{REGION}\n{FENCE}\n", provider=provider)


def write_lines(path: Path, examples: Iterable[Example | dict[str, Any] | str]) -> Path:
    """A dataset of some examples."""
    lines = [
        one if isinstance(one, str) else one.to_json() if isinstance(one, Example) else json.dumps(one)
        for one in examples
    ]
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def read_lines(path: Path) -> list[Example]:
    """The examples of a dataset."""
    return [Example.model_validate_json(line) for line in path.read_text().splitlines()]


def sample(name: str) -> Example:
    """One of the samples that come with the editor."""
    return read_markdown((SAMPLES / f"{name}.md").read_text())


class Repository:
    """A git repository of a test."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True)
        self.git("init", "--quiet", "--initial-branch=main")

    def git(self, *arguments: str) -> str:
        """Run git in it."""
        identity = {f"GIT_{who}_{what}": "test" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.folder,
            check=True,
            capture_output=True,
            text=True,
            env=os.environ | identity,
        )
        return done.stdout.strip()

    def commit(self, **files: str) -> str:
        """Commit files, given by name with `__` for `.` and `_in_` for `/`; the commit's hash."""
        for name, text in files.items():
            path = self.folder / name.replace("_in_", "/").replace("__", ".")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "change", "--no-gpg-sign")
        return self.git("rev-parse", "HEAD")


def names(examples: Sequence[Example]) -> list[str]:
    """The names of examples."""
    return [one.name for one in examples]
