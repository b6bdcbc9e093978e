from __future__ import annotations

import logging
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from redraft.core import log
from redraft.core.log import redact, redacted, start_log, stop_log

KEY = 'planted/key+with "signs"=42'


@pytest.fixture
def log_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(log, "_SECRETS", log._Secrets())
    yield start_log(tmp_path / "logs", level=logging.DEBUG)
    stop_log()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Authorization: Bearer abc123def", "Authorization: Bearer [redacted]"),
        ("{'authorization': 'Bearer abc123def', 'x': 1}", "{'authorization': 'Bearer [redacted]', 'x': 1}"),
        ("(b'x-api-key', b'abc123def')", "(b'x-api-key', b'[redacted]')"),
        ('"api-key": "abc123def"', '"api-key": "[redacted]"'),
        ("api_key=abc123", "api_key=[redacted]"),
        ("Proxy-Authorization: Basic dXNlcjpwYXNz", "Proxy-Authorization: Basic [redacted]"),
        ("sent bearer abc123.def456 along", "sent bearer [redacted] along"),
        ("bearer of news", "bearer of news"),
        ("GET https://h/v1?key=abc123&x=1", "GET https://h/v1?key=[redacted]&x=1"),
        ("https://h/v1?a=b&access_token=abc#top", "https://h/v1?a=b&access_token=[redacted]#top"),
        ("https://me:pass@proxy.lan:3128/", "https://[redacted]@proxy.lan:3128/"),
        ("the key sk-ant-api03-abc_DEF-123 is refused", "the key [redacted] is refused"),
        ("task-force sk-y risk-assessment", "task-force sk-y risk-assessment"),
        ("the key = value pairs, token count 12", "the key = value pairs, token count 12"),
    ],
)
def test_what_stands_where_keys_stand_is_hidden(text: str, shown: str) -> None:
    assert redacted(text) == shown


def test_a_registered_key_reaches_the_file_in_no_spelling(log_file: Path) -> None:
    redact(KEY)
    logger = logging.getLogger("redraft.core.llm")
    logger.debug("plain %s", KEY)
    logger.info("quoted %s", "planted%2Fkey%2Bwith%20%22signs%22%3D42")
    logger.warning("form planted%2Fkey%2Bwith+%22signs%22%3D42")
    logger.error('json planted/key+with \\"signs\\"=42')
    logging.getLogger("httpx").warning("another library says %s", KEY)
    try:
        int(KEY)
    except ValueError:
        logger.exception("with its traceback")
    written = log_file.read_text()
    assert written.count("[redacted]") == 6
    for part in ("planted", "signs"):
        assert part not in written


def test_a_key_that_begins_with_another_is_hidden_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "_SECRETS", log._Secrets())
    redact("abcd")
    redact("abcdefgh")
    redact("")
    redact("a")
    assert redacted("a abcdefgh abcd") == "a [redacted] [redacted]"


def test_the_file_is_the_users_alone_and_rotates(log_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    logger = logging.getLogger("redraft.test")
    handler = next(handler for handler in logging.getLogger().handlers if isinstance(handler, log._PrivateFileHandler))
    monkeypatch.setattr(handler, "maxBytes", 200)
    for number in range(20):
        logger.info("line %d of some length", number)
    kept = sorted(log_file.parent.iterdir())
    assert [path.name for path in kept] == ["redraft.log", "redraft.log.1", "redraft.log.2", "redraft.log.3"]
    assert {stat.S_IMODE(path.stat().st_mode) for path in kept} == {0o600}


def test_starting_again_moves_the_log(log_file: Path, own_home: Path) -> None:
    second = start_log()
    logging.getLogger("redraft").warning("here")
    assert second == own_home / "state" / "redraft" / "logs" / "redraft.log"
    assert "here" in second.read_text()
    assert not log_file.exists()


def test_other_libraries_are_heard_from_warnings_up(log_file: Path) -> None:
    logging.getLogger("httpx").info("chatter")
    logging.getLogger("redraft").debug("detail")
    assert "chatter" not in log_file.read_text()
    assert "detail" in log_file.read_text()
