"""The commands of `redraft ep` that make examples of commits."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from pydantic import ValidationError

from redraft.core.errors import ModelError, RedraftError, UsageError
from redraft.core.review.example import Example
from redraft.core.text import split_lines
from redraft_edit_prediction.cli_flags import BackendName
from redraft_edit_prediction.cli_options import Session
from redraft_edit_prediction.pipeline.files import fault_of
from redraft_edit_prediction.pipeline.markdown import markdown_file_name, write_markdown
from redraft_edit_prediction.pipeline.progress import notes
from redraft_edit_prediction.pipeline.providers import Backend, reviewer
from redraft_edit_prediction.pipeline.qa import JUDGES
from redraft_edit_prediction.pipeline.workshop import Workshop
from redraft_edit_prediction.reporting import write_page
from redraft_edit_prediction.tools.split_commit import Commit, SplitPoint, split_commit
from redraft_edit_prediction.tools.synthesize import Change, Seen, changes_of, example_of, words_of


def add_commit_tools(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("split-commit")(split)
    app.command("synthesize")(synthesize)


def split(
    inputs: Annotated[list[Path], typer.Argument(metavar="INPUT...", help="Commits as JSON Lines.")],
    point: Annotated[
        str, typer.Option("-s", "--split-point", help="12, 0.5, a kind (fim, same-file-near, …), or KIND:12.")
    ] = "",
    seed: Annotated[int, typer.Option("--seed", help="Another seed, other examples.")] = 0,
    samples: Annotated[int, typer.Option("-n", "--num-samples", min=1, help="Examples of each commit.")] = 1,
    *,
    pretty: Annotated[bool, typer.Option("-p", "--pretty", help="Indented JSON.")] = False,
) -> None:
    """Make examples of commits whose edits are in order: the first part is history, the rest is expected."""
    where = SplitPoint.parse(point)
    for path in inputs:
        for number, line in enumerate(_lines(path), 1):
            try:
                commit = Commit.model_validate_json(line)
            except ValidationError as error:
                raise UsageError(f"{path}, line {number} is no commit: {fault_of(error)}.") from error
            for sample in range(samples):
                try:
                    example = split_commit(commit, where, seed, sample if samples > 1 else None)
                except UsageError as error:
                    notes.print(f"{path}, line {number}: {error}", markup=False)
                    continue
                sys.stdout.write(example.model_dump_json(indent=2 if pretty else None) + "\n")


def synthesize(
    context: typer.Context,
    repos: Annotated[list[str], typer.Option("--repos", help="Repositories to take commits from.")],
    count: Annotated[int, typer.Option("--count", min=1, help="Examples wanted of each.")] = 5,
    max_commits: Annotated[int, typer.Option("--max-commits", min=1, help="Commits looked at.")] = 100,
    backend: BackendName = "anthropic",
    *,
    fresh: Annotated[bool, typer.Option("--fresh", help="Look at commits that were looked at before, too.")] = False,
) -> None:
    """Let a model find, in commits, edits that follow from others; writes Markdown files into the -o folder."""
    session: Session = context.obj
    folder = session.frame.output or Path()
    seen = Seen(session.cli.storage, fresh=fresh)
    chosen = reviewer(backend, JUDGES)

    async def work() -> int:
        shop = Workshop(session.cli)
        try:
            return sum([await _of_one(shop, url, folder, seen, chosen, count, max_commits) for url in repos])
        finally:
            await shop.aclose()

    notes.print(f"{session.cli.run(work())} examples written to {folder}", markup=False)


async def _of_one(
    shop: Workshop, url: str, folder: Path, seen: Seen, backend: Backend, count: int, max_commits: int
) -> int:
    made = 0
    git = await shop.repositories.history(url)
    for change in await changes_of(git, url, max_commits):
        if made >= count:
            break
        if seen.has(change):
            continue
        example = await _try(shop, change, backend)
        seen.add(change)
        if example is not None:
            made += 1
            folder.mkdir(parents=True, exist_ok=True)
            write_page(folder / markdown_file_name(example.name), write_markdown(example))
    return made


async def _try(shop: Workshop, change: Change, backend: Backend) -> Example | None:
    try:
        return await example_of(change, shop.answers, shop.cli.prompts, backend, shop.load)
    except ModelError:
        raise
    except RedraftError as error:
        notes.print(words_of(change, error), markup=False)
        return None


def _lines(path: Path) -> list[str]:
    try:
        return split_lines(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read: {error}.") from error
