"""From what a server or the network said to one sentence for the user, never with a key in it."""

from __future__ import annotations

import json
import re
import socket
import ssl
from collections.abc import Iterable, Mapping
from typing import Any, Final
from urllib.parse import quote, quote_plus

import httpx

from redraft.core.errors import (
    AuthenticationError,
    BadRequest,
    ConnectionFailed,
    ContextTooLong,
    MalformedStream,
    ModelError,
    ModelNotFound,
    QuotaExceeded,
    RateLimited,
    ServerError,
)
from redraft.core.llm.http import choose_proxy, silence
from redraft.core.llm.refusals import Refusal
from redraft.core.llm.server import ServerConfig

_KEY_SHAPES: Final = re.compile(
    r"\b(sk|pk|key|auth)[-_][A-Za-z0-9_\-*.]{8,}|(?i:bearer)\s+\S+|(?i:[?&](?:api[-_]?)?key=)[^&\s\"']+|\b[A-Za-z0-9_\-]{40,}"
)
_SHOWN: Final = 160
"""Characters of a server's own words that are shown."""

LOCKED: Final = "wants a user name and password"


class FaultMapper:
    """Makes errors out of failures of one server.

    Args:
        config: The server.
        secrets: What must not stand in a message, besides the values of the configured headers.
    """

    def __init__(self, config: ServerConfig, secrets: Iterable[str] = ()) -> None:
        self._config = config
        self._secrets = _variants(
            (*secrets, *config.headers.values(), *config.url.params.values(), config.url.password)
        )

    @property
    def name(self) -> str:
        """The server's name."""
        return self._config.name

    def scrub(self, text: str) -> str:
        """Text on one line, without control characters and without keys, shortened."""
        text = " ".join("".join(char if char.isprintable() else " " for char in text).split())
        for secret in self._secrets:
            text = text.replace(secret, "…")
        text = _KEY_SHAPES.sub("…", text)
        return text if len(text) <= _SHOWN else text[: _SHOWN - 1].rstrip() + "…"

    def from_payload(self, payload: object) -> ModelError:
        """The error for an error object that came inside a stream, or in a body with status 200."""
        return self.from_refusal(Refusal.of_payload(payload))

    def from_refusal(self, said: Refusal) -> ModelError:
        """The error for a refusal, however it came."""
        if said.status < 400:
            return BadRequest(
                f"{self.name} has moved to another address; enter that one in the model's settings.", status=said.status
            )
        if said.is_too_long:
            return ContextTooLong(
                f"The request is larger than {self._model} can read; select less, or leave out context files."
            )
        if said.is_out_of_quota:
            return QuotaExceeded(
                f"The account at {self.name} has nothing left; top it up, or choose another model.", status=said.status
            )
        if said.status in {401, 403, 407}:
            return self._refused_key(said.status)
        if said.status in {429, 503, 529}:
            return self._busy(said)
        return self._other(said)

    def from_exception(self, error: Exception) -> ModelError:
        """The error for an exception of httpx."""
        match error:
            case httpx.ConnectTimeout() | httpx.PoolTimeout():
                found: ModelError = silence(self.name, "connect", self._config.timeouts.connect)
            case httpx.TimeoutException():
                found = silence(self.name, "idle", self._config.timeouts.idle)
            case httpx.ProxyError():
                wants_password = str(error).startswith("407")
                found = self._proxy(LOCKED if wants_password else "refused to connect further")
            case httpx.ConnectError():
                found = self._unreached(error)
            case httpx.DecodingError():
                found = self.unreadable()
            case httpx.UnsupportedProtocol() | httpx.LocalProtocolError() | httpx.InvalidURL():
                found = ConnectionFailed(f"The request to {self.name} cannot be sent; check its address and headers.")
            case _:
                found = ConnectionFailed(
                    f"{self.name} closed the connection before it answered; try again.", kind="closed"
                )
        return found

    def web_page(self) -> MalformedStream:
        """The error for an answer that is no stream."""
        return MalformedStream(f"{self.name} did not answer as a model server does; check its address and kind.")

    def unreadable(self) -> MalformedStream:
        """The error for a stream whose events are not the protocol's."""
        return MalformedStream(f"{self.name} sent something that is not its protocol; check its kind in the settings.")

    def id_of(self, answer: Mapping[str, Any]) -> str:
        """The identifier of what a server made or holds.

        Raises:
            MalformedStream: It has none.
        """
        name = answer.get("id")
        if not isinstance(name, str) or not name:
            raise self.unreadable()
        return name

    @property
    def _model(self) -> str:
        return self._config.model or f"the model of {self.name}"

    def _refused_key(self, status: int) -> ModelError:
        if status == 407:
            return self._proxy(LOCKED)
        if self._config.key is None:
            words = f"{self.name} wants a key; add one in {self._config.key_place}."
        elif status == 403:
            words = f"{self.name} does not let this key use {self._model}; check its rights, or choose another model."
        else:
            words = f"{self.name} rejected the key; enter it again in {self._config.key_place}."
        return AuthenticationError(words, status=status)

    def _busy(self, said: Refusal) -> RateLimited:
        what = "has had too many requests" if said.status == 429 else "is overloaded"
        if said.is_loading:
            what = "is still loading its model"
        when = "a moment" if said.retry_after is None else in_words(said.retry_after)
        return RateLimited(
            f"{self.name} {what} ({said.status}); try again in {when}.",
            status=said.status,
            retry_after=said.retry_after,
        )

    def _not_found(self, said: Refusal) -> ModelNotFound:
        if said.is_about_model:
            words = (
                f"{self.name} does not know the model {self._config.model or 'asked for'}; choose one from its list."
            )
        else:
            host = self._config.host
            what = f"the address of {self.name}" if self.name != host else "the base URL, most end in /v1"
            words = f"{host} has nothing at this address; check {what}."
        return ModelNotFound(words, status=404)

    def _other(self, said: Refusal) -> ModelError:
        if said.status == 404:
            return self._not_found(said)
        words = self.scrub(said.words).rstrip(".")
        words = f"({said.status}): {words}" if words else f"({said.status})"
        if said.status >= 500:
            return ServerError(
                f"{self.name} failed with an error of its own {words}; try again in a moment.", status=said.status
            )
        return BadRequest(f"{self.name} refused the request {words}.", status=said.status)

    def _proxy(self, what: str) -> ConnectionFailed:
        return ConnectionFailed(
            f"The proxy on the way to {self.name} {what}; check the network settings.", kind="proxy"
        )

    def _proxy_address(self) -> str:
        """Host and port of the proxy in use, without user and password; empty where there is none."""
        proxy = choose_proxy(self._config)
        return httpx.URL(proxy).netloc.decode("ascii", "replace") if proxy else ""

    def _unreached(self, error: httpx.ConnectError) -> ConnectionFailed:
        host = self._config.host
        causes = list(_causes(error))
        unsafe = next((cause for cause in causes if isinstance(cause, ssl.SSLError)), None)
        if unsafe is not None:
            return ConnectionFailed(f"The connection to {host} is not safe: {_tls_words(unsafe)}.", kind="tls")
        if proxy := self._proxy_address():
            return self._proxy(f"({proxy}) cannot be reached")
        if any(isinstance(cause, socket.gaierror) for cause in causes):
            return ConnectionFailed(f"The name {host} cannot be found; check the address and the network.", kind="dns")
        if any(isinstance(cause, ConnectionRefusedError) for cause in causes) or "refused" in str(error).lower():
            return ConnectionFailed(
                f"Nothing answers at {host}; start the server, or check its address.", kind="refused"
            )
        return ConnectionFailed(f"{host} cannot be reached; check the network.", kind="unreachable")


def in_words(seconds: float) -> str:
    """A time to wait, as people say it."""
    if seconds < 90:
        return f"{max(round(seconds), 1)} s"
    return f"{round(seconds / 60)} min" if seconds < 5400 else f"{round(seconds / 3600)} h"


def _causes(error: BaseException) -> Iterable[BaseException]:
    seen: set[int] = set()
    waiting: list[BaseException | None] = [error]
    while waiting:
        cause = waiting.pop()
        if cause is None or id(cause) in seen:
            continue
        seen.add(id(cause))
        yield cause
        waiting += [cause.__cause__, cause.__context__]
        if isinstance(cause, BaseExceptionGroup):
            waiting += cause.exceptions


def _tls_words(error: ssl.SSLError) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        reason = error.verify_message.lower()
        if "hostname" in reason or "ip address" in reason:
            return "its certificate is for another name; check the address"
        if "expired" in reason:
            return "its certificate has expired"
        return "its certificate is not trusted; if it is your own, add its CA file in the model's settings"
    if "WRONG_VERSION_NUMBER" in str(error) or "HTTP_REQUEST" in str(error):
        return "it does not speak TLS there; try http:// instead of https://"
    return "the TLS handshake failed; check the address and its certificate"


def _variants(secrets: Iterable[str]) -> list[str]:
    """Each secret as it is and as it looks in URLs and JSON, longest first; short ones are no secrets."""
    found = {
        form
        for secret in secrets
        for form in (secret, quote(secret, safe=""), quote_plus(secret), json.dumps(secret)[1:-1])
    }
    return sorted((form for form in found if len(form) >= 4), key=len, reverse=True)
