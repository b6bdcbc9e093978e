"""Called once the first file is on screen: fetches the live half away from the window's thread, then watches."""

from __future__ import annotations

import asyncio
import importlib

from redraft.api.context import PluginContext


def activate(context: PluginContext) -> None:
    """Begin to watch the open files."""

    async def fetch() -> None:
        importlib.import_module("redraft_edit_prediction.live.commands")
        # The first look at the models fetches the code behind them.
        await asyncio.to_thread(context.models.list_models)

    context.tasks.run(
        fetch(),
        on_done=lambda _nothing: _watch(context),
        on_error=lambda error: context.log.error("edit prediction cannot be fetched: %s", error),
    )


def _watch(context: PluginContext) -> None:
    importlib.import_module("redraft_edit_prediction.live.commands").watcher_of(context)
