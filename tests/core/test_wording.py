from __future__ import annotations

import pytest

from redraft.core.wording import count_words


@pytest.mark.parametrize(("count", "words"), [(0, "0 lines"), (1, "1 line"), (2, "2 lines")])
def test_only_one_is_singular(count: int, words: str) -> None:
    assert count_words(count, "line") == words
