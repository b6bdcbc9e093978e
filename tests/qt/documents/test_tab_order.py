from __future__ import annotations

import pytest

from redraft.qt.documents.tab_order import TabOrder


def order_of(names: str) -> TabOrder[str]:
    """Tabs opened one after the other, the last of them in front."""
    order: TabOrder[str] = TabOrder()
    for name in names:
        order.insert(name)
        order.activate(name)
    return order


def test_a_new_tab_stands_right_of_the_one_in_front() -> None:
    order = order_of("abc")
    order.activate("a")
    order.insert("x")
    assert (list(order.tabs), order.active) == (["a", "x", "b", "c"], "a")


def test_a_moved_tab_stays_in_front() -> None:
    order = order_of("abc")
    order.move(2, 0)
    assert (list(order.tabs), order.active) == (["c", "a", "b"], "c")


@pytest.mark.parametrize(("steps", "found"), [(1, "a"), (-1, "b"), (4, "a")])
def test_steps_go_round(steps: int, found: str) -> None:
    assert order_of("abc").beside(steps) == found


def test_without_tabs_nothing_is_beside() -> None:
    assert order_of("").beside(1) is None


def test_the_tab_that_was_in_front_before_comes_back() -> None:
    order = order_of("abc")
    order.activate("a")
    order.remove("a")
    assert order.active == "c"
    order.remove("b")
    assert order.active == "c", "taking another away changes nothing"


def test_a_tab_that_was_never_in_front_takes_the_place_of_the_last_one_that_was() -> None:
    order: TabOrder[str] = TabOrder()
    for name in "abc":
        order.insert(name)
    order.activate("c")
    order.remove("c")
    assert order.active == "b"


def test_the_last_tab_leaves_nothing_in_front() -> None:
    order = order_of("a")
    order.remove("a")
    assert (list(order.tabs), order.active) == ([], None)
