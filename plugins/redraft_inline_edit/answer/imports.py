"""Imports at the front of an answer about other lines: they belong to the file's head, and are offered apart."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from redraft.core.answer.pipeline import Note, NoteKind
from redraft.core.text import split_lines, without_end
from redraft_inline_edit.request import EditRequest

_SCRIPT: Final = r"import\b(?!\s*[(.])"
STATEMENTS: Final[dict[str, str]] = {
    "python": r"import\s|from\s+\S+\s+import\b",
    "javascript": _SCRIPT,
    "javascriptreact": _SCRIPT,
    "typescript": _SCRIPT,
    "typescriptreact": _SCRIPT,
    "go": r"import\b",
    "rust": r"use\s",
    "java": r"import\s",
    "kotlin": r"import\s",
    "swift": r"import\s",
    "csharp": r"using\s+[\w.]+;",
    "c": r"#\s*include\b",
    "cpp": r"#\s*include\b",
}
"""How an import at the left margin begins, by language."""
_WORD: Final = re.compile(r"#?\s*\w*")
_HEADS: Final = ("import", "from", "use", "using", "#include", "# include")
_OPEN, _CLOSED = re.compile(r"[(\[{]"), re.compile(r"[)\]}]")
_REMARK: Final = re.compile(r"\s(?:#|//).*")
_FUTURE: Final = re.compile(r"from\s+__future__\s")
_DOCSTRING: Final = re.compile(r"""\s*[rRuU]?(\"{3}|'{3}|"(?=[^"\n]*"\s*$)|'(?=[^'\n]*'\s*$))""")
_COMMENT: Final = re.compile(r"\s*(?:#(?!\s*include\b)|//|/\*|\*)|\s*$")


@dataclass(frozen=True, slots=True)
class ImportCut:
    """Takes imports off the front of an answer about lines that have none, below others that are no imports."""

    statement: re.Pattern[str]
    around: str

    @classmethod
    def of(cls, request: EditRequest) -> ImportCut | None:
        """What to do with the answer to a request; `None` where imports may stand in it."""
        pattern = STATEMENTS.get(request.file.language_id)
        if pattern is None or not request.before.strip() or request.is_question:
            return None
        statement = re.compile(pattern)
        if any(statement.match(line) for line in split_lines(request.original)):
            return None
        return cls(statement, f"{request.before}\n{request.after}")

    def is_open(self, beginning: str) -> bool:
        """Whether nothing but imports has come so far, or what may become one."""
        lines = split_lines(beginning)
        end = self._end(lines)
        rest = [line for line in lines[end:] if line.strip()]
        if not rest:
            return True
        is_unfinished = rest[0] == lines[-1] and without_end(rest[0]) == rest[0]
        word = _WORD.match(rest[0])
        is_head = any(head.startswith(rest[0]) or (word is not None and word[0] == head) for head in _HEADS)
        return is_unfinished and (is_head or self.statement.match(rest[0]) is not None)

    def split(self, code: str) -> tuple[tuple[str, ...], str]:
        """The statements that the file does not have, and the code behind all of them; nothing but imports stays."""
        lines = split_lines(code)
        end = self._end(lines)
        if not end or not any(line.strip() for line in lines[end:]):
            return (), code
        known = {line.strip() for line in split_lines(self.around)}
        new = [text for text in self._statements(lines[:end]) if not set(map(str.strip, text.split("\n"))) <= known]
        return tuple(new), "".join(lines[end:])

    def _end(self, lines: list[str]) -> int:
        """The line behind the last import at the front and the blank lines that follow it."""
        at = end = 0
        while at < len(lines):
            if self.statement.match(lines[at]):
                at = end = _statement_end(lines, at)
            elif lines[at].strip():
                break
            else:
                at += 1
                end = at if end else 0
        return end

    def _statements(self, lines: list[str]) -> list[str]:
        found, at = [], 0
        while at < len(lines):
            after = _statement_end(lines, at)
            if lines[at].strip():
                found.append("\n".join(without_end(line) for line in lines[at:after]))
            at = after
        return found


def needs_import(statements: tuple[str, ...]) -> tuple[Note, ...]:
    """The note that an answer needs imports, which are not in it any more."""
    if not statements:
        return ()
    names = ", ".join(f"“{' '.join(text.split())}”" for text in statements)
    sentence = f"The answer needs {names} at the head of the file; that is outside its lines, so it is not in it."
    return (Note(NoteKind.NEEDS_IMPORT, sentence, len(statements), statements),)


def import_lines(text: str, language_id: str, statements: tuple[str, ...], line_end: str) -> tuple[int, str]:
    """New imports as lines of a file, and the line, counted from 0, before which they belong.

    That is behind the last import that begins with the same word, else behind the last one, else below what stands
    at the head of the file, with a blank line between. What Python takes from its future stands before all others.
    """
    lines = split_lines(text)
    statement = re.compile(STATEMENTS[language_id])
    head = _head(lines)
    found = [at for at, line in enumerate(lines) if at >= head and statement.match(line)]
    statements = tuple(sorted(statements, key=lambda one: _FUTURE.match(one) is None))
    new = "".join(one.replace("\n", line_end) + line_end for one in statements)
    if _FUTURE.match(statements[0]):
        alike = [at for at in found if _FUTURE.match(lines[at])]
        if found and not alike:
            return found[0], new
    else:
        word = statements[0].split()[0]
        alike = [at for at in found if lines[at].split()[0] == word]
    if found:
        return _statement_end(lines, (alike or found)[-1]), new
    return head, line_end + new if head else new + line_end


def _statement_end(lines: list[str], at: int) -> int:
    """The line behind a statement, which goes on behind a backslash and until its brackets are closed."""
    depth = 0
    while at < len(lines):
        line = _REMARK.sub("", without_end(lines[at]))
        depth += len(_OPEN.findall(line)) - len(_CLOSED.findall(line))
        at += 1
        if depth <= 0 and not line.endswith("\\"):
            break
    return at


def _head(lines: list[str]) -> int:
    """The line behind the comments and the docstring at the top."""
    at = head = 0
    while at < len(lines):
        quoted = _DOCSTRING.match(lines[at])
        if quoted:
            closes = lines[at][quoted.end() :].find(quoted[1]) >= 0
            at += 1
            while not closes and at < len(lines):
                closes = quoted[1] in lines[at]
                at += 1
        elif _COMMENT.match(lines[at]):
            at += 1
        else:
            break
        head = at if lines[at - 1].strip() else head
    return head
