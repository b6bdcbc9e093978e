"""The sections of the settings, as values: what they are called, and which of the declared settings stand there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from redraft.core.config.schema import Setting, SettingsSchema


@dataclass(frozen=True, slots=True)
class Section:
    """One page.

    Attributes:
        sentence: What stands under its heading.
        tables: The sections of the declared table whose settings stand here.
        group: Sections of one group stand together in the list.
    """

    id: str
    title: str
    icon: str
    sentence: str
    tables: tuple[str, ...] = ()
    group: int = 0


SECTIONS: Final = (
    Section("general", "General", "settings_general", "How files are opened, written and listed.", ("files",)),
    Section("editor", "Editor", "settings_editor", "How text is indented and drawn.", ("editor",)),
    Section("appearance", "Appearance", "settings_appearance", "The look of the window.", ("appearance",)),
    Section("keys", "Keys", "settings_keys", "What each key does. Choose a command and press the key it should have."),
    Section(
        "inline_edit",
        "Inline edit",
        "edit",
        "What is sent with an instruction, and what becomes of the answer.",
        ("inline_edit",),
        1,
    ),
    Section(
        "edit_prediction",
        "Edit prediction",
        "prediction",
        "Whether and how the next edit is predicted.",
        ("edit_prediction",),
        1,
    ),
    Section(
        "models",
        "Models",
        "model_local",
        "Who answers inline edits and predictions. The first one that works is used unless a command names another.",
        ("local_model",),
        1,
    ),
    Section(
        "prompts",
        "Prompts and presets",
        "settings_presets",
        "Named instructions such as /doc, and the words that models are asked with.",
        (),
        1,
    ),
    Section("plugins", "Plugins", "settings_plugins", "What is built on top of the editor.", (), 2),
    Section("network", "Network", "settings_network", "How servers are reached.", ("network",), 2),
    Section(
        "privacy",
        "Privacy and safety",
        "settings_privacy",
        "What may leave this computer, and which folders you trust.",
        ("privacy",),
        2,
    ),
    Section("about", "About", "info", "Which version this is, and where your files are.", (), 2),
)

PAGE_OF_SETTING: Final = {
    "default_models.inline_edit": "inline_edit",
    "default_models.edit_prediction": "edit_prediction",
}
"""Settings that stand on another page than their table's."""

OTHER_NAMES: Final = {"": "general", "presets": "prompts", "keybindings": "keys", "files": "general"}


def section(name: str) -> Section:
    """The section of an id, or of another name that is used for it; the first one for a name that is none."""
    wanted = OTHER_NAMES.get(name, name)
    return next((entry for entry in SECTIONS if entry.id == wanted), SECTIONS[0])


def settings_of(page: Section, schema: SettingsSchema) -> list[Setting]:
    """The settings on a page, in the order declared; those with pages of their own are not among them."""
    return [setting for setting in _plain(schema) if page_of(setting) == page.id]


def page_of(setting: Setting) -> str:
    """The id of the page a setting stands on: a plugin's own where it has one, else that of all plugins."""
    if setting.name in PAGE_OF_SETTING:
        return PAGE_OF_SETTING[setting.name]
    return next((entry.id for entry in SECTIONS if setting.section in entry.tables), "plugins")


def title_of(setting: Setting) -> str:
    """What a setting is called on its page: `"editor.tab_width"` is "Tab width"."""
    if setting.name in PAGE_OF_SETTING:
        return "Model"
    words = " ".join(SPELLINGS.get(word, word) for word in setting.name.rpartition(".")[2].split("_"))
    return words[:1].upper() + words[1:]


SPELLINGS: Final = {
    "ui": "UI",
    "ai": "AI",
    "ca": "CA",
    "gpu": "GPU",
    "url": "URL",
    "openai": "OpenAI",
    "chars": "characters",
}


def is_plain(setting: Setting) -> bool:
    """Whether a row with one field can show it."""
    return setting.type != "tables" and setting.name != "plugins.disabled"


def _plain(schema: SettingsSchema) -> Iterable[Setting]:
    return (setting for setting in schema.settings.values() if is_plain(setting))
