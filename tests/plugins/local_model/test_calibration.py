from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from redraft_local_model.calibration import Speed, calibrate, thread_counts
from redraft_local_model.catalog import LocalModel
from redraft_local_model.server import ServerOptions
from redraft_local_model.tuning import Tuning

MODEL = LocalModel("small", Path("small.gguf"), 512, 0)


@pytest.mark.parametrize(
    ("physical", "logical", "expected"),
    [(1, 1, [1]), (2, 2, [2]), (2, 4, [2, 4]), (4, 8, [4, 2, 8]), (14, 20, [14, 7, 20])],
)
def test_the_usual_count_is_tried_first_then_half_the_cores_and_all_threads(
    physical: int, logical: int, expected: list[int]
) -> None:
    assert thread_counts(physical, logical) == expected


def found(speeds: dict[int, Speed]) -> Tuning:
    async def measure(_model: LocalModel, options: ServerOptions) -> Speed:
        assert options.batch_threads == options.threads
        return speeds[options.threads]

    return asyncio.run(calibrate(MODEL, ServerOptions(speculation=True), list(speeds), measure=measure))


def test_reading_and_writing_have_counts_of_their_own() -> None:
    assert found({4: Speed(100, 30), 2: Speed(60, 33), 8: Speed(140, 20)}) == Tuning(2, 8, speculation=True)


def test_more_threads_must_pay() -> None:
    assert found({4: Speed(100, 30), 8: Speed(103, 31)}) == Tuning(4, 4, speculation=True)


def test_nothing_is_measured_where_there_is_no_choice() -> None:
    assert found({2: Speed(0, 0)}) == Tuning(2, 2, speculation=True)
