from __future__ import annotations

import os
import signal
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from textwrap import dedent

import pytest

from redraft.cli import main

PLUGIN = """
id = "greeter"
name = "Greeter"
version = "1"
[[cli]]
name = "greet"
help = "Greet someone."
"""
CODE = """
import sys
from redraft.core.errors import FileError, ModelUnavailable, UsageError

def main(argv, context):
    match list(argv):
        case ["fail", "model"]:
            raise ModelUnavailable("No model is set up.")
        case ["fail", "usage"]:
            raise UsageError("That makes no sense.")
        case ["fail", "file"]:
            raise FileError("It is not there.")
        case ["fail", "bug"]:
            raise ZeroDivisionError("a bug")
        case ["status"]:
            return 7
        case ["many"]:
            for number in range(200000):
                print(number)
        case ["wait"]:
            import asyncio
            async def wait():
                print("waiting", flush=True)
                await asyncio.sleep(600)
            context.run(wait())
        case ["modules"]:
            print(*sorted(name for name in sys.modules if name.startswith(("PySide6", "shiboken6", "qtawesome"))))
        case words:
            print("hello", *words, context.storage.read("x"))
    return 0
"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder with an installed distribution that brings a plugin with a sub-command."""
    folder = tmp_path / "site"
    package, metadata = folder / "greeter_sample", folder / "greeter_sample-1.dist-info"
    package.mkdir(parents=True)
    metadata.mkdir()
    (package / "__init__.py").write_text(dedent(CODE))
    (package / "plugin.toml").write_text(PLUGIN)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: greeter-sample\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text(
        "[redraft.plugins]\ngreeter = greeter_sample:plugin.toml\n[redraft.cli]\ngreet = greeter_sample:main\n"
    )
    return folder


def environment(site: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in {"DISPLAY", "WAYLAND_DISPLAY"}}
    return {**kept, "PYTHONPATH": str(site), "PYTHONWARNINGS": "error"}


def redraft(site: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "redraft", *arguments],
        capture_output=True,
        text=True,
        env=environment(site),
        check=False,
        timeout=120,
    )


def test_a_sub_command_gets_the_rest_of_the_line_and_its_plugins_storage(site: Path) -> None:
    done = redraft(site, "--safe-mode", "greet", "Ada", "--help", "-x")
    assert (done.stdout, done.stderr, done.returncode) == ("hello Ada --help -x None\n", "", 0)


def test_its_status_is_ours(site: Path) -> None:
    assert redraft(site, "greet", "status").returncode == 7


def test_a_headless_command_never_imports_the_toolkit(site: Path) -> None:
    done = redraft(site, "greet", "modules")
    assert (done.stdout, done.returncode) == ("\n", 0)


@pytest.mark.parametrize(
    ("kind", "sentence", "status"),
    [
        ("model", "redraft: No model is set up.\n", 3),
        ("usage", "redraft: That makes no sense.\n", 2),
        ("file", "redraft: It is not there.\n", 1),
    ],
)
def test_an_error_is_one_sentence_and_a_status(site: Path, kind: str, sentence: str, status: int) -> None:
    done = redraft(site, "greet", "fail", kind)
    assert (done.stdout, done.stderr, done.returncode) == ("", sentence, status)


def test_a_bug_is_one_sentence_and_its_traceback_is_in_the_log(site: Path, own_home: Path) -> None:
    done = redraft(site, "greet", "fail", "bug")
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "redraft greet failed: ZeroDivisionError: a bug" in done.stderr
    log = own_home / "state" / "redraft" / "logs" / "redraft.log"
    assert str(log) in done.stderr
    assert "Traceback" in log.read_text()


def test_ctrl_c_ends_it_quietly(site: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "redraft", "greet", "wait"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(site),
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "waiting\n"
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=120)
    assert (output, errors, process.returncode) == ("", "", 130)


def test_a_reader_that_leaves_early_is_no_error(site: Path) -> None:
    done = subprocess.run(  # noqa: S602 - the shell's pipe is what is tested
        f"{sys.executable} -m redraft greet many | head -n 1; echo ${{PIPESTATUS[0]}}",
        shell=True,
        executable="/bin/bash",
        capture_output=True,
        text=True,
        env=environment(site),
        check=False,
        timeout=120,
    )
    assert (done.stdout, done.stderr) == ("0\n141\n", "")


def test_help_lists_sub_commands_without_importing_any(site: Path) -> None:
    (site / "greeter_sample" / "__init__.py").write_text("raise SystemExit('imported')")
    done = redraft(site, "--help")
    assert (done.stderr, done.returncode) == ("", 0)
    assert "  greet   Greet someone.\n" in done.stdout
    assert "  models  " in done.stdout
    assert "--safe-mode" in done.stdout


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"redraft {version('redraft')}\n"


@pytest.mark.parametrize("arguments", [["--wrong"], ["a.py", "--safe"], ["-"]])
def test_what_makes_no_sense_is_told_in_one_sentence(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    message = capsys.readouterr().err
    assert message.startswith("redraft: ")
    assert message.count("\n") == 1


def test_without_a_display_the_window_is_refused_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    assert main(["a.py"]) == 1
    assert capsys.readouterr().err.startswith("redraft: There is no display")


def test_without_the_toolkit_the_window_is_refused_in_one_sentence(site: Path) -> None:
    (site / "sitecustomize.py").write_text("import sys\nsys.modules['PySide6'] = None\n")
    done = redraft(site, "a.py")
    assert done.returncode == 1
    assert done.stderr.startswith("redraft: The window cannot be opened: ")
    assert done.stderr.count("\n") == 1


OPENED = """
import sys, types
app = types.ModuleType("redraft.app")
def run(request):
    print(request.safe_mode, *(f"{target.path.name}|{target.line}|{target.column}" for target in request.targets))
    return 5
app.run = run
sys.modules["redraft.app"] = app
"""


@pytest.mark.parametrize(
    ("arguments", "opened"),
    [
        ((), "False"),
        (("a.py:3:4", "b.py"), "False a.py|3|4 b.py|0|0"),
        (("--safe-mode", "a.py"), "True a.py|0|0"),
        (("a.py", "--safe-mode"), "True a.py|0|0"),
        (("--", "greet"), "False greet|0|0"),
        (("--safe-mode", "--", "a.py:3", "--version"), "True a.py:3|0|0 --version|0|0"),
        (("./greet",), "False greet|0|0"),
        (("unheard-of",), "False unheard-of|0|0"),
    ],
)
def test_files_and_places_reach_the_window(site: Path, arguments: tuple[str, ...], opened: str) -> None:
    (site / "sitecustomize.py").write_text(OPENED)
    done = redraft(site, *arguments)
    assert (done.stdout, done.stderr, done.returncode) == (f"{opened}\n", "", 5)


def test_a_settings_file_with_a_fault_is_named_and_the_command_still_runs(site: Path, own_home: Path) -> None:
    folder = own_home / "config" / "redraft"
    folder.mkdir(parents=True)
    (folder / "settings.toml").write_text("[editor]\ntab_width = 99\n")
    done = redraft(site, "greet")
    assert (done.stdout, done.returncode) == ("hello None\n", 0)
    assert "editor.tab_width" in done.stderr
    assert "line 2" in done.stderr


@pytest.mark.parametrize("command", ["edit", "models"])
def test_the_bundled_sub_commands_answer_without_the_toolkit(site: Path, command: str) -> None:
    (site / "sitecustomize.py").write_text("import sys\nsys.modules['PySide6'] = None\n")
    done = redraft(site, command, "--help")
    assert (done.stderr, done.returncode) == ("", 0)
    assert "Usage" in done.stdout or "usage" in done.stdout
