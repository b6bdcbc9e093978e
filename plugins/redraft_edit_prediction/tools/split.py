"""Splits a dataset at random into files, whole groups at a time, so that no file's examples leak into another part."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from redraft.core.errors import UsageError
from redraft.core.review.example import Example
from redraft_edit_prediction.pipeline.dataset import Source
from redraft_edit_prediction.pipeline.output import LinesFile


class Stratify(StrEnum):
    """What must not be torn apart."""

    CURSOR_PATH = "cursor-path"
    PROJECT = "project"
    REPO = "repo"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Part:
    """One output and how much of the dataset it gets: a share, a number, or the rest."""

    path: Path
    share: float | None = None
    number: int | None = None

    @classmethod
    def parse(cls, text: str) -> Part:
        """Read `FILE=80%`, `FILE=100` or `FILE=rest`.

        Raises:
            UsageError: It is none of these.
        """
        name, _, size = text.rpartition("=")
        if not name:
            raise UsageError(f"{text!r} does not say how much it gets; write FILE=80%, FILE=100 or FILE=rest.")
        try:
            if size == "rest":
                return cls(Path(name))
            if size.endswith("%") and 0 <= float(size[:-1]) <= 100:
                return cls(Path(name), share=float(size[:-1]) / 100)
            if int(size) >= 0:
                return cls(Path(name), number=int(size))
        except ValueError:
            pass
        raise UsageError(f"{size!r} is no size; write 80%, 100 or rest.")

    @property
    def is_rest(self) -> bool:
        """Whether it gets what the others leave."""
        return self.share is None and self.number is None

    def target(self, total: int) -> int:
        """How many examples it should get."""
        return round(self.share * total) if self.share is not None else self.number or 0


def split_dataset(path: Path, parts: Sequence[Part], stratify: Stratify, seed: int) -> list[tuple[Part, int]]:
    """Write the parts; how many examples each got. What fits nowhere, with no rest, is left out.

    Raises:
        UsageError: The input is broken, or two parts want the rest.
    """
    if sum(part.is_rest for part in parts) > 1:
        raise UsageError("Only one part can get the rest.")
    with Source(path) as source:
        places = [(offset, number, _group(example, stratify, number)) for offset, number, example in source.examples()]
        owner = _assign([group for _, _, group in places], parts, seed)
        counts = [0] * len(parts)
        outputs = [LinesFile(part.path, replaces=True) for part in parts]
        for offset, number, group in places:
            index = owner.get(group)
            if index is not None:
                outputs[index].write(source.load(offset, number))
                counts[index] += 1
        for output in outputs:
            output.close()
    return list(zip(parts, counts, strict=True))


def _group(example: Example, stratify: Stratify, number: int) -> str:
    match stratify:
        case Stratify.CURSOR_PATH:
            return f"{example.repository_url}\0{example.cursor_path}"
        case Stratify.PROJECT:
            return f"{example.repository_url}\0{example.cursor_path.partition('/')[0]}"
        case Stratify.REPO:
            return example.repository_url
        case _:
            return str(number)


def _assign(groups: Sequence[str], parts: Sequence[Part], seed: int) -> dict[str, int]:
    """Whole groups, in random order, each to the part that lacks most; what nobody lacks is the rest's."""
    sizes: dict[str, int] = {}
    for group in groups:
        sizes[group] = sizes.get(group, 0) + 1
    order = list(sizes)
    random.Random(seed).shuffle(order)  # noqa: S311 - a split is no secret
    lacks = {index: part.target(len(groups)) for index, part in enumerate(parts) if not part.is_rest}
    rest = next((index for index, part in enumerate(parts) if part.is_rest), None)
    owner: dict[str, int] = {}
    for group in order:
        index = max(lacks, key=lambda index: lacks[index], default=None)
        if index is not None and lacks[index] > 0:
            owner[group] = index
            lacks[index] -= sizes[group]
        elif rest is not None:
            owner[group] = rest
    return owner
