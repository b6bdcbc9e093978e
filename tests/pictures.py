"""Pictures of every state of an edit, in every theme and at two scales, with a server on loopback as the model.

`make pictures` runs it; what the documentation shows is copied to `docs/pictures`. Each theme and scale is a process of
its own with its own settings.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from redraft.core.assets import resource
from redraft.core.review.teacher import REGION_END, REGION_START, USER_CURSOR, extract_region
from servers import Drop, ScriptedServer, error_reply, openai_answer, openai_end, openai_text

if TYPE_CHECKING:
    from driver import Driver

SIZE: Final = (1180, 760)
THEMES: Final = ("dark", "light", "contrast")
SCALES: Final = ("1", "1.5")
SAMPLE: Final = "samples/tideline"
FILE: Final = "src/tideline/readings.py"
LINES: Final = 9
EDITS: Final = (
    ("day: date)", "day: date, *, timeout: float = 10)"),
    ("str(day)})", "str(day)}, timeout=timeout)"),
    (
        (
            "    if response.status_code != 200:\n"
            '        raise Exception("request failed: " + str(response.status_code))\n'
        ),
        "    # The server says why.\n    response.raise_for_status()\n",
    ),
)
PROVIDERS: Final = (
    {"name": "Workshop", "base_url": "http://gpu.tideline.invalid:8000/v1", "model": "qwq-32b"},
    {"name": "Sonnet", "kind": "anthropic", "base_url": "https://api.anthropic.com", "model": "claude-sonnet-4-5",
     "key": "env:ANTHROPIC_API_KEY", "price_in": 3.0, "price_out": 15.0},
)  # fmt: skip
"""What the page of models shows."""
SHOWN: Final = ("reviewing", "incomplete", "needs_review", "side_by_side", "failures", "predicted")
"""States that the documentation shows, each in every theme at scale 1."""


class Album:
    """One window, and the pictures taken of it."""

    def __init__(self, driver: Driver, server: ScriptedServer, folder: Path, suffix: str) -> None:
        self.driver = driver
        self.server = server
        self._folder = folder
        self._suffix = suffix
        text = driver.text
        self.first = text[: text.index("def ")].count("\n") + 1
        self.code = "".join(text.splitlines(keepends=True)[self.first - 1 : self.first - 1 + LINES])

    def picture(self, state: str) -> None:
        """Take a picture once the window has settled."""
        self.driver.pause(500)
        self.driver.window.grab().save(str(self._folder / f"{state}_{self._suffix}.png"))

    @property
    def changed(self) -> str:
        """The lines as the answer has them: words changed, a line gone, lines come."""
        code = self.code
        for old, new in EDITS:
            assert old in code, "the sample has changed"
            code = code.replace(old, new)
        return code

    def ask(self, words: str = "limit it, and say why") -> None:
        """Select the first function's lines, and ask."""
        self.driver.select_lines(self.first, self.first + LINES - 1)
        self.driver.press("Ctrl+K")
        self.driver.wait(lambda: self.driver.block and self.driver.block.has_focus, "the prompt")
        self.driver.type(words)
        self.driver.press("Return")

    def leave(self) -> None:
        """Press Esc until nothing of an edit is on screen."""
        for _ in range(8):
            self.driver.document.editor.focus_text()
            self.driver.press("Escape")
            self.driver.pause(20)
        self.driver.application.services.settings.set("edit_prediction.mode", "off")

    def wait_for_review(self) -> None:
        """Wait for a whole answer."""
        self.driver.wait(lambda: self.driver.bars and not self.driver.document.is_running, "the review")


def prompt(album: Album) -> None:
    """Nothing asked yet."""
    album.driver.select_lines(album.first, album.first + LINES - 1)
    album.driver.press("Ctrl+K")


def waiting(album: Album) -> None:
    """Asked, nothing has come."""
    album.server.live()
    album.ask()


def streaming(album: Album) -> None:
    """Half of the answer has come."""
    live = album.server.live()
    album.ask()
    for step in openai_text("<GENERATEDCODE>\n", album.changed[: len(album.changed) // 2]):
        live.put(step)
    album.driver.wait(lambda: album.driver.document.is_running, "the first lines")


def merging(album: Album) -> None:
    """The answer leaves out what stays; half of the merged text has come."""
    settings = album.driver.application.services.settings
    settings.set("inline_edit.apply_model", "example-model")
    first, _, rest = album.changed.partition("\n")
    album.server.reply(*openai_answer(f"<GENERATEDCODE>\n{first}\n    # ... existing code ...\n</GENERATEDCODE>"))
    live = album.server.live()
    album.ask()
    for step in openai_text(first, "\n", rest[: len(rest) // 2]):
        live.put(step)
    album.driver.wait(lambda: album.driver.shown.footer.startswith("Merging"), "the merge")
    settings.reset("inline_edit.apply_model")


def stopped(album: Album) -> None:
    """Stopped by the user in the middle."""
    streaming(album)
    album.driver.press("Escape")


def reviewing(album: Album) -> None:
    """All has come, nothing is decided."""
    album.server.reply(*openai_answer(f"<GENERATEDCODE>\n{album.changed}</GENERATEDCODE>"))
    album.ask()
    album.wait_for_review()


def incomplete(album: Album) -> None:
    """Cut off by the model's limit."""
    begun = openai_text("<GENERATEDCODE>\n", album.changed[: len(album.changed) * 2 // 3])
    album.server.reply(*begun, *openai_end("length"))
    album.ask()
    album.wait_for_review()


def lost(album: Album) -> None:
    """The connection broke."""
    album.server.reply(*openai_text("<GENERATEDCODE>\n", album.changed[: len(album.changed) // 2]), Drop())
    album.ask()
    album.wait_for_review()


def failed(album: Album) -> None:
    """The key was refused."""
    album.server.reply(*error_reply(401))
    album.ask()
    album.driver.wait(lambda: album.driver.shown.strip and album.driver.shown.strip.actions, "the failure")


def unchanged(album: Album) -> None:
    """The answer is what stands there."""
    for _ in range(2):
        album.server.reply(*openai_answer(f"<GENERATEDCODE>\n{album.code}</GENERATEDCODE>"))
    album.ask()
    album.driver.wait(lambda: album.driver.shown.main and album.driver.shown.main.id == "again", "the end")


def needs_review(album: Album) -> None:
    """The text under a hunk was changed meanwhile."""
    from redraft.core.text import TextRange

    reviewing(album)
    editor = album.driver.document.editor
    start = editor.text_index().line_range(album.first - 1).end
    editor.select(TextRange(start - 1, start - 1))
    editor.focus_text()
    album.driver.type(" ")


def side_by_side(album: Album) -> None:
    """Both texts beside each other."""
    reviewing(album)
    button = next(one for one in album.driver.shown.actions if one.id == "side_by_side")
    album.driver.press(button.key)


def predicted(album: Album) -> None:
    """A parameter was renamed, and the next edit is predicted."""
    from redraft.core.text import TextRange

    driver, server = album.driver, album.server
    driver.wait(lambda: driver.window.status.item("edit_prediction"), "the plugin")
    driver.application.services.settings.set("edit_prediction.mode", "eager")
    live, asked = server.live(), len(server.requests)
    start = driver.text.index("day: date)")
    driver.document.editor.select(TextRange(start, start + len("day")))
    driver.document.editor.focus_text()
    driver.type("when")
    driver.wait(lambda: len(server.requests) > asked, "the question")
    prompt = server.requests[-1].json()["messages"][-1]["content"]
    region = extract_region(prompt).replace(USER_CURSOR, "").replace("str(day)", "str(when)")
    for step in openai_answer(f"{REGION_START}\n{region}\n{REGION_END}"):
        live.put(step)
    live.end()
    driver.wait(lambda: driver.has_prediction, "the prediction")


STATES: Final[tuple[Callable[[Album], None], ...]] = (
    prompt, waiting, streaming, merging, stopped, reviewing, incomplete, lost, failed, unchanged, needs_review,
    side_by_side, predicted,
)  # fmt: skip


def play(folder: Path, project: Path, suffix: str) -> None:
    """All states in one window, in this process."""
    from PySide6.QtWidgets import QApplication

    from driver import Driver
    from redraft.app import Application
    from redraft.host.launch import FileTarget, LaunchRequest

    qt = QApplication(["redraft"])
    with ScriptedServer() as server:
        os.environ |= {"REDRAFT_BASE_URL": f"{server.url}/v1", "REDRAFT_MODEL": "example-model", "REDRAFT_API_KEY": "x"}
        application = Application(qt, LaunchRequest((FileTarget(project), FileTarget(project / FILE))))
        application.show()
        application.bench.window.resize(*SIZE)
        driver = Driver(application)
        driver.wait(lambda: application.bench.documents.active is not None and driver.has_plugins(), "the file")
        application.bench.window.activateWindow()
        driver.document.editor.focus_text()
        album = Album(driver, server, folder, suffix)
        for state in STATES:
            state(album)
            album.picture(state.__name__)
            album.leave()
            while driver.document.editor.canUndo():
                driver.document.editor.undo()
        application.welcome()
        album.picture("first_run")
        show_settings(driver, folder, suffix)
        application.bench.window.finish()
        application.stop()


def show_settings(driver: Driver, folder: Path, suffix: str) -> None:
    """Every page of the settings; at last that of the models with a test that failed, as the prompt block opens it."""
    from redraft.qt.settings.models_page import ModelsPage
    from redraft.qt.settings.sections import SECTIONS

    application = driver.application
    application.services.settings.set("models", [dict(row) for row in PROVIDERS])
    for name in (*(page.id for page in SECTIONS), "models/Workshop"):
        application.open_settings(name)
        settings = application.settings.window
        assert settings is not None
        page = settings.page
        if isinstance(page, ModelsPage) and "/" in name:
            card = page.card_of("Workshop")
            driver.wait(partial(getattr, card, "report"), "the test")
        driver.pause(300)
        settings.grab().save(str(folder / f"settings_{name.replace('/', '_')}_{suffix}.png"))
    application.settings.stop()


def play_failures(folder: Path, project: Path, suffix: str) -> None:
    """Every failure in one window, in this process, laid on one sheet."""
    from PySide6.QtWidgets import QApplication

    from driver import Driver
    from picture_failures import Failures
    from redraft.app import Application
    from redraft.host.launch import FileTarget, LaunchRequest

    qt = QApplication(["redraft"])
    os.environ["WORKSHOP_KEY"] = "a-key-for-pictures"
    application = Application(qt, LaunchRequest((FileTarget(project), FileTarget(project / FILE))))
    application.session.mark_welcomed()
    application.show()
    application.bench.window.resize(*SIZE)
    driver = Driver(application)
    driver.wait(lambda: application.bench.documents.active is not None and driver.has_plugins(), "the file")
    application.bench.window.activateWindow()
    with ScriptedServer() as unused:
        album = Album(driver, unused, folder, suffix)
        failures = Failures(driver, project, album.ask, album.leave)
        failures.take()
        failures.sheet(application.themes.theme).save(str(folder / f"failures_{suffix}.png"))
    application.bench.window.finish()
    application.stop()


def run(folder: Path, docs: Path | None) -> None:
    """All themes and scales, each in a process and a home of its own."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for theme in THEMES:
        for scale in SCALES:
            suffix = f"{theme}_{scale.replace('.', '')}"
            with tempfile.TemporaryDirectory() as name:
                home = Path(name)
                shutil.copytree(resource(SAMPLE), home / "tideline")
                settings = home / "config" / "redraft" / "settings.toml"
                settings.parent.mkdir(parents=True)
                settings.write_text(f'[appearance]\ntheme = "{theme}"\n', "utf-8")
                places = {f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in ("CONFIG", "STATE", "DATA", "CACHE")}
                looks = {"QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": scale}
                project = ["--suffix", suffix, "--project", str(home / "tideline")]
                command = [sys.executable, __file__, str(folder), *project]
                for more in ([], ["--failures"]):
                    subprocess.run([*command, *more], env=os.environ | places | looks, check=True)
            print(f"  {suffix}", flush=True)
    if docs is not None:
        docs.mkdir(parents=True, exist_ok=True)
        for state in SHOWN:
            for theme in THEMES:
                shutil.copy(folder / f"{state}_{theme}_1.png", docs / f"{state}_{theme}.png")


def main() -> None:
    """Take all pictures, or those of one theme and scale."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where the pictures go")
    parser.add_argument("--docs", type=Path, help="where those of the documentation are copied to")
    parser.add_argument("--suffix", help="take those of one theme and scale in this process, under this ending")
    parser.add_argument("--project", type=Path, help="the project to open")
    parser.add_argument("--failures", action="store_true", help="take the sheet of failures in this process")
    options = parser.parse_args()
    if options.failures:
        play_failures(options.folder, options.project, options.suffix)
    elif options.suffix:
        play(options.folder, options.project, options.suffix)
    else:
        run(options.folder.absolute(), options.docs)


if __name__ == "__main__":
    main()
