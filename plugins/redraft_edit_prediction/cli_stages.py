"""The commands of `redraft ep` that fill in examples: each is its flags and the stage that is made of them."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Sequence
from dataclasses import MISSING, dataclass, fields
from typing import Any, TypeVar, get_type_hints

import typer

from redraft.core.review.example import Example
from redraft_edit_prediction.cli_flags import (
    AskingFlags,
    ContextFlags,
    EvalFlags,
    Flags,
    JudgeFlags,
    PromptFlags,
    RepairFlags,
    RunFlags,
    context_sources,
    context_types,
)
from redraft_edit_prediction.cli_options import Session
from redraft_edit_prediction.pipeline.distill import Distill
from redraft_edit_prediction.pipeline.evaluation import Evaluation
from redraft_edit_prediction.pipeline.frame import Work, failures_of, run
from redraft_edit_prediction.pipeline.parse_output import ParseOutput
from redraft_edit_prediction.pipeline.predict import Predict
from redraft_edit_prediction.pipeline.progress import notes
from redraft_edit_prediction.pipeline.providers import Provider, reviewer
from redraft_edit_prediction.pipeline.qa import JUDGES, Qa
from redraft_edit_prediction.pipeline.related import ContextType
from redraft_edit_prediction.pipeline.repair import REPAIRERS, Repair, RepairSummary
from redraft_edit_prediction.pipeline.report import RunReport, table_of
from redraft_edit_prediction.pipeline.report_page import render_page
from redraft_edit_prediction.pipeline.score import ScorePredictions
from redraft_edit_prediction.pipeline.stage import Chain, Read, Stage
from redraft_edit_prediction.pipeline.summary import Summary
from redraft_edit_prediction.pipeline.workshop import Workshop
from redraft_edit_prediction.reporting import print_table, write_page

F = TypeVar("F", bound=Flags)


@dataclass(frozen=True, slots=True)
class Plan:
    """A stage whose command also reports.

    Attributes:
        stage: What is done to each example.
        collect: Called with every finished example.
        end: Called when all are done.
        prints: Whether examples go to standard output where no output is named.
    """

    stage: Stage
    collect: Sequence[Callable[[Example], None]] = ()
    end: Sequence[Callable[[], None]] = ()
    prints: bool = True

    def add(self, example: Example) -> None:
        """Tell all who collect."""
        for tell in self.collect:
            tell(example)


def add_stages(app: typer.Typer) -> None:
    """Add the commands."""
    _add(app, "read", Flags, read)
    _add(app, "load-project", Flags, load_project)
    _add(app, "context", ContextFlags, find_context)
    _add(app, "format-prompt", PromptFlags, format_prompt)
    _add(app, "predict", AskingFlags, predict)
    _add(app, "parse-output", Flags, parse_output)
    _add(app, "qa", JudgeFlags, judge)
    _add(app, "score", AskingFlags, score)
    _add(app, "eval", EvalFlags, evaluate)
    _add(app, "repair", RepairFlags, repair)
    _add(app, "distill", Flags, distill)
    _add(app, "run", RunFlags, run_all)


def read(_shop: Workshop, _flags: Flags) -> Stage:
    """Pass examples through: to filter, sort, or turn them into another format."""
    return Read()


def load_project(shop: Workshop, _flags: Flags) -> Stage:
    """Load each example's project at its revision, and find the cursor."""
    return shop.load


def find_context(shop: Workshop, flags: ContextFlags) -> Stage:
    """Find related code."""
    return shop.context(context_types(flags.types) or [ContextType.LSP], force=flags.force)


def format_prompt(shop: Workshop, flags: PromptFlags) -> Stage:
    """Write the prompts."""
    return shop.format_prompt(Provider.parse(flags.provider), flags.budget)


def predict(shop: Workshop, flags: AskingFlags) -> Predict:
    """Ask for predictions."""
    return shop.predict(flags.who, flags.how)


def parse_output(_shop: Workshop, _flags: Flags) -> Stage:
    """Read the models' words into patches again."""
    return ParseOutput()


def judge(shop: Workshop, flags: JudgeFlags) -> Stage:
    """Let a model judge the first prediction of each example."""
    backend = reviewer(flags.backend, JUDGES)
    return Qa(shop.answers, shop.cli.prompts, backend, in_batch=not flags.no_batch, attempt=flags.attempt)


def score(shop: Workshop, flags: AskingFlags) -> Stage:
    """Score predictions by metrics."""
    return ScorePredictions(predict(shop, flags))


def evaluate(shop: Workshop, flags: EvalFlags) -> Plan:
    """Score, and print a table with totals."""
    sources, size = context_sources(flags.types), flags.context_bytes
    evaluation = Evaluation(Summary(sources, size), shows_all=flags.verbose)
    stage = ScorePredictions(
        predict(shop, flags), shop.load, may_miss=flags.who is None, sources=sources, context_bytes=size
    )

    def end() -> None:
        sys.stdout.write(f"{evaluation}\n")
        if flags.summary_json is not None:
            write_page(flags.summary_json, evaluation.summary.as_json())

    return Plan(stage, [evaluation.add], [end], prints=False)


def repair(shop: Workshop, flags: RepairFlags) -> Plan:
    """Ask for a second try where the first prediction is poor."""
    stage = Repair(
        shop.answers,
        shop.cli.prompts,
        reviewer(flags.backend, REPAIRERS),
        in_batch=not flags.no_batch,
        threshold=flags.threshold,
        attempt=flags.attempt,
    )
    summary = RepairSummary(flags.threshold)
    return Plan(stage, [summary.add], [summary.tell])


def distill(_shop: Workshop, _flags: Flags) -> Stage:
    """Turn predictions into expected patches, to train on."""
    return Distill()


def run_all(shop: Workshop, flags: RunFlags) -> Plan:
    """Predict, judge, score and repair in one go, and report; scores are counted again after repairs."""
    stages = _steps(shop, flags)
    chosen = flags.chosen
    made = [stages[name] for name in chosen]
    if chosen[-1] == "repair" and "score" in chosen:
        made.append(stages["score"])
    report, summary = RunReport(flags.label), RepairSummary(flags.threshold)

    def end() -> None:
        print_table(table_of([report]))
        if flags.html is not None:
            write_page(flags.html, render_page([report]))
            notes.print(f"The report is in {flags.html}", markup=False)

    told = [summary.tell] if "repair" in chosen else []
    return Plan(Chain(made), [report.add, summary.add], [*told, end], prints=False)


def _steps(shop: Workshop, flags: RunFlags) -> dict[str, Stage]:
    who = Provider.parse(flags.provider)
    judges, repairs = (
        reviewer(flags.backend, names) if flags.backend else who.backend for names in (JUDGES, REPAIRERS)
    )
    predicting = shop.predict(who)
    answers, prompts, in_batch = shop.answers, shop.cli.prompts, not flags.no_batch
    return {
        "predict": predicting,
        "qa": Qa(answers, prompts, judges, in_batch=in_batch, skips_unreadable=True),
        "score": ScorePredictions(predicting),
        "repair": Repair(answers, prompts, repairs, in_batch=in_batch, threshold=flags.threshold),
    }


def _add(app: typer.Typer, name: str, flags: type[F], make: Callable[[Workshop, F], Stage | Plan]) -> None:
    """Add a command whose options are the fields of `flags`, and whose help is the first line of `make`."""

    def command(context: typer.Context, **values: Any) -> int:
        return _run(context.obj, flags(**values), make)

    # Typer reads a function's signature; this one stands in the dataclass.
    hints = get_type_hints(flags, include_extras=True)
    parameters = [inspect.Parameter("context", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context)]
    for field in fields(flags):
        default = inspect.Parameter.empty if field.default is MISSING else field.default
        kind = inspect.Parameter.KEYWORD_ONLY
        parameters.append(inspect.Parameter(field.name, kind, default=default, annotation=hints[field.name]))
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # functions have no such field
    command.__doc__ = make.__doc__
    app.command(name)(command)


def _run(session: Session, flags: F, make: Callable[[Workshop, F], Stage | Plan]) -> int:
    """Run a stage in the frame, and report; models and caches are closed whatever happens."""

    async def work() -> tuple[int, Plan]:
        shop = Workshop(session.cli)
        try:
            made = make(shop, flags)
            plan = made if isinstance(made, Plan) else Plan(made)
            failures = failures_of(session.frame, shop.runs)
            job = Work(plan.stage, flags.inputs, plan.add, flags.waits, plan.prints)
            status = await run(session.frame, job, shop.answers, failures)
            if shop.answers.calls or shop.answers.known:
                counts = f"{shop.answers.calls} went to models, {shop.answers.known} were answered from the cache"
                notes.print(f"Requests: {counts}.")
        finally:
            await shop.aclose()
        return status, plan

    status, plan = session.cli.run(work())
    for end in plan.end:
        end()
    return status
