"""All edits of the window: opens them, gives them what they share, and tells the window how they stand."""

from __future__ import annotations

import re
import time
from pathlib import Path

from redraft.api.context import PluginContext
from redraft.api.editor import TextEditor
from redraft.api.inline_diff import DiffKeys, HunkState, KeptProposal
from redraft.api.prompt_block import Tone
from redraft.api.ui import StatusModel
from redraft.core.errors import ConfigError, ModelUnavailable, RedraftError
from redraft.core.folder import path_below
from redraft.core.llm.client import ModelInfo
from redraft.core.text import TextRange
from redraft.core.wording import count_words
from redraft_inline_edit.answer.rewriting import recovered
from redraft_inline_edit.applier import Applier, applier_named
from redraft_inline_edit.block.facts import KeyLabels
from redraft_inline_edit.errors import NotSent
from redraft_inline_edit.events import EditOutcome, EditState
from redraft_inline_edit.options import APPLY_MODEL, DEFAULT_OPTIONS, EditOptions, read_options
from redraft_inline_edit.presets.model import model_of
from redraft_inline_edit.presets.preset import FIX, Preset, PresetTable, Purpose
from redraft_inline_edit.problems import problems_in, repair_words, reported_for
from redraft_inline_edit.prompt.draft import Draft
from redraft_inline_edit.prompt.history import History
from redraft_inline_edit.prompt.library import Library
from redraft_inline_edit.request import EditRequest, FileFacts, Target, target_for, whole_file
from redraft_inline_edit.session.owner import Subject
from redraft_inline_edit.session.prompt_events import PromptEvents
from redraft_inline_edit.session.session import EditSession
from redraft_inline_edit.states import SessionState

KEYED_PRESETS = frozenset({"fix", "doc", "explain"})
"""Presets with a command of their own, and so with a key."""

PURPOSE = "inline_edit"
LONGEST_DETAIL = 80


class EditManager:
    """Keeps the sessions; implements `SessionOwner`."""

    def __init__(self, context: PluginContext) -> None:
        self.context = context
        self.library = Library(context)
        self.sessions: list[EditSession] = []
        self._status = context.ui.status_item(PURPOSE)
        context.keep(self._status)
        context.keep(context.editor.on_did_change_active(lambda _editor: self._tell_window()))
        context.keep(context.commands.on_did_change_keys(self._name_keys))

    # --- Opening and finding

    def open(self, editor: TextEditor, *, all_lines: bool = False) -> EditSession:
        """Open a prompt on the selection, or go to the one that is there."""
        selection = editor.selection
        target = whole_file(editor.text) if all_lines else target_for(editor.text, selection)
        found = self.session_at(editor, target.lines if all_lines else selection)
        if found is not None and found.is_decided:
            found.close()
        elif found is not None:
            found.focus()
            return found
        if target.picked:
            # What will change is seen before anything is sent.
            editor.select(target.lines, reveal=False)
        session = self._make_session(editor, target)
        session.open()
        return session

    def take_up(self, editor: TextEditor, kept: KeptProposal) -> EditSession:
        """Review a proposal that outlived a crash, as if its answer had just come."""
        lines = TextRange(kept.start, kept.start + len(kept.original))
        session = self._make_session(editor, target_for(editor.text, lines))
        session.take_up(kept.label, recovered(kept.start, kept.original, kept.proposed))
        return session

    def _make_session(self, editor: TextEditor, target: Target) -> EditSession:
        draft = Draft(
            self.presets_for(editor, target.lines),
            self.history(),
            language_id=editor.language_id,
            kind=target.kind.value,
            key_of=self._key_of,
            clock=time.time,
        )
        subject = Subject(target, self.library.rules())
        session = EditSession(self.context, self, editor, subject, draft, clock=time.monotonic)
        self.sessions.append(session)
        session.block.listen(PromptEvents(self, session).take)
        return session

    def session_at(self, editor: TextEditor, selection: TextRange) -> EditSession | None:
        """The session that a selection or caret touches."""
        return next((session for session in self.of(editor) if session.place.meets(selection)), None)

    def of(self, editor: TextEditor | None) -> list[EditSession]:
        """The sessions of one editor."""
        return [session for session in self.sessions if session.editor is editor]

    @property
    def current(self) -> EditSession | None:
        """The session that commands mean: the one with the focus, the one at the caret, else the last one in front."""
        editor = self.context.editor.active
        if editor is None:
            return None
        here = self.of(editor)
        focused = next((session for session in here if session.has_focus), None)
        edited = next((session for session in self.sessions if session.review.is_edited_in(editor)), None)
        return focused or edited or self.session_at(editor, editor.selection) or (here[-1] if here else None)

    def history(self) -> History:
        """The instructions given in this folder."""
        limit = self.context.settings.get("inline_edit.history_limit")
        folder = str(self.context.editor.folder or "")
        return History(self.context.storage, project=folder, limit=limit, clock=time.time)

    def next_file(self, step: int) -> None:
        """Go to the next file that has an edit, and to its lines."""
        active = self.context.editor.active
        order = [editor for editor in self.context.editor.all if self.of(editor)]
        if not order:
            return
        place = order.index(active) if active in order else -1 if step > 0 else 0
        editor = order[(place + step) % len(order)]
        editor.select(TextRange(self.of(editor)[0].lines.start, self.of(editor)[0].lines.start))
        editor.focus()

    # --- What sessions ask for

    def make_request(self, session: EditSession, words: str, *, is_question: bool) -> EditRequest:
        """The request for some words, with the text as it is now."""
        editor, target = session.editor, session.target
        preset, command = session.draft.split(words)
        purpose = preset.purpose if preset is not None else Purpose.EDIT
        return EditRequest(
            editor.text,
            target,
            FileFacts(self._name(editor), editor.language_id, editor.line_end, editor.indentation, editor.path),
            command,
            preset,
            session.draft.sent_attachments(words),
            "" if "rules" in session.left_out else session.rules,
            diagnostics=reported_for(preset, editor.text, editor.language_id, target.lines),
            is_question=is_question or purpose is not Purpose.EDIT,
            with_file="file" not in session.left_out,
        )

    def model_for(self, preset: Preset | None) -> ModelInfo | None:
        """Whom to ask: the preset's own model, else the usual one.

        Raises:
            ModelUnavailable: The preset names a model that is not there.
        """
        if preset is None or not preset.model:
            return self.context.models.default(PURPOSE)
        return model_of(preset, self.context.models)

    def embedded(self) -> ModelInfo | None:
        """The model on this machine, if it is here."""
        return next((model for model in self.context.models.list_models() if model.location == "embedded"), None)

    def presets_for(self, editor: TextEditor, lines: TextRange) -> PresetTable:
        """The presets as they are now, `/fix` with the problems reported in some lines."""
        reported = repair_words(problems_in(editor.text, editor.language_id, lines))
        return self.library.presets().relabelled(FIX, reported)

    def refusal(self, session: EditSession, request: EditRequest) -> RedraftError | None:
        """Why a request may not go out without asking, if so."""
        privacy = self.context.privacy
        paths = [request.file.path, *(Path(one.path) for one in request.attachments if one.path)]
        for path in paths:
            if path is not None and (reason := privacy.refusal(path, model=session.model)):
                return NotSent(reason, path=path)
        return None

    def options(self) -> EditOptions:
        """The user's options; the usual ones, and a word about it, where they make no sense."""
        try:
            return read_options(self.context.settings)
        except ConfigError as error:
            self.library.tell(str(error))
            return DEFAULT_OPTIONS

    def applier(self, request: EditRequest) -> Applier | None:
        """Who merges an answer that leaves out what stays; no one, and a word about it, where that model is gone."""
        name = self.context.settings.get(APPLY_MODEL)
        try:
            return applier_named(name, request, self.context.models, self.context.privacy)
        except ModelUnavailable as error:
            self.library.tell(f"{error} It is named in {APPLY_MODEL}; edits are made without it.")
            return None

    def changed(self, session: EditSession) -> None:
        """Something about a session has changed."""
        if session.state is SessionState.CLOSED and session in self.sessions:
            self.sessions.remove(session)
        self._tell_window()

    def answered(self, session: EditSession, outcome: EditOutcome) -> bool:
        """Deal with answers that need no review: those for a new tab, and those of a read-only file."""
        preset = session.preset
        if outcome.state is EditState.ANSWERED and preset is not None and preset.purpose is Purpose.NEW_TAB:
            title = f"{preset.name} {session.editor.title}"
            self.context.ui.show_text(title, code_in(outcome.words), session.editor.language_id)
            return True
        if outcome.state is EditState.COMPLETED and session.editor.is_read_only:
            self.context.ui.show_text(session.editor.title, outcome.proposed, session.editor.language_id)
            self.context.ui.notify(f"{session.editor.title} is read-only, so the answer stands in a new tab.")
            return True
        return False

    def accepts_after(self, outcome: EditOutcome) -> float | None:
        """Seconds after which an answer is accepted by itself; only sound and whole ones are, and only if asked for."""
        settings = self.context.settings
        if not settings.get("inline_edit.auto_accept") or outcome.state is not EditState.COMPLETED or outcome.faults:
            return None
        return float(settings.get("inline_edit.auto_accept_delay"))

    def decided(self, session: EditSession, state: HunkState, remaining: int) -> None:
        """Go where the user wants to be after an accept."""
        if state is not HunkState.ACCEPTED:
            return
        wish = self.context.settings.get("inline_edit.after_accept")
        if wish == "next_hunk" and remaining and session.view.handle is not None:
            session.view.handle.show_current()
        elif wish == "next_file" and not remaining:
            self.next_file(1)

    def remember(self, words: str) -> None:
        """Put words that were run into the history."""
        self.history().add(words)
        self.tell_last()

    def tell_last(self) -> None:
        """Say beside the command that repeats the last instruction which one that is."""
        last = self.history().last
        words = " ".join(last.words.split()) if last is not None else ""
        short = words if len(words) <= LONGEST_DETAIL else f"{words[: LONGEST_DETAIL - 1]}…"
        self.context.commands.set_detail(f"{PURPOSE}.repeat", short)

    def keys(self) -> KeyLabels:
        """Key labels of the block, as they are now."""
        key = self._key
        return KeyLabels(
            accept_all=key("accept_all"),
            reject_all=key("reject_all"),
            retry=key("retry"),
            model=key("choose_model"),
            search=key("search_history"),
            side_by_side=key("side_by_side"),
            edit_proposal=key("edit_proposal"),
            earlier=key("earlier_alternative"),
            later=key("later_alternative"),
        )

    def diff_keys(self) -> DiffKeys:
        """Key labels of the hunk buttons, as they are now."""
        key = self._key
        return DiffKeys(
            key("accept_hunk"),
            key("reject_hunk"),
            key("next_hunk"),
            key("previous_hunk"),
            accept_all=key("accept_all"),
            reject_all=key("reject_all"),
            follow=key("follow"),
            undo=self.context.commands.key_label("edit.undo"),
        )

    def shows_numbers(self) -> bool:
        """Whether tokens and times are shown."""
        return bool(self.context.settings.get("inline_edit.show_numbers"))

    # --- Small steps

    def _key(self, name: str) -> str:
        return self.context.commands.key_label(f"{PURPOSE}.{name}")

    def _key_of(self, preset: Preset) -> str:
        own = self._key(preset.name) if preset.name in KEYED_PRESETS else ""
        return own or self.context.commands.key_label(f"{PURPOSE}.preset", preset.name)

    def _name_keys(self) -> None:
        for session in list(self.sessions):
            session.name_keys()

    def _name(self, editor: TextEditor) -> str:
        return path_below(editor.path, self.context.editor.folder) or editor.title

    def _tell_window(self) -> None:
        """Set the context keys, and the item of the status bar."""
        current = self.current
        tell = self.context.commands.set_context
        tell("inline_edit.active", current is not None)
        tell("inline_edit.in_proposal", current is not None and current.review.is_edited_in(self.context.editor.active))
        tell("inline_edit.any", bool(self.sessions))
        tell("inline_edit.running", current is not None and current.state.is_running)
        tell("inline_edit.alternatives", current is not None and len(current.outcomes) > 1)
        running = sum(session.state.is_running for session in self.sessions)
        undecided = sum(session.review.undecided for session in self.sessions if session.state.has_proposal)
        self._status.update(_status(running, undecided))


def _status(running: int, undecided: int) -> StatusModel | None:
    command = f"{PURPOSE}.next_file"
    if running:
        words = f"{count_words(running, 'edit')} running"
        return StatusModel(words, tone=Tone.ACCENT, command=command, busy=True)
    if undecided:
        words = f"{count_words(undecided, 'hunk')} to decide"
        return StatusModel(words, icon="proposal", tone=Tone.ACCENT, command=command)
    return None


def code_in(words: str) -> str:
    """The longest fenced block of an answer, or all of it where it has none."""
    blocks = re.findall(r"(?ms)^(`{3,})[^\n]*\n(.*?)^\1", words)
    return max((block for _, block in blocks), key=len, default=words.strip() + "\n")
