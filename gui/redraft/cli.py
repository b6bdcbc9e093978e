"""The door on the command line: opens the window on files, or runs a plugin's sub-command."""

from __future__ import annotations

import argparse
import logging
import os
import re
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import EntryPoint, entry_points, version
from typing import Final, NoReturn

from redraft.core.errors import FileError, ModelError, PluginError, RedraftError, UsageError
from redraft.host.launch import FileTarget, LaunchRequest

GROUP: Final = "redraft.cli"
"""Entry points of sub-commands: `main(argv: Sequence[str], context: CliContext) -> int`."""

FAILED, USAGE, NO_ANSWER, INTERRUPTED, BROKEN_PIPE = 1, 2, 3, 130, 141
"""Exit statuses besides 0, and what a sub-command returns."""

_NAME: Final = re.compile(r"[a-z][a-z0-9-]*")
_QT_PACKAGES: Final = ("PySide6", "shiboken6", "pyside6_scintilla", "lexilla")


def main(argv: Sequence[str] | None = None) -> int:
    """Do what the arguments say; return the exit status. Errors become one sentence on standard error."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        return _run(arguments)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output is gone; the interpreter must not find that out again when it flushes.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except RedraftError as error:
        sys.stderr.write(f"redraft: {error}\n")
        return _status(error)


def _run(arguments: list[str]) -> int:
    place = next((place for place, argument in enumerate(arguments) if not argument.startswith("-")), None)
    if place is not None and "--" not in arguments[:place]:
        command = _find_command(arguments[place])
        if command is not None:
            options = _parse(arguments[:place])
            return _run_command(command, arguments[place + 1 :], safe_mode=options.safe_mode)
    end = arguments.index("--") if "--" in arguments else len(arguments)
    options = _parse(arguments[:end])
    if options.help:
        sys.stdout.write(_help())
        return 0
    if options.version:
        sys.stdout.write(f"redraft {version('redraft')}\n")
        return 0
    if "-" in options.files:
        raise UsageError("The editor does not read from standard input; name a file.")
    named = [FileTarget.parse(name) for name in options.files]
    literal = [FileTarget.literal(name) for name in arguments[end + 1 :]]
    return _open_window(LaunchRequest((*named, *literal), safe_mode=options.safe_mode))


class _Parser(argparse.ArgumentParser):
    """A parser that raises instead of leaving the process."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message[:1].upper()}{message[1:]}. See redraft --help.")


def _parser() -> _Parser:
    parser = _Parser(prog="redraft", add_help=False, allow_abbrev=False, usage=argparse.SUPPRESS)
    parser.add_argument("-h", "--help", action="store_true")
    parser.add_argument("-V", "--version", action="store_true")
    parser.add_argument("--safe-mode", action="store_true")
    parser.add_argument("files", nargs="*")
    return parser


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    return _parser().parse_intermixed_args(arguments)


def _find_command(name: str) -> EntryPoint | None:
    if not _NAME.fullmatch(name):  # a path: no need to read any metadata
        return None
    return next(iter(entry_points(group=GROUP, name=name)), None)


def _run_command(command: EntryPoint, arguments: Sequence[str], *, safe_mode: bool) -> int:
    # The window's start need not wait for these.
    from redraft.core.log import redacted  # noqa: PLC0415 - see above
    from redraft.host.headless import HeadlessContext, Services  # noqa: PLC0415 - see above

    log = _start_log()
    services = Services.load(safe_mode=safe_mode)
    for problem in services.settings.problems:
        sys.stderr.write(f"redraft: {problem}\n")
    owner = next(
        (
            plugin.manifest.id
            for plugin in services.discovery.plugins
            if command.name in {entry.name for entry in plugin.manifest.cli}
        ),
        command.name,
    )
    try:
        run: Callable[[Sequence[str], HeadlessContext], int] = command.load()
        return run(arguments, HeadlessContext(owner, services))
    except (RedraftError, BrokenPipeError):
        raise
    except Exception as error:
        logging.getLogger(__name__).exception("redraft %s failed", command.name)
        told = redacted(f"{type(error).__name__}: {error}")
        raise PluginError(f"redraft {command.name} failed: {told}. The log has the details: {log}") from error


def _start_log() -> str:
    from redraft.core.log import start_log  # noqa: PLC0415 - as above

    try:
        return str(start_log())
    except FileError as error:
        sys.stderr.write(f"redraft: There will be no log: {error}\n")
        return os.devnull


def _open_window(request: LaunchRequest) -> int:
    if sys.platform.startswith("linux") and not any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    ):
        raise RedraftError(
            "There is no display to open a window on; start it in a desktop session, or use a sub-command (--help)."
        )
    try:
        from redraft.app import run  # noqa: PLC0415 - sub-commands run where PySide6 is not installed
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in _QT_PACKAGES and ".so" not in str(error):
            raise
        raise RedraftError(
            f"The window cannot be opened: {error}. Install Redraft with all it needs, or use a sub-command."
        ) from error
    return run(request)


def _help() -> str:
    from redraft.core.paths import data_folder  # noqa: PLC0415 - only help needs all manifests
    from redraft.host.discovery import discover  # noqa: PLC0415 - likewise

    texts = {
        entry.name: entry.help for plugin in discover(data_folder("plugins")).plugins for entry in plugin.manifest.cli
    }
    names = sorted(entry_points(group=GROUP).names)
    width = max((len(name) for name in names), default=0)
    commands = "".join(f"  {name:<{width}}  {texts.get(name, '')}".rstrip() + "\n" for name in names)
    return (
        "Usage: redraft [--safe-mode] [FILE[:LINE[:COLUMN]]]...\n"
        "       redraft COMMAND [ARGUMENT]...\n\n"
        "Opens the editor, on files or a folder if they are named. After -- every name is a file's.\n\n"
        f"Commands (redraft COMMAND --help tells more):\n{commands}\n"
        "Options:\n"
        "  --safe-mode    start without plugins\n"
        "  -V, --version  show the version\n"
        "  -h, --help     show this help\n"
    )


def _status(error: RedraftError) -> int:
    if isinstance(error, ModelError):
        return NO_ANSWER
    return USAGE if isinstance(error, UsageError) else FAILED
