from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.core.diff.patch import FilePatch, apply_patch, make_patch, parse_patch, render_patch
from redraft.core.errors import PatchError

texts = st.text(alphabet=st.sampled_from("ab\n\n\r é-+@\\"), max_size=40)


@given(texts, texts, st.integers(0, 4))
def test_a_patch_survives_being_written_and_read(old: str, new: str, context: int) -> None:
    patch = make_patch(old, new, context=context)
    assert apply_patch(old, patch) == new
    if old != new:
        assert parse_patch(render_patch(patch)) == [patch]
        assert render_patch(parse_patch(render_patch(patch))[0]) == render_patch(patch)


def test_looks_as_git_writes_it() -> None:
    patch = make_patch("a\nb\nc", "a\nB\nc\nd\n", old_path="x.py", new_path="x.py", context=1)
    assert render_patch(patch) == (
        "--- a/x.py\n+++ b/x.py\n@@ -1,3 +1,4 @@\n a\n-b\n-c\n\\ No newline at end of file\n+B\n+c\n+d\n"
    )


def test_a_new_and_a_removed_file() -> None:
    made = make_patch("", "a\n", old_path=None, new_path="n")
    assert render_patch(made) == "--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+a\n"
    gone = make_patch("a\n", "", old_path="n", new_path=None)
    assert render_patch(gone) == "--- a/n\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"


def test_git_applies_our_patches(tmp_path: Path) -> None:
    old = "".join(f"line {index}\n" for index in range(60)) + "end"
    new = old.replace("line 5\n", "").replace("line 30\n", "thirty\n\n").replace("end", "END")
    (tmp_path / "a b.txt").write_text(old)
    text = render_patch(make_patch(old, new, old_path="a b.txt", new_path="a b.txt"))
    subprocess.run(["git", "apply", "-"], input=text.encode(), cwd=tmp_path, check=True)
    assert (tmp_path / "a b.txt").read_text() == new


def test_reads_what_git_writes() -> None:
    text = (
        "From: someone\n\ndiff --git a/old.py b/new.py\nsimilarity index 90%\nrename from old.py\nrename to new.py\n"
        "index 1234567..89abcde 100644\n--- a/old.py\n+++ b/new.py\n@@ -1,2 +1,2 @@ def f():\n a\n-b\n+c\n"
        'diff --git "a/\\303\\251.txt" "b/\\303\\251.txt"\n'
        'new file mode 100644\n--- /dev/null\n+++ "b/\\303\\251.txt"\n'
        "@@ -0,0 +1 @@\n+x\n\\ No newline at end of file\n"
        "diff --git a/run b/run\nold mode 100644\nnew mode 100755\n"
    )
    first, second, third = parse_patch(text)
    assert (first.old_path, first.new_path) == ("old.py", "new.py")
    assert first.header[2] == "rename from old.py"
    assert first.hunks[0].section == "def f():"
    assert apply_patch("a\nb\n", first) == "a\nc\n"
    assert (second.old_path, second.new_path) == (None, "é.txt")
    assert apply_patch("", second) == "x"
    assert third == FilePatch("run", "run", (), ("diff --git a/run b/run", "old mode 100644", "new mode 100755"))
    assert "".join(render_patch(patch) for patch in (first, second, third)) == text.partition("\n\n")[2]


def test_a_line_that_looks_like_a_header_is_a_line() -> None:
    patch = make_patch("-- a\n++ b\n", "++ b\n")
    assert parse_patch(render_patch(patch)) == [patch]


def test_a_moved_hunk_is_found_where_its_lines_are() -> None:
    patch = make_patch("a\nb\nc\n", "a\nB\nc\n")
    assert apply_patch("new\n\na\nb\nc\n", patch) == "new\n\na\nB\nc\n"


def test_several_places_are_refused_with_their_lines() -> None:
    patch = make_patch("x\na\nb\n", "x\na\nB\n", context=1)
    with pytest.raises(PatchError, match="lines 4, 7"):
        apply_patch("0\n0\n0\na\nb\n0\na\nb\n", patch)


@pytest.mark.parametrize(
    "text",
    [
        "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n",
        "--- a/x\n+++ b/x\n@@ -1 +1 @@\nwhat\n",
        "--- a/x\n+++ b/x\n@@ -1 @@\n a\n",
        "--- a/x\n+++ b/x\n@@ -1,1 +1,2 @@\n-a\n-b\n+c\n",
    ],
)
def test_a_damaged_patch_is_refused(text: str) -> None:
    with pytest.raises(PatchError):
        parse_patch(text)


def test_a_patch_that_does_not_fit_is_refused() -> None:
    with pytest.raises(PatchError, match="line 2"):
        apply_patch("a\nz\n", make_patch("a\nb\n", "a\nc\n", context=0))


def test_an_addition_after_the_end_is_refused() -> None:
    with pytest.raises(PatchError, match="line 9"):
        apply_patch("a\n", parse_patch("--- a/x\n+++ b/x\n@@ -9,0 +10 @@\n+b\n")[0])


@pytest.mark.parametrize(
    ("header", "paths"),
    [
        ('rename from "\\303\\274.txt"\nrename to "b\\\\c.txt"\n', ("ü.txt", "b\\c.txt")),
        ("rename from a b.txt\nrename to c\n", ("a b.txt", "c")),
        ('diff --git "a/q\\"x" "b/q\\"x"\nold mode 100644\nnew mode 100755\n', ('q"x', 'q"x')),
        ('diff --git "a/\\303\\274" "b/\\303\\274"\nnew file mode 100644\nindex 0000000..e69de29\n', (None, "ü")),
    ],
)
def test_unusual_names_are_read_without_hunks_too(header: str, paths: tuple[str | None, str]) -> None:
    start = "" if header.startswith("diff") else 'diff --git "a/x" "b/y"\n'
    [patch] = parse_patch(start + header)
    assert (patch.old_path, patch.new_path) == paths
