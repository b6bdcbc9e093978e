"""Examples as Markdown, for people to write and read: TOML front matter, a heading a part, fenced blocks."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import tomlkit
from markdown_it import MarkdownIt
from markdown_it.token import Token

from redraft.core.errors import UsageError
from redraft.core.review.code_blocks import fence_for
from redraft.core.review.example import Example, SeenFile

ACCEPTED: Final = "// User accepted prediction:"
_ROLLBACK: Final = "uncommitted_diff_requires_edit_history_rollback"
_FRONT: Final = re.compile(r"\A\+\+\+\n(.*?)^\+\+\+\n", re.DOTALL | re.MULTILINE)
_UNSAFE: Final = re.compile(r'[ :~^?*\[\\@{/<>|"]')


@dataclass
class _Parts:
    """Blocks of each section, by its title in lower case."""

    name: str = ""
    blocks: dict[str, list[tuple[str, str]]] = field(default_factory=dict)

    def text(self, title: str) -> str:
        return "".join(content for _, content in self.blocks.get(title, ()))

    def first(self, title: str) -> tuple[str, str] | None:
        return next(iter(self.blocks.get(title, ())), None)

    def files(self, title: str) -> list[SeenFile]:
        return [_seen_file(line) for line in self.text(title).splitlines() if line.strip()]


def read_markdown(text: str) -> Example:
    """An example from its Markdown form.

    Raises:
        UsageError: The cursor position is missing, a heading is too deep, or a block is not fenced.
    """
    front: dict[str, Any] = {}
    match = _FRONT.match(text)
    if match:
        text = text[match.end() :]
        try:
            front = tomllib.loads(match[1])
        except tomllib.TOMLDecodeError as error:
            raise UsageError(f"the front matter between the +++ lines is not TOML ({error})") from error
    parts = _read_parts(text)
    cursor = parts.first("cursor position")
    if cursor is None or not cursor[0] or not cursor[1]:
        raise UsageError("missing cursor position code block (its info string is the file's path)")
    rejected = parts.first("rejected patch")
    return Example(
        name=parts.name,
        repository_url=front.get("repository_url", ""),
        revision=front.get("revision", ""),
        tags=front.get("tags", []),
        uncommitted_diff=parts.text("uncommitted diff"),
        uncommitted_diff_contains_edit_history=front.get(_ROLLBACK),
        recently_opened_files=parts.files("recently opened files"),
        recently_viewed_files=parts.files("recently viewed files"),
        edit_history=parts.text("edit history"),
        cursor_path=cursor[0],
        cursor_position=cursor[1].removesuffix("\n"),
        expected_patches=[content for _, content in parts.blocks.get("expected patch", ())],
        rejected_patch=rejected[1] if rejected else None,
    )


def write_markdown(example: Example) -> str:
    """The Markdown form of the part that people write."""
    parts = [_front_matter(example), f"# {example.name}\n\n" if example.name else ""]
    if example.reasoning:
        parts.append(f"## Reasoning\n\n{example.reasoning}\n\n")
    if example.uncommitted_diff:
        parts.append(_section("Uncommitted Diff", _block("diff", example.uncommitted_diff)))
    for title, files in (
        ("Recently Opened Files", example.recently_opened_files),
        ("Recently Viewed Files", example.recently_viewed_files),
    ):
        if files:
            parts.append(_section(title, _block("", "".join(map(_seen_line, files)))))
    history = "".join(_history_blocks(example.edit_history)) or "(No edit history)\n\n"
    parts.append(_section("Edit History", history))
    parts.append(_section("Cursor Position", _block(example.cursor_path, example.cursor_position)))
    patches = "".join(_block("diff", patch) for patch in example.expected_patches)
    parts.append(_section("Expected Patch", patches))
    if example.rejected_patch is not None:
        parts.append(_section("Rejected Patch", _block("diff", example.rejected_patch)))
    return "".join(parts).rstrip("\n") + "\n"


def markdown_file_name(name: str) -> str:
    """The file name of an example."""
    return _UNSAFE.sub("-", name) + ".md"


def _read_parts(text: str) -> _Parts:
    parts = _Parts()
    title, before = "", ""
    for token, inline in _with_inline(MarkdownIt("commonmark").parse(text)):
        if token.type == "heading_open":
            level = int(token.tag[1:])
            if level > 4:
                raise UsageError(f"unexpected heading level {level} (“{inline}”)")
            if level == 1:
                parts.name = inline
            elif level == 2:
                title = inline.strip().lower()
            before = ""
        elif token.type == "code_block":
            line = token.map[0] + 1 if token.map else 0
            raise UsageError(f"the indented code at line {line} must stand in a fenced block")
        elif token.type == "fence":
            accepted = title == "edit history" and before.strip() == ACCEPTED
            content = f"{ACCEPTED}\n{token.content}" if accepted else token.content
            parts.blocks.setdefault(title, []).append((token.info.strip(), content))
            before = ""
        elif token.type == "paragraph_open":
            before = inline
    return parts


def _with_inline(tokens: list[Token]) -> Iterator[tuple[Token, str]]:
    """Tokens of the top level, with the text of a heading or paragraph."""
    for index, token in enumerate(tokens):
        follows = tokens[index + 1] if index + 1 < len(tokens) else None
        if token.level == 0:
            yield token, follows.content if follows is not None and follows.type == "inline" else ""


def _seen_file(line: str) -> SeenFile:
    path, _, offset = line.partition("\t")
    return SeenFile(path=path.strip(), cursor_position=int(offset) if offset.strip().isdigit() else None)


def _seen_line(file: SeenFile) -> str:
    return file.path + ("" if file.cursor_position is None else f"\t{file.cursor_position}") + "\n"


def _front_matter(example: Example) -> str:
    table: dict[str, Any] = {"repository_url": example.repository_url, "revision": example.revision}
    if example.tags:
        table["tags"] = example.tags
    if example.uncommitted_diff_contains_edit_history:
        table[_ROLLBACK] = True
    return f"+++\n{tomlkit.dumps(table)}+++\n\n"


def _history_blocks(history: str) -> Iterator[str]:
    """One block a file section, an accepted prediction named before its own."""
    for section in re.split(r"(?m)^(?=--- |// User accepted prediction:\n--- )", history):
        if section.startswith(ACCEPTED):
            yield f"{ACCEPTED}\n\n{_block('diff', section.removeprefix(ACCEPTED).removeprefix(chr(10)))}"
        elif section:
            yield _block("diff", section)


def _section(title: str, content: str) -> str:
    return f"## {title}\n\n{content}"


def _block(info: str, content: str) -> str:
    fence = fence_for(content, at_least=3)
    ending = "" if content.endswith("\n") or not content else "\n"
    return f"{fence}{info}\n{content}{ending}{fence}\n\n"
