"""The prompt block in the text: a widget over blank rows, described by a `PromptModel`."""

from redraft.qt.editor.prompt_block.view import PromptBlockView, show_prompt

__all__ = ["PromptBlockView", "show_prompt"]
