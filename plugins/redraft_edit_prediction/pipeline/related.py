"""Related code: excerpts of files, found in several ways, merged where they touch."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from types import MappingProxyType
from typing import Final

from redraft.core.review.example import ByteRange, Example, Excerpt, PromptInputs, RelatedFile
from redraft.core.review.loose_patch import read_hunks
from redraft_edit_prediction.pipeline.git import Git, GitError
from redraft_edit_prediction.pipeline.project import Project, history_sections
from redraft_edit_prediction.pipeline.search import rank
from redraft_edit_prediction.pipeline.syntax import names_in

CHUNK_ROWS: Final = 24
MOST_DEFINITIONS: Final = 12
MOST_CHUNKS: Final = 8
MOST_COMMITS: Final = 100
MARGIN_ROWS: Final = 6
_WORD: Final = re.compile(r"[^\W\d]\w{2,}")


class ContextType(StrEnum):
    """Ways to find related code."""

    LSP = "lsp"
    """Definitions of the names used around the cursor, and places that use what is defined there."""
    EDITABLE = "editable"
    """What a model may rewrite; always shown, so nothing is added."""
    CURRENT_FILE = "current-file"
    EDIT_HISTORY = "edit-history"
    EDIT_HISTORY_FILE = "edit-history-file"
    GIT_LOG = "git-log"
    BM25 = "bm25"
    ORACLE_FILE = "oracle-file"
    ORACLE_SNIPPET = "oracle-snippet"
    ALL = "all"
    NONE = "none"


HONEST: Final = (
    ContextType.LSP,
    ContextType.CURRENT_FILE,
    ContextType.EDIT_HISTORY,
    ContextType.EDIT_HISTORY_FILE,
    ContextType.GIT_LOG,
    ContextType.BM25,
)
"""What `all` means: everything that does not look at the expected answer."""


@dataclass(frozen=True, slots=True)
class Find:
    """Rows of a file that may matter; a smaller `order` matters more."""

    path: str
    start: int
    end: int
    order: int
    source: str


@dataclass(frozen=True, slots=True)
class Scene:
    """All that is known of an example when related code is sought."""

    example: Example
    inputs: PromptInputs
    project: Project
    texts: dict[str, str]

    @property
    def cursor_path(self) -> str:
        """The file of the cursor."""
        return self.inputs.cursor_path

    @property
    def cursor_row(self) -> int:
        """The row of the cursor in its file."""
        before = self.inputs.cursor_excerpt.encode()[: self.inputs.cursor_offset_in_excerpt]
        return (self.inputs.excerpt_start_row or 0) + before.count(b"\n")

    @property
    def nearby(self) -> str:
        """The text around the cursor."""
        span = self.inputs.excerpt_ranges.get("editable_350") or {}
        encoded = self.inputs.cursor_excerpt.encode()
        return encoded[span.get("start", 0) : span.get("end", len(encoded))].decode(errors="ignore")

    @property
    def shown_rows(self) -> range:
        """The rows of the cursor's file that a prompt shows anyway."""
        span = self.inputs.excerpt_ranges.get("editable_350_context_150") or {}
        encoded = self.inputs.cursor_excerpt.encode()
        first = self.inputs.excerpt_start_row or 0
        start = first + encoded[: span.get("start", 0)].count(b"\n")
        return range(start, first + encoded[: span.get("end", len(encoded))].count(b"\n") + 1)


def definitions(scene: Scene) -> Iterator[Find]:
    """Where the names around the cursor are defined, then where its own definitions are used elsewhere."""
    wanted = dict.fromkeys(_WORD.findall(scene.nearby))
    defined_here: set[str] = set()
    places: dict[str, list[Find]] = {}
    uses: list[tuple[str, Find]] = []
    for path, text in scene.texts.items():
        for name in names_in(path, text):
            if name.is_definition and path == scene.cursor_path and name.start_row in scene.shown_rows:
                defined_here.add(name.text)
            elif name.is_definition and name.text in wanted:
                end = min(name.end_row, name.start_row + CHUNK_ROWS)
                places.setdefault(name.text, []).append(Find(path, name.start_row, end, 0, "lsp"))
            elif not name.is_definition and path != scene.cursor_path:
                row = name.start_row
                uses.append((name.text, Find(path, max(0, row - MARGIN_ROWS), row + MARGIN_ROWS, 1, "lsp")))
    found = [find for name in wanted for find in places.get(name, ())]
    found += [find for name, find in uses if name in defined_here]
    yield from found[:MOST_DEFINITIONS]


def current_file(scene: Scene) -> Iterator[Find]:
    """The rest of the cursor's file, nearest rows first."""
    rows = _rows(scene.texts.get(scene.cursor_path, ""))
    chunks = range(0, rows, CHUNK_ROWS)
    for order, start in enumerate(sorted(chunks, key=lambda start: abs(start - scene.cursor_row))):
        yield Find(scene.cursor_path, start, min(start + CHUNK_ROWS, rows), order, "current_file")


def edit_history(scene: Scene) -> Iterator[Find]:
    """The rows around earlier edits, the latest first."""
    for order, (_, path, section) in enumerate(reversed(list(history_sections(scene.example.edit_history)))):
        for hunk in read_hunks(section):
            start = hunk.new_start or 0
            yield Find(
                path, max(0, start - MARGIN_ROWS), start + len(hunk.new_text) + MARGIN_ROWS, order, "edit_history"
            )


def edit_history_files(scene: Scene) -> Iterator[Find]:
    """The files of earlier edits from their beginning, the latest first."""
    paths = dict.fromkeys(path for _, path, _ in reversed(list(history_sections(scene.example.edit_history))))
    for order, path in enumerate(paths):
        rows = _rows(scene.texts.get(path, ""))
        for start in range(0, rows, CHUNK_ROWS):
            yield Find(path, start, min(start + CHUNK_ROWS, rows), order, "edit_history_file")


def lexical(scene: Scene) -> Iterator[Find]:
    """Pieces of the project that share rare words with the text around the cursor and the last edits (BM25)."""
    query = f"{scene.nearby}\n{scene.example.edit_history[-2000:]}"
    pieces: list[Find] = []
    contents: list[str] = []
    for path, text in scene.texts.items():
        lines = text.split("\n")
        for start in range(0, len(lines), CHUNK_ROWS):
            end = min(start + CHUNK_ROWS, len(lines))
            shown = scene.shown_rows
            if path == scene.cursor_path and start < shown.stop and shown.start < end:
                continue
            pieces.append(Find(path, start, end, 0, "bm25"))
            contents.append("\n".join(lines[start:end]))
    for order, index in enumerate(rank(contents, query, MOST_CHUNKS)):
        piece = pieces[index]
        yield Find(piece.path, piece.start, piece.end, order, "bm25")


def oracle(scene: Scene, *, whole_files: bool) -> Iterator[Find]:
    """The places that the expected patches change: an upper bound for what context can bring, never an honest run."""
    for order, patch in enumerate(scene.example.expected_patches):
        for hunk in read_hunks(patch):
            start, rows = hunk.old_start or 0, _rows(scene.texts.get(hunk.path, ""))
            if whole_files:
                yield Find(hunk.path, 0, rows, order, "oracle_file")
            else:
                end = start + len(hunk.old_text) + MARGIN_ROWS
                yield Find(hunk.path, max(0, start - MARGIN_ROWS), end, order, "oracle_snippet")


async def git_log(scene: Scene) -> list[Find]:
    """The beginnings of files that were often changed together with the cursor's file."""
    if scene.project.folder is None:
        return []
    git = Git(scene.project.folder)
    try:
        commits = await git.text("log", f"-{MOST_COMMITS}", "--format=%H", "--", scene.cursor_path)
        listed = await git.text("show", "--format=", "--name-only", *commits.split()) if commits else ""
    except GitError:
        return []  # A shallow clone has no history; that is no fault of the example.
    counts: dict[str, int] = {}
    for path in filter(None, listed.split("\n")):
        if path != scene.cursor_path:
            counts[path] = counts.get(path, 0) + 1
    often = sorted(counts, key=lambda path: (-counts[path], path))[:MOST_CHUNKS]
    return [Find(path, 0, CHUNK_ROWS, order, "git_log") for order, path in enumerate(often)]


async def finds_of(kind: ContextType, scene: Scene) -> list[Find]:
    """What one way of looking finds."""
    if kind is ContextType.GIT_LOG:
        return await git_log(scene)
    look = _WAYS.get(kind)
    return list(look(scene)) if look is not None else []


_WAYS: Final[Mapping[ContextType, Callable[[Scene], Iterator[Find]]]] = MappingProxyType(
    {
        ContextType.LSP: definitions,
        ContextType.CURRENT_FILE: current_file,
        ContextType.EDIT_HISTORY: edit_history,
        ContextType.EDIT_HISTORY_FILE: edit_history_files,
        ContextType.BM25: lexical,
        ContextType.ORACLE_FILE: partial(oracle, whole_files=True),
        ContextType.ORACLE_SNIPPET: partial(oracle, whole_files=False),
    }
)


def merge(finds: Iterable[Find], texts: dict[str, str], project: str) -> list[RelatedFile]:
    """Excerpts by file, those that touch or overlap made one; files in the order of their best excerpt."""
    by_path: dict[str, list[Find]] = {}
    for find in finds:
        rows = _rows(texts.get(find.path, ""))
        end = min(find.end, rows)
        if find.start < end:
            by_path.setdefault(find.path, []).append(Find(find.path, find.start, end, find.order, find.source))
    files = [_file(path, texts[path], found, project) for path, found in by_path.items()]
    return sorted(files, key=lambda file: min(excerpt.order for excerpt in file.excerpts))


def _file(path: str, text: str, finds: Sequence[Find], project: str) -> RelatedFile:
    lines = text.split("\n")
    merged: list[Find] = []
    for find in sorted(finds, key=lambda find: (find.start, find.end)):
        last = merged[-1] if merged else None
        if last is None or find.start > last.end:
            merged.append(find)
        else:
            best = min(last, find, key=lambda one: one.order)
            merged[-1] = Find(path, last.start, max(last.end, find.end), best.order, best.source)
    excerpts = [
        Excerpt(
            row_range=ByteRange(start=find.start, end=find.end),
            text="".join(f"{line}\n" for line in lines[find.start : find.end]),
            order=find.order,
            context_source=find.source,
        )
        for find in merged
    ]
    return RelatedFile(path=f"{project}/{path}", max_row=_rows(text), excerpts=excerpts)


def _rows(text: str) -> int:
    return text.count("\n") + (not text.endswith("\n")) if text else 0
