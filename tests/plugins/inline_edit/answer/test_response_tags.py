from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from fakes import FakeContext
from inline_edit_window import BETTER, CODE, FUNCTION, make_context, wrapped
from redraft.core.answer.tags import TagPair
from redraft.core.errors import ConfigError
from redraft_inline_edit import commands
from redraft_inline_edit.answer.response_tags import COMMENT_KEY, DEFAULT_TAGS, DOCUMENT_KEY, ResponseTags, read_tags
from redraft_inline_edit.session.session import EditSession
from redraft_inline_edit.states import SessionState

Make = Callable[..., FakeContext]


@pytest.fixture
def make() -> Iterator[Make]:
    """Windows that are closed behind the test."""
    contexts: list[FakeContext] = []

    def made(*scripts: object) -> FakeContext:
        contexts.append(make_context(*scripts))
        return contexts[-1]

    yield made
    for context in contexts:
        context.close()


def opened(context: FakeContext) -> EditSession:
    editor = context.editor.all[0]
    editor.select_text(FUNCTION)
    commands.open_prompt(context)
    session = commands.manager_of(context).current
    assert session is not None
    return session


def run(context: FakeContext, session: EditSession, words: str = "check for empty") -> None:
    session.run(words)
    context.tasks.settle(lambda: not session.state.is_running)


def test_without_settings_the_usual_pair_is_used(make: Make) -> None:
    assert read_tags(make().settings) == DEFAULT_TAGS
    assert DEFAULT_TAGS.document == TagPair("<GENERATEDCODE>", "</GENERATEDCODE>")


@pytest.mark.parametrize(
    ("document", "comment", "words"),
    [
        (("<CODE>",), (), "two texts"),
        (("<CODE>", "</CODE>", "x"), (), "two texts"),
        (("<CODE>", "<code>"), (), "must differ"),
        (("<CODE>", "/"), (), "two characters"),
        (("<A>", "<\n/A>"), (), "no line end"),
        ((), ("<GENERATEDCODE>", "</WHY>"), "share a mark"),
    ],
)
def test_a_pair_that_cannot_be_used_is_named(
    make: Make, document: tuple[str, ...], comment: tuple[str, ...], words: str
) -> None:
    settings = make().settings
    settings.set(DOCUMENT_KEY, document)
    settings.set(COMMENT_KEY, comment)
    with pytest.raises(ConfigError, match=words) as caught:
        read_tags(settings)
    assert "inline_edit.response_" in str(caught.value)


def test_a_pair_of_ones_own_replaces_the_usual_one(make: Make) -> None:
    context = make(f"[[code]]\n{BETTER}[[/code]]")
    context.settings.set(DOCUMENT_KEY, ("[[code]]", "[[/code]]"))
    session = opened(context)
    run(context, session)
    session.accept_all()
    assert context.editor.all[0].text == CODE.replace(FUNCTION, BETTER)
    asked = "".join(message.content for message in context.models.client.requests[0].messages)  # type: ignore[union-attr]  # scripted
    assert "[[code]]" in asked
    assert "GENERATEDCODE" not in asked


def test_a_comment_is_shown_under_the_prompt_and_never_becomes_code(make: Make) -> None:
    body = BETTER.replace("    return", "<WHY>An empty list has no total.</WHY>\n    return")
    context = make(f"<WHY>Checks first.</WHY>\n{wrapped(body)}")
    context.settings.set(COMMENT_KEY, ("<WHY>", "</WHY>"))
    session = opened(context)
    run(context, session)
    assert session.state is SessionState.REVIEWING
    editor = context.editor.all[0]
    assert editor.prompt.model.answer == "Checks first.\nAn empty list has no total."
    session.accept_all()
    assert editor.text == CODE.replace(FUNCTION, BETTER)
    assert not context.models.client.requests[0].stop  # type: ignore[union-attr]  # scripted


def test_a_faulty_pair_is_told_once_and_the_usual_one_is_used(make: Make) -> None:
    context = make(wrapped(BETTER))
    context.settings.set(DOCUMENT_KEY, ("<CODE>",))
    session = opened(context)
    run(context, session)
    assert session.state is SessionState.REVIEWING
    assert sum(DOCUMENT_KEY in notice for notice in context.ui.notices) == 1


def test_marks_that_the_text_has_are_changed_but_not_those_a_template_spells_out() -> None:
    tags = ResponseTags(TagPair.named("CODE"), TagPair("[[", "]]"))
    fresh = tags.fresh("a CODE b [[c]]")
    assert fresh.document.open.startswith("<CODE-")
    assert fresh.document.close.startswith("</CODE-")
    assert fresh.comment == TagPair("[[", "]]")
    assert tags.fresh("a CODE b", "put it between <CODE> and </CODE>") == tags
