"""What the stages of a run share: models, prompts, caches and repositories."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from redraft.api.context import CliContext
from redraft.core.paths import cache_folder, state_folder
from redraft_edit_prediction.pipeline.answers import Answers
from redraft_edit_prediction.pipeline.context import Context
from redraft_edit_prediction.pipeline.format_prompt import JUMPS_RELATED_TOKENS, FormatPrompt
from redraft_edit_prediction.pipeline.load_project import LoadProject
from redraft_edit_prediction.pipeline.predict import Predict, PredictOptions
from redraft_edit_prediction.pipeline.progress import notes
from redraft_edit_prediction.pipeline.providers import Provider
from redraft_edit_prediction.pipeline.related import ContextType
from redraft_edit_prediction.pipeline.repositories import Repositories

NAME = "edit_prediction"


class Workshop:
    """Makes the stages and owns what they share."""

    def __init__(self, cli: CliContext) -> None:
        self.cli = cli
        cache = cache_folder(NAME)
        self.answers = Answers(
            cli.models,
            cli.privacy,
            cli.settings,
            cache / "llm_cache.sqlite",
            say=lambda words: notes.print(words, markup=False),
        )
        self.repositories = Repositories(cache)
        self.load = LoadProject(self.repositories, cli.privacy)

    def context(self, types: Sequence[ContextType] = (ContextType.LSP,), *, force: bool = False) -> Context:
        """The stage that finds related code."""
        return Context(self.load, types, force=force)

    def format_prompt(self, provider: Provider, related_tokens: int = JUMPS_RELATED_TOKENS) -> FormatPrompt:
        """The stage that writes prompts."""
        return FormatPrompt(self.context(), self.cli.prompts, provider, related_tokens=related_tokens)

    def predict(self, provider: Provider | None, options: PredictOptions | None = None) -> Predict:
        """The stage that asks for predictions."""
        return Predict(self.format_prompt(provider) if provider else None, self.answers, provider, options)

    @property
    def runs(self) -> Path:
        """The folder in which failures are kept, run by run."""
        return state_folder(NAME, "runs")

    async def aclose(self) -> None:
        """Close what was opened."""
        await self.answers.aclose()


def clean() -> list[Path]:
    """Remove all caches and kept failures; the folders that are gone."""
    folders = [cache_folder(NAME), state_folder(NAME)]
    for folder in folders:
        shutil.rmtree(folder)
    return folders
