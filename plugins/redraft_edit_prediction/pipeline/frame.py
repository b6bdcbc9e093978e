"""The frame around every command: inputs in, a stage over them, outputs out, whatever happens in between."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from redraft.core.errors import FileError, RedraftError, UsageError
from redraft.core.review.example import Example
from redraft_edit_prediction.pipeline.answers import Answers
from redraft_edit_prediction.pipeline.dataset import Dataset, Entry, Selection, Source, spec_hash
from redraft_edit_prediction.pipeline.duplicates import Fingerprints
from redraft_edit_prediction.pipeline.failures import Failures
from redraft_edit_prediction.pipeline.files import STDIN
from redraft_edit_prediction.pipeline.output import (
    LinesFile,
    MarkdownFolder,
    Output,
    StandardOutput,
    check_output,
    resume,
)
from redraft_edit_prediction.pipeline.progress import RunProgress, notes
from redraft_edit_prediction.pipeline.runner import FailedMode, Run, RunOptions
from redraft_edit_prediction.pipeline.stage import Stage


@dataclass(frozen=True, slots=True)
class Frame:
    """The flags that every command knows.

    Attributes:
        selection: Which examples.
        run: How to work on them.
        max_duplicates: How many of a cluster of near-duplicates are kept.
        output: File or folder; standard output by default.
        in_place: The output is the one input.
        markdown: One Markdown file an example.
        command: The words of the command, to be run again.
    """

    selection: Selection = field(default_factory=Selection)
    run: RunOptions = field(default_factory=RunOptions)
    max_duplicates: int | None = None
    output: Path | None = None
    in_place: bool = False
    markdown: bool = False
    command: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Work:
    """One command's work.

    Attributes:
        stage: What is done to each example.
        inputs: The datasets.
        collect: Called with every finished example.
        waits: Stay until all batches are done, and go over the output again.
        prints: Whether examples go to standard output where no output is named.
    """

    stage: Stage
    inputs: Sequence[Path]
    collect: Callable[[Example], None] = lambda _: None
    waits: bool = False
    prints: bool = True


async def run(frame: Frame, work: Work, answers: Answers, failures: Failures) -> int:
    """Do a command's work; the exit status: 1 if every example failed.

    Raises:
        UsageError: The flags make no sense, or an input is broken; nothing was done.
        RedraftError: The work had to end; what is done is on disk.
    """
    frame = _checked(frame, work)
    with ExitStack() as stack:
        sources = [stack.enter_context(Source(path)) for path in work.inputs]
        dataset = _chosen(frame, work, sources)
        with RunProgress(work.stage.label, len(dataset.entries)) as progress, _output(frame, work) as output:
            this = Run(work.stage, output, frame.run, failures, progress, work.collect)
            try:
                if frame.in_place:
                    _keep(dataset.left_out, output)
                await this.over(dataset.entries)
                await _settle(this, work, answers)
            except FileError:
                output.discard()
                raise
            except (asyncio.CancelledError, RedraftError):
                _keep_rest(frame, this, output)
                raise
            finally:
                _report(this, len(dataset.entries))
    return 1 if failures.count and failures.count >= len(dataset.entries) else 0


def _checked(frame: Frame, work: Work) -> Frame:
    if not work.inputs:
        raise UsageError("Name at least one dataset, or - for standard input.")
    if frame.in_place:
        if len(work.inputs) != 1 or work.inputs[0] == STDIN:
            raise UsageError("--in-place needs exactly one input file.")
        if work.inputs[0].suffix != ".jsonl":
            raise UsageError("--in-place works on JSON Lines (.jsonl) only.")
        return replace(frame, output=work.inputs[0])
    if frame.markdown and frame.output is None:
        raise UsageError("--markdown needs an output folder; name it with -o.")
    if frame.output is not None and not frame.markdown:
        check_output(frame.output)
        if any(path != STDIN and path.resolve() == frame.output.resolve() for path in work.inputs):
            raise UsageError("The output is one of the inputs; use --in-place to replace it.")
    return frame


def _chosen(frame: Frame, work: Work, sources: Sequence[Source]) -> Dataset:
    prints = Fingerprints() if frame.max_duplicates is not None else None
    dataset = Dataset.read(sources, frame.selection, visit=prints.add if prints else None)
    places = {number: place for place, number in enumerate(dataset.sort())}
    if prints is not None and frame.max_duplicates is not None:
        dataset.keep(places[number] for number in prints.chosen(frame.max_duplicates, places))
        left_out = len(places) - len(dataset.entries)
        notes.print(f"Near-duplicates: {left_out} of {len(places)} examples left out.")
    if frame.output is not None and not frame.in_place and not frame.markdown:
        wanted = {entry.spec for entry in dataset.entries}
        done = resume(frame.output, wanted, work.stage.is_complete, spec_hash)
        if done:
            notes.print(f"Resuming: {len(done)}/{len(dataset.entries)} examples already processed")
            _collect_done(frame.output, work)
        dataset.drop(done)
    if frame.selection.limit is not None:
        dataset.limit(frame.selection.limit)
    return dataset


def _collect_done(path: Path, work: Work) -> None:
    """A report counts what an earlier run has done, too."""
    with Source(path) as source:
        for _, _, example in source.examples():
            work.collect(example)


@contextmanager
def _output(frame: Frame, work: Work) -> Iterator[Output]:
    output: Output
    if frame.markdown and frame.output is not None:
        output = MarkdownFolder(frame.output)
    elif frame.output is not None:
        output = LinesFile(frame.output, replaces=frame.in_place)
    else:
        output = StandardOutput(keeps=work.waits, prints=work.prints)
    yield output


async def _settle(this: Run, work: Work, answers: Answers) -> None:
    """Send and collect batches; while some are pending and it is wanted, wait and go over the output again."""
    if not work.waits:
        await answers.sync()
    while work.waits and this.pending:
        await answers.wait()
        notes.print(f"Reprocessed {await this.over_output()} example(s) with batch results")
    this.output.close()


def _keep_rest(frame: Frame, this: Run, output: Output) -> None:
    """An interrupted run in place: what is done stays done, the rest stays as it was, in one file."""
    if frame.in_place:
        _keep(this.unfinished, output)
    output.close()


def _keep(entries: Iterable[Entry], output: Output) -> None:
    """A file that is replaced loses nothing: examples that are not worked on stay as they are."""
    for entry in entries:
        output.write(entry.load())


def _report(this: Run, total: int) -> None:
    if this.pending:
        notes.print(f"{this.pending} of {total} examples wait for a batch; run the same command again to collect them.")
    if this.failures.count:
        share = 100 * this.failures.count / max(1, total)
        notes.print(f"{this.failures.count} of {total} examples failed ({share:.0f}%)", style="red")
        if this.failures.file is not None:
            notes.print(f"They are in {this.failures.file}", markup=False)
    done = this.progress.done - this.failures.count
    notes.print(f"{this.progress.label}: {done} of {total} examples done{this.progress.rate}", markup=False)


def failures_of(frame: Frame, runs: Path) -> Failures:
    """Where this run's failures go."""
    return Failures(runs, frame.command, keeps_files=frame.run.failed is not FailedMode.SKIP_NO_FILES)
