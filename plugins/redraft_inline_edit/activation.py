"""Called once the first file is on screen: fetches the rest of the plugin, away from the window's thread."""

from __future__ import annotations

import importlib

from redraft.api.context import PluginContext
from redraft.api.editor import TextEditor
from redraft.api.inline_diff import KeptProposal


def activate(context: PluginContext) -> None:
    """Fetch the code behind the commands ahead of their first use, and take up proposals that outlived a crash."""

    async def fetch() -> None:
        importlib.import_module("redraft_inline_edit.commands")

    context.tasks.run(
        fetch(),
        on_done=lambda _nothing: importlib.import_module("redraft_inline_edit.commands").begin(context),
        on_error=lambda error: context.log.error("the inline edit cannot be fetched: %s", error),
    )
    context.keep(context.editor.on_did_recover(lambda editor, kept: _take_up(context, editor, kept)))


def _take_up(context: PluginContext, editor: TextEditor, kept: KeptProposal) -> None:
    importlib.import_module("redraft_inline_edit.commands").take_up(context, editor, kept)
