"""What the commands of `redraft models` share: where they write, and how a model is named."""

from __future__ import annotations

from typing import Annotated, Final

import typer
from rich.console import Console

from redraft.core.errors import ModelUnavailable
from redraft_local_model.catalog import CATALOG, LocalModel, models_here
from redraft_local_model.provider import EmbeddedProvider

notes: Final = Console(stderr=True, highlight=False, soft_wrap=True)
results: Final = Console(highlight=False, soft_wrap=True)

ModelName = Annotated[str | None, typer.Argument(metavar="NAME", help="The model; the recommended one by default.")]


def model_here(provider: EmbeddedProvider, name: str | None) -> LocalModel:
    """A model that is here, by name; the first one where none is named.

    Raises:
        ModelUnavailable: It is not here.
    """
    here = models_here(provider.folder)
    for model in here:
        if name in (None, model.name):
            return model
    wanted = name or CATALOG[0].name
    raise ModelUnavailable(f"{wanted} is not on this machine; fetch it with “redraft models pull {wanted}”.")
