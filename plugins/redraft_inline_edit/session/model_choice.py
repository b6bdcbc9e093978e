"""The list behind the model chip: another model for this edit, or one that a preset asks from now on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from redraft.api.ui import PickItem
from redraft.core.config.preset_rows import with_model
from redraft.core.errors import RedraftError
from redraft.core.llm.client import ModelInfo
from redraft_inline_edit.block.parts import MODEL_ICON
from redraft_inline_edit.options import APPLY_MODEL

if TYPE_CHECKING:
    from redraft_inline_edit.session.manager import EditManager
    from redraft_inline_edit.session.session import EditSession

MODEL: Final = "model:"
FOR_PRESET: Final = "for_preset"
USUAL_FOR_PRESET: Final = "usual_for_preset"
FOR_EDITS: Final = "for_edits"
FOR_APPLYING: Final = "for_applying"
WRITTEN_IN_FULL: Final = "large edits are written in full"
DEFAULT: Final = "default_models.inline_edit"
NO_PRESET: Final = "Begin the instruction with a preset, such as /fix; then this model can be made its default."


class ModelChoice:
    """Chooses whom a session asks, and what is kept of that choice."""

    def __init__(self, manager: EditManager, session: EditSession) -> None:
        self._manager = manager
        self._session = session
        self._context = manager.context

    def pick(self) -> None:
        """Let the user choose."""
        current = f"{MODEL}{self._session.model.name}" if self._session.model is not None else ""
        items = [*self._models(), *self._defaults()]
        self._context.ui.pick("Model for this edit", items, on_chosen=self.take, current=current)

    def take(self, chosen: str) -> None:
        """Do what a row of the list says."""
        match chosen:
            case "for_preset":
                self.keep_for_preset()
            case "usual_for_preset":
                self._set_for_preset("")
            case "for_edits":
                self._keep_for_edits()
            case "for_applying":
                self._pick_applier()
                return
            case _:
                self._session.choose_model(self._context.models.find(chosen.removeprefix(MODEL)))
        self._session.focus()

    def take_applier(self, chosen: str) -> None:
        """Let a model merge large edits from now on; an empty name lets none."""
        name = chosen.removeprefix(MODEL)
        words = f"Large edits are applied with the model {name} from now on."
        self._keep(APPLY_MODEL, name, words if name else "Large edits are written in full from now on.")
        self._session.focus()

    def keep_for_preset(self) -> None:
        """The preset in the words asks this model from now on."""
        model = self._session.model
        if self._session.preset is None or model is None:
            self._context.ui.notify(NO_PRESET)
        else:
            self._set_for_preset(model.name)

    def _models(self) -> list[PickItem]:
        return [
            PickItem(f"{MODEL}{info.name}", info.name, _place(info), icon=MODEL_ICON.get(info.location, "model_server"))
            for info in self._context.models.list_models()
        ]

    def _defaults(self) -> list[PickItem]:
        """What can be kept of the choice; nothing that is so already."""
        model, preset = self._session.model, self._session.preset
        usual = self._context.models.default("inline_edit")
        if model is None:
            return []
        items: list[PickItem] = []
        if preset is not None and preset.model != model.name and (preset.model or model != usual):
            items.append(PickItem(FOR_PRESET, f"Set as default for /{preset.name}", model.name, icon="accept"))
        if preset is not None and preset.model:
            words = usual.name if usual is not None else ""
            items.append(PickItem(USUAL_FOR_PRESET, f"Use the usual model for /{preset.name}", words, icon="reset"))
        if model != usual:
            items.append(PickItem(FOR_EDITS, "Set as default for all inline edits", model.name, icon="accept"))
        applier = self._context.settings.get(APPLY_MODEL)
        items.append(PickItem(FOR_APPLYING, "Apply large edits with…", applier or WRITTEN_IN_FULL, icon="proposal"))
        return items

    def _pick_applier(self) -> None:
        current = f"{MODEL}{self._context.settings.get(APPLY_MODEL)}"
        items = [PickItem(MODEL, "No model", WRITTEN_IN_FULL, icon="reset"), *self._models()]
        self._context.ui.pick("Apply large edits with", items, on_chosen=self.take_applier, current=current)

    def _set_for_preset(self, model: str) -> None:
        session, settings = self._session, self._context.settings
        preset = session.preset
        if preset is None:
            return
        try:
            settings.set("presets", with_model(settings.get("presets"), preset.name, model))
        except RedraftError as error:
            self._context.ui.notify(str(error))
            return
        session.use_presets(self._manager.presets_for(session.editor, session.lines))
        whom = f"the model {model}" if model else "the usual model"
        self._context.ui.notify(f"/{preset.name} asks {whom} from now on.")

    def _keep_for_edits(self) -> None:
        model = self._session.model
        if model is None:
            return
        self._keep(DEFAULT, model.name, f"Inline edits ask the model {model.name} from now on.")

    def _keep(self, setting: str, name: str, words: str) -> None:
        try:
            self._context.settings.set(setting, name)
        except RedraftError as error:
            self._context.ui.notify(str(error))
        else:
            self._context.ui.notify(words)


def _place(info: ModelInfo) -> str:
    """What else there is to say of a model: its id at its server, or that it is on this machine."""
    if info.location == "embedded":
        return "on this computer"
    return info.model if info.model != info.name else ""
