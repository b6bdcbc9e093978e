"""The model that merges answers which leave out what stays: whom the user has named for that, if anyone."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from redraft.api.models import Models
from redraft.api.services import Privacy
from redraft.core.llm.client import ChatClient, ModelInfo
from redraft_inline_edit.request import EditRequest


@dataclass(frozen=True, slots=True)
class Applier:
    """The model that merges, and how it is reached: only when there is something to merge."""

    info: ModelInfo
    open: Callable[[], Awaitable[ChatClient]]


def applier_named(name: str, request: EditRequest, models: Models, privacy: Privacy) -> Applier | None:
    """The model of a name; `None` where none is named, or the files must not go to it.

    Raises:
        ModelUnavailable: There is none of that name.
    """
    if not name or request.is_question:
        return None
    info = models.find(name)
    paths = [request.file.path, *(Path(one.path) for one in request.attachments if one.path)]
    if any(privacy.refusal(path, model=info) for path in paths):
        return None
    return Applier(info, lambda: models.open(info))
