"""The commands of edit prediction, as the manifest names them; each is called with the plugin's context first."""

from __future__ import annotations

from redraft.api.context import PluginContext
from redraft.api.disposable import OnDispose
from redraft.api.ui import PanelModel, PickItem
from redraft_edit_prediction.live.rules import PURPOSE
from redraft_edit_prediction.live.status import menu_of
from redraft_edit_prediction.live.watcher import Watcher

WATCHERS: dict[int, Watcher] = {}
"""One for each context, as long as the plugin is active in it."""


def watcher_of(context: PluginContext) -> Watcher:
    """The one watcher of a window."""
    key = id(context)
    if key not in WATCHERS:
        WATCHERS[key] = Watcher(context)
        context.keep(OnDispose(lambda: WATCHERS.pop(key).stop()))
    return WATCHERS[key]


def accept(context: PluginContext) -> None:
    """Take the predicted edit, or go to it."""
    watcher_of(context).accept()


def accept_word(context: PluginContext) -> None:
    """Take its next word."""
    watcher_of(context).accept_word()


def accept_line(context: PluginContext) -> None:
    """Take its next line."""
    watcher_of(context).accept_line()


def hide(context: PluginContext) -> None:
    """Hide it."""
    watcher_of(context).hide()


def ask(context: PluginContext) -> None:
    """Predict now."""
    watcher_of(context).ask_now()


def show_eagerly(context: PluginContext) -> None:
    """Show predictions at once."""
    context.settings.set(f"{PURPOSE}.mode", "eager")


def show_subtly(context: PluginContext) -> None:
    """Show predictions only while Alt is held."""
    context.settings.set(f"{PURPOSE}.mode", "subtle")


def switch_off(context: PluginContext) -> None:
    """Predict nothing."""
    context.settings.set(f"{PURPOSE}.mode", "off")


def snooze(context: PluginContext) -> None:
    """Sleep for ten minutes, or wake up."""
    watcher_of(context).snooze()


def toggle_language(context: PluginContext) -> None:
    """Switch predictions off for the language of the file in front, or on again."""
    if editor := context.editor.active:
        watcher_of(context).rules.toggle_language(editor.language_id)


def toggle_file(context: PluginContext) -> None:
    """Switch predictions off for the file in front, or on again."""
    if editor := context.editor.active:
        watcher_of(context).rules.toggle_file(editor)


def choose_model(context: PluginContext) -> None:
    """Choose who is asked."""
    current = context.models.default(PURPOSE)
    items = [PickItem(model.name, model.name, note=model.location) for model in context.models.list_models()]
    if not items:
        context.ui.open_settings("models")
        return
    context.ui.pick(
        "Model for edit prediction",
        items,
        on_chosen=lambda name: context.settings.set(f"default_models.{PURPOSE}", name),
        current=current.name if current is not None else "",
    )


def show_events(context: PluginContext) -> None:
    """Show what happened lately."""
    entries = watcher_of(context).journal.entries
    rows = tuple(PickItem(str(number), entry.words, note=entry.clock) for number, entry in enumerate(entries))
    context.ui.show_panel("edit_prediction.events", PanelModel("Edit prediction, latest first", rows))


def open_menu(context: PluginContext) -> None:
    """Open the menu of the status item."""
    steps = {
        "eager": show_eagerly,
        "subtle": show_subtly,
        "off": switch_off,
        "snooze": snooze,
        "language": toggle_language,
        "file": toggle_file,
        "model": choose_model,
        "events": show_events,
    }
    menu = menu_of(watcher_of(context).standing())
    context.ui.show_menu(PURPOSE, menu, on_chosen=lambda chosen: steps[chosen](context))
