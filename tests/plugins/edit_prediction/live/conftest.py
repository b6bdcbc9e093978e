"""Desks, closed after each test."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from live_desk import Desk


@pytest.fixture
def make_desk() -> Iterator[Callable[..., Desk]]:
    desks: list[Desk] = []

    def make(*answers: object, **options: object) -> Desk:
        desks.append(Desk(*answers, **options))  # type: ignore[arg-type]  # settings by name
        return desks[-1]

    yield make
    for desk in desks:
        if not desk.context.tasks.loop.is_closed():
            desk.context.close()
