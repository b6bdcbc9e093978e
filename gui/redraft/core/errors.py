"""Everything that can go wrong, by name.

A message is one plain sentence that says what happened and what to do; the edge (the command line's `main`, the
window's notifier) shows it as it is. Keys and file contents never stand in a message.

    RedraftError
    ├── UsageError              the request itself makes no sense
    ├── FileError               a file cannot be read or written
    │   ├── FileMissing         there is no such file or folder
    │   ├── NotAFile            a folder, a device or a pipe
    │   ├── FileNotAllowed      permissions forbid it, or the file is read-only
    │   ├── FileTooLarge        more bytes than an editor should hold
    │   ├── BinaryFile          not text
    │   ├── WrongEncoding       the bytes are not in the encoding that was named
    │   ├── NotEncodable        a character the file's encoding lacks: carries `line`, `column`, `character`
    │   ├── ChangedOnDisk       someone else wrote the file since it was read
    │   └── DiskFull            no space; the old file is whole
    ├── ConfigError             settings that cannot be used: names file, line and key
    ├── PromptError             a template is missing, broken, or lacks a variable
    ├── PatchError              a patch cannot be read, or does not fit the text
    ├── PluginError             a plugin's manifest or code is at fault: names the plugin
    ├── AnswerError             a model answered, but with nothing that can be used
    └── ModelError              no usable answer came
        ├── ModelUnavailable    no model is set up, downloaded, or able to start
        ├── ConnectionFailed    DNS, refused, unreachable, TLS, proxy
        ├── TimedOut            a connect, first-byte or idle limit passed
        ├── AuthenticationError the key was refused or is missing (401, 403)
        ├── QuotaExceeded       the account has nothing left (402)
        ├── RateLimited         too many requests (429) or overloaded (503, 529): carries `retry_after`
        ├── ModelNotFound       the server does not know the model (404)
        ├── ContextTooLong      the request is larger than the model's context
        ├── BadRequest          any other refusal (4xx): carries `status`
        ├── ServerError         the server broke (5xx): carries `status`
        └── MalformedStream     what arrived is not the protocol
"""

from __future__ import annotations


class RedraftError(Exception):
    """Base of all errors Redraft raises on purpose; `str(error)` is the sentence to show."""


class UsageError(RedraftError):
    """The request makes no sense as given; nothing was done."""


class FileError(RedraftError):
    """A file cannot be read or written."""


class FileMissing(FileError):
    """There is no such file or folder."""


class NotAFile(FileError):
    """The path names a folder, a device or a pipe."""


class FileNotAllowed(FileError):
    """Permissions forbid reading or writing, or the file is read-only."""


class FileTooLarge(FileError):
    """The file holds more bytes than an editor should."""


class BinaryFile(FileError):
    """The file does not hold text."""


class WrongEncoding(FileError):
    """The file's bytes are not in the encoding that was named, or nobody knows that name."""


class NotEncodable(FileError):
    """The text holds a character that the file's encoding lacks; nothing was written.

    Attributes:
        line: The line of the first such character, from 0.
        column: Its column in code points, from 0.
        character: The character itself.
    """

    def __init__(self, message: str, *, line: int, column: int, character: str) -> None:
        super().__init__(message)
        self.line = line
        self.column = column
        self.character = character


class ChangedOnDisk(FileError):
    """Someone else wrote or removed the file since it was read; nothing was written."""


class DiskFull(FileError):
    """There is no space for the file; what was there before is whole."""


class ConfigError(RedraftError):
    """Settings that cannot be used; the message names the file, the line and the key."""


class PromptError(RedraftError):
    """A prompt template is missing, broken, or lacks a variable."""


class PatchError(RedraftError):
    """A patch cannot be read, or does not fit the text; nothing was changed."""


class PluginError(RedraftError):
    """A plugin's manifest or code is at fault; the message names the plugin."""


class AnswerError(RedraftError):
    """The model answered, but with nothing that can be used.

    Attributes:
        words: What the model said instead, to be shown as plain text.
    """

    def __init__(self, message: str, *, words: str = "") -> None:
        super().__init__(message)
        self.words = words


class ModelError(RedraftError):
    """No usable answer came from a model."""


class ModelUnavailable(ModelError):
    """No model is set up, downloaded, or able to start."""


class ConnectionFailed(ModelError):
    """The server was not reached: name resolution, refused, unreachable, TLS or proxy.

    Attributes:
        kind: One of `"dns"`, `"refused"`, `"unreachable"`, `"tls"`, `"proxy"`, `"closed"`.
    """

    def __init__(self, message: str, *, kind: str = "unreachable") -> None:
        super().__init__(message)
        self.kind = kind


class TimedOut(ModelError):
    """A time limit passed.

    Attributes:
        limit: Which one: `"connect"`, `"first byte"` or `"idle"`.
    """

    def __init__(self, message: str, *, limit: str) -> None:
        super().__init__(message)
        self.limit = limit


class StatusError(ModelError):
    """The server answered with an error status.

    Attributes:
        status: The HTTP status code, or what an error event inside a stream amounts to.
    """

    def __init__(self, message: str, *, status: int) -> None:
        super().__init__(message)
        self.status = status


class AuthenticationError(StatusError):
    """The key was refused or is missing (401, 403)."""


class QuotaExceeded(StatusError):
    """The account has nothing left (402)."""


class RateLimited(StatusError):
    """Too many requests (429), or the server is overloaded (503, 529).

    Attributes:
        retry_after: Seconds the server asks to wait, where it says so.
    """

    def __init__(self, message: str, *, status: int = 429, retry_after: float | None = None) -> None:
        super().__init__(message, status=status)
        self.retry_after = retry_after


class ModelNotFound(StatusError):
    """The server does not know the model or the address (404)."""


class ContextTooLong(ModelError):
    """The request is larger than the model's context."""


class BadRequest(StatusError):
    """Any other refusal (4xx)."""


class ServerError(StatusError):
    """The server broke (5xx)."""


class MalformedStream(ModelError):
    """What arrived is not the protocol that was expected."""
