from __future__ import annotations

import logging

import pytest

from redraft.host.context_keys import ContextKeys


def test_listeners_hear_the_names_of_what_changed_and_only_that() -> None:
    keys = ContextKeys({"a": 1})
    heard: list[frozenset[str]] = []
    keys.on_did_change(heard.append)
    keys.update({"a": 1, "b": 2, "c": False})
    keys.set("a", 1)
    keys.set("a", 3)
    assert heard == [{"b", "c"}, {"a"}]
    assert dict(keys) == {"a": 3, "b": 2, "c": False}


def test_removed_keys_are_gone_and_heard_of() -> None:
    keys = ContextKeys({"a": False, "b": 2})
    heard: list[frozenset[str]] = []
    keys.on_did_change(heard.append)
    keys.remove(["a", "x"])
    assert "a" not in keys
    assert heard == [{"a"}]


def test_a_disposed_listener_hears_nothing() -> None:
    keys = ContextKeys()
    heard: list[frozenset[str]] = []
    subscription = keys.on_did_change(heard.append)
    subscription.dispose()
    subscription.dispose()
    keys.set("a", 1)
    assert heard == []


def test_a_listener_that_raises_does_not_keep_the_others(caplog: pytest.LogCaptureFixture) -> None:
    keys = ContextKeys()
    heard: list[frozenset[str]] = []

    def fail(_names: frozenset[str]) -> None:
        raise RuntimeError("boom")

    keys.on_did_change(fail)
    keys.on_did_change(heard.append)
    with caplog.at_level(logging.ERROR):
        keys.set("a", 1)
    assert heard == [{"a"}]
    assert "boom" in caplog.text
