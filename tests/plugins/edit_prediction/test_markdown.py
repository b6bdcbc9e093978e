from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.core.errors import UsageError
from redraft.core.review.example import Example, SeenFile
from redraft_edit_prediction.pipeline.markdown import markdown_file_name, read_markdown, write_markdown

TEXT = """+++
repository_url = "https://example.com/owner/tide"
revision = "abc123"
tags = ["rename"]
uncommitted_diff_requires_edit_history_rollback = true
+++

# rename a parameter

Some words that say why.

## Recently Opened Files

```
src/a.py
src/b.py\t17
```

## Edit History

```diff
--- a/src/a.py
+++ b/src/a.py
@@ -1 +1 @@
-x = 1
+y = 1
```

// User accepted prediction:

```diff
--- a/src/b.py
+++ b/src/b.py
@@ -1 +1 @@
-x
+y
```

## Cursor Position

```src/a.py
y = 1
print(<|user_cursor|>x)
```

## Expected Patch

```diff
--- a/src/a.py
+++ b/src/a.py
@@ -2 +2 @@
-print(x)
+print(y)
```

## Something else

```
ignored
```
"""


def test_a_person_writes_an_example() -> None:
    example = read_markdown(TEXT)
    assert example.name == "rename a parameter"
    assert example.repository_url == "https://example.com/owner/tide"
    assert example.tags == ["rename"]
    assert example.uncommitted_diff_contains_edit_history is True
    assert example.recently_opened_files == [
        SeenFile(path="src/a.py"),
        SeenFile(path="src/b.py", cursor_position=17),
    ]
    assert example.edit_history.count("+++ b/") == 2
    assert "// User accepted prediction:\n--- a/src/b.py" in example.edit_history
    assert example.cursor_path == "src/a.py"
    assert example.cursor_position == "y = 1\nprint(<|user_cursor|>x)"
    assert example.expected_patches == ["--- a/src/a.py\n+++ b/src/a.py\n@@ -2 +2 @@\n-print(x)\n+print(y)\n"]


def test_what_is_written_is_read_back() -> None:
    example = read_markdown(TEXT)
    assert read_markdown(write_markdown(example)) == example


def test_no_history_is_said_in_words() -> None:
    example = read_markdown(TEXT).changed(edit_history="", rejected_patch="-a\n+b\n")
    assert "(No edit history)" in write_markdown(example)
    assert read_markdown(write_markdown(example)) == example


code = st.text("ab`\n ", max_size=20).map(lambda text: text.strip("\n "))


@given(code, st.lists(code.map(lambda text: text + "\n"), max_size=2))
def test_fences_inside_do_not_end_a_block(position: str, patches: list[str]) -> None:
    example = read_markdown(TEXT).changed(cursor_position=position or "x", expected_patches=patches)
    again = read_markdown(write_markdown(example))
    assert (again.cursor_position, again.expected_patches) == (position or "x", patches)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("```src/a.py", "```"), "missing cursor position"),
        (("## Cursor Position", "## Elsewhere"), "missing cursor position"),
        (("## Something else", "##### Too deep"), "unexpected heading level 5"),
        (("Some words that", "    indented code"), "must stand in a fenced block"),
        (("tags = [", "tags = "), "is not TOML"),
    ],
)
def test_what_is_wrong_is_named(change: tuple[str, str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        read_markdown(TEXT.replace(*change))


def test_an_example_without_front_matter_belongs_to_no_repository() -> None:
    assert read_markdown(TEXT.partition("+++\n\n")[2]).repository_url == ""


def test_a_name_becomes_a_file_name() -> None:
    assert markdown_file_name('a b/c:"d"') == "a-b-c--d-.md"


def test_an_example_keeps_what_it_does_not_know() -> None:
    example = Example.model_validate_json(read_markdown(TEXT).changed().to_json()[:-1] + ',"mine":{"a":1}}')
    assert '"mine":{"a":1}' in example.to_json()
