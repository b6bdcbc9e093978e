"""From what a model streams to the code in it, tolerant of all the ways models miss the form.

    outside ──<TAG>──> code ──</TAG>──> closed         the form that was asked for
    outside ──```──> fenced ──```──> fence closed      a Markdown block instead; a tag that comes later wins
    outside, code (before any text) ──<think>──> thinking ──</think>──> back

Rules where an answer is ambiguous:
    - Text before the tag and after the end is commentary; in `<think>` (also when only its end is seen) reasoning.
    - After a closing tag everything is held: if another closing tag ends a line later on, with more than white space
      between, the first was part of the code. A further opening tag at a line's beginning begins a second block, which
      is joined unless it is the same.
    - An opening tag inside a line, or a prefill, is weak: `</think>`, or an opening tag at a line's beginning,
      shows that it was only mentioned.
    - A fence right inside the tag wraps the code and goes, with its end; fences further inside are code. Where the
      text itself may be one fenced block (Markdown), only a wrapper that says `markdown` goes.
    - A fence with words opens an inner block inside a fenced one; a bare one as long closes the innermost.

Events are what can be shown at once. `Restart` takes back all code shown so far; `ParsedAnswer` is the truth.
"""

from __future__ import annotations

from enum import Enum, auto
from itertools import islice
from typing import Final

from redraft.core.answer.events import AnswerEvent, Code, Commentary, Container, ParsedAnswer, Reasoning, Restart
from redraft.core.answer.scanner import Kind, Scanner, Token
from redraft.core.answer.tags import TagPair

TAG: Final = "GENERATEDCODE"
MARKDOWN_INFO: Final = frozenset({"markdown", "md"})


class _State(Enum):
    OUTSIDE = auto()
    THINKING = auto()
    CODE = auto()
    CLOSED = auto()
    SECOND = auto()
    FENCED = auto()
    FENCE_CLOSED = auto()


class AnswerParser:
    """Takes the answer in chunks; the result does not depend on where they were cut.

    Args:
        tag: The tag the model was asked to use, by its name or as a pair of marks.
        prefilled: Whether the opening tag was put into the model's mouth. An answer that repeats it is understood.
        stops_at_close: Whether the server ends the answer at the closing tag, so that none is to come.
        keep_fences: Whether the text is Markdown, where a fenced block may be all of the code.
        allow_bare: Whether an answer without any container is code.
    """

    def __init__(
        self,
        tag: str | TagPair = TAG,
        *,
        prefilled: bool = False,
        stops_at_close: bool | None = None,
        keep_fences: bool = False,
        allow_bare: bool = False,
    ) -> None:
        pair = TagPair.named(tag) if isinstance(tag, str) else tag
        self._scanner = Scanner(pair)
        self._close_tag = pair.close.lower()
        self._stops_at_close = prefilled if stops_at_close is None else stops_at_close
        self._keep_fences = keep_fences
        self._allow_bare = allow_bare
        self._state = _State.CODE if prefilled else _State.OUTSIDE
        self._container = Container.TAG if prefilled else Container.NONE
        self._is_firm = not prefilled
        self._return_to = self._state
        self._code: list[str] = []
        self._words: list[str] = []
        self._thoughts: list[str] = []
        self._lead = ""
        self._has_code = False
        self._held: list[str] = []
        self._fence = ""
        self._fence_depth = 0
        self._is_wrapped = False
        self._wrapper_closed = False
        self._doubtful = -1
        self._events: list[AnswerEvent] = []
        self._handlers = {
            _State.OUTSIDE: self._outside,
            _State.THINKING: self._thinking,
            _State.CODE: self._in_code,
            _State.CLOSED: self._closed,
            _State.SECOND: self._second,
            _State.FENCED: self._fenced,
            _State.FENCE_CLOSED: self._fence_closed,
        }

    def feed(self, text: str) -> list[AnswerEvent]:
        """Take a chunk; tell what it added."""
        return self._take(self._scanner.feed(text))

    def close(self, complete: bool) -> tuple[list[AnswerEvent], ParsedAnswer]:  # noqa: FBT001 - the one thing to tell
        """End the answer; `complete` if the model ended by itself. Tells what was still held back, and the whole."""
        tokens = self._scanner.close()
        if self._state in {_State.CODE, _State.SECOND}:
            tokens = self._without_cut_close(tokens)
        events = self._take(tokens)
        ended_in_reasoning = self._state is _State.THINKING
        is_closed = self._finish(complete=complete)
        events += self._flushed()
        code = "".join(self._code) if self._container is not Container.NONE else None
        answer = ParsedAnswer(
            code,
            "".join(self._words).strip(),
            "".join(self._thoughts).strip(),
            complete and is_closed and not ended_in_reasoning,
            self._container,
            ended_in_reasoning,
        )
        return events, answer

    def _take(self, tokens: list[Token]) -> list[AnswerEvent]:
        for token in tokens:
            self._handlers[self._state](token)
        return self._flushed()

    def _flushed(self) -> list[AnswerEvent]:
        events, self._events = self._events, []
        return events

    def _without_cut_close(self, tokens: list[Token]) -> list[Token]:
        """An answer cut inside its closing tag does not end in `</GENER`; a lone `<` may be code."""
        last = tokens[-1].raw if tokens and tokens[-1].kind is Kind.TEXT else ""
        is_cut = len(last) > 2 and self._close_tag.startswith(last.lower())
        return tokens[:-1] if is_cut else tokens

    # What each state does with a token

    def _outside(self, token: Token) -> None:
        if token.kind is Kind.OPEN:
            self._begin(Container.TAG, is_firm=token.begins_line)
        elif token.kind is Kind.THINK:
            self._return_to, self._state = self._state, _State.THINKING
        elif token.kind is Kind.UNTHINK:
            self._rethink(self._words)
            self._words = []
        elif token.kind is Kind.FENCE:
            self._begin(Container.FENCE, is_firm=True)
            self._fence, self._fence_depth = token.ticks, 0
        else:
            self._say(token.raw)

    def _thinking(self, token: Token) -> None:
        if token.kind is Kind.UNTHINK:
            self._state = self._return_to
            return
        self._thoughts.append(token.raw)
        self._events.append(Reasoning(token.raw))

    def _in_code(self, token: Token) -> None:
        if token.kind is Kind.CLOSE:
            self._drop_lead_if_blank()
            self._end_at_doubtful_fence(only_last=True)
            self._state, self._held = _State.CLOSED, [token.raw]
        elif token.kind is Kind.OPEN and (not self._has_code or (token.begins_line and not self._is_firm)):
            self._restart_from_mention(token)
        elif token.kind is Kind.UNTHINK and not self._is_firm:
            self._rethink([*self._words, self._lead, *self._code])
            self._words = []
            self._forget_code()
            self._state, self._container = _State.OUTSIDE, Container.NONE
        elif token.kind is Kind.THINK and not self._has_code:
            self._return_to, self._state = self._state, _State.THINKING
        elif token.kind is Kind.FENCE:
            self._fence_in_code(token)
        else:
            self._write(token.raw)

    def _restart_from_mention(self, token: Token) -> None:
        if self._has_code:
            self._words += [self._lead, *self._code]
            self._forget_code()
        self._lead = ""
        self._is_firm = self._is_firm or token.begins_line

    def _fence_in_code(self, token: Token) -> None:
        if not self._has_code and not self._is_wrapped:
            if not self._keep_fences or token.info.lower() in MARKDOWN_INFO:
                self._is_wrapped, self._fence, self._fence_depth, self._lead = True, token.ticks, 0, ""
            else:
                self._write(token.raw)
        elif self._is_wrapped and self._closes_fence(token):
            self._wrapper_closed, self._held = True, [*self._held, token.raw]
            self._state = _State.CLOSED
        else:
            self._write(token.raw)

    def _closes_fence(self, token: Token) -> bool:
        """Whether a fence closes the outermost block; inner blocks are counted, docstrings and comments hold none."""
        if not token.ticks.startswith(self._fence):
            return False
        if token.info:
            self._fence_depth += 1
            return False
        if self._is_inside_comment():
            self._doubtful = len(self._code[0])
            return False
        if self._fence_depth:
            self._fence_depth -= 1
            return False
        return True

    def _end_at_doubtful_fence(self, *, only_last: bool) -> bool:
        """End at the last fence that seemed to stand in a comment, for no other came; what is behind it is words.

        `/*` is a comment in some languages, and a path in others. With `only_last`, nothing may stand behind it.
        """
        code = "".join(self._code)
        rest = code[self._doubtful :].partition("\n")[2]
        if self._doubtful < 0 or (only_last and (not self._is_wrapped or rest.strip())):
            return False
        self._code, self._doubtful = [code[: self._doubtful]], -1
        self._events += [Restart(), Code(self._code[0])]
        self._say(rest)
        return True

    def _is_inside_comment(self) -> bool:
        self._code = ["".join(self._code)]
        code = self._code[0]
        return bool(code.count('"""') % 2 or code.count("'''") % 2 or code.count("/*") > code.count("*/"))

    def _closed(self, token: Token) -> None:
        if self._wrapper_closed:
            self._after_wrapper(token)
        elif token.kind is Kind.CLOSE and all(map(str.isspace, islice(self._held, 1, None))):
            pass  # Said twice, it still closes once.
        elif token.kind is Kind.CLOSE and token.ends_line and self._has_code:
            self._write("".join(self._held))
            self._held = [token.raw]
        elif token.kind is Kind.OPEN and token.begins_line:
            self._say("".join(self._held[1:]))
            self._held = []
            if self._has_code:
                self._state = _State.SECOND
            else:
                self._forget_code()
                self._begin(Container.TAG, is_firm=True)
        else:
            self._held.append(token.raw)

    def _after_wrapper(self, token: Token) -> None:
        """Behind the fence that wrapped the code: a further bare fence shows that it was an inner one."""
        if token.kind is Kind.CLOSE:
            self._wrapper_closed = False
            self._say("".join(self._held[1:]))
            self._held = [token.raw]
        elif token.kind is Kind.FENCE and not token.info and token.ticks.startswith(self._fence):
            self._write("".join(self._held))
            self._held = [token.raw]
        else:
            self._held.append(token.raw)

    def _second(self, token: Token) -> None:
        if token.kind is Kind.CLOSE:
            self._join_second()
            self._state, self._held = _State.CLOSED, [token.raw]
        else:
            self._held.append(token.raw)

    def _join_second(self) -> None:
        first, second = "".join(self._code), "".join(self._held)
        self._held = []
        if second.strip() and second.strip() != first.strip():
            self._write(second if first.endswith("\n") else "\n" + second)

    def _fenced(self, token: Token) -> None:
        if token.kind is Kind.OPEN and token.begins_line:
            self._take_fence_back()
        elif token.kind is Kind.FENCE and self._closes_fence(token):
            self._state = _State.FENCE_CLOSED
        else:
            self._write(token.raw)

    def _fence_closed(self, token: Token) -> None:
        if token.kind is Kind.OPEN and token.begins_line:
            self._take_fence_back()
        else:
            self._say(token.raw)

    def _take_fence_back(self) -> None:
        """The block before was an example; the tag is what was asked for."""
        self._words = [*self._code, *self._words]
        self._forget_code()
        self._begin(Container.TAG, is_firm=True)

    # Small steps

    def _begin(self, container: Container, *, is_firm: bool) -> None:
        self._container, self._is_firm = container, is_firm
        self._state = _State.CODE if container is Container.TAG else _State.FENCED

    def _write(self, text: str) -> None:
        """Add code; blank lines before the first text wait, since a wrapper may still follow."""
        if not self._has_code:
            self._lead += text
            if self._lead.isspace() or not self._lead:
                return
            text, self._lead, self._has_code = self._lead, "", True
        self._code.append(text)
        self._events.append(Code(text))

    def _drop_lead_if_blank(self) -> None:
        if not self._has_code and self._lead:
            self._code.append(self._lead)
            self._lead = ""

    def _forget_code(self) -> None:
        if self._has_code:
            self._events.append(Restart())
        self._code, self._lead, self._has_code, self._doubtful = [], "", False, -1
        self._is_wrapped = self._wrapper_closed = False

    def _say(self, text: str) -> None:
        if text:
            self._words.append(text)
            self._events.append(Commentary(text))

    def _rethink(self, parts: list[str]) -> None:
        thought = "".join(parts)
        self._thoughts.append(thought)
        if thought:
            self._events.append(Reasoning(thought))

    def _finish(self, *, complete: bool) -> bool:
        """Settle what is held; tell whether every container was closed."""
        state = self._state
        if state is _State.CODE and complete:
            self._end_at_doubtful_fence(only_last=True)
        if state is _State.FENCED and complete and self._end_at_doubtful_fence(only_last=False):
            return True
        if state is _State.SECOND:
            self._join_second()
        elif state is _State.CLOSED:
            self._say("".join(self._held[1:]))
        self._drop_lead_if_blank()
        if self._container is Container.NONE and self._allow_bare and "".join(self._words).strip():
            self._container = Container.BARE
            self._write("".join(self._words))
            self._words = []
        if self._container is Container.TAG and state is not _State.CLOSED:
            return self._stops_at_close
        if self._container is Container.TAG and self._wrapper_closed:
            return self._stops_at_close
        return state is not _State.FENCED
