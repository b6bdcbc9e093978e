"""Fills prompt templates: Jinja files, the user's own before the built-in ones.

A template is filled in one pass: values are text, never templates, whatever they hold. It runs in a sandbox without
functions of Python's, every variable it names must be given, and a block tag takes its whole line with it. Variables
are given in snake_case and may be named in camelCase too, so `{{documentPrefix}}` is `{{ document_prefix }}`.
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from jinja2 import ChoiceLoader, FileSystemLoader, StrictUndefined, Template, TemplateNotFound, TemplateSyntaxError
from jinja2.exceptions import SecurityError, UndefinedError
from jinja2.sandbox import ImmutableSandboxedEnvironment, safe_range

from redraft.core.assets import assets_folder
from redraft.core.errors import FileError, PromptError
from redraft.core.paths import config_folder, private_folder
from redraft.core.whole_write import write_whole

SUFFIX: Final = ".jinja"
NAME: Final = re.compile(r"[a-z0-9_]+(?:/[a-z0-9_]+)*")
IN_TEXT: Final = "<template>"


class PromptLibrary:
    """All prompt templates, by name: `"replace"` is `replace.jinja`."""

    def __init__(self, user_folder: Path | None = None, builtin_folder: Path | None = None) -> None:
        self._user = user_folder or config_folder() / "prompts"
        self._builtin = builtin_folder or assets_folder("prompts")
        loader = ChoiceLoader([FileSystemLoader(self._user), FileSystemLoader(self._builtin)])
        self._environment = _Sandbox(loader=loader)

    def render(self, name: str, /, **values: object) -> str:
        """Fill a template.

        Raises:
            PromptError: It is missing, broken, or lacks a variable; names file and line.
        """
        path = self.path(name)
        try:
            return self._environment.get_template(name + SUFFIX).render(both_cases(values))
        except Exception as error:  # a template can raise whatever the values it calls upon raise
            raise _explain(error, str(path)) from error

    def render_text(self, template: str, /, **values: object) -> str:
        """Fill a template given as text, as from a preset in settings.

        Raises:
            PromptError: It is broken, or lacks a variable; names the line.
        """
        try:
            return self._compile(template).render(both_cases(values))
        except Exception as error:  # as in `render`
            raise _explain(error, "The template") from error

    def names(self) -> tuple[str, ...]:
        """The names of all templates there are, in order."""
        found = (
            path.relative_to(folder).with_suffix("").as_posix()
            for folder in (self._user, self._builtin)
            for path in folder.rglob("*" + SUFFIX)
        )
        return tuple(sorted({name for name in found if NAME.fullmatch(name)}))

    def path(self, name: str) -> Path:
        """The file a template is read from.

        Raises:
            PromptError: There is none.
        """
        for folder in (self._user, self._builtin):
            path = folder / (name + SUFFIX)
            if NAME.fullmatch(name) and path.is_file():
                return path
        raise PromptError(f"There is no prompt template called {name}. Look for a wrong letter in its name.")

    def is_overridden(self, name: str) -> bool:
        """Whether the user's own file stands in for a built-in one."""
        return (self._user / (name + SUFFIX)).is_file() and (self._builtin / (name + SUFFIX)).is_file()

    def override(self, name: str) -> Path:
        """Make the user's own copy of a template, if there is none, and return its path.

        Raises:
            PromptError: There is no such template, or the copy cannot be written.
        """
        source, own = self.path(name), self._user / (name + SUFFIX)
        if source != own:
            try:
                private_folder(own.parent)
                write_whole(own, source.read_bytes(), mode=0o600)
            except (FileError, OSError) as error:
                raise PromptError(f"Your own copy of the prompt {name} cannot be made. {error}") from error
        return own

    def restore(self, name: str) -> None:
        """Put the user's own copy of a built-in template aside (as `.bak`), so that the built-in one holds again.

        Raises:
            PromptError: It cannot be moved.
        """
        own = self._user / (name + SUFFIX)
        if self.is_overridden(name):
            try:
                own.replace(own.with_name(own.name + ".bak"))
            except OSError as error:
                raise PromptError(f"Your own copy of the prompt {name} cannot be moved: {error.strerror}.") from error

    def _compile(self, template: str) -> Template:
        return self._environment.from_string(template)


def both_cases(values: Mapping[str, object]) -> dict[str, object]:
    """The values under their own names and under the same names in camelCase; names given win."""
    return {_camel(name): value for name, value in values.items()} | dict(values)


def fence(text: str) -> str:
    """A Markdown fence that is longer than any run of backticks in the text."""
    return "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))


class _Sandbox(ImmutableSandboxedEnvironment):
    """Jinja with no way out: no attribute that leads to code, no function but `range`, no large numbers' powers."""

    intercepted_binops = frozenset({"**", "*"})

    def __init__(self, loader: ChoiceLoader) -> None:
        # A prompt is plain text for a model, not a page: escaping would corrupt the code in it.
        super().__init__(loader=loader, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
        self.globals = {"range": safe_range}
        self.filters["fence"] = fence

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """Multiply numbers; a repeated text could fill the memory."""
        if operator == "**" or not all(isinstance(value, int | float) for value in (left, right)):
            raise SecurityError(f"{operator} is only for numbers" if operator == "*" else "powers are not for prompts")
        return super().call_binop(context, operator, left, right)


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part[:1].upper() + part[1:] for part in rest)


def _explain(error: Exception, file: str) -> PromptError:
    line = error.lineno if isinstance(error, TemplateSyntaxError) else _line_of(error)
    place = f"{file}, line {line}" if line else file
    match error:
        case TemplateNotFound():
            reason = f"it includes {error.name}, which is not there"
        case UndefinedError() | TemplateSyntaxError() | SecurityError():
            reason = error.message or "it is broken"
        case UnicodeDecodeError():
            reason = "it is not in UTF-8"
        case _:
            reason = f"{type(error).__name__}: {error}"
    return PromptError(f"{place}: {reason}. Mend the template, or remove it to use the built-in one.")


def _line_of(error: Exception) -> int | None:
    """The line of the innermost template; Jinja writes template lines into the traceback."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == IN_TEXT or frame.filename.endswith(SUFFIX)]
    return lines[-1] if lines else None
