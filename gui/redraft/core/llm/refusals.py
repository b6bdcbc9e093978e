"""What a server says when it refuses, read from status, headers and body, whichever way it puts them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Final

# What error types inside a body or a stream amount to, where no status says so.
# https://docs.anthropic.com/en/api/errors and https://platform.openai.com/docs/guides/error-codes
_STATUS_OF_TYPE: Final = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "invalid_api_key": 401,
    "billing_error": 402,
    "insufficient_quota": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "model_not_found": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "rate_limit_exceeded": 429,
    "api_error": 500,
    "server_error": 500,
    "unavailable_error": 503,
    "timeout_error": 504,
    "overloaded_error": 529,
}

_TOO_LONG: Final = re.compile(
    r"context_length_exceeded|exceed_context_size|prompt is too long|too many (input )?tokens|maximum context|"
    r"context (length|size|window)|input (is|length) (too long|exceeds)|exceeds? .{0,40}\btokens",
    re.IGNORECASE,
)
_NO_QUOTA: Final = re.compile(r"insufficient_quota|credit balance|exceeded your current quota|billing", re.IGNORECASE)
_MODEL: Final = re.compile(r"model", re.IGNORECASE)
_LOADING: Final = re.compile(r"loading model", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Status, words for people, codes for programs, and how long to wait.

    Attributes:
        status: The HTTP status, or what an error inside a stream amounts to.
        words: The server's sentence; it may quote keys and prompts, so it is never shown unscrubbed.
        codes: The error's type, code and parameter.
        retry_after: Seconds the server asks to wait.
    """

    status: int
    words: str = ""
    codes: str = ""
    retry_after: float | None = None

    @classmethod
    def of_response(cls, status: int, headers: Mapping[str, str], body: bytes) -> Refusal:
        """Read a response."""
        words, codes = _read_body(body)
        return cls(status, words, codes, read_retry_after(headers))

    @classmethod
    def of_payload(cls, payload: object) -> Refusal:
        """Read an error object that came inside a stream, or in a body with status 200."""
        words, codes = _read_payload(payload)
        return cls(_status_in(payload, codes), words, codes)

    @property
    def is_too_long(self) -> bool:
        """Whether the request was larger than the model's context, or than the server accepts."""
        return self.status == 413 or (self.status in {400, 422, 500} and self._says(_TOO_LONG))

    @property
    def is_out_of_quota(self) -> bool:
        """Whether the account has nothing left; some servers say so with 429."""
        return self.status == 402 or (self.status in {400, 403, 429} and self._says(_NO_QUOTA))

    @property
    def is_about_model(self) -> bool:
        """Whether it names the model."""
        return self._says(_MODEL)

    @property
    def is_loading(self) -> bool:
        """Whether the server is still reading its model (llama-server)."""
        return self._says(_LOADING)

    def _says(self, pattern: re.Pattern[str]) -> bool:
        return bool(pattern.search(self.words) or pattern.search(self.codes))


def read_retry_after(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Seconds a server asks to wait: `retry-after-ms`, or `Retry-After` as seconds or as a date (RFC 9110, 10.2.3)."""
    milliseconds = _number(headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        return milliseconds / 1000
    value = headers.get("retry-after", "").strip()
    seconds = _number(value)
    if seconds is not None or not value:
        return seconds
    try:
        when = parsedate_to_datetime(value)
    except ValueError:
        return None
    when = when if when.tzinfo else when.replace(tzinfo=UTC)
    return max((when - (now or datetime.now(UTC))).total_seconds(), 0.0)


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if 0 <= value < float("inf") else None


def _read_body(body: bytes) -> tuple[str, str]:
    try:
        payload = json.loads(body)
    except ValueError:
        text = body[:2000].decode("utf-8", "replace").strip()
        return ("" if text.startswith("<") else text), ""
    return _read_payload(payload)


def _read_payload(payload: object) -> tuple[str, str]:
    """The words for people and the codes for programs, wherever a server puts them."""
    if isinstance(payload, list) and payload:
        return _read_payload(payload[0])
    if not isinstance(payload, dict):
        return (payload if isinstance(payload, str) else ""), ""
    inner: Any = payload.get("error", payload)
    if not isinstance(inner, dict):
        return str(inner), ""
    words = next((inner[key] for key in ("message", "detail", "error") if isinstance(inner.get(key), str)), "")
    codes = " ".join(str(inner[key]) for key in ("type", "code", "param") if inner.get(key) is not None)
    return words, codes


def _status_in(payload: object, codes: str) -> int:
    inner = payload.get("error", payload) if isinstance(payload, dict) else None
    code = inner.get("code") if isinstance(inner, dict) else None
    for word in codes.split():
        if word in _STATUS_OF_TYPE:
            code = code if isinstance(code, int) else _STATUS_OF_TYPE[word]
    return code if isinstance(code, int) and 400 <= code < 600 else 500
