from __future__ import annotations

import pytest

from redraft.core.review.code_blocks import code_blocks, fence_for, last_code_block
from rows import row

THREE, FIVE = "`" * 3, "`" * 5


@pytest.mark.parametrize(
    ("answer", "content"),
    [
        row(159, f"{THREE}\nfirst block\n{THREE}\ntext\n{FIVE}python\nlast block\n{FIVE}\n", "last block\n"),
        row(161, f"{FIVE}\n{THREE}bibtex\n@book{{}}\n{THREE}\n{FIVE}\n", f"{THREE}bibtex\n@book{{}}\n{THREE}\n"),
        row(162, "no fence at all", None),
        row(163, f"{THREE}\nnever closed\n", None),
        row(165, f"{FIVE}\ncontent here\n{FIVE}", "content here\n"),
        (f"{THREE}\n{THREE}", ""),
    ],
)
def test_the_last_closed_block(answer: str, content: str | None) -> None:
    assert last_code_block(answer) == content


@pytest.mark.rows(166)
def test_all_blocks_in_order() -> None:
    answer = f"{FIVE}\nblock one\n{FIVE}\n{FIVE}\nblock two\nwith {THREE} nested\n{FIVE}\n"
    assert code_blocks(answer) == ["block one\n", f"block two\nwith {THREE} nested\n"]


def test_a_fence_is_longer_than_any_run_inside() -> None:
    assert fence_for("plain") == FIVE
    assert fence_for("a ``` b", "`" * 7) == "`" * 8
