from __future__ import annotations

import re
from pathlib import Path

import pytest

from pipelines import GOOD, EpRunner, example, write_lines
from planted import KEY, files_with_key, shows_key
from servers import ScriptedServer, error_reply, openai_answer


def test_a_planted_key_is_in_no_record_cache_or_report(
    ep: EpRunner, tmp_path: Path, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REDRAFT_API_KEY", KEY)
    server.reply(*error_reply(422, f"Incorrect API key provided: {KEY}"))
    server.reply(*openai_answer(GOOD))
    data = write_lines(tmp_path / "data.jsonl", [example("one"), example("two")])
    done = ep("predict", "-p", "model:scripted", "--max-parallelism", "1", data)
    assert {seen.headers["authorization"] for seen in server.requests} == {f"Bearer {KEY}"}
    out = tmp_path / "out.jsonl"
    out.write_text(done.out, encoding="utf-8")
    scored = ep("score", out)
    assert not any(shows_key(text) for text in (done.out, done.err, scored.out, scored.err))
    assert re.search(r"Incorrect API key provided: …", done.err + done.out)
    assert files_with_key(tmp_path) == []
    assert list(tmp_path.rglob("*.sqlite*")), "the answers were kept"
