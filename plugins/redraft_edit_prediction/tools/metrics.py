"""All metrics of one prediction, for a closer look."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rich.text import Text

from redraft.core.errors import PatchError, UsageError
from redraft.core.review.loose_patch import apply_hunks_loosely, read_hunks
from redraft.core.review.metrics.chrf import delta_chrf
from redraft.core.review.metrics.kept_rate import Label, kept_labels, kept_rate
from redraft.core.review.metrics.patch_size import braces_disbalance, count_token_changes, exact_lines
from redraft.core.review.signals import has_isolated_whitespace_changes, is_wrong_editable_region
from redraft_edit_prediction.pipeline.dataset import Source

_STYLES: Final = {Label.CONTEXT: "", Label.KEPT: "green", Label.DISCARDED: "red"}


@dataclass(frozen=True, slots=True)
class Measured:
    """A text before, what was wanted of it, and what was predicted."""

    base: str
    expected_patch: str
    actual_patch: str

    def after(self, patch: str) -> str:
        """The text after a patch.

        Raises:
            UsageError: It does not fit.
        """
        try:
            return apply_hunks_loosely(self.base, read_hunks(patch))
        except PatchError as error:
            raise UsageError(f"The patch does not apply: {error}.") from error


def texts_of_files(base: Path, expected: Path, actual: Path) -> Measured:
    """What three files say.

    Raises:
        UsageError: One cannot be read.
    """
    return Measured(*map(_read, (base, expected, actual)))


def texts_of_example(path: Path, index: int) -> Measured:
    """What an example says, the first one of a dataset.

    Raises:
        UsageError: There is none, it has no inputs, or not so many predictions.
    """
    with Source(path) as source:
        example = next((example for _, _, example in source.examples()), None)
    if example is None:
        raise UsageError(f"{path} holds no example.")
    if example.prompt_inputs is None:
        raise UsageError("prompt_inputs missing (run prediction first, or supply them)")
    if index >= len(example.predictions):
        raise UsageError(f"The example has {len(example.predictions)} predictions; there is no number {index}.")
    expected = example.expected_patches[0] if example.expected_patches else ""
    return Measured(example.prompt_inputs.cursor_excerpt, expected, example.predictions[index].actual_patch or "")


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror}).") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8 text (byte {error.start}).") from error


def measured(texts: Measured) -> Text:
    """The metrics, and the predicted text with kept words green and discarded ones red.

    Raises:
        UsageError: A patch does not fit.
    """
    expected, actual = texts.after(texts.expected_patch), texts.after(texts.actual_patch)
    kept, chrf = kept_rate(texts.base, actual, expected), delta_chrf(texts.base, expected, actual)
    lines, tokens = exact_lines(texts.expected_patch, texts.actual_patch), count_token_changes(texts.actual_patch)
    braces = max(0, braces_disbalance(actual) - braces_disbalance(texts.base))
    said = (
        f"kept rate            {kept.kept_rate:.3f} (kept {kept.kept}, discarded {kept.discarded}, "
        f"correctly deleted {kept.correctly_deleted} bytes)\n"
        f"recall rate          {kept.recall_rate:.3f}\n"
        f"delta-chrF           {chrf.score:.2f} (β {chrf.beta}, P {chrf.precision:.3f}, R {chrf.recall:.3f})\n"
        f"exact lines          {lines.true_positives} right, {lines.false_positives} wrong, "
        f"{lines.false_negatives} missed\n"
        f"tokens               {tokens.deleted} deleted, {tokens.inserted} inserted\n"
        f"wrong region         {'yes' if is_wrong_editable_region(texts.actual_patch) else 'no'}\n"
        f"isolated whitespace  {'yes' if has_isolated_whitespace_changes(texts.actual_patch) else 'no'}\n"
        f"braces               {braces} more out of balance\n\n"
    )
    text = Text(said)
    for token, label in kept_labels(texts.base, actual, expected):
        text.append(token, _STYLES[label])
    return text
