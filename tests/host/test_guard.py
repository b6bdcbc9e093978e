from __future__ import annotations

import pytest

from redraft.core.errors import AnswerError
from redraft.host.guard import Guard, PluginProblem


@pytest.fixture
def problems() -> list[PluginProblem]:
    return []


@pytest.fixture
def guard(problems: list[PluginProblem]) -> Guard:
    return Guard("sample", "Sample", on_problem=problems.append)


def test_a_wrapped_callback_passes_its_arguments_and_tells_of_its_fault(
    guard: Guard, problems: list[PluginProblem]
) -> None:
    seen: list[tuple[int, str]] = []

    def callback(number: int, *, word: str) -> None:
        seen.append((number, word))
        raise KeyError(word)

    guard.wrap("a callback", callback)(3, word="x")
    assert seen == [(3, "x")]
    assert problems[0].message == "The plugin “Sample” failed in a callback: KeyError: 'x'. The log has the details."


def test_what_went_well_is_told(guard: Guard, problems: list[PluginProblem]) -> None:
    assert guard.call("x", int, "3") is True
    assert guard.call("x", int, "y") is False
    assert len(problems) == 1


def test_our_own_errors_are_the_plugins_words(guard: Guard, problems: list[PluginProblem]) -> None:
    def answer() -> None:
        raise AnswerError("The model gave no code.")

    guard.call("x", answer)
    assert problems == [PluginProblem("sample", "The model gave no code.", is_fault=False)]


def test_a_key_press_to_stop_comes_through(guard: Guard) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        guard.call("x", interrupt)


def test_a_callback_left_behind_does_nothing_once_its_plugin_is_gone(guard: Guard) -> None:
    calls: list[int] = []
    callback = guard.wrap("x", calls.append)
    callback(1)
    guard.close()
    callback(2)
    assert calls == [1]
