"""The prompt block over a whole proposal: what the checks say of it, and what can be done with it."""

from __future__ import annotations

from typing import Final

from redraft.api.prompt_block import ActionStyle, Chip, PromptAction, PromptModel, StateStrip, Tone
from redraft.core.answer.pipeline import Note, NoteKind
from redraft.core.wording import count_words
from redraft_inline_edit.block.facts import BlockFacts
from redraft_inline_edit.block.parts import accept_all_action, alternatives, icon_action, model_chip, retry_action
from redraft_inline_edit.block.words import listed, spent, stale_words
from redraft_inline_edit.proposal.needed import Need

NOTE_LABELS: Final = {
    NoteKind.TRIMMED: "Repeats left out",
    NoteKind.CUT_OUT: "Cut to the selection",
    NoteKind.REINDENTED: "Indentation moved",
    NoteKind.CONVERTED: "Indentation converted",
    NoteKind.MENDED: "Comma mended",
    NoteKind.MIXED_INDENTATION: "Mixed indentation",
    NoteKind.HIDDEN: "Hidden characters",
    NoteKind.QUOTES: "Typographic quotes",
    NoteKind.PLACEHOLDER: "Leaves code out",
    NoteKind.COMMENTS: "Comments removed",
    NoteKind.PARTIAL: "Only a part",
    NoteKind.LOST: "Lines lost in merging",
    NoteKind.NOT_MERGED: "Not merged",
    NoteKind.NEEDS_IMPORT: "Needs an import",
    NoteKind.EMPTY: "Removes all",
    NoteKind.UNCHANGED: "Unchanged",
}
LONGEST_IMPORT: Final = 32
"""Characters of an import that are shown on its chip."""

WARNINGS: Final = frozenset(
    {
        NoteKind.CUT_OUT,
        NoteKind.MIXED_INDENTATION,
        NoteKind.QUOTES,
        NoteKind.COMMENTS,
        NoteKind.PARTIAL,
        NoteKind.NOT_MERGED,
    }
)


def reviewing(facts: BlockFacts) -> PromptModel:
    """The proposal is whole and waits for decisions."""
    if facts.hidden:
        return _blocked(facts)
    if facts.stale:
        return _needs_review(facts)
    keys = facts.keys
    return PromptModel(
        words=facts.words,
        main=PromptAction("close", "Close", icon="close", key="Esc", style=ActionStyle.ICON),
        chips=(*review_chips(facts),),
        numbers=spent(facts),
        refine="Refine this result, or ↑ to edit what you asked",
        model=model_chip(facts.model, ""),
        footer=count_words(facts.open_hunks, "hunk"),
        footer_detail=_detail(facts),
        counts=facts.counts,
        actions=(
            *alternatives(facts),
            icon_action("retry", "Try again", "retry", keys.retry),
            icon_action("side_by_side", "Side by side", "split", keys.side_by_side),
            icon_action("edit_proposal", "Edit proposal", "edit_proposal", keys.edit_proposal),
            PromptAction("reject_all", "Reject all", key=facts.keys.reject_all, style=ActionStyle.REJECT),
            accept_all_action(facts),
        ),
        answer=facts.answer,
    )


def review_chips(facts: BlockFacts) -> tuple[Chip, ...]:
    """What checks say of a proposal."""
    outcome = facts.outcome
    if outcome is None:
        return ()
    broken = outcome.syntax_error
    chips = [Chip("syntax", "Does not parse", icon="error", tone=Tone.ERROR, tooltip=broken)] if broken else []
    if outcome.is_checked and not broken:
        chips.append(Chip("syntax", "Parses", icon="ok", tone=Tone.OK))
    if facts.need is Need.OFF and facts.place.startswith("line"):
        chips.append(Chip("outside", f"Nothing outside {facts.place}", icon="ok", tone=Tone.OK))
    chips += [_chip_of(note, facts.need) for note in outcome.notes]
    if outcome.merged_by is not None:
        name = outcome.merged_by.name
        chips.append(Chip("merged", f"Merged with {name}", icon="info", tooltip="The answer left out what stays"))
    if outcome.repaired:
        chips.append(Chip("repaired", "Repaired", icon="retry", tooltip="The first answer failed a check"))
    return tuple(chips)


def _chip_of(note: Note, need: Need) -> Chip:
    if note.kind is NoteKind.NEEDS_IMPORT:
        return _needs_chip(note, need)
    label = NOTE_LABELS[note.kind]
    if note.blocks_accept or note.kind in WARNINGS:
        return Chip(note.kind.value, label, icon="problem", tone=Tone.WARN, tooltip=note.text)
    return Chip(note.kind.value, label, icon="info", tooltip=note.text)


def _needs_chip(note: Note, need: Need) -> Chip:
    """The one chip that is a switch: it shows the imports as a proposal of their own, or takes them away."""
    single = " ".join(note.details[0].split())
    name = single if note.count == 1 and len(single) <= LONGEST_IMPORT else f"{note.count} imports"
    states = {
        Need.OFF: ("problem", Tone.WARN, f"{note.text} Press to see it as a change of its own."),
        Need.ON: ("ok", Tone.OK, "It goes in with the last of the other changes. Press to leave it out."),
        Need.IN: ("ok", Tone.OK, "It is in the file."),
    }
    icon, tone, tooltip = states[need]
    return Chip(note.kind.value, f"Needs {name}: {need.value}", icon=icon, tone=tone, tooltip=tooltip)


def _needs_review(facts: BlockFacts) -> PromptModel:
    fitting = [place for place in range(1, facts.open_hunks + 1) if place not in facts.stale]
    cause = "Changed on disk" if facts.stale_from_disk else "Changed by hand"
    meets = "meets it" if len(facts.stale) == 1 else "meet it"
    fits = f", {listed(fitting)} still {'fits' if len(fitting) == 1 else 'fit'}" if fitting else ""
    strip = StateStrip(
        f"{cause}: {stale_words(facts.stale)} {meets}{fits}",
        icon="proposal",
        tone=Tone.WARN,
        actions=(
            PromptAction("put_off_stale", "Keep for later", style=ActionStyle.FLAT),
            PromptAction("three_way", "Compare three ways", style=ActionStyle.PRIMARY),
        ),
    )
    merged = f"merged with {facts.stale_from_disk}" if facts.stale_from_disk else spent(facts)
    needs = "needs" if len(facts.stale) == 1 else "need"
    return PromptModel(
        words=facts.words,
        main=retry_action(facts),
        strip=strip,
        footer_detail=f"{stale_words(facts.stale).capitalize()} {needs} you before “accept all”",
        footer_note=merged,
        counts=facts.counts,
    )


def _blocked(facts: BlockFacts) -> PromptModel:
    strip = StateStrip(
        facts.hidden,
        icon="hidden_text",
        tone=Tone.ERROR,
        actions=(
            PromptAction("remove_hidden", "Remove them", style=ActionStyle.PRIMARY),
            PromptAction("accept_hidden", "Accept all the same"),
        ),
    )
    return PromptModel(
        words=facts.words,
        main=retry_action(facts),
        strip=strip,
        footer_detail="Enter does not accept while something is hidden",
        counts=facts.counts,
    )


def _detail(facts: BlockFacts) -> str:
    if facts.accepts_in:
        return f"accepted in {facts.accepts_in:g} s, Esc keeps it for review"
    if facts.doubt:
        return f"{facts.doubt}: press again"
    kept = f"{facts.put_off} kept for later" if facts.put_off else ""
    return ", ".join(filter(None, (kept, facts.went_round)))
