"""Watches the open files of a window, and shows predictions in the one in front.

    change ──> pause ──> ask ──> review ──> show ──> accept, type along, hide
       ^                                                 │
       └─────────────────────────────────────────────────┘

Any change that does not go along ends what is under way. One request is under way at a time, and nothing is asked
before the user has changed something.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from redraft.api.context import PluginContext
from redraft.api.disposable import DisposableStack
from redraft.api.editor import TextChange, TextEditor
from redraft.api.prediction import PredictionClosed, PredictionEnd, PredictionEvent, PredictionTaken
from redraft.api.prompt_block import Tone
from redraft.core.errors import AnswerError
from redraft.core.languages import language
from redraft.core.llm.client import ModelInfo
from redraft_edit_prediction.live.asking import Asker
from redraft_edit_prediction.live.history import EditHistory
from redraft_edit_prediction.live.journal import Journal, in_words
from redraft_edit_prediction.live.moment import Moment, Offer, OpenText
from redraft_edit_prediction.live.names import replaced_names
from redraft_edit_prediction.live.patience import Patience
from redraft_edit_prediction.live.request import Request
from redraft_edit_prediction.live.rules import PURPOSE, Mode, Rules
from redraft_edit_prediction.live.screen import Screen
from redraft_edit_prediction.live.status import Standing, status_of

SETTINGS: Final = ("mode", "off_languages", "off_files", "delay", "second_try", "slow_seconds")
ALSO_HEARD: Final = ("privacy.ai_enabled", f"default_models.{PURPOSE}")
ENDS: Final = {
    PredictionEnd.TYPED: ("Typed to its end", Tone.OK),
    PredictionEnd.HIDDEN: ("Hidden", Tone.PLAIN),
    PredictionEnd.OUTDATED: ("Dropped, you typed on", Tone.PLAIN),
}


class Watcher:
    """Everything of one window."""

    def __init__(self, context: PluginContext, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.context = context
        self._clock = clock
        self.rules = Rules(context, clock)
        self.history = EditHistory(clock)
        self.journal = Journal(time.time, lambda words: context.log.info("prediction: %s", words))
        self.screen = Screen(context, self._on_prediction)
        self._request: Request | None = None
        self._followed: dict[int, DisposableStack] = {}
        self._is_taking = False
        self._at_once: list[TextChange] = []
        self._was_accepted = False
        self._is_writing = True
        self._note = ""
        self._patience = Patience(clock)
        self._status = context.ui.status_item(PURPOSE)
        context.keep(self._status)
        context.keep(context.editor.on_did_change_active(self._on_active))
        context.keep(context.commands.on_did_change_keys(self.screen.name_keys))
        for name in (*(f"{PURPOSE}.{name}" for name in SETTINGS), *ALSO_HEARD):
            context.keep(context.settings.on_did_change(name, lambda _value: self._on_rules()))
        self._on_active(context.editor.active)

    # --- What the user wants

    def accept(self) -> None:
        """Take what is shown, or go there."""
        self._take(self.screen.accept)

    def accept_word(self) -> None:
        """Take the next word."""
        self._take(self.screen.accept_word)

    def accept_line(self) -> None:
        """Take the next line."""
        self._take(self.screen.accept_line)

    def hide(self) -> None:
        """Do not show it."""
        self._cancel()
        self.screen.hide()

    def ask_now(self) -> None:
        """Predict at once, and say so where that cannot be."""
        obstacle = self.rules.obstacle(self.context.editor.active)
        if obstacle is not None:
            self.context.ui.notify(f"Edit prediction: {obstacle.sentence}")
            return
        self._patience.forget()
        self._begin(0.0, is_wanted=True)

    def snooze(self) -> None:
        """Sleep for ten minutes, or wake up."""
        if self.rules.is_asleep:
            self.rules.wake()
        else:
            self.rules.sleep()
        self._on_rules()

    def stop(self) -> None:
        """End what is under way."""
        self._cancel()
        self.screen.drop()

    def standing(self) -> Standing:
        """How it stands, for the item and its menu."""
        rules, editor = self.rules, self.context.editor.active
        model = rules.model
        return Standing(
            mode=rules.mode,
            obstacle=rules.obstacle(editor),
            is_asking=self._request is not None and self._request.is_asking,
            note=self._note,
            is_failed=self._patience.is_tried,
            is_slow=self._is_too_slow(),
            last_seconds=self.journal.last_seconds,
            model=model.name if model is not None else "",
            language=language(editor.language_id).name if editor is not None else "",
            file=editor.title if editor is not None else "",
            is_language_off=editor is not None and not rules.has_language(editor.language_id),
            is_file_off=editor is not None and bool(rules.off_pattern(editor)),
            is_asleep=rules.is_asleep,
            entries=self.journal.entries,
        )

    def refresh(self) -> None:
        """Bring the status item up to date."""
        self._status.update(status_of(self.standing()))

    # --- Following the files

    def _on_active(self, editor: TextEditor | None) -> None:
        if editor is not None and id(editor) not in self._followed:
            self._follow(editor)
        if not self.screen.is_arriving(editor):
            self._cancel()
            self.screen.drop()
        self.refresh()

    def _follow(self, editor: TextEditor) -> None:
        heard = self._followed[id(editor)] = DisposableStack()
        heard.add(editor.on_did_change(lambda change: self._on_change(editor, change)))
        heard.add(editor.on_did_change_activity(self._on_activity))
        heard.add(editor.on_did_close(lambda: self._on_close(editor)))

    def _on_close(self, editor: TextEditor) -> None:
        self.history.forget(id(editor))
        self._followed.pop(id(editor)).dispose()
        if self.screen.is_about(editor):
            self._cancel()
            self.screen.drop()

    def _on_activity(self) -> None:
        if self.rules.obstacle(self.context.editor.active) is not None:
            self._cancel()
        self.refresh()

    def _on_rules(self) -> None:
        """The user decided something: what was begun under other rules ends."""
        self._cancel()
        self.screen.drop()
        self.rules.forget_model()
        self._note = ""
        self._patience.forget()
        self.journal.forget_times()
        self.refresh()

    def _on_change(self, editor: TextEditor, change: TextChange) -> None:
        key = id(editor)
        self.screen.follow(editor, change)
        self._is_writing = not (change.is_from_disk or change.is_undo or change.is_redo)
        if change.is_from_disk or not self.rules.may_show(editor):
            # What is done in a file that is left out is told to nobody, in other files either.
            self._at_once.clear()
            self.history.forget(key)
            self._cancel()
            return
        self._at_once.append(change)
        if not change.more_follow:
            changes, self._at_once = tuple(self._at_once), []
            self.history.record(key, self.rules.name(editor), editor.text, *changes, predicted=self._is_taking)
        if self._request is not None:
            self._request.follow(key, change)
        if self.screen.is_showing and (self._is_taking or self.screen.goes_along(change)):
            return
        if not self._is_writing:
            self._cancel()
            self.refresh()
        elif editor is self.context.editor.active:
            self._begin(self._delay())

    # --- Asking

    def _begin(self, delay: float, *, is_wanted: bool = False) -> None:
        self._cancel()
        self._was_accepted = False
        wait = max(delay, self._patience.seconds_left)
        if self.rules.obstacle(self.context.editor.active) is None and (is_wanted or not self._is_too_slow()):
            asker = Asker(
                self.context.models,
                self.context.prompts,
                repairs=self.context.settings.get(f"{PURPOSE}.second_try"),
                clock=self._clock,
            )
            self._request = Request(
                self.context.tasks,
                asker,
                self._take_moment,
                on_begin=self._on_begin,
                on_offer=self._on_offer,
                on_done=self._on_done,
            )
            self._request.begin(wait)
        self.refresh()

    def _cancel(self) -> None:
        request, self._request = self._request, None
        if request is not None:
            request.cancel()

    def _take_moment(self) -> tuple[Moment, ModelInfo] | None:
        editor, model = self.context.editor.active, self.rules.model
        events = self.history.events()
        if editor is None or model is None or not events or not editor.selection.is_empty:
            return None
        if self.rules.obstacle(editor) is not None:
            return None
        # Other files are looked at only where the latest edit gives a reason to.
        open_files = self.context.editor.all if replaced_names(events[-1]) else ()
        others = tuple(self._open_text(other) for other in open_files if self._may_show(other, editor))
        moment = Moment(self._open_text(editor), editor.caret, events, self.history.before(id(editor)), others)
        return moment, model

    def _may_show(self, other: TextEditor, active: TextEditor) -> bool:
        return other is not active and not other.is_read_only and self.rules.may_show(other)

    def _open_text(self, editor: TextEditor) -> OpenText:
        return OpenText(id(editor), self.rules.name(editor), editor.text)

    def _on_begin(self) -> None:
        self._note = ""
        self.refresh()

    def _on_offer(self, offer: Offer) -> None:
        if offer.is_last:
            self.journal.took(offer.seconds)
            self._patience.forget()
            self._tell_end(offer)
        editor = next((one for one in self.context.editor.all if id(one) == offer.key), None)
        if editor is None or not offer.edits or self.rules.obstacle(self.context.editor.active) is not None:
            return
        is_new = not self.screen.is_showing
        self.screen.show(editor, offer.edits, subtle=self.rules.mode is Mode.SUBTLE)
        if is_new:
            line = editor.text.count("\n", 0, offer.edits[0].start) + 1
            where = "" if editor is self.context.editor.active else f" of {editor.title}"
            self.journal.add(f"Shown, line {line}{where}", Tone.OK)
            self._announce(line, where)
        self.refresh()

    def _announce(self, line: int, where: str) -> None:
        key = self.context.commands.key_label(f"{PURPOSE}.accept")
        if self.rules.mode is Mode.EAGER:
            self.context.ui.announce(f"An edit is predicted in line {line}{where}. {key} takes it.")

    def _tell_end(self, offer: Offer) -> None:
        if offer.edits or self.screen.is_showing or self._was_accepted:
            return
        if offer.held:
            reason = offer.held[0].reason
            self._note = f"Held back by review: {reason}."
            self.journal.add(f"Held back by review: {reason}", Tone.WARN)
        else:
            self._note = f"No suggestion here. The model took {in_words(offer.seconds)}."
            self.journal.add("No suggestion")

    def _on_done(self, error: Exception | None) -> None:
        self._request = None
        if self._was_accepted and error is None and not self.screen.is_showing:
            self._begin(self._delay())
        elif isinstance(error, AnswerError):
            self._note = "The answer could not be read."
            self.journal.add("The answer could not be read", Tone.WARN)
        elif error is not None:
            self._note = self._patience.fail(error)
            self.journal.add(f"Failed: {type(error).__name__}", Tone.ERROR)
        self.refresh()

    # --- What becomes of it

    def _take(self, step: Callable[[], None]) -> None:
        self._is_taking = True
        try:
            step()
        finally:
            self._is_taking = False

    def _on_prediction(self, event: PredictionEvent) -> None:
        if isinstance(event, PredictionTaken):
            self.journal.add("Accepted in part", Tone.OK)
        elif isinstance(event, PredictionClosed):
            self._on_closed(event.end)
        self.refresh()

    def _on_closed(self, end: PredictionEnd) -> None:
        is_under_way = self._request is not None and self._request.is_asking
        if end is PredictionEnd.ACCEPTED:
            self._was_accepted = is_under_way
            self.journal.add("Accepted", Tone.OK)
        elif end in ENDS:
            self.journal.add(*ENDS[end])
        if end is PredictionEnd.HIDDEN or not self._is_writing:
            self._cancel()
        elif end is PredictionEnd.OUTDATED or (end is not PredictionEnd.FOLLOWED and not is_under_way):
            # While the rest of an answer is still to come, that is what comes next.
            self._begin(self._delay())

    def _delay(self) -> float:
        return float(self.context.settings.get(f"{PURPOSE}.delay")) / 1000

    def _is_too_slow(self) -> bool:
        limit = self.context.settings.get(f"{PURPOSE}.slow_seconds")
        return self.rules.is_automatic and self.journal.is_slow(limit)
