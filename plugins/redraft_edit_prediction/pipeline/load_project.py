"""Loads an example's project and fills in what a prompt is made of: the file around the cursor, and the history."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from redraft.api.services import Privacy
from redraft.core.errors import AnswerError, UsageError
from redraft.core.review.cursor_marks import take_cursor
from redraft.core.review.example import Example, PromptInputs
from redraft_edit_prediction.pipeline.project import Project
from redraft_edit_prediction.pipeline.ranges import choose_ranges
from redraft_edit_prediction.pipeline.repositories import Repositories, short_name
from redraft_edit_prediction.pipeline.syntax import enclosing_ranges

EXCERPT_BYTES: Final = 24_000
"""How much of the cursor's file stands in an example; most files do whole."""


class LoadProject:
    """Fills `prompt_inputs`, without related files; those that are there stay."""

    label = "Load"

    def __init__(self, repositories: Repositories, privacy: Privacy) -> None:
        self._repositories = repositories
        self._privacy = privacy

    def is_complete(self, example: Example) -> bool:
        """Whether the inputs are there."""
        return example.prompt_inputs is not None

    async def process(self, example: Example) -> Example:
        """Load what is missing.

        Raises:
            UsageError: The project, a patch or the cursor's place is not to be found.
        """
        if self.is_complete(example):
            return example
        if refusal := self._privacy.refusal(Path(example.cursor_path)):
            raise UsageError(refusal)
        project = await self.open(example)
        return example.changed(prompt_inputs=inputs_of(example, project))

    def may_show(self, path: str) -> bool:
        """Whether a file may be shown to a model: one named like a secret may not."""
        return not self._privacy.refusal(Path(path))

    async def open(self, example: Example) -> Project:
        """The example's project with its uncommitted changes and its edits.

        Raises:
            UsageError: As in `process`.
        """
        folder = None
        if example.repository_url:
            folder = await self._repositories.worktree(example.repository_url, example.revision)
        project = Project(short_name(example.repository_url), folder)
        if folder is None:
            _found_project(project, example)
        if example.uncommitted_diff:
            project.apply(example.uncommitted_diff)
            if example.uncommitted_diff_contains_edit_history:
                project.undo(example.edit_history)
        project.edit(example.edit_history)
        return project


def inputs_of(example: Example, project: Project) -> PromptInputs:
    """What a prompt is made of.

    Raises:
        UsageError: The excerpt around the cursor is not in the file, or in it more than once.
    """
    path, text = _cursor_file(example, project)
    try:
        excerpt, cursor = take_cursor(example.cursor_position)
    except AnswerError as error:
        raise UsageError(f"{error}") from error
    at = text.find(excerpt)
    if at < 0:
        raise UsageError(f"The excerpt around the cursor did not exist in {path} as it is after the edit history.")
    if text.find(excerpt, at + 1) >= 0:
        raise UsageError(f"The excerpt around the cursor has more than one match in {path}; make it longer.")
    offset = len(text[:at].encode()) + cursor
    start_row, window, start = _window(text, offset)
    syntax = enclosing_ranges(path, text, offset)
    size = len(window.encode())
    clipped = None if syntax is None else [(max(0, a - start), min(size, b - start)) for a, b in syntax]
    ranges = choose_ranges(window, offset - start, clipped or [])
    return PromptInputs(
        cursor_path=path,
        cursor_excerpt=window,
        cursor_offset_in_excerpt=offset - start,
        excerpt_start_row=start_row,
        events=project.events,
        excerpt_ranges={
            "editable_350": {"start": ranges.editable[0], "end": ranges.editable[1]},
            "editable_350_context_150": {"start": ranges.context[0], "end": ranges.context[1]},
        },
        syntax_ranges=clipped,
        repo_url=example.repository_url or None,
    )


def _found_project(project: Project, example: Example) -> None:
    """Without a repository, all that is known of the project is the excerpt around the cursor."""
    try:
        after, _ = take_cursor(example.cursor_position)
    except AnswerError as error:
        raise UsageError(f"{error}") from error
    project.changed[example.cursor_path] = after
    try:
        project.undo(example.edit_history)
    except UsageError as error:
        raise UsageError(f"The example names no repository, and {error}") from error


def _cursor_file(example: Example, project: Project) -> tuple[str, str]:
    """The file of the cursor; older data names the project's folder first."""
    for path in (example.cursor_path, example.cursor_path.partition("/")[2]):
        text = project.text(path) if path else None
        if text is not None:
            return path, text
    raise UsageError(f"The cursor's file {example.cursor_path} did not exist in the project.")


def _window(text: str, offset: int) -> tuple[int, str, int]:
    """Rows around a byte offset: the first row, their text, and its byte offset in the file."""
    lines = text.split("\n")
    sizes = [len(line.encode()) + 1 for line in lines]
    row = len(text.encode()[:offset].decode(errors="ignore").split("\n")) - 1
    start, end, left = row, row + 1, EXCERPT_BYTES - sizes[row]
    while True:
        up = start > 0 and sizes[start - 1] <= left
        if up:
            start, left = start - 1, left - sizes[start - 1]
        down = end < len(lines) and sizes[end] <= left
        if down:
            end, left = end + 1, left - sizes[end]
        if not up and not down:
            break
    window = "\n".join(lines[start:end]) + ("\n" if end < len(lines) else "")
    return start, window, sum(sizes[:start])
