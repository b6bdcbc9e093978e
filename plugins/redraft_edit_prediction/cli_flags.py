"""The flags of the stages, each written down once; a stage's command line is made of the dataclass that holds them.

Flags
├── ContextFlags      context
├── PromptFlags       format-prompt
├── AskingFlags       predict, score
│   └── EvalFlags     eval
├── ReviewFlags
│   ├── JudgeFlags    qa
│   └── RepairFlags   repair
└── RunFlags          run
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import typer

from redraft.core.errors import UsageError
from redraft.core.review.judge import CONFIDENCE_THRESHOLD
from redraft_edit_prediction.pipeline.format_prompt import DEFAULT_PROVIDER, JUMPS_RELATED_TOKENS
from redraft_edit_prediction.pipeline.predict import PredictOptions
from redraft_edit_prediction.pipeline.providers import Provider
from redraft_edit_prediction.pipeline.ranges import BYTES_PER_TOKEN
from redraft_edit_prediction.pipeline.related import ContextType

CONTEXT_LIMIT: Final = 4000
STEPS: Final = ("predict", "qa", "score", "repair")

Inputs = Annotated[list[Path], typer.Argument(metavar="INPUT...", help="Datasets; - for standard input.")]
ProviderName = Annotated[str, typer.Option("-p", "--provider", help="Who predicts: teacher:sonnet45, model:NAME, …")]
BackendName = Annotated[str, typer.Option("--backend", help="anthropic, openai, model:NAME or embedded.")]
Types = Annotated[list[str] | None, typer.Option("--type", help="Ways to look, comma separated.")]
Wait = Annotated[bool, typer.Option("--wait", help="Wait until all batches are done.")]
NoBatch = Annotated[bool, typer.Option("--no-batch", help="Ask one by one instead of in batches.")]
Threshold = Annotated[int, typer.Option("--confidence-threshold", min=0, max=5, help="Repair up to this confidence.")]
Html = Annotated[Path | None, typer.Option("--html", help="Write the report as a page, too.")]


@dataclass(frozen=True, kw_only=True)
class Flags:
    """What every stage is given."""

    inputs: Inputs

    @property
    def waits(self) -> bool:
        """Whether to stay until all batches are done."""
        return bool(getattr(self, "wait", False))


@dataclass(frozen=True, kw_only=True)
class ContextFlags(Flags):
    """Of looking for related code."""

    types: Types = None
    force: Annotated[bool, typer.Option("-f", "--force", help="Look again where it was done before.")] = False


@dataclass(frozen=True, kw_only=True)
class PromptFlags(Flags):
    """Of writing prompts."""

    provider: ProviderName = DEFAULT_PROVIDER
    budget: Annotated[
        int, typer.Option("--related-files-budget", min=0, help="Tokens of related code in the jumps prompt.")
    ] = JUMPS_RELATED_TOKENS


@dataclass(frozen=True, kw_only=True)
class AskingFlags(Flags):
    """Of asking for predictions."""

    provider: ProviderName = ""
    repetitions: Annotated[int, typer.Option("--repetitions", min=1, help="Predictions for each example.")] = 1
    cache_only: Annotated[bool, typer.Option("--cache-only", help="Ask nobody; take what is in the cache.")] = False
    wait: Wait = False

    @property
    def who(self) -> Provider | None:
        """Who is asked, if anyone."""
        return Provider.parse(self.provider) if self.provider else None

    @property
    def how(self) -> PredictOptions:
        """How they are asked."""
        return PredictOptions(self.repetitions, self.cache_only)


@dataclass(frozen=True, kw_only=True)
class EvalFlags(AskingFlags):
    """Of the table of scores."""

    types: Types = None
    limit: Annotated[
        int, typer.Option("--related-context-limit", min=0, help="Tokens of related code that count as shown.")
    ] = CONTEXT_LIMIT
    summary_json: Annotated[Path | None, typer.Option("--summary-json", help="Write the totals as JSON.")] = None
    context_only: Annotated[bool, typer.Option("--context-only", help="Ask for no predictions.")] = False
    verbose: Annotated[bool, typer.Option("--verbose", help="Show every example.")] = False

    @property
    def who(self) -> Provider | None:
        """Nobody, where only the context counts."""
        return None if self.context_only else super().who

    @property
    def context_bytes(self) -> int:
        """How much related code counts as shown."""
        return self.limit * BYTES_PER_TOKEN


@dataclass(frozen=True, kw_only=True)
class ReviewFlags(Flags):
    """Of asking about predictions; whom, each kind of review says itself."""

    backend: BackendName = ""
    attempt: Annotated[
        int, typer.Option("--attempt", min=1, help="From 2 on, what could not be read is asked anew.")
    ] = 1
    no_batch: NoBatch = False
    wait: Wait = False


@dataclass(frozen=True, kw_only=True)
class JudgeFlags(ReviewFlags):
    """Of judging."""

    backend: BackendName = "openai"


@dataclass(frozen=True, kw_only=True)
class RepairFlags(ReviewFlags):
    """Of second tries."""

    backend: BackendName = "anthropic"
    threshold: Threshold = CONFIDENCE_THRESHOLD


@dataclass(frozen=True, kw_only=True)
class RunFlags(Flags):
    """Of all steps in one go."""

    provider: ProviderName = DEFAULT_PROVIDER
    backend: Annotated[str, typer.Option("--backend", help="Who judges and repairs; the provider's by default.")] = ""
    steps: Annotated[str, typer.Option("--steps", help="Which steps, comma separated.")] = ",".join(STEPS)
    threshold: Threshold = CONFIDENCE_THRESHOLD
    html: Html = None
    no_batch: NoBatch = False
    wait: Wait = False

    @property
    def chosen(self) -> list[str]:
        """The steps, in the order in which they are to be done.

        Raises:
            UsageError: One is not known, or none is named.
        """
        steps = _listed([self.steps])
        unknown = [step for step in steps if step not in STEPS]
        if unknown or not steps:
            known = ", ".join(STEPS)
            raise UsageError(f"There is no step {unknown[0]!r}; there are: {known}." if unknown else "Name steps.")
        return steps

    @property
    def label(self) -> str:
        """What the run is called in its report."""
        if len(self.inputs) == 1:
            return self.inputs[0].stem
        return f"{len(self.inputs)} files from {self.inputs[0].parent.name or 'here'}"


def context_types(names: Sequence[str] | None) -> list[ContextType]:
    """Ways to look for related code, as they are named on the command line.

    Raises:
        UsageError: One is not known.
    """
    types: list[ContextType] = []
    for name in _listed(names or ()):
        try:
            types.append(ContextType(name.replace("_", "-").lower()))
        except ValueError as error:
            raise UsageError(f"There is no way {name!r} to find code. There are: {', '.join(ContextType)}.") from error
    return types


def context_sources(names: Sequence[str] | None) -> frozenset[str] | None:
    """The same as they stand in examples; `None` for all."""
    return frozenset(kind.value.replace("-", "_") for kind in context_types(names)) or None


def _listed(texts: Sequence[str]) -> list[str]:
    return [name.strip() for text in texts for name in text.split(",") if name.strip()]
