"""The flags that every `redraft ep` command knows, wherever they stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Final

import typer

from redraft.api.context import CliContext
from redraft_edit_prediction.pipeline.dataset import Selection
from redraft_edit_prediction.pipeline.frame import Frame
from redraft_edit_prediction.pipeline.runner import FailedMode, RunOptions

Parallelism = Annotated[int, typer.Option("--max-parallelism", min=1, help="Examples worked on at once.")]
ByRepository = Annotated[bool, typer.Option("--group-by-repo", help="One worker takes all examples of a repository.")]
Limit = Annotated[
    int | None, typer.Option("--limit", min=0, help="Work on so many examples at most, besides those that are done.")
]
Offset = Annotated[int, typer.Option("--offset", min=0, help="Pass over so many examples at the beginning.")]
Name = Annotated[str, typer.Option("--name", help="Only examples whose name contains this.")]
Repo = Annotated[str, typer.Option("--repo", help="Only examples whose repository URL contains this.")]
MaxDuplicates = Annotated[
    int | None, typer.Option("--max-duplicates", min=1, help="Keep so many of each cluster of near-duplicates.")
]
Output = Annotated[
    Path | None, typer.Option("-o", "--output", help="Output file, or folder with --markdown; else standard output.")
]
InPlace = Annotated[bool, typer.Option("-i", "--in-place", help="Replace the one input with the output.")]
Markdown = Annotated[bool, typer.Option("-m", "--markdown", help="One Markdown file an example; needs -o.")]
FailFast = Annotated[bool, typer.Option("--failfast", help="End with the first failed example.")]
Failed = Annotated[FailedMode, typer.Option("--failed", help="What becomes of examples that failed.")]

_WITH_VALUE: Final = frozenset(
    {
        "--max-parallelism",
        "--limit",
        "--offset",
        "--name",
        "--repo",
        "--max-duplicates",
        "-o",
        "--output",
        "--failed",
    }
)
_ALONE: Final = frozenset({"--group-by-repo", "-i", "--in-place", "-m", "--markdown", "--failfast"})


@dataclass
class Session:
    """What one call of the command line has at hand."""

    cli: CliContext
    frame: Frame = field(default_factory=Frame)


def hoist(arguments: Sequence[str]) -> list[str]:
    """The arguments with the common flags in front of the command, so that they may stand behind it, too."""
    front: list[str] = []
    rest: list[str] = []
    left = list(arguments)
    while left:
        argument = left.pop(0)
        if argument == "--":
            rest += [argument, *left]
            break
        name, separator, _ = argument.partition("=")
        if argument in _ALONE or (separator and name in _WITH_VALUE):
            front.append(argument)
        elif argument in _WITH_VALUE:
            front += [argument, *left[:1]]
            del left[:1]
        else:
            rest.append(argument)
    return [*front, *rest]


def remember(
    context: typer.Context,
    *,
    max_parallelism: Parallelism = 10,
    group_by_repo: ByRepository = False,
    limit: Limit = None,
    offset: Offset = 0,
    name: Name = "",
    repo: Repo = "",
    max_duplicates: MaxDuplicates = None,
    output: Output = None,
    in_place: InPlace = False,
    markdown: Markdown = False,
    failfast: FailFast = False,
    failed: Failed = FailedMode.KEEP,
) -> None:
    """Predict the next edit over datasets: predict, judge, score, repair, report.

    Datasets are JSON Lines (.jsonl), single examples (.json) or Markdown (.md); - is standard input. The flags below
    may stand before or behind the command.
    """
    session: Session = context.obj
    session.frame = Frame(
        Selection(offset, limit, name, repo),
        RunOptions(max_parallelism, group_by_repo, failfast, failed),
        max_duplicates,
        output,
        in_place,
        markdown,
        (context.invoked_subcommand or "",),
    )
