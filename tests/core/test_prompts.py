from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from redraft.api.services import Prompts
from redraft.core.errors import PromptError
from redraft.core.prompts import PromptLibrary, both_cases, fence

PEERS = "<f>{{filepath}}</f>\n<p>{{documentPrefix}}</p><d>{{document}}</d><s>{{documentSuffix}}</s>\n{{command}}"


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    user, builtin = tmp_path / "user", tmp_path / "builtin"
    for folder in (user, builtin):
        folder.mkdir()
    return user, builtin


@pytest.fixture
def library(folders: tuple[Path, Path]) -> PromptLibrary:
    user, builtin = folders
    (builtin / "plain.jinja").write_text("Hello {{ name }}.\n")
    (builtin / "edit_prediction").mkdir()
    (builtin / "edit_prediction" / "teacher.jinja").write_text("Teach.")
    return PromptLibrary(user, builtin)


def test_the_library_is_what_plugins_are_given() -> None:
    prompts: Prompts = PromptLibrary()
    assert prompts.render_text("{{ a }}", a=1) == "1"


def test_a_template_is_filled(library: PromptLibrary) -> None:
    assert library.render("plain", name="Ada") == "Hello Ada."
    assert library.render("edit_prediction/teacher") == "Teach."


def test_the_users_own_template_comes_first_and_is_read_again_when_it_changes(
    library: PromptLibrary, folders: tuple[Path, Path]
) -> None:
    own = library.override("plain")
    assert own == folders[0] / "plain.jinja"
    assert own.read_text() == "Hello {{ name }}.\n"
    assert library.is_overridden("plain")
    own.write_text("Dear {{ name }}, from me")
    assert library.render("plain", name="Ada") == "Dear Ada, from me"
    assert library.override("plain").read_text() == "Dear {{ name }}, from me"
    own.unlink()
    assert library.render("plain", name="Ada") == "Hello Ada."
    assert not library.is_overridden("plain")


def test_by_default_the_users_templates_stand_in_the_config_folder(own_home: Path) -> None:
    own = PromptLibrary().override("replace")
    assert own == own_home / "config" / "redraft" / "prompts" / "replace.jinja"


def test_names_lists_each_template_once(library: PromptLibrary, folders: tuple[Path, Path]) -> None:
    library.override("plain")
    (folders[0] / "mine.jinja").touch()
    (folders[0] / "notes.txt").touch()
    assert library.names() == ("edit_prediction/teacher", "mine", "plain")


def test_a_template_written_for_the_peers_placeholders_runs_as_it_is(library: PromptLibrary) -> None:
    filled = library.render_text(
        PEERS,
        filepath="/a.py",
        document_prefix="P\n",
        document="D",
        document_suffix="S",
        command="do",
        language_id="python",
        file_context="",
    )
    assert filled == "<f>/a.py</f>\n<p>P\n</p><d>D</d><s>S</s>\ndo"


def test_variables_have_two_names() -> None:
    assert both_cases({"file_context": 1, "command": 2}) == {"fileContext": 1, "file_context": 1, "command": 2}
    assert both_cases({"file_context": 1, "fileContext": 2})["fileContext"] == 2


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text())
def test_values_are_never_templates_and_stay_as_they_are(library: PromptLibrary, value: str) -> None:
    assert (
        library.render_text("[{{ a }}|{{ b }}]", a=value, b="{{ a }}{% if a %}") == f"[{value}|{{{{ a }}}}{{% if a %}}]"
    )


def test_a_block_tag_takes_its_line_with_it(library: PromptLibrary) -> None:
    template = "a\n  {% if yes %}\nb\n  {% endif %}\nc\n"
    assert library.render_text(template, yes=True) == "a\nb\nc"
    assert library.render_text(template, yes=False) == "a\nc"


def test_code_in_a_value_is_not_escaped(library: PromptLibrary) -> None:
    assert library.render_text("{{ a }}", a="<a & 'b' \r\n>") == "<a & 'b' \r\n>"


def test_templates_may_include_others(library: PromptLibrary, folders: tuple[Path, Path]) -> None:
    (folders[0] / "outer.jinja").write_text("1 {% include 'plain.jinja' %} 2")
    assert library.render("outer", name="x") == "1 Hello x. 2"


@pytest.mark.parametrize(
    ("template", "line", "words"),
    [
        ("a\n{{ missing }}", 2, "'missing' is undefined"),
        ("a\nb\n{% if x %}", 3, "Unexpected end of template"),
        ("{{ x", 1, "unexpected end of template"),
        ("\n{{ 1 / 0 }}", 2, "ZeroDivisionError"),
        ("\n{{ 'a'.nope() }}", 2, "has no attribute 'nope'"),
        ("{% include 'gone.jinja' %}", 1, "it includes gone.jinja, which is not there"),
        ("a\n{{ x | unheard_of }}", 2, "No filter named 'unheard_of'"),
    ],
)
def test_a_fault_is_named_with_file_and_line(
    library: PromptLibrary, folders: tuple[Path, Path], template: str, line: int, words: str
) -> None:
    path = folders[0] / "mine.jinja"
    path.write_text(template)
    with pytest.raises(PromptError) as caught:
        library.render("mine", x="y")
    assert str(caught.value).startswith(f"{path}, line {line}: ")
    assert words in str(caught.value)
    with pytest.raises(PromptError, match=f"The template, line {line}: "):
        library.render_text(template, x="y")


def test_a_file_that_is_not_utf8_is_told(library: PromptLibrary, folders: tuple[Path, Path]) -> None:
    (folders[0] / "mine.jinja").write_bytes(b"\xff")
    with pytest.raises(PromptError, match="not in UTF-8"):
        library.render("mine")


@pytest.mark.parametrize("name", ["none", "../secret", "/etc/passwd", "a.b", ""])
def test_a_template_that_is_not_there_is_told(library: PromptLibrary, tmp_path: Path, name: str) -> None:
    (tmp_path / "secret.jinja").write_text("secret")
    with pytest.raises(PromptError, match="There is no prompt template called"):
        library.render(name)


class Value:
    def __init__(self) -> None:
        self._hidden = "hidden"


@pytest.mark.parametrize(
    "template",
    [
        "{{ ''.__class__ }}",
        "{{ ''.__class__.__mro__[1].__subclasses__() }}",
        "{{ ''['__class__'] }}",
        "{{ '' | attr('__class__') }}",
        "{{ '{0.__class__}'.format(x) }}",
        "{{ '%s' | format(x.__class__) }}",
        "{{ value._hidden }}",
        "{{ lipsum.__globals__ }}",
        "{{ cycler.__init__.__globals__ }}",
        "{{ self.__init__.__globals__ }}",
        "{{ range(10000000) | list | length }}",
        "{{ 'x' * 1000000000 }}",
        "{{ 9 ** 9 ** 9 }}",
        "{% include '../secret.jinja' %}",
        "{% include '/etc/passwd' %}",
        "{% set _ = files.append(1) %}",
        "{% import 'os' as os %}",
    ],
)
def test_no_template_leads_out_of_the_sandbox(library: PromptLibrary, tmp_path: Path, template: str) -> None:
    (tmp_path / "secret.jinja").write_text("secret")
    files: list[int] = []
    with pytest.raises(PromptError):
        library.render_text(template, x="", value=Value(), files=files)
    assert files == []


@pytest.mark.parametrize(
    ("text", "expected"), [("", "```"), ("a `b`", "```"), ("```\nx\n```", "````"), ("`" * 9, "`" * 10)]
)
def test_a_fence_is_longer_than_any_inside(library: PromptLibrary, text: str, expected: str) -> None:
    assert fence(text) == expected
    assert library.render_text("{{ text | fence }}", text=text) == expected


def test_every_built_in_template_can_be_read() -> None:
    library = PromptLibrary()
    assert "replace" in library.names()
    for name in library.names():
        library._environment.get_template(name + ".jinja")
