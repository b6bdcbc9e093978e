from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import DATA
from redraft.core.answer.events import AnswerEvent, Code, Commentary, ParsedAnswer, Reasoning, Restart
from redraft.core.answer.parser import AnswerParser
from redraft.core.answer.scanner import Scanner
from redraft.core.answer.tags import TagPair

ANSWERS: list[dict[str, Any]] = [
    answer
    for path in sorted((DATA / "answers").glob("*.json"))
    for answer in json.loads(path.read_text(encoding="utf-8"))
]
NAMES = [answer["name"] for answer in ANSWERS]


def parse(chunks: list[str], answer: dict[str, Any]) -> tuple[list[AnswerEvent], ParsedAnswer]:
    options: dict[str, Any] = dict(answer.get("options", {}))
    parser = AnswerParser(options.pop("tag", "GENERATEDCODE"), **options)
    events = [event for chunk in chunks for event in parser.feed(chunk)]
    last, parsed = parser.close(not answer.get("cut_off", False))
    return events + last, parsed


def shown_code(events: list[AnswerEvent]) -> str:
    code = ""
    for event in events:
        match event:
            case Code(text):
                code += text
            case Restart():
                code = ""
            case _:
                pass
    return code


def test_there_are_answers_enough() -> None:
    assert len(ANSWERS) >= 40
    assert len(set(NAMES)) == len(NAMES)


@pytest.mark.parametrize("answer", ANSWERS, ids=NAMES)
def test_recorded_answers_are_understood(answer: dict[str, Any]) -> None:
    events, parsed = parse([answer["text"]], answer)
    assert parsed.code == answer["code"]
    assert parsed.commentary == answer["commentary"]
    assert parsed.reasoning == answer["reasoning"]
    assert parsed.container == answer["container"]
    assert parsed.is_complete == answer["is_complete"]
    assert parsed.ended_in_reasoning == answer.get("ended_in_reasoning", False)
    assert shown_code(events) == (parsed.code or "").lstrip("\n ") or shown_code(events) == parsed.code


@pytest.mark.parametrize("answer", ANSWERS, ids=NAMES)
def test_every_split_gives_the_same(answer: dict[str, Any]) -> None:
    text = answer["text"]
    events, whole = parse([text], answer)
    for at in range(len(text) + 1):
        split_events, split = parse([text[:at], text[at:]], answer)
        assert split == whole
        assert shown_code(split_events) == shown_code(events)
    _, single = parse(list(text), answer)
    assert single == whole


TAGS = ["<GENERATEDCODE>", "</GENERATEDCODE>", "<think>", "</think>"]
pieces = st.lists(st.sampled_from([*TAGS, "```", "```py\n", "~~~\n", "\n", "a", " ", "\r\n", "<", "/"]), max_size=14)
options = st.fixed_dictionaries({"prefilled": st.booleans(), "keep_fences": st.booleans()})


@given(pieces, st.data(), options)
def test_no_answer_depends_on_its_chunks(parts: list[str], data: st.DataObject, options: dict[str, bool]) -> None:
    text, answer = "".join(parts), {"options": options}
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=5)))
    chunks = [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    events, parsed = parse(chunks, answer)
    assert parsed == parse([text], answer)[1]
    assert shown_code(events) in {parsed.code or "", ""}


@given(pieces)
def test_tokens_join_to_the_answer(parts: list[str]) -> None:
    scanner = Scanner("GENERATEDCODE")
    tokens = [token for part in parts for token in scanner.feed(part)] + scanner.close()
    assert "".join(token.raw for token in tokens) == "".join(parts)


def test_code_is_shown_while_it_arrives() -> None:
    parser = AnswerParser()
    assert parser.feed("Sure!\n<GENER") == [Commentary("Sure!\n")]
    assert parser.feed("ATEDCODE>\na = ") == [Code("a = ")]
    assert parser.feed("1\n</GEN") == [Code("1\n")]
    assert parser.feed("ERATEDCODE>\nDone") == []
    assert parser.close(complete=True)[0] == [Commentary("\nDone")]


def test_thoughts_are_told_apart() -> None:
    parser = AnswerParser()
    assert parser.feed("<think>hm") == [Reasoning("hm")]
    assert parser.feed("</think><GENERATEDCODE>x") == [Code("x")]


def test_what_was_no_code_is_taken_back() -> None:
    parser = AnswerParser()
    assert parser.feed("```\nold\n") == [Code("old\n")]
    assert parser.feed("```\n<GENERATEDCODE>\nnew") == [Restart(), Code("new")]


def test_a_fresh_tag_is_not_in_the_text() -> None:
    assert TagPair.named("GENERATEDCODE").fresh("plain text").name == "GENERATEDCODE"
    text = "x = '<generatedcode>'"
    tag = TagPair.named("GENERATEDCODE").fresh(text).name
    assert tag.startswith("GENERATEDCODE-")
    assert tag.lower() not in text
    answer = f"<{tag}>\n{text}\n</{tag}>"
    parser = AnswerParser(tag)
    parser.feed(answer)
    assert parser.close(complete=True)[1].code == text + "\n"


def seconds(size: int) -> float:
    text = ("<GENERATEDCODE>\n" + "    total = add(first, second)  # <b>\n" * (size // 37))[:size]
    parser = AnswerParser()
    started = time.process_time()
    for char in text:
        parser.feed(char)
    parser.close(complete=False)
    return time.process_time() - started


def test_the_cost_is_linear() -> None:
    ratios = []
    for _ in range(3):  # the machine may be busy: one good run shows it
        ratios.append(seconds(2_000_000) / seconds(1_000_000))
        if ratios[-1] <= 2.3:
            return
    raise AssertionError(f"twice the text costs {min(ratios):.1f} times as much")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("<GENERATEDCODE>\n<GENERATEDCODE>\nx\n</GENERATEDCODE>\n</GENERATEDCODE>\n", "x\n"),
        ("<GENERATEDCODE>\nx\n</GENERATEDCODE></GENERATEDCODE>", "x\n"),
        ("<GENERATEDCODE>\nx\n</GENERATEDCODE>\n\n</GENERATEDCODE>\nDone.", "x\n"),
    ],
)
def test_a_closing_tag_said_twice_closes_once(text: str, code: str) -> None:
    for chunks in ([text], list(text)):
        parser = AnswerParser()
        for chunk in chunks:
            parser.feed(chunk)
        _, parsed = parser.close(complete=True)
        assert (parsed.code, parsed.is_complete) == (code, True)


def test_half_a_closing_tag_is_never_code() -> None:
    parser = AnswerParser()
    parser.feed("<GENERATEDCODE>\nx\n</GENERA")
    _, parsed = parser.close(complete=True)
    assert (parsed.code, parsed.is_complete) == ("x\n", False)


GLOB = 'for file in "$1"/*; do\n    echo "$file"\ndone\n'


@pytest.mark.parametrize(
    ("text", "prefilled", "words"),
    [
        (f"Here:\n```sh\n{GLOB}```\n", False, "Here:"),
        (f"Here:\n```sh\n{GLOB}```\nIt walks the folder.", False, "Here:\nIt walks the folder."),
        (f"<GENERATEDCODE>\n```sh\n{GLOB}```\n</GENERATEDCODE>\n", False, ""),
        (f"```sh\n{GLOB}```\n", True, ""),
    ],
)
def test_a_path_with_a_star_opens_no_comment_that_hides_the_closing_fence(
    text: str, words: str, *, prefilled: bool
) -> None:
    for chunks in ([text], list(text)):
        parser = AnswerParser(prefilled=prefilled)
        events = [event for chunk in chunks for event in parser.feed(chunk)]
        last, parsed = parser.close(complete=True)
        assert (parsed.code, parsed.commentary, parsed.is_complete) == (GLOB, words, True)
        assert shown_code([*events, *last]) == GLOB


def test_a_fence_in_an_open_comment_of_an_answer_that_was_cut_off_is_code() -> None:
    parser = AnswerParser()
    parser.feed("```c\n/* Use it so:\n```\nf();\n```\n")
    _, parsed = parser.close(complete=False)
    assert (parsed.code, parsed.is_complete) == ("/* Use it so:\n```\nf();\n```\n", False)
