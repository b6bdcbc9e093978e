from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from fakes import MemoryStorage
from redraft_local_model.catalog import LocalModel
from redraft_local_model.tuning import FILE, Tuning, TuningStore, usual_tuning

MODEL = LocalModel("small", Path("small.gguf"), 512, 0)


def test_a_measurement_is_found_again_for_its_model_alone() -> None:
    storage = MemoryStorage()
    TuningStore(storage).keep(MODEL, Tuning(4, 8, speculation=False))
    assert TuningStore(storage).find(MODEL) == Tuning(4, 8, speculation=False)
    assert TuningStore(storage).find(replace(MODEL, name="other")) is None


def test_several_models_keep_their_measurements() -> None:
    store = TuningStore(MemoryStorage())
    other = replace(MODEL, name="other")
    store.keep(MODEL, Tuning(4, 8))
    store.keep(other, Tuning(2, 2))
    assert (store.find(MODEL), store.find(other)) == (Tuning(4, 8), Tuning(2, 2))


@pytest.mark.parametrize("text", ["", "no JSON", "[1, 2]", '{"small": 3}'])
def test_a_broken_file_counts_as_nothing_measured(text: str) -> None:
    storage = MemoryStorage()
    storage.files[FILE] = text
    assert TuningStore(storage).find(MODEL) is None
    TuningStore(storage).keep(MODEL, Tuning(1, 1))
    assert TuningStore(storage).find(MODEL) == Tuning(1, 1)


def test_without_a_measurement_every_physical_core_has_a_thread() -> None:
    assert usual_tuning().threads == usual_tuning().batch_threads >= 1
