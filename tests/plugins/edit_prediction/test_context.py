from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from pipelines import EpRunner, Repository, example, sample, write_lines
from redraft.core.review.example import Example
from redraft_edit_prediction.pipeline.related import Find, merge
from redraft_edit_prediction.pipeline.search import rank
from redraft_edit_prediction.pipeline.syntax import enclosing_ranges, names_in


def found(ep: EpRunner, tmp_path: Path, one: Example, *flags: str) -> dict[str, list[tuple[int, int, str]]]:
    outcome = ep("context", write_lines(tmp_path / "d.jsonl", [one]), *flags)
    inputs = outcome.examples[0].prompt_inputs
    assert inputs is not None, outcome.err
    return {
        file.path: [(part.row_range.start, part.row_range.end, part.context_source) for part in file.excerpts]
        for file in inputs.related_files or ()
    }


def test_definitions_of_names_at_the_cursor_are_found(ep: EpRunner, tmp_path: Path) -> None:
    files = found(ep, tmp_path, sample("a-command-for-removing"))
    assert "larder/larder/pantry.py" in files
    assert {source for parts in files.values() for _, _, source in parts} == {"lsp"}


def test_uses_of_what_is_defined_at_the_cursor_are_found(ep: EpRunner, tmp_path: Path) -> None:
    files = found(ep, tmp_path, sample("finish-a-half-typed-loop"))
    assert "larder/larder/cli.py" in files
    assert "larder/tests/test_pantry.py" in files


@pytest.mark.parametrize(
    ("kind", "path"),
    [
        ("current-file", "larder/larder/cli.py"),
        ("edit-history", "larder/larder/pantry.py"),
        ("edit-history-file", "larder/larder/pantry.py"),
        ("git-log", "larder/larder/units.py"),
        ("bm25", "larder/larder/pantry.py"),
        ("oracle-file", "larder/larder/cli.py"),
        ("oracle-snippet", "larder/larder/cli.py"),
    ],
)
def test_each_way_of_looking(ep: EpRunner, tmp_path: Path, kind: str, path: str) -> None:
    files = found(ep, tmp_path, sample("a-command-for-removing"), "--type", kind)
    assert path in files
    assert {source for parts in files.values() for _, _, source in parts} == {kind.replace("-", "_")}


def test_several_ways_are_named_with_commas_and_none_is_one(ep: EpRunner, tmp_path: Path) -> None:
    assert found(ep, tmp_path, sample("sort-the-shopping-list"), "--type", "bm25,git-log")
    assert found(ep, tmp_path, sample("sort-the-shopping-list"), "--type", "none") == {}
    outcome = ep("context", write_lines(tmp_path / "e.jsonl", [example()]), "--type", "crystal-ball")
    assert (outcome.status, "git-log" in outcome.err) == (2, True)


def test_what_was_found_stays_unless_it_is_forced(ep: EpRunner, tmp_path: Path) -> None:
    outcome = ep("context", write_lines(tmp_path / "a.jsonl", [sample("sort-the-shopping-list")]), "--type", "bm25")
    again = ep("context", write_lines(tmp_path / "b.jsonl", outcome.examples), "--type", "git-log")
    assert again.examples == outcome.examples
    forced = ep("context", write_lines(tmp_path / "c.jsonl", outcome.examples), "--type", "git-log", "--force")
    assert forced.examples != outcome.examples


def test_new_and_changed_files_are_searched_as_they_are_now(ep: EpRunner, tmp_path: Path) -> None:
    repository = Repository(tmp_path / "shapes")
    revision = repository.commit(shape__py="import helper\n\n\ndef area(w, h):\n    return helper.multiply(w, h)\n")
    new = "--- /dev/null\n+++ b/helper.py\n@@ -0,0 +1,2 @@\n+def multiply(a, b):\n+    return a * b\n"
    one = example(
        repository_url=str(repository.folder),
        revision=revision,
        uncommitted_diff=new,
        edit_history="",
        cursor_position="    return <|user_cursor|>helper.multiply(w, h)",
        prompt_inputs=None,
    )
    assert found(ep, tmp_path, one) == {"shapes/helper.py": [(0, 2, "lsp")]}


def test_excerpts_that_touch_become_one_and_keep_the_better_source() -> None:
    text = "".join(f"{number}\n" for number in range(20))
    finds = [
        Find("f", 8, 12, 3, "bm25"),
        Find("f", 0, 4, 2, "lsp"),
        Find("f", 4, 6, 1, "git_log"),
        Find("f", 15, 99, 0, "x"),
    ]
    [file] = merge(finds, {"f": text}, "p")
    assert [(part.row_range.start, part.row_range.end, part.order, part.context_source) for part in file.excerpts] == [
        (0, 6, 1, "git_log"),
        (8, 12, 3, "bm25"),
        (15, 20, 0, "x"),
    ]
    assert file.excerpts[0].text == "0\n1\n2\n3\n4\n5\n"
    assert (file.path, file.max_row) == ("p/f", 20)


def test_search_ranks_pieces_by_rare_words() -> None:
    pieces = ["the cat", "the dog getUserName", "the fish"]
    assert rank(pieces, "get_user_name of the", 2)[0] == 1
    assert rank(pieces, "zebra", 2) == []
    assert rank([], "x", 2) == []


@pytest.mark.parametrize(
    ("path", "text", "names"),
    [
        ("a.py", "def first():\n    second()\n", {("first", True), ("second", False)}),
        ("a.ts", "class First {\n  run(): void { second(); }\n}\ninterface Third { a: string }\n", {("First", True)}),
        ("a.js", "function first() { second(); }\n", {("first", True), ("second", False)}),
        ("a.rs", "fn first() { second(); }\nstruct Third;\n", {("first", True), ("Third", True)}),
        ("a.go", "package p\nfunc first() { second() }\n", {("first", True)}),
        ("a.java", "class First { void run() {} }\n", {("First", True)}),
        ("a.c", "int first(void) { return 1; }\n", {("first", True)}),
        ("a.cpp", "class First { };\n", {("First", True)}),
        ("a.sh", "first() { echo; }\n", set()),
        ("a.unknown", "first", set()),
    ],
)
def test_names_of_many_languages(path: str, text: str, names: set[tuple[str, bool]]) -> None:
    assert names <= {(name.text, name.is_definition) for name in names_in(path, text)}


def test_nodes_around_a_place_grow_outwards() -> None:
    text = "def f():\n    return g(1)\n"
    ranges = enclosing_ranges("a.py", text, text.index("1"))
    assert ranges is not None
    assert ranges[0] == (text.index("1"), text.index("1") + 1)
    assert ranges[-1] == (0, len(text))
    assert all(outer[0] <= inner[0] and inner[1] <= outer[1] for inner, outer in itertools.pairwise(ranges))
    assert enclosing_ranges("a.unknown", text, 0) is None


def test_files_named_like_secrets_are_never_shown(ep: EpRunner, tmp_path: Path) -> None:
    repository = Repository(tmp_path / "shapes")
    secret = "def multiply(a, b):\n    return 'token'\n"
    revision = repository.commit(shape__py="print(multiply(1, 2))\n", __env=secret, credentials__json=secret)
    (repository.folder / ".env").write_text("multiply=secret\n")
    own = {"repository_url": str(repository.folder), "revision": revision, "edit_history": "", "prompt_inputs": None}
    one = example(**own, cursor_position="print(<|user_cursor|>multiply(1, 2))")  # type: ignore[arg-type]  # fields of any type, checked by the model
    assert found(ep, tmp_path, one, "--type", "bm25") == {}
    hidden = example(**own, cursor_path=".env", cursor_position="def <|user_cursor|>multiply(a, b):")  # type: ignore[arg-type]  # as above
    assert "never sent without asking" in ep("context", write_lines(tmp_path / "e.jsonl", [hidden])).err
