"""`redraft ep`: edit prediction over datasets."""

from __future__ import annotations

from collections.abc import Sequence

import typer

from redraft.api.context import CliContext
from redraft.core.errors import UsageError
from redraft_edit_prediction.cli_commits import add_commit_tools
from redraft_edit_prediction.cli_options import Session, hoist, remember
from redraft_edit_prediction.cli_stages import add_stages
from redraft_edit_prediction.cli_tools import add_tools

app = typer.Typer(name="ep", no_args_is_help=True, add_completion=False, rich_markup_mode=None)
app.callback()(remember)
add_stages(app)
add_tools(app)
add_commit_tools(app)


def main(argv: Sequence[str], context: CliContext) -> int:
    """Run one command and return its exit status.

    Raises:
        UsageError: The arguments make no sense.
    """
    if not argv:
        argv = ["--help"]
    try:
        status = app(hoist(argv), prog_name="redraft ep", standalone_mode=False, obj=Session(context))
    except Exception as error:
        # Typer's own complaints are recognised by what they can do: the library keeps their classes to itself.
        complaint = getattr(error, "format_message", None)
        if complaint is None:
            raise
        raise UsageError(f"{complaint().rstrip('.')}. See redraft ep --help.") from error
    return status if isinstance(status, int) else 0
