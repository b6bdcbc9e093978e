"""Is this edit good? Signals, metrics, a judge, and the second try."""

from redraft.core.review.code_blocks import code_blocks, fence_for, last_code_block
from redraft.core.review.example import Example
from redraft.core.review.judge import needs_repair, parse_judgement
from redraft.core.review.jumps import parse_jumps
from redraft.core.review.metrics.chrf import DeltaChrf, delta_chrf
from redraft.core.review.metrics.counts import Counts
from redraft.core.review.metrics.kept_rate import KeptRate, kept_rate
from redraft.core.review.metrics.patch_size import TokenChanges, count_token_changes, exact_lines
from redraft.core.review.metrics.reversal import Reversal, reversal
from redraft.core.review.metrics.undo_ratio import reversal_ratio
from redraft.core.review.repair import build_repair_message, parse_repair
from redraft.core.review.scoring import score_example
from redraft.core.review.signals import has_isolated_whitespace_changes, is_wrong_editable_region, removes_most
from redraft.core.review.teacher import ParsedPrediction, parse_prediction
from redraft.core.review.tokens import tokenize_code, tokenize_words
from redraft.core.review.words import word_diff

__all__ = [
    "Counts",
    "DeltaChrf",
    "Example",
    "KeptRate",
    "ParsedPrediction",
    "Reversal",
    "TokenChanges",
    "build_repair_message",
    "code_blocks",
    "count_token_changes",
    "delta_chrf",
    "exact_lines",
    "fence_for",
    "has_isolated_whitespace_changes",
    "is_wrong_editable_region",
    "kept_rate",
    "last_code_block",
    "needs_repair",
    "parse_judgement",
    "parse_jumps",
    "parse_prediction",
    "parse_repair",
    "removes_most",
    "reversal",
    "reversal_ratio",
    "score_example",
    "tokenize_code",
    "tokenize_words",
    "word_diff",
]
