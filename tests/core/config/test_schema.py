from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from redraft.core.config.builtin import BUILTIN
from redraft.core.config.model_settings import ModelSettings
from redraft.core.config.reference import settings_reference
from redraft.core.config.schema import Setting, SettingsSchema

WIDTH = Setting("a.width", "int", 4, "Width.", minimum=1, maximum=8)
RATE = Setting("a.rate", "float", 1, "Rate.", minimum=0)
THEME = Setting("a.theme", "choice", "x", "Theme.", choices=("x", "y"))
FLAG = Setting("a.flag", "bool", True, "Flag.")
LIST = Setting("a.list", "list", ("p",), "List.")
TEXT = Setting("a.text", "str", "", "Text.")
ROWS = Setting("rows", "tables", (), "Rows.")
MODELS = BUILTIN["models"]
NAMED = {"name": "W", "base_url": "https://h"}


@pytest.mark.parametrize(
    ("setting", "value", "checked"),
    [
        (WIDTH, 8, 8),
        (RATE, 2, 2.0),
        (RATE, 0.5, 0.5),
        (THEME, "y", "y"),
        (FLAG, False, False),
        (LIST, ["a", "b"], ("a", "b")),
        (TEXT, "z", "z"),
        (ROWS, [{"k": 1}], ({"k": 1},)),
    ],
)
def test_values_that_fit(setting: Setting, value: Any, checked: Any) -> None:
    assert setting.check(value) == checked
    assert type(setting.check(value)) is type(checked)


@pytest.mark.parametrize(
    ("setting", "value", "words"),
    [
        (WIDTH, 9, "a.width must be a whole number from 1 to 8"),
        (WIDTH, 2.0, "a whole number"),
        (WIDTH, True, "a whole number"),
        (WIDTH, "4", "a whole number"),
        (RATE, -1, "a.rate must be a number of at least 0"),
        (RATE, float("nan"), "a number"),
        (RATE, True, "a number"),
        (THEME, "z", 'one of "x", "y"'),
        (FLAG, 1, "true or false"),
        (LIST, "abc", "a list of texts"),
        (LIST, ["a", 1], "a list of texts"),
        (TEXT, 1, "a text"),
        (ROWS, {"k": 1}, "a list of tables"),
        (ROWS, ["k"], "a list of tables"),
    ],
)
def test_values_that_do_not_fit_are_told_what_is_wanted(setting: Setting, value: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        setting.check(value)


def test_a_default_must_fit_and_a_type_must_be_known() -> None:
    with pytest.raises(ValueError, match="a whole number"):
        Setting("a.b", "int", "x", "S.")
    with pytest.raises(ValueError, match="unknown type"):
        Setting("a.b", "colour", "x", "S.")


def test_names_are_unique() -> None:
    with pytest.raises(ValueError, match=r"a\.width is declared twice"):
        SettingsSchema.of((WIDTH, WIDTH))


@dataclass(frozen=True)
class Declared:
    name: str = "inline_edit.after_accept"
    type: str = "choice"
    default: Any = "stay"
    sentence: str = "Where the caret goes."
    choices: tuple[str, ...] = ("stay", "next_hunk")
    min: float | None = None
    max: float | None = None


def test_a_plugin_adds_its_settings() -> None:
    schema = BUILTIN.with_plugin([Declared()])
    setting = schema["inline_edit.after_accept"]
    assert (setting.default, setting.section, setting.sentence) == ("stay", "inline_edit", "Where the caret goes.")
    assert "inline_edit.after_accept" not in BUILTIN
    with pytest.raises(ValueError, match="declared twice"):
        schema.with_plugin([Declared()])


def test_every_setting_of_ours_has_a_sentence() -> None:
    for setting in BUILTIN.settings.values():
        assert setting.sentence.endswith(".")
        assert setting.sentence[0].isupper()


def test_models_have_what_a_client_needs() -> None:
    (model,) = MODELS.check([{"name": "W", "base_url": "https://H.example/v1", "temperature": 0, "later": 1}])
    assert isinstance(model, ModelSettings)
    assert (model.kind, model.temperature, model.key_source.host) == ("openai", 0.0, "h.example")
    assert model.model_extra == {"later": 1}


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"base_url": "https://h"}, "models\\[1\\]: name: Field required"),
        ({"name": " ", "base_url": "https://h"}, "name: "),
        ({"name": "W", "base_url": "h.example"}, "base_url: the address must be a web address"),
        (
            {**NAMED, "kind": "other"},
            "kind: Input should be 'openai', 'anthropic' or 'tabby'",
        ),
        ({**NAMED, "context_tokens": -1}, "context_tokens: "),
        ({**NAMED, "context_tokens": "8k"}, "context_tokens: "),
        (
            {**NAMED, "key": "sk-secret-123456"},
            "key: a key does not stand in the settings",
        ),
    ],
)
def test_models_that_cannot_be_used_are_refused_without_repeating_keys(row: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words) as caught:
        MODELS.check([row])
    assert "secret" not in str(caught.value)


def test_two_models_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="models\\[2\\]: there is another one called W"):
        MODELS.check([NAMED, NAMED])


def test_a_models_headers_and_proxy_are_not_shown() -> None:
    model = ModelSettings(name="W", base_url="https://h", headers={"x": "hidden"}, proxy="http://me:hidden@p")
    assert "hidden" not in repr(model)


def test_the_reference_tells_every_setting() -> None:
    page = settings_reference(BUILTIN.with_plugin([Declared()]))
    for setting in BUILTIN.settings.values():
        assert f"| `{setting.name}` | {setting.wanted} |" in page
    for key in ModelSettings.model_fields:
        assert f"| `{key}` |" in page
    assert '| `inline_edit.after_accept` | one of "stay", "next_hunk" | `"stay"` | Where the caret goes. |' in page
