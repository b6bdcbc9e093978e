"""The commands of `redraft ep` over whole datasets: reports, splits, filters, recovery, cleaning."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from redraft.core.errors import UsageError
from redraft_edit_prediction.cli_flags import Html, Inputs
from redraft_edit_prediction.cli_options import Session
from redraft_edit_prediction.pipeline.dataset import Source
from redraft_edit_prediction.pipeline.output import LinesFile
from redraft_edit_prediction.pipeline.progress import notes
from redraft_edit_prediction.pipeline.providers import TEACHERS, Vendor
from redraft_edit_prediction.pipeline.report import RunReport, run_label, table_of
from redraft_edit_prediction.pipeline.report_page import render_page
from redraft_edit_prediction.pipeline.workshop import Workshop, clean
from redraft_edit_prediction.reporting import print_table, write_page
from redraft_edit_prediction.tools.filter_languages import LanguageFilter, known_languages
from redraft_edit_prediction.tools.metrics import measured, texts_of_example, texts_of_files
from redraft_edit_prediction.tools.split import Part, Stratify, split_dataset
from redraft_edit_prediction.tools.truncate_patch import truncated


def add_tools(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("report")(report)
    app.command("split")(split)
    app.command("filter-languages")(filter_languages)
    app.command("truncate-patch")(truncate_patch)
    app.command("metrics")(metrics)
    app.command("import-batch")(import_batch)
    app.command("clean")(clean_up)


def report(
    inputs: Inputs,
    html: Html = None,
    title: Annotated[str, typer.Option("--title", help="The page's title.")] = "Edit prediction",
) -> None:
    """Compare runs: a table, and a page with plots. Each input is one run."""
    runs: list[RunReport] = []
    for path in inputs:
        run = RunReport(run_label(path, (run.label for run in runs)))
        with Source(path) as source:
            for _, _, example in source.examples():
                run.add(example)
        runs.append(run)
    print_table(table_of(runs))
    if html is not None:
        write_page(html, render_page(runs, title))
        notes.print(f"The report is in {html}", markup=False)


def split(
    source: Annotated[Path, typer.Argument(metavar="INPUT", help="The dataset to split (.jsonl).")],
    parts: Annotated[list[str], typer.Argument(metavar="OUTPUT=SIZE...", help="SIZE: 80%, 100, or rest (once).")],
    seed: Annotated[int, typer.Option("--seed", help="Another seed, another split.")] = 0,
    stratify: Annotated[
        Stratify, typer.Option("--stratify", help="What must not be torn apart.")
    ] = Stratify.CURSOR_PATH,
) -> None:
    """Split a dataset at random, examples of one file (or project) always together."""
    for part, number in split_dataset(source, [Part.parse(text) for text in parts], stratify, seed):
        notes.print(f"{part.path}: {number} examples", markup=False)


def filter_languages(
    context: typer.Context,
    inputs: Annotated[list[Path] | None, typer.Argument(metavar="INPUT...", help="Datasets.")] = None,
    languages: Annotated[str, typer.Option("-l", "--languages", help="Languages to keep, comma separated.")] = "",
    extensions: Annotated[str, typer.Option("-e", "--extensions", help="Extensions to keep, comma separated.")] = "",
    top: Annotated[int, typer.Option("--show-top-excluded", min=0, help="Show so many excluded kinds.")] = 0,
    *,
    lists: Annotated[bool, typer.Option("--list", help="List the known languages.")] = False,
    stats: Annotated[bool, typer.Option("--stats", help="Count languages instead of filtering.")] = False,
    unknown: Annotated[bool, typer.Option("--include-unknown", help="Keep files of unknown kinds.")] = False,
) -> None:
    """Keep examples by the language of the cursor's file."""
    if lists:
        sys.stdout.write("".join(f"{line}\n" for line in known_languages()))
        return
    if not stats and not languages and not extensions:
        raise UsageError("Name languages (-l) or extensions (-e) to keep, or ask for --stats.")
    chosen = LanguageFilter.of(languages, extensions, keeps_unknown=unknown)
    output = None if stats else _lines_output(context)
    for path in inputs or ():
        with Source(path) as source:
            for _, _, example in source.examples():
                if not chosen.has(example) or stats:
                    continue
                if output is None:
                    sys.stdout.write(example.to_json() + "\n")
                else:
                    output.write(example)
    if output is not None:
        output.close()
    (sys.stdout if stats else sys.stderr).write(chosen.report(shows_all=stats, top=top))


def truncate_patch(
    inputs: Inputs,
    groups: Annotated[int, typer.Option("--num-groups", min=1, help="Keep so many groups of edits.")],
    *,
    current_file_only: Annotated[bool, typer.Option("--current-file-only", help="Keep edits of one file.")] = False,
) -> None:
    """Cut expected patches down to their first groups of edits; a group begins with a /// comment."""
    for path in inputs:
        with Source(path) as source:
            for _, _, example in source.examples():
                only = example.cursor_path if current_file_only else None
                patches = [truncated(patch, groups, only_path=only) for patch in example.expected_patches]
                sys.stdout.write(example.changed(expected_patches=patches).to_json() + "\n")


def metrics(
    base: Annotated[Path | None, typer.Option("--base", help="The text before.")] = None,
    expected: Annotated[Path | None, typer.Option("--expected-patch", help="What was wanted.")] = None,
    actual: Annotated[Path | None, typer.Option("--actual-patch", help="What was predicted.")] = None,
    data: Annotated[Path | None, typer.Option("--json", help="An example instead of the three files.")] = None,
    index: Annotated[int, typer.Option("--prediction-index", min=0, help="Which of its predictions.")] = 0,
) -> None:
    """Measure one prediction, and show which of its words would be kept."""
    if data is not None:
        texts = texts_of_example(data, index)
    elif base is not None and expected is not None and actual is not None:
        texts = texts_of_files(base, expected, actual)
    else:
        raise UsageError("Name --base, --expected-patch and --actual-patch, or --json.")
    Console(highlight=False, soft_wrap=True).print(measured(texts))


def import_batch(
    context: typer.Context,
    ids: Annotated[list[str], typer.Option("--batch-ids", help="The batches, as the vendor names them.")],
    provider: Annotated[str, typer.Option("--provider", help="anthropic or openai.")] = "anthropic",
) -> None:
    """Fetch the answers of batches by their ids, as after the cache was lost."""
    if provider not in {Vendor.ANTHROPIC, Vendor.OPENAI}:
        raise UsageError(f"{provider!r} has no batches here; there are: anthropic, openai.")
    session: Session = context.obj
    wanted = [part for text in ids for part in text.split(",") if part]
    session.cli.run(_import(session, Vendor(provider), wanted))


async def _import(session: Session, vendor: Vendor, ids: Sequence[str]) -> None:
    shop = Workshop(session.cli)
    try:
        # An answer is known by its request alone, so any model of the vendor can fetch it.
        backend = next(backend for backend in TEACHERS.values() if backend.vendor is vendor)
        number = await shop.answers.adopt(backend, ids)
        notes.print(f"{number} answers kept")
    finally:
        await shop.aclose()


def clean_up() -> None:
    """Remove all caches of edit prediction: clones, answers, and failures that were kept."""
    for folder in clean():
        notes.print(f"{folder} is empty now.", markup=False)


def _lines_output(context: typer.Context) -> LinesFile | None:
    session: Session = context.obj
    path = session.frame.output
    return LinesFile(path, replaces=True) if path is not None else None
