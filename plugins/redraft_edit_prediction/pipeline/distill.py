"""Turns predictions into what is expected: the targets a smaller model is trained on."""

from __future__ import annotations

from redraft.core.errors import UsageError
from redraft.core.review.cursor_marks import put_patch_cursor
from redraft.core.review.example import Example, Prediction
from redraft_edit_prediction.pipeline.providers import REPAIR


class Distill:
    """Fills `expected_patches` from predictions, and clears what the pipeline has found."""

    label = "Distill"

    def is_complete(self, example: Example) -> bool:
        """Whether nothing is left to be turned."""
        return not example.predictions and example.prompt is None

    async def process(self, example: Example) -> Example:
        """Turn predictions into expected patches; the first good second try stands for all.

        Raises:
            UsageError: There is no prediction to take a patch from; what was expected so far would be lost.
        """
        if self.is_complete(example):
            return example
        if not example.predictions:
            raise UsageError("no predictions available (run predict first)")
        chosen = [one for one in example.predictions if one.actual_patch is not None]
        if not chosen:
            raise UsageError("no prediction could be read; predict again, or leave the example out")
        repaired = [one for one in chosen if one.provider == REPAIR]
        patches = [_with_cursor(one) for one in (repaired[:1] or chosen)]
        return example.changed(expected_patches=patches, prompt=None, predictions=[], score=[], qa=[])


def _with_cursor(prediction: Prediction) -> str:
    patch, cursor = prediction.actual_patch or "", prediction.actual_cursor
    if cursor is None or cursor.editable_region_offset is None:
        return patch
    return put_patch_cursor(patch, cursor.editable_region_offset)
