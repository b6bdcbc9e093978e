"""Makes examples of real commits, with the help of a model that finds edits which follow from others."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from redraft.api.services import Prompts, Storage
from redraft.core.errors import PatchError, RedraftError, UsageError
from redraft.core.languages import PLAIN, language_of
from redraft.core.llm.messages import ChatMessage, Role
from redraft.core.review.code_blocks import fence_for, last_code_block
from redraft.core.review.edit_order import reorder_edits
from redraft.core.review.example import Example
from redraft.core.review.loose_patch import LooseHunk, apply_hunks_loosely, read_hunks, render_hunk
from redraft.core.review.teacher import USER_CURSOR
from redraft_edit_prediction.pipeline.answers import Answers, Question
from redraft_edit_prediction.pipeline.git import Git
from redraft_edit_prediction.pipeline.load_project import LoadProject, inputs_of
from redraft_edit_prediction.pipeline.providers import Backend
from redraft_edit_prediction.pipeline.repositories import short_name

MAX_TOKENS: Final = 8192
FEWEST_LINES, MOST_LINES = 30, 1000
STATE: Final = "synthesize_state.json"
NO_PATTERN: Final = "NO_PATTERN:"


@dataclass(frozen=True, slots=True)
class Change:
    """One commit."""

    url: str
    sha: str
    message: str
    patch: str


class Seen:
    """Which commits were looked at before, whatever came of it."""

    def __init__(self, storage: Storage, *, fresh: bool = False) -> None:
        self._storage = storage
        text = None if fresh else storage.read(STATE)
        self._shas: dict[str, list[str]] = json.loads(text) if text else {}

    def has(self, change: Change) -> bool:
        """Whether a commit was looked at."""
        return change.sha in self._shas.get(change.url, ())

    def add(self, change: Change) -> None:
        """Remember a commit."""
        self._shas.setdefault(change.url, []).append(change.sha)
        self._storage.write(STATE, json.dumps(self._shas))


async def changes_of(git: Git, url: str, most: int) -> list[Change]:
    """The latest commits that are worth a look: no merges, some code changed, neither tiny nor huge."""
    listed = await git.text("log", "--no-merges", f"-{most}", "--format=%H", "--all")
    found: list[Change] = []
    for sha in listed.split():
        message = await git.text("show", "--no-patch", "--format=%B", sha)
        patch = await git.text("diff-tree", "-p", "--no-commit-id", "--no-color", "-M", "-U3", sha)
        if _is_worth_a_look(patch):
            found.append(Change(url, sha, message.strip(), patch + "\n"))
    return found


async def example_of(
    change: Change, answers: Answers, prompts: Prompts, backend: Backend, load: LoadProject
) -> Example | None:
    """An example made of a commit; `None` if the model sees no pattern in it.

    Raises:
        RedraftError: The model did not answer, or what it chose does not fit.
    """
    hunks = read_hunks(change.patch)
    shown = "\n".join(_numbered(hunks))
    text = prompts.render("synthesize", message=change.message, hunks=shown, fence=fence_for(shown))
    answer = await answers.ask(Question(backend, (ChatMessage(Role.USER, text),), MAX_TOKENS))
    if answer is None or NO_PATTERN in answer.text:
        return None
    example = _chosen(change, hunks, _said(answer.text))
    await _check(example, load)
    return example


def _is_worth_a_look(patch: str) -> bool:
    hunks = read_hunks(patch)
    changed = sum(line.is_change for hunk in hunks for line in hunk.lines)
    has_code = any(language_of(hunk.path) not in {PLAIN, "markdown", "json"} for hunk in hunks)
    return has_code and FEWEST_LINES <= changed <= MOST_LINES


def _numbered(hunks: Sequence[LooseHunk]) -> Iterator[str]:
    for number, hunk in enumerate(hunks):
        yield f"Hunk {number} ({hunk.path}):\n{render_hunk(hunk.lines, hunk.old_start or 0, hunk.new_start or 0)}"


def _said(answer: str) -> dict[str, Any]:
    try:
        said = json.loads(last_code_block(answer) or answer)
        history, expected = [int(number) for number in said["history"]], int(said["expected"])
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError("the model's choice cannot be read") from error
    return {**said, "history": history, "expected": expected}


def _chosen(change: Change, hunks: Sequence[LooseHunk], said: dict[str, Any]) -> Example:
    numbers = _edit_numbers(hunks)
    wanted = [*said["history"], said["expected"]]
    if any(not 0 <= number < len(hunks) for number in wanted) or len(set(wanted)) < len(wanted):
        raise UsageError("the model chose hunks that are not in the commit, or one twice")
    *history, expected = reorder_edits(change.patch, [numbers[number] for number in wanted])
    target = read_hunks(expected)[0]
    first = next(index for index, line in enumerate(target.lines) if line.is_change)
    lines = target.old_text
    place = min(first, max(0, len(lines) - 1))
    lines[place : place + 1] = [f"{USER_CURSOR}{line}" for line in lines[place : place + 1]] or [USER_CURSOR]
    return Example(
        name=str(said.get("name") or f"{short_name(change.url)} {change.sha[:8]}"),
        repository_url=change.url,
        revision=f"{change.sha}~1",
        reasoning=str(said.get("reasoning") or ""),
        cursor_path=target.path,
        cursor_position="\n".join(lines),
        edit_history="".join(history),
        expected_patches=[expected],
        tags=["synthesized"],
    )


def _edit_numbers(hunks: Sequence[LooseHunk]) -> list[set[int]]:
    numbers: list[set[int]] = []
    at = 0
    for hunk in hunks:
        count = sum(line.is_change for line in hunk.lines)
        numbers.append(set(range(at, at + count)))
        at += count
    return numbers


async def _check(example: Example, load: LoadProject) -> None:
    """Make sure that history, cursor and expected patch all fit the project."""
    project = await load.open(example)
    inputs_of(example, project)
    try:
        apply_hunks_loosely(project.text(example.cursor_path) or "", read_hunks(example.expected_patches[0]))
    except PatchError as error:
        raise UsageError(f"the expected patch does not apply: {error}") from error


def words_of(change: Change, error: RedraftError) -> str:
    """Why nothing came of a commit."""
    return f"{short_name(change.url)} {change.sha[:8]}: {error}"
