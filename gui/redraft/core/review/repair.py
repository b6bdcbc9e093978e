"""The second try: what a model is told about its first prediction, and how its new answer is read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from redraft.core.errors import UsageError
from redraft.core.review.code_blocks import fence_for
from redraft.core.review.example import Example, QaResult, Score
from redraft.core.review.judge import REVERSAL_LIMIT
from redraft.core.review.metrics.patch_size import count_token_changes
from redraft.core.review.teacher import KEEP_PREVIOUS, NO_EDITS, ParsedPrediction, parse_prediction
from redraft.core.review.words import word_diff

MANY_TOKENS: Final = 100
DISCARDED_LIMIT: Final = 80
EXTRA_LINES_LIMIT: Final = 5


def build_repair_message(example: Example, render: Callable[..., str]) -> str:
    """The third turn of the conversation: the quality feedback, the first prediction as a word diff, and the rules.

    Args:
        example: With a first prediction that has a patch, and a judgement or scores.
        render: Fills a prompt template by name, as `Prompts.render` does.

    Raises:
        UsageError: A stage before this one is missing; the message names it.
    """
    patch = example.predictions[0].actual_patch if example.predictions else None
    if patch is None:
        raise UsageError("no actual_patch available (run predict first)")
    feedback = quality_feedback(example)
    if feedback is None:
        raise UsageError("no quality feedback available (need either QA results or computed scores)")
    words = word_diff(patch)
    return render(
        "repair",
        quality_feedback=feedback,
        token_change_info=token_change_info(patch),
        actual_patch_word_diff=words,
        fence=fence_for(words),
    )


def quality_feedback(example: Example) -> str | None:
    """What is wrong with the first prediction: the judge's word, else what the scores flag; `None` if nothing."""
    judgement = next(iter(example.qa), None)
    flagged = _score_feedback(example.score[0]) if example.score else None
    if judgement is None or (judgement.is_empty and flagged):
        return flagged
    return _judge_feedback(judgement)


def token_change_info(patch: str) -> str:
    """How large the first prediction was, and a word of advice where it was very large."""
    tokens = count_token_changes(patch)
    text = (
        "\n## Token Change Statistics\n\n"
        f"- **Deleted tokens**: {tokens.deleted}\n- **Inserted tokens**: {tokens.inserted}\n"
    )
    if max(tokens.deleted, tokens.inserted) > MANY_TOKENS:
        text += (
            "\nThat is a large change. Aim for a narrower edit: touch only the lines that must change, and leave long "
            "stretches of code as they are.\n"
        )
    return text


def parse_repair(example: Example, answer: str) -> ParsedPrediction:
    """Read an answer to the repair message.

    `KEEP_PREVIOUS` anywhere in it adopts the first prediction byte for byte, whatever else stands there; otherwise it
    is read like a first answer.

    Raises:
        AnswerError: As in `parse_prediction`.
        UsageError: There is no first prediction to keep.
    """
    if KEEP_PREVIOUS not in answer:
        return parse_prediction(example, answer)
    if not example.predictions:
        raise UsageError("no predictions available (run predict first)")
    first = example.predictions[0]
    return ParsedPrediction(first.actual_patch or "", first.actual_cursor)


def _judge_feedback(judgement: QaResult) -> str:
    reverts = {True: "yes", False: "no", None: "unknown"}[judgement.reverts_edits]
    confidence = "unknown" if judgement.confidence is None else judgement.confidence
    return (
        f"- **Reverts user edits**: {reverts}\n"
        f"- **Confidence score**: {confidence}/5\n"
        f"- **Reasoning**: {judgement.reasoning or 'No reasoning provided'}"
    )


def _score_feedback(score: Score) -> str | None:
    issues = []
    if score.reversal_ratio > REVERSAL_LIMIT:
        issues.append(
            f"A reversal ratio of {score.reversal_ratio:.2f} says that this may undo what the user did on purpose. "
            "Check that. If it rightly completes their change, keep it as it is; else go on in their direction."
        )
    if score.wrong_editable_region:
        issues.append(
            "It may touch code outside the editable region, or be out of step with the region's first and last line."
        )
    if (score.discarded_chars or 0) > DISCARDED_LIMIT and score.exact_lines_fp > EXTRA_LINES_LIMIT:
        issues.append(
            "It may be too large or too much of a guess. Predict less, for instance a function's outline without its "
            "body, or only the first step of several: the smaller a prediction, the likelier it is right."
        )
    if not issues:
        return None
    lines = "\n".join(f"- {issue}" for issue in issues)
    return (
        "Nobody has judged this prediction; automatic scores flag it:\n\n"
        f"{lines}\n\n"
        f"If it was right after all, answer {KEEP_PREVIOUS}. If nothing should change and you know no better edit, "
        f"answer {NO_EDITS}."
    )
