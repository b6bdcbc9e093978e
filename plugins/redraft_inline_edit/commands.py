"""The commands of the inline edit, as the manifest names them; each is called with the plugin's context first."""

from __future__ import annotations

from collections.abc import Callable

from redraft.api.context import PluginContext
from redraft.api.disposable import OnDispose
from redraft.api.editor import TextEditor
from redraft.api.inline_diff import DiffLayout, InlineDiffHandle, KeptProposal
from redraft.api.ui import PickItem
from redraft_inline_edit.session.manager import EditManager
from redraft_inline_edit.session.model_choice import ModelChoice
from redraft_inline_edit.session.session import EditSession

MANAGERS: dict[int, EditManager] = {}
"""One for each context, as long as the plugin is active in it."""


def manager_of(context: PluginContext) -> EditManager:
    """The one manager of a window."""
    key = id(context)
    if key not in MANAGERS:
        MANAGERS[key] = EditManager(context)
        context.keep(OnDispose(lambda: _forget(key)))
    return MANAGERS[key]


def begin(context: PluginContext) -> None:
    """The code is there: what the first start of a command may tell is told."""
    manager_of(context).tell_last()


def open_prompt(context: PluginContext) -> None:
    """Open the prompt on the selection."""
    if editor := context.editor.active:
        manager_of(context).open(editor)


def whole_file(context: PluginContext) -> None:
    """Open the prompt on the whole file; words already written in another prompt come along."""
    editor = context.editor.active
    if editor is None:
        return
    manager = manager_of(context)
    current = manager.current
    words = current.draft.words if current is not None and not current.outcomes and current.has_focus else ""
    if current is not None and current.has_focus and not current.outcomes and not current.state.is_running:
        current.close()
    session = manager.open(editor, all_lines=True)
    session.draft.type(words)
    session.refresh()


def toggle_focus(context: PluginContext) -> None:
    """Go from the prompt to the text, or back."""
    session = manager_of(context).current
    if session is None:
        return
    if session.has_focus:
        session.editor.focus()
    else:
        session.focus()


def repeat_last(context: PluginContext) -> None:
    """Run the last instruction on this selection."""
    last = manager_of(context).history().last
    if last is None:
        context.ui.notify("No instruction was given yet.")
    else:
        _run(context, last.words)


def run_preset(context: PluginContext, name: str = "") -> None:
    """Run a preset by name, or choose one."""
    editor = context.editor.active
    if editor is None:
        return
    if name:
        _run(context, f"/{name}")
        return
    presets = manager_of(context).library.presets().fitting(editor.language_id, "replace")
    items = [PickItem(preset.name, f"/{preset.name}", preset.label, note=preset.source.value) for preset in presets]
    context.ui.pick("Run a preset", items, on_chosen=lambda chosen: _run(context, f"/{chosen}"))


def run_fix(context: PluginContext) -> None:
    """Run `/fix`."""
    _run(context, "/fix")


def run_doc(context: PluginContext) -> None:
    """Run `/doc`."""
    _run(context, "/doc")


def run_explain(context: PluginContext) -> None:
    """Run `/explain`."""
    _run(context, "/explain")


def ask(context: PluginContext) -> None:
    """Ask what is written in the prompt, and change nothing."""
    if session := manager_of(context).current:
        session.run(session.draft.words, is_question=True)


def escape(context: PluginContext) -> None:
    """Stop, then reject, then close; from the tab of a proposal, go back to the file."""
    session = manager_of(context).current
    if session is None:
        return
    if session.review.is_edited_in(context.editor.active):
        session.editor.focus()
    else:
        session.escape()


def retry(context: PluginContext) -> None:
    """Ask again."""
    if session := manager_of(context).current:
        session.retry()


def later_alternative(context: PluginContext) -> None:
    """Show the next answer."""
    if session := manager_of(context).current:
        session.show_alternative(1)


def earlier_alternative(context: PluginContext) -> None:
    """Show the answer before."""
    if session := manager_of(context).current:
        session.show_alternative(-1)


def choose_model(context: PluginContext) -> None:
    """Choose another model for this edit."""
    manager = manager_of(context)
    if session := manager.current:
        ModelChoice(manager, session).pick()


def keep_model(context: PluginContext) -> None:
    """Let the preset in the words ask the model of this edit from now on."""
    manager = manager_of(context)
    if session := manager.current:
        ModelChoice(manager, session).keep_for_preset()


def search_history(context: PluginContext) -> None:
    """Choose an earlier instruction from a list that can be searched."""
    manager = manager_of(context)
    items = [PickItem(entry.words, entry.words, icon="history") for entry in manager.history().entries]
    context.ui.pick("Earlier instructions", items, on_chosen=lambda words: _fill(context, words))


def clear_history(context: PluginContext) -> None:
    """Forget all earlier instructions."""
    manager_of(context).history().clear()
    manager_of(context).tell_last()
    context.ui.notify("Earlier instructions are forgotten.")


def accept_all(context: PluginContext) -> None:
    """Accept every open hunk; of an answer with a fault only when asked twice."""
    session = manager_of(context).current
    if session is not None and (session.review.hidden or session.review.may_accept_by_key()):
        session.accept_all()


def reject_all(context: PluginContext) -> None:
    """Reject every open hunk."""
    if session := manager_of(context).current:
        session.reject_all()


def accept_hunk(context: PluginContext) -> None:
    """Accept the current hunk, or the selected part of it."""
    if session := manager_of(context).current:
        session.review.accept_current()


def reject_hunk(context: PluginContext) -> None:
    """Reject the current hunk, or the selected part of it."""
    if handle := _overlay(context):
        handle.reject()


def next_hunk(context: PluginContext) -> None:
    """Go to the next hunk, and say what it is."""
    _step(context, lambda handle: handle.next_hunk())


def previous_hunk(context: PluginContext) -> None:
    """Go to the hunk before, and say what it is."""
    _step(context, lambda handle: handle.previous_hunk())


def follow(context: PluginContext) -> None:
    """Keep what the model writes in view again."""
    if handle := _overlay(context):
        handle.follow()


def take_up(context: PluginContext, editor: TextEditor, kept: KeptProposal) -> None:
    """Review a proposal that outlived a crash."""
    manager_of(context).take_up(editor, kept)


def next_file(context: PluginContext) -> None:
    """Go to the next file with an edit."""
    manager_of(context).next_file(1)


def previous_file(context: PluginContext) -> None:
    """Go to the file before with an edit."""
    manager_of(context).next_file(-1)


def show_diff(context: PluginContext) -> None:
    """Look at the changes as plain text, for reading and for screen readers; a second time goes back."""
    _look(context, DiffLayout.TEXT)


def side_by_side(context: PluginContext) -> None:
    """Look at old and new text side by side; a second time goes back."""
    _look(context, DiffLayout.SIDE_BY_SIDE)


def three_way(context: PluginContext) -> None:
    """Compare a hunk whose text was changed since with what it was and what was proposed; a second time goes back."""
    _look(context, DiffLayout.THREE_WAY)


def copy_proposal(context: PluginContext) -> None:
    """Put the proposed text on the clipboard."""
    session = manager_of(context).current
    if session is not None and session.view.handle is not None:
        session.review.take_typed()
        context.ui.copy(session.view.handle.proposed)
        context.ui.notify("The proposal is on the clipboard.")


def edit_proposal(context: PluginContext) -> None:
    """Open the proposed text in a tab, to be changed before it is accepted; from there, go back to the file."""
    session = manager_of(context).current
    if session is None:
        return
    if session.review.is_edited_in(context.editor.active):
        session.editor.focus()
    else:
        session.review.edit_proposal()


def _overlay(context: PluginContext) -> InlineDiffHandle | None:
    session = manager_of(context).current
    return session.view.handle if session is not None else None


def _step(context: PluginContext, step: Callable[[InlineDiffHandle], None]) -> None:
    session = manager_of(context).current
    if session is not None and session.view.handle is not None:
        step(session.view.handle)
        context.ui.announce(session.view.current_in_words)


def _look(context: PluginContext, layout: DiffLayout) -> None:
    session = manager_of(context).current
    if session is not None and session.view.handle is not None and not session.state.is_running:
        handle = session.view.handle
        handle.show_as(DiffLayout.INLINE if handle.layout is layout else layout)


def _forget(key: int) -> None:
    manager = MANAGERS.pop(key, None)
    for session in list(manager.sessions) if manager is not None else ():
        session.close()


def _run(context: PluginContext, words: str) -> None:
    editor = context.editor.active
    if editor is not None:
        manager_of(context).open(editor).run(words)


def _fill(context: PluginContext, words: str) -> None:
    manager = manager_of(context)
    session: EditSession | None = manager.current
    if session is None and (editor := context.editor.active):
        session = manager.open(editor)
    if session is not None:
        session.draft.type(words)
        session.refresh()
        session.focus()
