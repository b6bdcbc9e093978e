"""The model that a preset of the user's is for."""

from __future__ import annotations

from redraft.api.models import Models
from redraft.core.errors import ModelUnavailable
from redraft.core.llm.client import ModelInfo
from redraft_inline_edit.presets.preset import Preset


def model_of(preset: Preset, models: Models) -> ModelInfo:
    """The model a preset names.

    Raises:
        ModelUnavailable: There is none of that name.
    """
    try:
        return models.find(preset.model)
    except ModelUnavailable as error:
        raise ModelUnavailable(
            f"/{preset.name} is set to the model {preset.model}, which is not there. Name another one in your presets, "
            "or choose one for this edit."
        ) from error
