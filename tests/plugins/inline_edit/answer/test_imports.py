"""Imports that an answer brings along for lines further down."""

from __future__ import annotations

import pytest

from redraft.core.answer.pipeline import NoteKind
from redraft.core.text import TextRange
from redraft_inline_edit.answer.imports import ImportCut, import_lines, needs_import
from redraft_inline_edit.answer.writing import AnswerWriter
from redraft_inline_edit.request import EditRequest, FileFacts, target_for

HEAD = "import os\n\nimport requests\n\nfrom here import there\n\n\n"
FUNCTION = "def get():\n    return requests.get(1)\n"
CHANGED = FUNCTION.replace("requests", "httpx")


def request(text: str = HEAD + FUNCTION, lines: str = FUNCTION, language: str = "python") -> EditRequest:
    start = text.index(lines)
    return EditRequest(text, target_for(text, TextRange(start, start + len(lines))), FileFacts("a", language), "use it")


def cut(asked: EditRequest | None = None) -> ImportCut:
    found = ImportCut.of(asked or request())
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("front", "new"),
    [
        ("import httpx\n\n\n", ("import httpx",)),
        ("\nimport os\nimport httpx as h\n", ("import httpx as h",)),
        ("from a import (\n    b,\n    c,\n)\n\n", ("from a import (\n    b,\n    c,\n)",)),
        ("import requests\n\n", ()),
        ("", ()),
    ],
)
def test_imports_at_the_front_are_told_apart_and_known_ones_left_out(front: str, new: tuple[str, ...]) -> None:
    assert cut().split(front + CHANGED) == (new, CHANGED)


@pytest.mark.parametrize("code", ["import httpx\n", "    import httpx\n    return 1\n", "x = 1\nimport httpx\ny = 2\n"])
def test_what_is_no_front_of_imports_stays(code: str) -> None:
    assert cut().split(code) == ((), code)


@pytest.mark.parametrize(
    "asked",
    [
        request(lines=HEAD + FUNCTION),
        request(FUNCTION),
        request(language="plaintext"),
    ],
)
def test_imports_may_stand_in_lines_that_have_them_or_head_the_file(asked: EditRequest) -> None:
    assert ImportCut.of(asked) is None


@pytest.mark.parametrize(
    ("language", "statement"),
    [
        ("typescript", 'import { a } from "b";'),
        ("javascript", 'import "b";'),
        ("go", 'import "fmt"'),
        ("rust", "use std::io;"),
        ("java", "import a.b.C;"),
        ("csharp", "using A.B;"),
        ("cpp", "#include <vector>"),
    ],
)
def test_each_language_has_its_own_word_for_it(language: str, statement: str) -> None:
    text = "x\n\ny\n"
    code = f"{statement}\n\nz\n"
    assert cut(request(text, "y\n", language)).split(code) == ((statement,), "z\n")


def test_an_import_is_held_back_until_it_is_known_to_be_one() -> None:
    open_ones = [
        "",
        "\n",
        "im",
        "import",
        "import httpx",
        "import httpx\n",
        "import httpx\n\nfr",
        "from a import (\n  b",
    ]
    closed = ["d", "imp = 1", "import httpx\nd", "x\n", "from_here = 1\n"]
    assert [beginning for beginning in open_ones if not cut().is_open(beginning)] == []
    assert [beginning for beginning in closed if cut().is_open(beginning)] == []


@pytest.mark.parametrize("size", [1, 2, 7, 1000])
def test_lines_that_are_not_in_the_proposal_are_never_shown_on_the_way(size: int) -> None:
    writer = AnswerWriter(request())
    answer = f"<GENERATEDCODE>\nimport httpx\n\n\n{CHANGED}</GENERATEDCODE>"
    seen = ""
    for start in range(0, len(answer), size):
        progress = writer.feed(answer[start : start + size]).progress
        if progress is not None:
            seen += progress.partial + "".join(line for hunk in progress.hunks for line in hunk.new_lines)
    written = writer.close(is_complete=True)
    assert "import" not in seen
    assert written.proposed == CHANGED
    [note] = [note for note in written.notes if note.kind is NoteKind.NEEDS_IMPORT]
    assert note.details == ("import httpx",)
    assert note.text == (
        "The answer needs “import httpx” at the head of the file; that is outside its lines, so it is not in it."
    )


def test_no_imports_no_note() -> None:
    assert needs_import(()) == ()


@pytest.mark.parametrize(
    ("text", "new", "expected"),
    [
        (HEAD, "import httpx", (3, "import httpx\n")),
        (HEAD, "from x import y", (5, "from x import y\n")),
        ("from a import (\n    b,\n)\nx = 1\n", "import c", (3, "import c\n")),
        ('#!/bin/python\n"""One\n\ntwo."""\n\nx = 1\n', "import c", (4, "\nimport c\n")),
        ('"""One."""\nx = 1\n', "import c", (1, "\nimport c\n")),
        ("x = 1\n", "import c", (0, "import c\n\n")),
        ("import a\r\n", "from b import (\n    c,\n)", (1, "from b import (\r\n    c,\r\n)\r\n")),
    ],
)
def test_a_new_import_comes_behind_its_like_or_at_the_head(text: str, new: str, expected: tuple[int, str]) -> None:
    assert import_lines(text, "python", (new,), "\r\n" if "\r" in text else "\n") == expected


@pytest.mark.parametrize(
    ("text", "new", "after"),
    [
        ("import os\n", "from __future__ import annotations", "from __future__ import annotations\nimport os\n"),
        (
            '"""Doc."""\n\nfrom __future__ import division\nimport os\n',
            "from __future__ import annotations",
            '"""Doc."""\n\nfrom __future__ import division\nfrom __future__ import annotations\nimport os\n',
        ),
        ('"""Use:\n\nimport this\n"""\nx = 1\n', "import os", '"""Use:\n\nimport this\n"""\n\nimport os\nx = 1\n'),
        ("'One line.'\nx = 1\n", "import os", "'One line.'\n\nimport os\nx = 1\n"),
        ("from a import b, \\\n    c\nx = 1\n", "import os", "from a import b, \\\n    c\nimport os\nx = 1\n"),
        ("import a  # (see there\nx = f(\n", "import os", "import a  # (see there\nimport os\nx = f(\n"),
        ("#!/bin/python\r\n# é\r\nx = 1\r\n", "import os", "#!/bin/python\r\n# é\r\n\r\nimport os\r\nx = 1\r\n"),
    ],
)
def test_a_new_import_never_stands_in_a_docstring_or_a_statement_and_the_future_comes_first(
    text: str, new: str, after: str
) -> None:
    line, added = import_lines(text, "python", (new,), "\r\n" if "\r" in text else "\n")
    lines = text.splitlines(keepends=True)
    assert "".join([*lines[:line], added, *lines[line:]]) == after


def test_what_comes_from_the_future_comes_before_what_comes_along_with_it() -> None:
    statements = ("import os", "from __future__ import annotations")
    assert import_lines("import sys\n", "python", statements, "\n") == (
        0,
        "from __future__ import annotations\nimport os\n",
    )
