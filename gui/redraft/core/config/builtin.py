"""The editor's own settings. Plugins add theirs from their manifests."""

from __future__ import annotations

from typing import Final

from redraft.core.config.model_settings import ModelSettings
from redraft.core.config.schema import Setting, SettingsSchema

NEVER_SENT: Final = (
    *(".env", ".env.*", "*.env", ".dev.vars", ".envrc", ".netrc", ".pgpass", ".npmrc", ".pypirc", ".git-credentials"),
    *("*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.keystore", "*.kdbx", "*.ppk", "*.gpg", "*.age"),
    *("id_*", "!id_*.pub", "credentials", "credentials.json", "secrets.*", "*.tfvars", "*.tfstate"),
    *(".ssh/", ".gnupg/", ".aws/", ".kube/config", ".docker/config.json"),
)

EDITOR: Final = (
    Setting("editor.detect_indentation", "bool", True, "Indent a file as its text is indented already."),
    Setting("editor.use_tabs", "bool", False, "Indent with tabs where nothing else says how."),
    Setting("editor.indent_width", "int", 4, "Columns of one step of indentation.", minimum=1, maximum=16),
    Setting("editor.tab_width", "int", 4, "Columns a tab is drawn as.", minimum=1, maximum=16),
    Setting("editor.word_wrap", "bool", False, "Break long lines at the edge of the view."),
    Setting("editor.line_numbers", "bool", True, "Number the lines in the margin."),
    Setting(
        "editor.show_blanks",
        "choice",
        "never",
        "When to draw blanks and tabs as small marks.",
        choices=("never", "in_indentation", "always"),
    ),
    Setting("editor.selection_hint", "bool", True, "Name the key for an edit beside a selection."),
    Setting("editor.ruler", "int", 0, "Column at which a thin line is drawn; 0 draws none.", minimum=0, maximum=1000),
)
APPEARANCE: Final = (
    Setting(
        "appearance.theme",
        "choice",
        "system",
        "The look of the window; system follows the desktop.",
        choices=("system", "dark", "light", "contrast"),
    ),
    Setting("appearance.glyphs", "bool", False, "Mark changed lines with + and − in every theme."),
    Setting("appearance.code_font", "str", "", "Font family of the code; empty takes JetBrains Mono."),
    Setting("appearance.code_size", "int", 13, "Size of the code in pixels at scale 1.", minimum=6, maximum=72),
    Setting("appearance.ui_font", "str", "", "Font family of everything else; empty takes Inter."),
    Setting(
        "appearance.zoom",
        "int",
        100,
        "Size of the whole window in percent, from the next start on.",
        minimum=50,
        maximum=300,
    ),
    Setting("appearance.reduced_motion", "bool", False, "Let moving parts stand still."),
)
FILES: Final = (
    Setting("files.max_size", "int", 64, "Megabytes of the largest file that is opened.", minimum=1, maximum=1024),
    Setting("files.line_end", "choice", "lf", "Line end of new files; others keep their own.", choices=("lf", "crlf")),
    Setting("files.final_newline", "bool", False, "End the last line with a line end on save."),
    Setting("files.trim_blanks", "bool", False, "Take blanks at line ends away on save."),
    Setting(
        "files.autosave",
        "choice",
        "never",
        "When unsaved files are written by themselves; proposals are never part of it.",
        choices=("never", "on_focus_change", "after_delay"),
    ),
    Setting("files.restore", "bool", True, "Open the files of last time again on start."),
    Setting(
        "files.exclude",
        "list",
        (),
        "Patterns, as in .gitignore, of what the file tree and Go to File leave out besides caches and the like.",
    ),
)
MODELS: Final = (
    Setting("models", "tables", (), "The models you have set up, one table each.", row=ModelSettings),
    Setting(
        "default_models.inline_edit",
        "str",
        "",
        "Name of the model for inline edits; empty takes the first that works.",
        section="models",
    ),
    Setting(
        "default_models.edit_prediction",
        "str",
        "",
        "Name of the model for edit prediction; while it is empty, predictions wait to be switched on.",
        section="models",
    ),
)
NETWORK: Final = (
    Setting("network.proxy", "str", "", 'Address of a proxy; empty takes the system\'s, "none" takes none.'),
    Setting("network.extra_ca_file", "str", "", "A PEM file of certificates to trust besides the system's."),
    Setting("network.connect_timeout", "float", 10, "Seconds to reach a server.", minimum=0.1, maximum=3600),
    Setting(
        "network.first_byte_timeout",
        "float",
        300,
        "Seconds a server may think before its first text.",
        minimum=0.1,
        maximum=86400,
    ),
    Setting(
        "network.idle_timeout",
        "float",
        60,
        "Seconds a server may fall silent in the middle of an answer.",
        minimum=0.1,
        maximum=86400,
    ),
)
PRIVACY: Final = (
    Setting("privacy.ai_enabled", "bool", True, "Whether any model is asked at all; one switch for everything."),
    Setting(
        "privacy.never_send",
        "list",
        NEVER_SENT,
        "Patterns, as in .gitignore, of files whose text is never sent to a model without asking.",
    ),
)
OTHERS: Final = (
    Setting("keybindings", "tables", (), 'Your own keys: tables with "key", "command" and "when".', section="keys"),
    Setting("presets", "tables", (), "Your own presets for inline edits, one table each.", section="prompts"),
    Setting("plugins.disabled", "list", (), "Plugins that are not started, by id."),
)

BUILTIN: Final = SettingsSchema.of((*EDITOR, *APPEARANCE, *FILES, *MODELS, *NETWORK, *PRIVACY, *OTHERS))
