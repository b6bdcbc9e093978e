"""Near-duplicates among examples: MinHash signatures, found by locality-sensitive hashing, thinned out by distance."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from redraft.core.review.example import Example
from redraft.core.review.tokens import tokenize_words

HASHES: Final = 128
BANDS: Final = 32
"""Bands of four rows: pairs of similarity 0.5 are candidates with a chance of 87 %, of 0.3 with 23 %."""
SHINGLE: Final = 5
_PRIME: Final = np.uint64((1 << 61) - 1)
_MOST: Final = np.uint64((1 << 32) - 1)

Signature = NDArray[np.uint32]


class Fingerprints:
    """Collects signatures of examples by the text around their cursors (half a kilobyte each)."""

    def __init__(self) -> None:
        random = np.random.default_rng(1)
        self._factors = random.integers(1, 1 << 31, HASHES, dtype=np.uint64)
        self._offsets = random.integers(0, 1 << 31, HASHES, dtype=np.uint64)
        self._known: dict[bytes, Signature] = {}
        self._digests: list[bytes] = []

    def add(self, example: Example) -> None:
        """Take one more example, in the order in which they are numbered."""
        digest = hashlib.blake2b(example.cursor_position.encode(), digest_size=16).digest()
        if digest not in self._known:
            self._known[digest] = self._signature(example.cursor_position)
        self._digests.append(digest)

    def chosen(self, most: int, order: Iterable[int] | None = None) -> list[int]:
        """The examples to keep: exact repeats only once, and of a cluster the `most` that differ most.

        Args:
            most: How many.
            order: The examples as they are to be looked at, the first of equals is kept; as they came by default.
        """
        first: dict[bytes, int] = {}
        for number in range(len(self._digests)) if order is None else order:
            first.setdefault(self._digests[number], number)
        places = list(first.values())
        signatures = [self._known[digest] for digest in first]
        kept: list[int] = []
        for cluster in _clusters(signatures):
            kept += (places[index] for index in _spread(signatures, cluster, most))
        return sorted(kept)

    def _signature(self, text: str) -> Signature:
        hashes = np.fromiter((_hash(shingle) for shingle in shingles(text)), dtype=np.uint64)
        # Factors and hashes have 31 bits, so their products fit.
        rows = (self._factors[:, None] * hashes[None, :] + self._offsets[:, None]) % _PRIME
        smallest: Signature = (rows.min(axis=1) & _MOST).astype(np.uint32)
        return smallest


def _clusters(signatures: Sequence[Signature]) -> Iterator[list[int]]:
    parents = list(range(len(signatures)))
    rows = HASHES // BANDS
    for band in range(BANDS):
        seen: dict[bytes, int] = {}
        for index, signature in enumerate(signatures):
            key = signature[band * rows : (band + 1) * rows].tobytes()
            _join(parents, seen.setdefault(key, index), index)
    clusters: dict[int, list[int]] = {}
    for index in range(len(parents)):
        clusters.setdefault(_root(parents, index), []).append(index)
    yield from clusters.values()


def _spread(signatures: Sequence[Signature], cluster: Sequence[int], most: int) -> list[int]:
    """Greedy farthest points: the first member, then always the one farthest from all chosen."""
    if len(cluster) <= most:
        return list(cluster)
    members = np.stack([signatures[index] for index in cluster])
    distances = np.ones(len(cluster))
    chosen: list[int] = []
    for _ in range(most):
        place = int(np.argmax(distances)) if chosen else 0
        chosen.append(place)
        similarity = (members == members[place]).mean(axis=1)
        distances = np.minimum(distances, 1 - similarity)
        distances[chosen] = -1
    return [cluster[place] for place in chosen]


def shingles(text: str) -> set[str]:
    """Runs of five tokens without white space; a shorter text is one shingle."""
    tokens = [token for token in tokenize_words(text) if not token.isspace()]
    if len(tokens) < SHINGLE:
        return {"\0".join(tokens)}
    return {"\0".join(tokens[start : start + SHINGLE]) for start in range(len(tokens) - SHINGLE + 1)}


def _hash(shingle: str) -> int:
    return int.from_bytes(hashlib.blake2b(shingle.encode(), digest_size=4).digest(), "little") >> 1


def _root(parents: list[int], index: int) -> int:
    while parents[index] != index:
        parents[index] = parents[parents[index]]
        index = parents[index]
    return index


def _join(parents: list[int], one: int, other: int) -> None:
    parents[_root(parents, other)] = _root(parents, one)
