from __future__ import annotations

from redraft.host.keybindings import (
    USER,
    Keybinding,
    Keymap,
    Unbound,
    declared_keys,
    rebound,
    restored,
    user_keys,
)
from redraft.host.keys import Key
from redraft.host.manifest import parse_manifest
from redraft.host.when import WhenExpression


def bind(key: str, command: str, when: str = "", source: str = "redraft") -> Keybinding:
    return Keybinding(Key.parse(key), command, WhenExpression.parse(when), source)


def keymap(*bindings: Keybinding, user: tuple[Keybinding | Unbound, ...] = ()) -> Keymap:
    made = Keymap()
    made.add_defaults(bindings)
    made.set_user(user)
    return made


def command_for(made: Keymap, key: str, **context: object) -> str:
    binding = made.resolve(Key.parse(key), context)
    return binding.command if binding else ""


def test_a_key_runs_its_command_while_its_condition_holds() -> None:
    made = keymap(bind("Alt+Left", "go.back"), bind("Alt+Left", "inline_edit.earlier", "diff_visible"))
    assert command_for(made, "alt+left") == "go.back"
    assert command_for(made, "alt+left", diff_visible=True) == "inline_edit.earlier"
    assert command_for(made, "alt+right") == ""


def test_the_more_particular_condition_wins_in_whatever_order() -> None:
    particular, general = bind("Esc", "a", "x and y"), bind("Esc", "b", "x")
    for order in ((particular, general), (general, particular)):
        assert command_for(keymap(*order), "Esc", x=True, y=True) == "a"
        assert command_for(keymap(*order), "Esc", x=True) == "b"


def test_candidates_leave_a_key_to_the_next_in_rank() -> None:
    made = keymap(bind("Esc", "a"), bind("Esc", "b", "x"), user=(bind("Esc", "c", "y", USER),))
    assert [binding.command for binding in made.candidates(Key.parse("Esc"))] == ["c", "b", "a"]
    assert command_for(made, "Esc", x=True, y=True) == "c"


def test_the_users_key_takes_the_place_of_a_default() -> None:
    made = keymap(bind("Ctrl+J", "edit.join_lines"), user=(bind("Ctrl+J", "view.problems", source=USER),))
    assert command_for(made, "Ctrl+J") == "view.problems"
    assert made.label("edit.join_lines") == ""
    assert made.conflicts() == ()


def test_the_users_key_is_the_one_shown_and_the_default_still_works() -> None:
    made = keymap(bind("Ctrl+K", "inline_edit.open"), user=(bind("Alt+E", "inline_edit.open", source=USER),))
    assert made.label("inline_edit.open") == "Alt+E"
    assert [str(key) for key in made.keys("inline_edit.open")] == ["Alt+E", "Ctrl+K"]
    assert command_for(made, "Ctrl+K") == "inline_edit.open"


def test_a_default_key_can_be_taken_away_alone_or_with_all_others() -> None:
    defaults = (bind("F3", "edit.find_next"), bind("Ctrl+G", "edit.find_next"))
    one = keymap(*defaults, user=(Unbound("edit.find_next", Key.parse("F3")),))
    assert [str(key) for key in one.keys("edit.find_next")] == ["Ctrl+G"]
    none = keymap(*defaults, user=(Unbound("edit.find_next"),))
    assert none.keys("edit.find_next") == ()


def test_the_primary_key_is_the_label() -> None:
    manifest = parse_manifest(
        'id = "a"\nname = "A"\nversion = "1"\n'
        '[[keybindings]]\ncommand = "a.go"\nkey = "Ctrl+K"\nsecondary = ["Ctrl+I"]\n',
        "t",
    )
    made = keymap(*declared_keys(manifest))
    assert made.label("a.go") == "Ctrl+K"
    assert command_for(made, "Ctrl+I") == "a.go"
    assert made.all()[0].source == "a"


def test_keys_with_arguments_are_told_apart() -> None:
    made = Keymap()
    made.add_defaults([Keybinding(Key.parse("Alt+D"), "a.preset", args=("doc",))])
    assert made.label("a.preset", "doc") == "Alt+D"
    assert made.label("a.preset") == ""


def test_the_same_key_under_the_same_condition_is_a_conflict_and_names_both() -> None:
    made = keymap(
        bind("Ctrl+K", "a.one", "x and y", "a"),
        bind("Ctrl+K", "b.two", "(x) and y", "b"),
        bind("Ctrl+K", "c.three", "z", "c"),
    )
    (conflict,) = made.conflicts()
    assert str(conflict) == "Ctrl+K while x and y is asked for by a.one (a) and b.two (b)"
    assert command_for(made, "Ctrl+K", x=True, y=True) == "b.two"


def test_the_same_command_twice_is_no_conflict() -> None:
    assert keymap(bind("F1", "a.one"), bind("F1", "a.one")).conflicts() == ()


def test_keys_of_a_plugin_go_with_it_and_labels_are_read_anew() -> None:
    made = Keymap()
    heard: list[str] = []
    made.on_did_change(lambda: heard.append(made.label("a.one")))
    added = made.add_defaults([bind("F8", "a.one")])
    added.dispose()
    assert heard == ["F8", ""]


def test_using_tells_all_a_key_does() -> None:
    made = keymap(bind("Esc", "a", "x"), bind("Esc", "b", "y"), bind("F1", "c"))
    assert {binding.command for binding in made.using(Key.parse("Esc"))} == {"a", "b"}


def test_settings_read_into_keys_and_faulty_ones_are_left_out_with_a_reason() -> None:
    entries, faults = user_keys(
        [
            {"key": "ctrl+b", "command": "view.sidebar", "when": "editor_open"},
            {"command": "-edit.find"},
            {"command": "-edit.find_next", "key": "f3"},
            {"key": "Ctrl+K Ctrl+C", "command": "x.y"},
            {"key": "Ctrl+C"},
        ]
    )
    assert entries == (
        bind("Ctrl+B", "view.sidebar", "editor_open", USER),
        Unbound("edit.find"),
        Unbound("edit.find_next", Key.parse("F3")),
    )
    assert "keybindings[4]" in str(faults[0])
    assert "single key" in str(faults[0])
    assert "keybindings[5] is left out: 'command' is missing" in str(faults[1])


def test_a_command_is_rebound_and_restored_through_the_settings_entries() -> None:
    made = keymap(bind("F3", "edit.find_next"), bind("Ctrl+G", "edit.find_next"), bind("F1", "view.palette"))
    others: list[dict[str, object]] = [{"key": "F2", "command": "view.palette"}]
    entries = rebound(others, "edit.find_next", Key.parse("Alt+F"), when="editor_focus")
    entries = rebound(entries, "edit.find_next", Key.parse("Alt+X"), when="editor_focus")
    made.set_user(user_keys(entries)[0])
    assert [str(key) for key in made.keys("edit.find_next")] == ["Alt+X"]
    assert made.using(Key.parse("Alt+X"))[0].when.text == "editor_focus"
    assert made.label("view.palette") == "F2"

    made.set_user(user_keys(rebound(entries, "edit.find_next", None))[0])
    assert made.keys("edit.find_next") == ()

    assert restored(entries, "edit.find_next") == others
