"""`redraft edit`: the inline edit without a window.

The result goes to standard output, progress to standard error. Exit status: 0 changed, 1 no change proposed,
2 the request makes no sense, 3 no usable answer, 4 the answer is incomplete or leaves code out (nothing is written),
130 interrupted.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import aclosing, contextmanager
from dataclasses import dataclass, replace
from enum import IntEnum
from pathlib import Path
from typing import Annotated, Final

import typer

from redraft.api.context import CliContext
from redraft.core import textfile
from redraft.core.answer.pipeline import NoteKind
from redraft.core.errors import (
    AnswerError,
    ChangedOnDisk,
    ConfigError,
    ConnectionFailed,
    FileError,
    FileNotAllowed,
    ModelUnavailable,
    PromptError,
    RedraftError,
    UsageError,
)
from redraft.core.indent_style import detect_indentation
from redraft.core.languages import language_of
from redraft.core.llm.client import ChatClient, ModelInfo
from redraft.core.llm.messages import StopReason
from redraft.core.text import apply_edits
from redraft.core.textfile import TextFile
from redraft_inline_edit.answer.writing import has_note
from redraft_inline_edit.applier import Applier, applier_named
from redraft_inline_edit.direct import direct_client
from redraft_inline_edit.edit import run_edit
from redraft_inline_edit.events import EditOutcome, EditState, Finished
from redraft_inline_edit.options import APPLY_LINES, APPLY_MODEL, EditOptions, read_options
from redraft_inline_edit.presets.model import model_of
from redraft_inline_edit.presets.preset import (
    PresetTable,
    Purpose,
)
from redraft_inline_edit.presets.tables import BUILT_IN, presets_from_plugins, presets_from_settings
from redraft_inline_edit.problems import reported_for
from redraft_inline_edit.report import OutputFormat, Reporter, complain
from redraft_inline_edit.request import (
    Attachment,
    EditRequest,
    FileFacts,
    Target,
    insertion_before,
    target_for_lines,
)


class ExitStatus(IntEnum):
    """What the process tells its caller."""

    CHANGED = 0
    UNCHANGED = 1
    USAGE = 2
    FAILED = 3
    INCOMPLETE = 4
    INTERRUPTED = 130


EXIT_STATUS: Final = {
    EditState.COMPLETED: ExitStatus.CHANGED,
    EditState.UNCHANGED: ExitStatus.UNCHANGED,
    EditState.ANSWERED: ExitStatus.UNCHANGED,
    EditState.FAILED: ExitStatus.FAILED,
    EditState.STOPPED: ExitStatus.INTERRUPTED,
    EditState.INCOMPLETE: ExitStatus.INCOMPLETE,
}


LEAVES_OUT: Final = (NoteKind.PLACEHOLDER, NoteKind.LOST)
"""What is found in an answer that would delete lines nobody meant to delete."""


@dataclass(frozen=True, slots=True)
class Arguments:
    """The command line, read."""

    file: Path
    command: str
    lines: str
    at: int | None
    model: str
    apply_model: str
    base_url: str
    api_key: str
    context: tuple[Path, ...]
    format: OutputFormat
    write: bool
    send_anyway: bool


app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)


def main(argv: Sequence[str], context: CliContext) -> int:
    """Run the command and return its exit status."""
    try:
        app(list(argv), prog_name="redraft edit", obj=context)
    except SystemExit as done:
        return done.code if isinstance(done.code, int) else ExitStatus.USAGE
    return ExitStatus.CHANGED


@app.command()
def edit(  # noqa: PLR0913 - one parameter for each option of the command line
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to edit.", show_default=False)],
    command: Annotated[
        list[str],
        typer.Argument(metavar="COMMAND", help="What to do, after --; may begin with a preset such as /doc."),
    ],
    *,
    lines: Annotated[str, typer.Option(metavar="A:B", help="Edit these lines, from 1, both included.")] = "",
    at: Annotated[int | None, typer.Option(metavar="LINE", help="Insert new lines before this one.")] = None,
    model: Annotated[
        str, typer.Option(metavar="NAME", envvar="REDRAFT_MODEL", help="A model of yours, or the server's id.")
    ] = "",
    apply_model: Annotated[
        str, typer.Option(metavar="NAME", help="A model of yours that merges an answer which leaves out what stays.")
    ] = "",
    base_url: Annotated[
        str,
        typer.Option(metavar="URL", envvar="REDRAFT_BASE_URL", help="Any OpenAI-compatible server, used as it is."),
    ] = "",
    api_key: Annotated[str, typer.Option(envvar="REDRAFT_API_KEY", hidden=True, show_envvar=False)] = "",
    context: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="A file for the model to read; may be repeated.")
    ] = None,
    format_: Annotated[OutputFormat, typer.Option("--format", help="What to print.")] = OutputFormat.DIFF,
    write: Annotated[bool, typer.Option("--write", help="Put the change into the file.")] = False,
    send_anyway: Annotated[
        bool, typer.Option("--send-anyway", help="Send a file though it is named like a secret.")
    ] = False,
) -> None:
    """Let a model edit some lines of a file, and print the diff.

    Exit status: 0 changed, 1 no change proposed, 2 the request makes no sense or the file cannot be used, 3 the model
    or the network failed, 4 the answer is incomplete or leaves code out, 130 interrupted. Nothing is written but for 0
    with --write.
    """
    arguments = Arguments(
        file,
        " ".join(command),
        lines,
        at,
        model,
        apply_model,
        base_url,
        api_key,
        tuple(context or ()),
        format_,
        write,
        send_anyway,
    )
    raise typer.Exit(_run(arguments, ctx.obj))


def _run(arguments: Arguments, context: CliContext) -> int:
    try:
        return context.run(_edit(arguments, context))
    except (UsageError, FileError, ConfigError, PromptError) as error:
        complain(str(error))
        return ExitStatus.USAGE
    except RedraftError as error:
        complain(str(error))
        return ExitStatus.FAILED
    except KeyboardInterrupt:
        complain("Interrupted; nothing was written.")
        return ExitStatus.INTERRUPTED


async def _edit(arguments: Arguments, context: CliContext) -> int:
    file = textfile.load(arguments.file)
    if arguments.write and file.is_read_only:
        raise FileNotAllowed(f"{arguments.file} is read-only, so nothing was asked. Make it writable first.")
    request = _request(arguments, file, context)
    client = await _client(arguments, context, request)
    try:
        reporter = Reporter(arguments.format, arguments.file, request)
        options = _options(arguments, context, request)
        outcome = await _outcome(request, client, context, reporter, options)
    finally:
        if arguments.base_url:
            await client.aclose()
    status = _status_of(outcome)
    try:
        if status is ExitStatus.CHANGED and arguments.write:
            _save(file, outcome)
    finally:  # What was paid for is shown, also where it cannot be written.
        with _printing():
            reporter.finish(outcome)
    return status


def _save(file: TextFile, outcome: EditOutcome) -> None:
    try:
        textfile.save(file.with_text(apply_edits(file.text, [outcome.edit])))
    except ChangedOnDisk as error:
        raise ChangedOnDisk(f"{file.path} was changed meanwhile, so nothing was written; ask again.") from error


@contextmanager
def _printing() -> Iterator[None]:
    """What becomes of an edit whose output cannot be printed."""
    try:
        yield
    except BrokenPipeError:  # The reader has had enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        raise RedraftError(f"The result could not be printed: {error.strerror}.") from error


def _status_of(outcome: EditOutcome) -> ExitStatus:
    """What the outcome means to the caller.

    An answer cut off before its code came is incomplete, too, and so is one that leaves out or loses lines that stay;
    one that a server broke off with an error has failed.
    """
    if outcome.state is EditState.COMPLETED and any(has_note(outcome.notes, kind) for kind in LEAVES_OUT):
        return ExitStatus.INCOMPLETE
    cut_off = outcome.reason in {StopReason.LENGTH, StopReason.DISCONNECTED}
    if outcome.state is EditState.FAILED and cut_off and isinstance(outcome.error, AnswerError):
        return ExitStatus.INCOMPLETE
    lost = isinstance(outcome.error, AnswerError | ConnectionFailed)
    if outcome.state is EditState.INCOMPLETE and not lost:
        return ExitStatus.FAILED
    return EXIT_STATUS[outcome.state]


def _options(arguments: Arguments, context: CliContext, request: EditRequest) -> EditOptions:
    """The user's options, and the model that merges: the one named here, else the one in the settings."""
    settings, name = context.settings, arguments.apply_model
    options = read_options(settings)
    if name:
        info = context.models.find(name)
        _check_privacy(arguments, context, info)
        applier = Applier(info, lambda: context.models.open(info))
        return replace(options, applier=applier, sketch_lines=int(settings.get(APPLY_LINES)))
    if arguments.base_url:  # A server that is named is used without the settings.
        return options
    try:
        return replace(
            options, applier=applier_named(settings.get(APPLY_MODEL), request, context.models, context.privacy)
        )
    except ModelUnavailable as error:
        complain(f"{error} It is named in {APPLY_MODEL}; the edit is made without it.")
        return options


async def _outcome(
    request: EditRequest, client: ChatClient, context: CliContext, reporter: Reporter, options: EditOptions
) -> EditOutcome:
    async with aclosing(run_edit(request, client, context.prompts, options)) as events:
        async for event in events:
            with _printing():
                reporter.tell(event)
            if isinstance(event, Finished):
                return event.outcome
    raise AssertionError("an edit always finishes")


async def _client(arguments: Arguments, context: CliContext, request: EditRequest) -> ChatClient:
    """Whom to ask; nothing goes out before it is known that the files may."""
    if arguments.base_url:
        _check_privacy(arguments, context, None)
        return await direct_client(arguments.base_url, arguments.model, arguments.api_key)
    models = context.models
    info = models.find(arguments.model) if arguments.model else models.default("inline_edit")
    if not arguments.model and request.preset is not None and request.preset.model:
        info = model_of(request.preset, models)
    if info is None:
        raise ModelUnavailable(
            "No model is set up. Fetch the embedded one with  redraft models pull,  or name a server with --base-url."
        )
    _check_privacy(arguments, context, info)
    return await models.open(info)


def _check_privacy(arguments: Arguments, context: CliContext, model: ModelInfo | None) -> None:
    if not context.privacy.ai_enabled:
        raise UsageError("The use of models is switched off in the settings (privacy.ai_enabled).")
    for path in () if arguments.send_anyway else (arguments.file, *arguments.context):
        if refusal := context.privacy.refusal(path.absolute(), model=model):
            raise UsageError(f"{refusal} Nothing was sent; add --send-anyway to send it.")


def _request(arguments: Arguments, file: TextFile, context: CliContext) -> EditRequest:
    target = _target(arguments, file.text)
    language_id = language_of(file.path, file.text)
    facts = FileFacts(
        arguments.file.name, language_id, file.line_end, detect_indentation(file.text, file.path), file.path
    )
    words = arguments.command.strip()
    preset, command = _presets(context).parse(words, language_id, target.kind.value)
    if not words:
        raise UsageError("Say what to change, after --  (redraft edit FILE --lines A:B -- add type hints).")
    is_question = preset is not None and preset.purpose is not Purpose.EDIT
    attachments = tuple(_attachment(path) for path in arguments.context)
    return EditRequest(
        file.text,
        target,
        facts,
        command,
        preset,
        attachments,
        diagnostics=reported_for(preset, file.text, language_id, target.lines),
        is_question=is_question,
    )


def _target(arguments: Arguments, text: str) -> Target:
    if bool(arguments.lines) == (arguments.at is not None):
        raise UsageError("Name the place: either --lines A:B, or --at LINE to insert before a line.")
    if arguments.at is not None:
        return insertion_before(text, arguments.at)
    match = re.fullmatch(r"\s*(\d+)(?:\s*[:-]\s*(\d+))?\s*", arguments.lines)
    if match is None:
        raise UsageError(f"--lines {arguments.lines} is not a range; write the first and last line, as in 3:9.")
    return target_for_lines(text, int(match[1]), int(match[2] or match[1]))


def _presets(context: CliContext) -> PresetTable:
    others, errors = presets_from_plugins(context.contributions.presets())
    own, more_errors = presets_from_settings(context.settings.get("presets"), (*BUILT_IN, *others))
    for error in (*errors, *more_errors):
        complain(str(error))
    return PresetTable((*BUILT_IN, *others, *own))


def _attachment(path: Path) -> Attachment:
    file = textfile.load(path)
    return Attachment(path.name, file.text, str(path), language_of(path, file.text))
