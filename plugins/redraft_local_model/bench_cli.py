"""`redraft models bench`: measures a model on this machine, shows the table, and keeps what was fastest."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import asdict, replace
from pathlib import Path
from statistics import median
from typing import Annotated

import typer
from rich.table import Table

from redraft.api.context import CliContext
from redraft.core.errors import FileError
from redraft_local_model.bench import Bench, BenchReport, Comparison
from redraft_local_model.bench_texts import ANSWER_TOKENS
from redraft_local_model.calibration import calibrate, counts_here
from redraft_local_model.provider import EmbeddedProvider
from redraft_local_model.server import ServerOptions
from redraft_local_model.terminal import ModelName, model_here, notes, results


def measure(
    context: typer.Context,
    name: ModelName = None,
    *,
    rounds: Annotated[int, typer.Option(min=1, max=20, help="How often each comparison is made.")] = 3,
    tokens: Annotated[int, typer.Option(min=8, max=1000, help="The length of the answers.")] = ANSWER_TOKENS,
    by_processor: Annotated[
        bool, typer.Option("--processor-time", help="Compare the processor time of one thread: for a busy machine.")
    ] = False,
    report: Annotated[Path | None, typer.Option(help="Write the numbers to this file too, as JSON.")] = None,
) -> None:
    """Measure how quickly a model works here, and keep the settings that were fastest."""
    cli: CliContext = context.obj
    provider = EmbeddedProvider(cli)
    bench = Bench(model_here(provider, name), ServerOptions(), rounds, tokens, by_processor)
    found = cli.run(_measure(provider, bench))
    if report is not None:
        try:
            report.write_text(json.dumps(asdict(found), indent=2) + "\n", "utf-8")
        except OSError as error:
            raise FileError(f"The report could not be written to {report} ({error.strerror}).") from error


async def _measure(provider: EmbeddedProvider, bench: Bench) -> BenchReport:
    model = bench.model
    bench.options = provider.options_for(model)
    notes.print(f"Measuring {model.name}; this takes some minutes, and less where nothing else runs.")
    tuning = await calibrate(model, bench.options, counts_here())
    bench.options = replace(bench.options, threads=tuning.threads, batch_threads=tuning.batch_threads)
    found = BenchReport((), ())
    async with aclosing(bench.run()) as reports:
        async for found in reports:
            so_far = ", ".join(f"{row.name} {row.ratio:.2f}" for row in (*found.waits, *found.speeds))
            notes.print(f"round {len(found.speeds[0].before)} of {bench.rounds}; ratios so far: {so_far}")
    tuning = replace(tuning, speculation=found.speculation_pays)
    provider.tunings.keep(model, tuning)
    results.print(bench_table("time to first token", "cold", "warm", found.waits), soft_wrap=False)
    results.print(bench_table("tokens a second", "plain", "guessing", found.speeds), soft_wrap=False)
    results.print(
        f"Fastest here: {tuning.threads} threads to write, {tuning.batch_threads} to read, guessing ahead "
        f"{'on' if tuning.speculation else 'off'}. Kept for {model.name}; your own settings stand before it."
    )
    return found


def bench_table(title: str, before: str, after: str, rows: Sequence[Comparison]) -> Table:
    """Comparisons as a table; the ratio is the median of the rounds, the numbers are medians of their own."""
    table = Table(title, box=None, pad_edge=False)
    for heading in (before, after, "ratio"):
        table.add_column(heading, justify="right")
    for row in rows:
        unit, digits = (" s", 2) if row.unit == "s" else ("", 1)
        numbers = (f"{median(row.before):.{digits}f}{unit}", f"{median(row.after):.{digits}f}{unit}")
        table.add_row(row.name, *numbers, f"{row.ratio:.2f}")
    return table
