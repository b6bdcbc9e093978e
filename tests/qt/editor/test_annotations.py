from __future__ import annotations

import pytest

from redraft.core.text import TextEdit, TextRange
from redraft.qt.editor.annotation_rows import BLANK, Look, StyledRow
from redraft.qt.editor.annotations import AnnotationRegistry, RowOrder, moved_line
from redraft.qt.editor.code_editor import CodeEditor

LOOK = Look("#ff0000", "#00ff00")


def row(text: str) -> StyledRow:
    return StyledRow(text, ((len(text), LOOK),), LOOK)


@pytest.fixture
def registry(editor: CodeEditor) -> AnnotationRegistry:
    editor.set_document("".join(f"line {number}\n" for number in range(200)))
    return AnnotationRegistry.of(editor)


def texts(registry: AnnotationRegistry, line: int) -> list[str]:
    return [row.text for row in registry.rows(line)]


def test_an_editor_has_one_registry(editor: CodeEditor, registry: AnnotationRegistry) -> None:
    assert AnnotationRegistry.of(editor) is registry


def test_rows_of_several_owners_are_composed_by_order(editor: CodeEditor, registry: AnnotationRegistry) -> None:
    registry.set_rows("prompt", 3, (BLANK, BLANK), RowOrder.PROMPT)
    registry.set_rows("diff", 3, (row("new"),), RowOrder.PROPOSED)
    registry.set_rows("other", 3, (row("inserted"),), RowOrder.INSERTED)
    registry.flush()
    assert texts(registry, 3) == ["new", "", "", "inserted"]
    assert editor.annotationLines(3) == 4
    assert registry.rows_above("prompt", 3, RowOrder.PROMPT) == 1
    assert registry.rows_above("other", 3, RowOrder.INSERTED) == 3


def test_clearing_one_owner_leaves_the_others(editor: CodeEditor, registry: AnnotationRegistry) -> None:
    registry.set_rows("a", 3, (row("a"),))
    registry.set_rows("b", 3, (row("b"),))
    registry.set_rows("a", 9, (row("a"),))
    registry.clear("a")
    registry.flush()
    assert (texts(registry, 3), editor.annotationLines(9)) == (["b"], 0)
    registry.set_rows("b", 3, ())
    registry.flush()
    assert editor.annotationLines(3) == 0


def test_rows_follow_their_line(editor: CodeEditor, registry: AnnotationRegistry) -> None:
    registry.set_rows("a", 3, (row("a"),))
    registry.flush()
    editor.replace_ranges([TextEdit(TextRange(0, 0), "x\ny\n")])
    registry.flush()
    assert [line for line in range(20) if editor.annotationLines(line)] == [5]
    assert texts(registry, 5) == ["a"]
    editor.undo()
    registry.flush()
    assert [line for line in range(20) if editor.annotationLines(line)] == [3]


def test_rows_above_the_view_do_not_move_it(editor: CodeEditor, registry: AnnotationRegistry) -> None:
    editor.setFirstVisibleLine(100)
    y = editor.line_y(105)
    registry.set_rows("a", 3, [row("a")] * 7)
    registry.flush()
    assert editor.line_y(105) == y
    registry.clear("a")
    registry.flush()
    assert editor.line_y(105) == y


def test_rows_are_painted_in_their_colours_up_to_the_edge(editor: CodeEditor, registry: AnnotationRegistry) -> None:
    registry.set_rows("a", 3, (row("██"),))
    registry.flush()
    image = editor.viewport().grab().toImage()
    y = editor.line_y(4) - editor.row_height() // 2
    assert image.pixelColor(editor.text_left() + 5, y).name() == "#ff0000"
    assert image.pixelColor(image.width() - 1, y).name() == "#00ff00"


@pytest.mark.parametrize(
    ("old", "line", "added", "from_start", "new"),
    [
        (2, 3, 2, False, 2),
        (3, 3, 2, False, 3),
        (3, 3, 2, True, 5),
        (9, 3, 2, False, 11),
        (3, 3, -2, True, None),
        (5, 3, -2, True, 3),
        (4, 3, -2, False, None),
        (5, 3, -2, False, 3),
        (9, 3, -2, False, 7),
    ],
)
def test_rows_go_where_the_text_goes(
    old: int,
    line: int,
    added: int,
    new: int | None,
    *,
    from_start: bool,
) -> None:
    assert moved_line(old, line, added, from_start=from_start) == new
