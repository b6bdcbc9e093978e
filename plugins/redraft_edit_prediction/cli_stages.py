"""The commands of `redraft ep` that fill in examples, stage by stage."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import typer

from redraft.core.errors import UsageError
from redraft.core.review.example import Example
from redraft.core.review.judge import CONFIDENCE_THRESHOLD
from redraft_edit_prediction.cli_options import Session
from redraft_edit_prediction.pipeline.distill import Distill
from redraft_edit_prediction.pipeline.evaluation import Evaluation
from redraft_edit_prediction.pipeline.format_prompt import DEFAULT_PROVIDER, JUMPS_RELATED_TOKENS
from redraft_edit_prediction.pipeline.frame import Work, failures_of, run
from redraft_edit_prediction.pipeline.parse_output import ParseOutput
from redraft_edit_prediction.pipeline.predict import PredictOptions
from redraft_edit_prediction.pipeline.progress import notes
from redraft_edit_prediction.pipeline.providers import Backend, Provider, Vendor, reviewer
from redraft_edit_prediction.pipeline.qa import JUDGES, Qa
from redraft_edit_prediction.pipeline.ranges import BYTES_PER_TOKEN
from redraft_edit_prediction.pipeline.related import ContextType
from redraft_edit_prediction.pipeline.repair import REPAIRERS, Repair, RepairSummary
from redraft_edit_prediction.pipeline.report import RunReport, render_page, table_of
from redraft_edit_prediction.pipeline.score import ScorePredictions
from redraft_edit_prediction.pipeline.stage import Chain, Read, Stage
from redraft_edit_prediction.pipeline.summary import Summary
from redraft_edit_prediction.pipeline.workshop import Workshop
from redraft_edit_prediction.reporting import print_table, write_page

CONTEXT_LIMIT: Final = 4000
STEPS: Final = ("predict", "qa", "score", "repair")

Inputs = Annotated[list[Path], typer.Argument(metavar="INPUT...", help="Datasets; - for standard input.")]
ProviderName = Annotated[str, typer.Option("-p", "--provider", help="Who predicts: teacher:sonnet45, model:NAME, …")]
Repetitions = Annotated[int, typer.Option("--repetitions", min=1, help="Predictions for each example.")]
CacheOnly = Annotated[bool, typer.Option("--cache-only", help="Ask nobody; take what is in the cache.")]
Wait = Annotated[bool, typer.Option("--wait", help="Wait until all batches are done.")]
NoBatch = Annotated[bool, typer.Option("--no-batch", help="Ask one by one instead of in batches.")]
BackendName = Annotated[str, typer.Option("--backend", help="anthropic, openai, model:NAME or embedded.")]
Types = Annotated[list[str] | None, typer.Option("--type", help="Ways to look, comma separated.")]
Threshold = Annotated[int, typer.Option("--confidence-threshold", min=0, max=5, help="Repair up to this confidence.")]
Attempt = Annotated[int, typer.Option("--attempt", min=1, help="From 2 on, what could not be read is asked anew.")]


@dataclass(frozen=True, slots=True)
class Asking:
    """The flags of commands that ask for predictions."""

    provider: Provider | None
    options: PredictOptions
    waits: bool

    @classmethod
    def of(cls, provider: str, repetitions: int, *, cache_only: bool, wait: bool) -> Asking:
        """Read them."""
        return cls(Provider.parse(provider) if provider else None, PredictOptions(repetitions, cache_only), wait)


def add_stages(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("read")(read)
    app.command("load-project")(load_project)
    app.command("context")(find_context)
    app.command("format-prompt")(format_prompt)
    app.command("predict")(predict)
    app.command("parse-output")(parse_output)
    app.command("qa")(judge)
    app.command("score")(score)
    app.command("eval")(evaluate)
    app.command("repair")(repair)
    app.command("distill")(distill)
    app.command("run")(run_all)


def read(context: typer.Context, inputs: Inputs) -> int:
    """Pass examples through: to filter, sort, or turn them into another format."""
    return _run(context, lambda _: Read(), inputs)


def load_project(context: typer.Context, inputs: Inputs) -> int:
    """Load each example's project at its revision, and find the cursor."""
    return _run(context, lambda shop: shop.load, inputs)


def find_context(
    context: typer.Context,
    inputs: Inputs,
    types: Types = None,
    *,
    force: Annotated[bool, typer.Option("-f", "--force", help="Look again where it was done before.")] = False,
) -> int:
    """Find related code."""
    kinds = _types(types) or [ContextType.LSP]
    return _run(context, lambda shop: shop.context(kinds, force=force), inputs)


def format_prompt(
    context: typer.Context,
    inputs: Inputs,
    provider: ProviderName = DEFAULT_PROVIDER,
    budget: Annotated[
        int, typer.Option("--related-files-budget", min=0, help="Tokens of related code in the jumps prompt.")
    ] = JUMPS_RELATED_TOKENS,
) -> int:
    """Write the prompts."""
    return _run(context, lambda shop: shop.format_prompt(Provider.parse(provider), budget), inputs)


def predict(
    context: typer.Context,
    inputs: Inputs,
    provider: ProviderName = "",
    repetitions: Repetitions = 1,
    *,
    cache_only: CacheOnly = False,
    wait: Wait = False,
) -> int:
    """Ask for predictions."""
    asking = Asking.of(provider, repetitions, cache_only=cache_only, wait=wait)
    return _run(context, lambda shop: shop.predict(asking.provider, asking.options), inputs, waits=wait)


def parse_output(context: typer.Context, inputs: Inputs) -> int:
    """Read the models' words into patches again."""
    return _run(context, lambda _: ParseOutput(), inputs)


def judge(
    context: typer.Context,
    inputs: Inputs,
    backend: BackendName = "openai",
    attempt: Attempt = 1,
    *,
    no_batch: NoBatch = False,
    wait: Wait = False,
) -> int:
    """Let a model judge the first prediction of each example."""
    chosen = reviewer(backend, JUDGES)
    return _run(
        context,
        lambda shop: Qa(shop.answers, shop.cli.prompts, chosen, in_batch=not no_batch, attempt=attempt),
        inputs,
        waits=wait,
    )


def score(
    context: typer.Context,
    inputs: Inputs,
    provider: ProviderName = "",
    repetitions: Repetitions = 1,
    *,
    cache_only: CacheOnly = False,
    wait: Wait = False,
) -> int:
    """Score predictions by metrics."""
    asking = Asking.of(provider, repetitions, cache_only=cache_only, wait=wait)
    return _run(
        context, lambda shop: ScorePredictions(shop.predict(asking.provider, asking.options)), inputs, waits=wait
    )


def evaluate(
    context: typer.Context,
    inputs: Inputs,
    provider: ProviderName = "",
    repetitions: Repetitions = 1,
    types: Types = None,
    limit: Annotated[
        int, typer.Option("--related-context-limit", min=0, help="Tokens of related code that count as shown.")
    ] = CONTEXT_LIMIT,
    summary_json: Annotated[Path | None, typer.Option("--summary-json", help="Write the totals as JSON.")] = None,
    *,
    context_only: Annotated[bool, typer.Option("--context-only", help="Ask for no predictions.")] = False,
    cache_only: CacheOnly = False,
    wait: Wait = False,
    verbose: Annotated[bool, typer.Option("--verbose", help="Show every example.")] = False,
) -> int:
    """Score, and print a table with totals."""
    asking = Asking.of("" if context_only else provider, repetitions, cache_only=cache_only, wait=wait)
    sources = _sources(types)
    size = limit * BYTES_PER_TOKEN
    evaluation = Evaluation(Summary(sources, size), shows_all=verbose)

    def stage(shop: Workshop) -> Stage:
        return ScorePredictions(
            shop.predict(asking.provider, asking.options),
            shop.load,
            may_miss=asking.provider is None,
            sources=sources,
            context_bytes=size,
        )

    status = _run(context, stage, inputs, waits=wait, collect=evaluation.add, prints=False)
    sys.stdout.write(f"{evaluation}\n")
    if summary_json is not None:
        write_page(summary_json, evaluation.summary.as_json())
    return status


def repair(
    context: typer.Context,
    inputs: Inputs,
    backend: BackendName = "anthropic",
    threshold: Threshold = CONFIDENCE_THRESHOLD,
    attempt: Attempt = 1,
    *,
    no_batch: NoBatch = False,
    wait: Wait = False,
) -> int:
    """Ask for a second try where the first prediction is poor."""
    chosen = reviewer(backend, REPAIRERS)
    return _run(
        context,
        lambda shop: _repair(shop, chosen, threshold, attempt, in_batch=not no_batch),
        inputs,
        waits=wait,
        summary=RepairSummary(threshold),
    )


def distill(context: typer.Context, inputs: Inputs) -> int:
    """Turn predictions into expected patches, to train on."""
    return _run(context, lambda _: Distill(), inputs)


def run_all(
    context: typer.Context,
    inputs: Inputs,
    provider: ProviderName = DEFAULT_PROVIDER,
    backend: Annotated[str, typer.Option("--backend", help="Who judges and repairs; the provider's by default.")] = "",
    steps: Annotated[str, typer.Option("--steps", help="Which steps, comma separated.")] = ",".join(STEPS),
    threshold: Threshold = CONFIDENCE_THRESHOLD,
    html: Annotated[Path | None, typer.Option("--html", help="Write the report as a page, too.")] = None,
    *,
    no_batch: NoBatch = False,
    wait: Wait = False,
) -> int:
    """Predict, judge, score and repair in one go, and report; scores are counted again after repairs."""
    who = Provider.parse(provider)
    reviewers = [_reviewer_of(backend, who, names) for names in (JUDGES, REPAIRERS)]
    chosen = _steps(steps)
    report = RunReport(_label(inputs))

    def stage(shop: Workshop) -> Stage:
        predicting = shop.predict(who)
        scoring = ScorePredictions(predicting)
        stages: dict[str, Stage] = {
            "predict": predicting,
            "qa": Qa(shop.answers, shop.cli.prompts, reviewers[0], in_batch=not no_batch, skips_unreadable=True),
            "score": scoring,
            "repair": _repair(shop, reviewers[1], threshold, 1, in_batch=not no_batch),
        }
        made = [stages[name] for name in chosen]
        return Chain([*made, scoring] if chosen[-1] == "repair" and "score" in chosen else made)

    summary = RepairSummary(threshold) if "repair" in chosen else None
    status = _run(context, stage, inputs, waits=wait, collect=report.add, summary=summary, prints=False)
    print_table(table_of([report]))
    if html is not None:
        write_page(html, render_page([report]))
        notes.print(f"The report is in {html}", markup=False)
    return status


def _run(
    context: typer.Context,
    make: Callable[[Workshop], Stage],
    inputs: Sequence[Path],
    *,
    waits: bool = False,
    collect: Callable[[Example], None] | None = None,
    summary: RepairSummary | None = None,
    prints: bool = True,
) -> int:
    """Run a stage in the frame; models and caches are closed whatever happens."""
    session: Session = context.obj
    collectors = [one for one in (collect, summary.add if summary else None) if one is not None]

    def add(example: Example) -> None:
        for one in collectors:
            one(example)

    async def work() -> int:
        shop = Workshop(session.cli)
        try:
            failures = failures_of(session.frame, shop.runs)
            job = Work(make(shop), inputs, add, waits, prints)
            status = await run(session.frame, job, shop.answers, failures)
            if shop.answers.calls or shop.answers.known:
                counts = f"{shop.answers.calls} went to models, {shop.answers.known} were answered from the cache"
                notes.print(f"Requests: {counts}.")
        finally:
            await shop.aclose()
        return status

    status = session.cli.run(work())
    if summary is not None:
        notes.print(str(summary), markup=False)
    return status


def _repair(shop: Workshop, backend: Backend, threshold: int, attempt: int, *, in_batch: bool) -> Repair:
    return Repair(shop.answers, shop.cli.prompts, backend, in_batch=in_batch, threshold=threshold, attempt=attempt)


def _reviewer_of(name: str, provider: Provider, names: Mapping[Vendor, str]) -> Backend:
    own = provider.backend
    return reviewer(name, names) if name else own


def _types(names: Sequence[str] | None) -> list[ContextType]:
    wanted = [name.strip() for part in names or () for name in part.split(",") if name.strip()]
    try:
        return [ContextType(name.replace("_", "-").lower()) for name in wanted]
    except ValueError as error:
        raise UsageError(f"{error}. There are: {', '.join(ContextType)}.") from error


def _sources(names: Sequence[str] | None) -> frozenset[str] | None:
    kinds = _types(names)
    return frozenset(kind.value.replace("-", "_") for kind in kinds) if kinds else None


def _steps(text: str) -> list[str]:
    steps = [step.strip() for step in text.split(",") if step.strip()]
    unknown = [step for step in steps if step not in STEPS]
    if unknown or not steps:
        raise UsageError(
            f"There is no step {unknown[0]!r}; there are: {', '.join(STEPS)}." if unknown else "Name steps."
        )
    return steps


def _label(inputs: Sequence[Path]) -> str:
    if len(inputs) == 1:
        return inputs[0].stem
    return f"{len(inputs)} files from {inputs[0].parent.name or 'here'}"
