from __future__ import annotations

import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication

from redraft.core.languages import LANGUAGES
from redraft.qt.editor.code_editor import CodeEditor
from redraft.qt.editor.numbers import Indicator
from redraft.qt.editor.raw import read_styled
from redraft.qt.editor.scratch import ScratchLexer
from redraft.qt.editor.syntax import class_of_tags, look_of, syntax_classes, syntax_of
from redraft.qt.theme import load_theme

PYTHON = '''\
@dataclass(frozen=True)
class Reading:
    """One level."""

    at: datetime
    level: Metres


def fetch(station: str, day: date) -> list[Reading]:
    """Two
    lines."""
    url = f"{BASE_URL}/{station}"
    query = """select
    all"""
    # a comment
    raise Exception("no: %d\\n" + str(day.isoformat()))
'''


def shown_class(editor: CodeEditor, token: str, *, nth: int = 0) -> str:
    """The syntax class whose colour a token has on screen."""
    QApplication.processEvents()
    editor.grab()
    start = -1
    for _ in range(nth + 1):
        start = editor.plain_text().index(token, start + 1)
    byte = editor.to_byte(start)
    value = editor.indicatorValueAt(Indicator.SYNTAX, byte) & 0xFFFFFF
    if not value:
        value = editor.styleFore(editor.styleAt(byte))
    colour = (value & 0xFF, value >> 8 & 0xFF, value >> 16 & 0xFF)
    theme = editor.theme
    fits = [name for name in theme.syntax_colors if theme.syntax(name) == QColor(*colour)]
    return "/".join(fits)


@pytest.mark.parametrize(
    ("token", "name"),
    [
        ("@dataclass", "decorator"),
        ("True", "escape/number/constant"),
        ("class ", "keyword"),
        ("Reading", "type"),
        ('"""One', "docstring"),
        ("level:", "text/parameter"),
        ("Metres", "type"),
        ("def", "keyword"),
        ("fetch", "function"),
        ("str", "builtin"),
        ("list[", "builtin"),
        ("lines.", "docstring"),
        ('f"{', "string"),
        ("{BASE", "escape/number/constant"),
        ("BASE_URL", "escape/number/constant"),
        ("}/{", "escape/number/constant"),
        ("/{", "string"),
        ("station}", "text/parameter"),
        ('"""select', "string"),
        ("all", "string"),
        ("# a", "comment"),
        ("Exception", "builtin"),
        ("%d", "escape/number/constant"),
        ("\\n", "escape/number/constant"),
        ("isoformat", "function"),
        ("+", "operator"),
    ],
)
def test_python_is_coloured_as_designed(editor: CodeEditor, token: str, name: str) -> None:
    editor.set_document(PYTHON, "python")
    assert shown_class(editor, token) == name


def test_comments_are_italic(editor: CodeEditor) -> None:
    editor.set_document(PYTHON, "python")
    editor.grab()
    assert editor.styleItalic(editor.styleAt(editor.to_byte(PYTHON.index("# a"))))


def test_typing_keeps_the_finer_colours(editor: CodeEditor) -> None:
    editor.set_document("first()\n", "python")
    assert shown_class(editor, "first") == "function"
    editor.insertText(0, "x = ")
    assert shown_class(editor, "first") == "function"
    assert shown_class(editor, "x") == "text/parameter"
    editor.deleteRange(editor.to_byte(9), 2)
    assert shown_class(editor, "first") == "text/parameter"


def test_another_language_takes_the_old_colours_away(editor: CodeEditor) -> None:
    editor.set_document(PYTHON, "python")
    editor.grab()
    editor.set_language("plaintext")
    assert shown_class(editor, "BASE_URL") == "text/parameter"
    assert shown_class(editor, "def") == "text/parameter"


@pytest.mark.parametrize("language_id", [language.id for language in LANGUAGES])
def test_every_language_of_files_has_a_lexer_that_exists_and_classes_that_can_be_drawn(
    editor: CodeEditor, language_id: str
) -> None:
    syntax = syntax_of(language_id)
    editor.set_document("x = 1\n", language_id)
    editor.grab()
    if syntax.lexer:
        assert bytes(editor.lexerLanguage().data()).rstrip(b"\0").decode() == syntax.lexer
    theme = load_theme("light")
    for name in {*syntax.styles.values(), *syntax_classes(theme)}:
        assert look_of(name, theme).color.isValid()


@pytest.mark.parametrize(
    ("language_id", "text", "token", "name"),
    [
        ("json", '{"a": [1, true]} // c', '"a"', "builtin"),
        ("json", '{"a": [1, true]} // c', "1", "escape/number/constant"),
        ("json", '{"a": [1, true]} // c', "true", "escape/number/constant"),
        ("yaml", "key: value # c\n", "key", "builtin"),
        ("yaml", "key: value # c\n", "# c", "comment"),
        ("toml", '[table]\nkey = "v"\n', "[table]", "type"),
        ("toml", '[table]\nkey = "v"\n', '"v"', "string"),
        ("css", "p { color: red }", "color", "builtin"),
        ("markdown", "# Title\n\n`code`\n", "Title", "keyword"),
        ("markdown", "# Title\n\n`code`\n", "code", "string"),
        ("sql", "select a -- c", "select", "keyword"),
        ("sql", "select a -- c", "-- c", "comment"),
        ("ini", "[section]\nkey=value\n", "[section]", "type"),
        ("diff", "+added\n-gone\n", "+added", ""),
        ("go", "func main() { return nil }", "func", "keyword"),
        ("go", "func main() { return nil }", "main", "function"),
        ("go", "func main() { return nil }", "nil", "escape/number/constant"),
        ("typescript", "const a: string = `b`", "string", "builtin"),
        ("typescript", "const a: string = `b`", "`b`", "string"),
        ("rust", "fn a(b: Vec<u8>) {}", "fn", "keyword"),
        ("rust", "fn a(b: Vec<u8>) {}", "Vec", "type"),
        ("html", "<p class='a'>b</p><!-- c -->", "p ", "keyword"),
        ("html", "<p class='a'>b</p><!-- c -->", "class", "type"),
        ("html", "<p class='a'>b</p><!-- c -->", "<!--", "comment"),
        ("shellscript", "if true; then echo $HOME; fi", "if", "keyword"),
        ("shellscript", "if true; then echo $HOME; fi", "$HOME", "builtin"),
        ("makefile", "all: dep\n\tcc\n", "all", "function"),
        ("powershell", "function A { $b }", "function", "keyword"),
        ("cmake", "project(x) # c", "project", "keyword"),
        ("haskell", "module A where", "module", "keyword"),
        ("ocaml", "let x = 1 (* c *)", "let", "keyword"),
        ("ocaml", "let x = 1 (* c *)", "(* c", "comment"),
        ("fsharp", "let x = 1 // c", "let", "keyword"),
        ("erlang", "% c\nfoo() -> ok.", "% c", "comment"),
        ("lisp", "(defun f (x) ; c", "; c", "comment"),
        ("r", "f <- function(x) 1", "function", "keyword"),
        ("matlab", "if x % c", "if", "keyword"),
        ("fortran", "      program x\n! c\n", "program", "keyword"),
        ("coffeescript", "if x then y # c", "if", "keyword"),
        ("tcl", "set x 1 ;# c", "set", "keyword"),
        ("verilog", "module m; // c", "module", "keyword"),
        ("vhdl", "entity e is -- c", "entity", "keyword"),
        ("latex", "\\section{a} % c", "\\section", "keyword"),
    ],
)
def test_style_numbers_mean_what_the_table_says(
    editor: CodeEditor, language_id: str, text: str, token: str, name: str
) -> None:
    editor.set_document(text, language_id)
    assert shown_class(editor, token) == name


def test_an_unfinished_string_is_no_mistake() -> None:
    assert class_of_tags("error literal string") == "string"
    assert class_of_tags("error") == "invalid"


def test_proposed_text_is_lexed_as_if_it_stood_in_the_buffer(editor: CodeEditor) -> None:
    editor.set_document(PYTHON, "python")
    scratch = ScratchLexer(editor)
    for cut in (0, 40, PYTHON.index("Two"), PYTHON.index("lines"), PYTHON.index("all"), len(PYTHON) - 5):
        styles = scratch.style(PYTHON[:cut], PYTHON[cut:])
        assert len(styles) == len(PYTHON[cut:].encode())
        for token in ("day.", "Exception", "# a", "isoformat", "lines"):
            place = PYTHON.find(token, cut)
            if place >= 0:
                colour = scratch.style_look(styles[place - cut])[0]
                assert shown_class(editor, token) in names_of(editor, colour.name())
    scratch.dispose()


def names_of(editor: CodeEditor, colour: str) -> str:
    return "/".join(name for name, value in editor.theme.syntax_colors.items() if value.lower() == colour)


def test_proposed_text_that_grows_is_styled_as_if_it_came_at_once(editor: CodeEditor) -> None:
    editor.set_document("", "python")
    growing, whole = ScratchLexer(editor), ScratchLexer(editor)
    for end in range(0, len(PYTHON) + 1, 7):
        assert growing.style("x = 1\n", PYTHON[:end]) == whole.style("", "x = 1\n" + PYTHON[:end])[6:]


def test_a_scratch_lexer_follows_language_and_theme(editor: CodeEditor) -> None:
    editor.set_document("", "plaintext")
    scratch = ScratchLexer(editor)
    assert set(scratch.style("", "def x")) == {0}
    editor.set_language("python")
    editor.set_theme(load_theme("light"))
    look = scratch.style_look(scratch.style("", "def x")[0])
    assert look == (load_theme("light").syntax("keyword"), False, False)


def test_styled_bytes_are_read_whole(editor: CodeEditor) -> None:
    editor.set_document("a = 'é\0🌍'\n", "python")
    editor.colourise(0, -1)
    text, styles = read_styled(editor, 0, editor.length())
    assert text == "a = 'é\0🌍'\n".encode()
    assert len(styles) == len(text)
