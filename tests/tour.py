"""The tour: does the main job in the real window, with the embedded model, and takes pictures on the way.

`make tour` runs it. Each scene is a process of its own with its own settings, so that nothing of the user's is touched;
only the models folder is shared. Without a display it starts a virtual one.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

from redraft.core.assets import resource
from redraft.core.paths import data_folder

if TYPE_CHECKING:
    from driver import Driver

SIZE: Final = (1440, 900)
PATIENCE: Final = 600.0
SAMPLE: Final = "samples/tideline"
FILE: Final = "src/tideline/readings.py"
WORDS: Final = "raise ValueError if the list is empty, and use a generator instead of a list"


class Scene:
    """One start of the window, and the pictures taken of it."""

    def __init__(self, folder: Path, driver: Driver) -> None:
        self.driver = driver
        self._folder = folder

    def picture(self, name: str) -> None:
        """Take a picture once the window has settled."""
        self.driver.pause(800)
        path = self._folder / f"{name}.png"
        self.driver.picture().save(str(path))
        print(f"  {path}", flush=True)

    def start_edit(self, first: int, last: int, words: str, *, pictures: tuple[str, str]) -> None:
        """Select lines, open the prompt, say what is wanted, and wait for the review."""
        driver = self.driver
        driver.select_lines(first, last)
        driver.press("Ctrl+K")
        driver.wait(lambda: driver.block, "the prompt block")
        self.picture(pictures[0])
        driver.type(words)
        driver.press("Return")
        driver.wait(lambda: driver.shown.progress or driver.bars, "the first lines", PATIENCE)
        self.picture(pictures[1])
        driver.wait(lambda: driver.bars and not driver.document.is_running, "the whole answer", PATIENCE)


def review(scene: Scene, project: Path) -> None:
    """Dark: a preset, one hunk accepted by a click and one rejected where there are two, saved and undone."""
    driver, file = scene.driver, project / FILE
    before = file.read_text("utf-8")
    scene.picture("01_editor")
    first, last = _lines_of(before, "def daily_range")
    scene.start_edit(first, last, WORDS, pictures=("02_prompt", "03_writing"))
    scene.picture("04_review")
    assert driver.text == before, "a proposal entered the buffer"
    driver.press("Ctrl+S")
    assert file.read_text("utf-8") == before, "a proposal entered the file"
    scene.picture("05_saved_without_the_proposal")
    _decide(driver)
    scene.picture("06_decided")
    driver.document.editor.focus_text()
    driver.press("Ctrl+S")
    accepted = driver.text
    assert file.read_text("utf-8") == accepted
    assert accepted != before, "nothing was accepted"
    # A rejection is undone first, then the acceptance; both come back.
    _press_until(driver, "Ctrl+Z", lambda: driver.text == before)
    _press_until(driver, "Ctrl+Shift+Z", lambda: driver.text == accepted)
    driver.press("Ctrl+S")


def restart(scene: Scene, project: Path) -> None:
    """Dark: what was open is open again, and the command is in the history."""
    driver = scene.driver
    assert driver.text == (project / FILE).read_text("utf-8")
    first, last = _lines_of(driver.text, "def fetch_readings")
    driver.select_lines(first, last)
    driver.press("Ctrl+K")
    driver.wait(lambda: any(row.title == WORDS for row in driver.shown.rows), "the command in the history")
    scene.picture("07_history_after_a_restart")


def document(scene: Scene, project: Path) -> None:
    """Light: `/doc` on a function, accepted whole with the keyboard."""
    driver = scene.driver
    first, last = _lines_of(driver.text, "def fetch_readings")
    scene.start_edit(first, last, "/doc", pictures=("08_prompt_light", "09_writing_light"))
    scene.picture("10_review_light")
    driver.press("Ctrl+Return")
    driver.wait(lambda: not driver.bars, "the decision")
    driver.press("Ctrl+S")
    assert (project / FILE).read_text("utf-8") == driver.text


def welcome(scene: Scene, _project: Path) -> None:
    """Light: the first start, with no model yet."""
    card = scene.driver.application.first_run
    scene.driver.wait(lambda: card.card, "the first-run card")
    scene.picture("11_welcome_light")


def _press_until(driver: Driver, keys: str, condition: Callable[[], bool]) -> None:
    for _ in range(10):
        if condition():
            return
        driver.press(keys)
        driver.pause(100)
    raise AssertionError(f"{keys} did not lead there")


def _decide(driver: Driver) -> None:
    from redraft.qt.editor.inline_diff.hunk_bar import Wish

    wishes = [Wish.ACCEPT] + [Wish.REJECT] * (len(driver.bars) - 1)
    for left, wish in zip(reversed(range(len(wishes))), wishes, strict=True):
        driver.click_hunk(0, wish)
        _wait_for_bars(driver, left)


def _wait_for_bars(driver: Driver, count: int) -> None:
    driver.wait(lambda: len(driver.bars) == count, "the decision")


def _lines_of(text: str, start: str) -> tuple[int, int]:
    """First and last line, from 1, of the function that begins so."""
    lines = text.split("\n")
    first = next(number for number, line in enumerate(lines) if line.startswith(start))
    last = first
    while last + 1 < len(lines) and (lines[last + 1].startswith(" ") or not lines[last + 1]):
        last += 1
    while not lines[last]:
        last -= 1
    return first + 1, last + 1


SCENES: Final[dict[str, tuple[Callable[[Scene, Path], None], str]]] = {
    "review": (review, "dark"),
    "restart": (restart, "dark"),
    "document": (document, "light"),
    "welcome": (welcome, "light"),
}


def play(name: str, folder: Path, project: Path) -> None:
    """One scene, in this process."""
    from PySide6.QtWidgets import QApplication

    from driver import Driver
    from redraft.app import Application
    from redraft.host.launch import FileTarget, LaunchRequest

    qt = QApplication(["redraft"])
    act, _theme = SCENES[name]
    targets = () if name in {"restart", "welcome"} else (FileTarget(project), FileTarget(project / FILE))
    application = Application(qt, LaunchRequest(targets))
    application.show()
    application.bench.window.setGeometry(0, 0, *SIZE)
    driver = Driver(application)
    driver.wait(lambda: application.bench.documents.active is not None, "the file")
    states = application.host.manager.statuses
    driver.wait(lambda: any(status.state == "active" for status in states()), "the plugins")
    application.bench.window.activateWindow()
    driver.document.editor.focus_text()
    try:
        act(Scene(folder, driver), project)
        application.session.save()
    finally:
        application.bench.window.finish()
        application.stop()


def run(folder: Path) -> None:
    """All scenes, each in a process and a home of its own."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    models = data_folder() / "models"
    with ExitStack() as stack:
        display = os.environ.get("DISPLAY") or stack.enter_context(VirtualDisplay()).name
        homes = {theme: Path(stack.enter_context(tempfile.TemporaryDirectory())) for theme in ("dark", "light", "none")}
        for name, (_act, theme) in SCENES.items():
            home = homes["none" if name == "welcome" else theme]
            project = home / "tideline"
            if not project.exists():
                shutil.copytree(resource(SAMPLE), project)
                _furnish(home, theme, None if name == "welcome" else models)
            print(f"{name} ({theme})", flush=True)
            places = {f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in ("CONFIG", "STATE", "DATA", "CACHE")}
            environment = os.environ | places | {"DISPLAY": display, "QT_QPA_PLATFORM": "xcb", "QT_SCALE_FACTOR": "1"}
            command = [sys.executable, __file__, str(folder), "--scene", name, "--project", str(project)]
            subprocess.run(command, env=environment, check=True)
        shutil.copy(homes["dark"] / "tideline" / FILE, folder / "readings_after_review.py")
    print(f"The pictures and the resulting file are in {folder}.")


def _furnish(home: Path, theme: str, models: Path | None) -> None:
    settings = home / "config" / "redraft" / "settings.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text(f'[appearance]\ntheme = "{theme}"\n', "utf-8")
    if models is not None:
        data = home / "data" / "redraft"
        data.mkdir(parents=True)
        (data / "models").symlink_to(models)


class VirtualDisplay:
    """An X server without a screen, on a number of its own choice."""

    name = ""

    def __enter__(self) -> Self:
        read, write = os.pipe()
        command = ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{SIZE[0]}x{SIZE[1]}x24", "-nolisten", "tcp"]
        self._process = subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as answer:
            self.name = f":{answer.readline().strip()}"
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait()


def main() -> None:
    """Run all scenes, or the one named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where the pictures go")
    parser.add_argument("--scene", choices=SCENES, help="play one scene in this process")
    parser.add_argument("--project", type=Path, help="the project that scene opens")
    options = parser.parse_args()
    if options.scene:
        play(options.scene, options.folder, options.project)
    else:
        run(options.folder.absolute())


if __name__ == "__main__":
    main()
