"""What the measurements ask a model: edits of the sample project, and a question that repeats nothing."""

from __future__ import annotations

from typing import Final

from redraft.core.assets import resource
from redraft.core.llm.messages import ChatMessage, ChatRequest, Role
from redraft.core.samples import NAME

FILES: Final = ("predict", "harmonics", "readings")
TAG: Final = "GENERATEDCODE"
ANSWER_TOKENS: Final = 160

KEEP: Final = "Add a docstring line to Reading that says where readings come from."
CHANGE: Final = "Translate this to JavaScript."
SECOND: Final = "Make mean_level return zero where there are no readings."
FREE: Final = "Explain in three paragraphs how the moon and the sun make the tides."

_SYSTEM: Final = (
    "You are an expert programmer inside a text editor. You get a file and an instruction. Answer with the new text of "
    f"the file, between <{TAG}> and </{TAG}>, and nothing else. Keep everything the instruction does not ask to change."
)


def edit_start(salt: str) -> ChatRequest:
    """How an edit begins before its instruction is known; another salt makes it a text that was never read."""
    folder = resource("samples") / NAME / "src" / NAME
    *others, last = [(folder / f"{name}.py").read_text("utf-8") for name in FILES]
    # The salt stands first of all, so that nothing behind it can come from the prompt cache.
    system = ChatMessage(Role.SYSTEM, f"Session {salt}.\n{_SYSTEM}")
    user = f"Other files:\n{''.join(others)}\nThe file:\n{last}\nInstruction: "
    return ChatRequest((system, ChatMessage(Role.USER, user)))


def edit(salt: str, command: str, *, max_tokens: int = ANSWER_TOKENS) -> ChatRequest:
    """An edit of the sample project."""
    system, user = edit_start(salt).messages
    return ChatRequest(
        (system, ChatMessage(Role.USER, user.content + command)),
        max_tokens=max_tokens,
        temperature=0.0,
        stop=(f"</{TAG}>",),
        prefill=f"<{TAG}>\n",
    )


def question(*, max_tokens: int = ANSWER_TOKENS) -> ChatRequest:
    """Free text."""
    return ChatRequest((ChatMessage(Role.USER, FREE),), max_tokens=max_tokens, temperature=0.0)
