"""Finds related code for an example, without a language server."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import Final

from redraft.core.review.example import Example
from redraft_edit_prediction.pipeline.load_project import LoadProject
from redraft_edit_prediction.pipeline.project import Project
from redraft_edit_prediction.pipeline.related import HONEST, ContextType, Find, Scene, finds_of, merge

MOST_FILES: Final = 5_000
_NOT_CODE: Final = frozenset({".lock", ".svg", ".csv", ".tsv", ".ipynb", ".min.js", ".map", ".pb", ".snap"})
# Ways of looking that need every file of the project.
_WHOLE: Final = {ContextType.LSP, ContextType.BM25, ContextType.GIT_LOG}


class Context:
    """Fills `prompt_inputs.related_files`; an empty list says that nothing was found."""

    label = "Context"

    def __init__(
        self, load: LoadProject, types: Sequence[ContextType] = (ContextType.LSP,), *, force: bool = False
    ) -> None:
        self._load = load
        self._types = HONEST if ContextType.ALL in types else tuple(types)
        self._force = force

    def is_complete(self, example: Example) -> bool:
        """Whether related files were sought already."""
        inputs = example.prompt_inputs
        return inputs is not None and inputs.related_files is not None and not self._force

    async def process(self, example: Example) -> Example:
        """Look for related code, after loading the project if need be.

        Raises:
            UsageError: The project cannot be loaded.
        """
        if self.is_complete(example):
            return example
        example = await self._load.process(example)
        inputs = example.prompt_inputs
        if inputs is None or not example.repository_url or ContextType.NONE in self._types:
            return example
        project = await self._load.open(example)
        texts = await self._texts(project, example, reads_all=bool(_WHOLE & set(self._types)))
        scene = Scene(example, inputs, project, texts)
        found: list[Find] = []
        for rank, kind in enumerate(self._types):
            # An earlier way's finds all stand before a later one's.
            found += [
                Find(find.path, find.start, find.end, find.order + 100 * rank, find.source)
                for find in await finds_of(kind, scene)
            ]
        related = merge(found, texts, project.name)
        return example.changed(prompt_inputs=inputs.changed(related_files=related))

    async def _texts(self, project: Project, example: Example, *, reads_all: bool) -> dict[str, str]:
        """Texts by path: of the whole project, or of the files that an example names; never of secrets."""
        paths = [path for path in await project.paths() if not _NOT_CODE & set(PurePath(path).suffixes)]
        paths = [path for path in paths[:MOST_FILES] if self._load.may_show(path)]
        if not reads_all:
            named = f"{example.edit_history}\n{example.cursor_path}\n" + "\n".join(example.expected_patches)
            paths = [path for path in paths if path in named]
        texts = ((path, project.text(path)) for path in paths)
        return {path: text for path, text in texts if text}
