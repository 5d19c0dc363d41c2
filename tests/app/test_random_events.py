"""Whatever somebody does at the window, in any order: no fault, no dead end, and no widget that lies about the battle.

Real events, drawn by a seed: clicks on buttons, models and bare table, keys, wheel, drags, boxes, other files.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from sim.app.opening import Opener
from sim.app.window.panel import TOOLS
from sim.app.window.window import Window
from sim.record import read_record
from sim.resources import data_root
from sim.rules.sequence import OVER

pytestmark = [pytest.mark.window, pytest.mark.xdist_group("window")]
SCENARIOS = sorted(
    path.name for path in (data_root() / "assets" / "scenarios").glob("*.toml") if "storyboard" not in path.name
)
EVENTS = int(os.environ.get("RANDOM_EVENTS", "1600"))  # over all scenarios
SEED = int(os.environ.get("RANDOM_SEED", "0"))  # another one presses other things
KEYS = (
    "escape",
    "return",
    "space",
    "tab",
    "q",
    "e",
    "r",
    "p",
    "m",
    "f",
    "z",
    "y",
    "s",
    "o",
    "page up",
    "page down",
    "left alt",
)
FILES = {  # that the Open box is asked for by typing, with what is in them
    "rec.jsonl": "assets/records/demo.jsonl",
    "film.toml": "assets/scenarios/demo-storyboard.toml",
    "demo.toml": "assets/scenarios/demo.toml",
    "not-here.toml": "assets/scenarios/not-here.toml",
    "map.toml": "maps/abbey-wood-60x44.toml",
    "list.txt": None,
    "bad.txt": None,
}
MODS = (0, 0, 0, pygame.KMOD_CTRL, pygame.KMOD_SHIFT, pygame.KMOD_CTRL | pygame.KMOD_SHIFT)
SIZES = ((960, 640), (1280, 720), (700, 400), (820, 1200))


class Monkey:
    """Somebody who presses anything."""

    def __init__(self, window: Window, seed: int) -> None:
        self.window = window
        self.chance = random.Random(seed)

    def act(self) -> str:
        """One real event or a few that belong together; gives its name."""
        acts = {
            self.button: 8,
            self.model: 4,
            self.spot: 4,
            self.key: 5,
            self.wheel: 1,
            self.drag: 2,
            self.tool: 2,
            self.box: 3,
            self.time: 1,
            self.open_typed: 0.4,
            self.size: 0.2,
            self.wait: 1,
        }
        (act,) = self.chance.choices(list(acts), list(acts.values()))
        if self.window.dialogs.open and self.chance.random() < 0.5:  # so that not all the rest is spent before a box
            act = self.box
        elif self.window.replay is not None and self.chance.random() < 0.2:
            act = self.escape
        elif not self.window.panel.in_sight and self.chance.random() < 0.4:  # so that the battle goes on
            act = self.end_step
        act()
        return act.__name__

    def click(self, at: tuple[int, int], button: int = 1) -> None:
        pygame.mouse.set_pos(at)
        post(pygame.MOUSEMOTION, pos=at, rel=(1, 1), buttons=(0, 0, 0))
        post(pygame.MOUSEBUTTONDOWN, pos=at, button=button)
        self.window.step()
        post(pygame.MOUSEBUTTONUP, pos=at, button=button)

    def button(self) -> None:
        seen = self.window.panel.in_sight
        if seen:
            self.click(self.chance.choice(seen)[1])

    def end_step(self) -> None:
        self.press_tool("end-step")

    def tool(self) -> None:
        self.press_tool(self.chance.choice([name for name, _, _ in TOOLS if name != "clip"]))

    def press_tool(self, name: str) -> None:
        rect = self.window.panel.button_of(name)
        assert rect is not None
        self.click((int(rect.centerx), int(rect.centery)))

    def model(self) -> None:
        standing = [m.pose.at for m in self.window.session.battle.models() if m.pose is not None]
        if standing:
            self.click(self.window.pixel(self.chance.choice(standing)))

    def spot(self) -> None:
        field = self.window.session.battle.battlefield
        at = (self.chance.uniform(-2, field.width + 2), self.chance.uniform(-2, field.depth + 2))
        self.click(self.window.pixel(at), self.chance.choice((1, 1, 1, 2, 3)))

    def drag(self) -> None:
        x, y, w, h = self.window.table_area
        start, end = [(x + self.chance.randrange(w), y + self.chance.randrange(h)) for _ in range(2)]
        post(pygame.MOUSEBUTTONDOWN, pos=start, button=1)
        self.window.step()
        post(pygame.MOUSEMOTION, pos=end, rel=(end[0] - start[0], end[1] - start[1]), buttons=(1, 0, 0))
        self.window.step()
        post(pygame.MOUSEBUTTONUP, pos=end, button=1)

    def key(self) -> None:
        code = pygame.key.key_code(self.chance.choice((*KEYS, "f12", "home", "delete")))
        post(pygame.KEYDOWN, key=code, mod=self.chance.choice(MODS), unicode="", scancode=0)

    def escape(self) -> None:
        post(pygame.KEYDOWN, key=pygame.K_ESCAPE, mod=0, unicode="", scancode=0)

    def wheel(self) -> None:
        post(pygame.MOUSEWHEEL, x=0, y=self.chance.choice((-1, 1)), flipped=False)

    def time(self) -> None:
        if self.window.replay is not None:
            line = self.window.replay.line
            self.click((line.left + self.chance.randrange(line.width), line.centery))

    def open_typed(self) -> None:
        """Type a name into the Open box and take it, by OK or Enter: the battle may be another one afterwards."""
        self.press_tool("open")
        for _ in range(3):
            self.window.step()
        for letter in self.chance.choice((*FILES, "nothing.here")):
            post(pygame.TEXTINPUT, text=letter)
        self.window.step()
        ok = self.window.dialogs.button_of("ok")
        if ok is None or self.chance.random() < 0.5:
            post(pygame.KEYDOWN, key=pygame.K_RETURN, mod=0, unicode="", scancode=0)
        else:
            self.click((int(ok.centerx), int(ok.centery)))

    def box(self) -> None:
        rect = self.window.dialogs.button_of(self.chance.choice(("ok", "cancel", "cancel")))
        if rect is not None:
            self.click((int(rect.centerx), int(rect.centery)))

    def size(self) -> None:
        width, height = self.chance.choice(SIZES)
        post(pygame.VIDEORESIZE, w=width, h=height, size=(width, height))

    def wait(self) -> None:
        for _ in range(3):
            self.window.step(0.2)


def lay_out(folder: Path) -> None:
    """Files of every kind that can be opened, and some that cannot."""
    for name, source in FILES.items():
        if source is not None:
            (folder / name).write_bytes((data_root() / source).read_bytes())
    (folder / "list.txt").write_text(
        "Xenos - Orks - Yard - [85 pts]\n\n## Infantry [85 pts]\nBoyz [85 pts]:\n• 10x Boy: Slugga\n"
    )
    (folder / "bad.txt").write_text("Dear <b>Anna</b>\n")


def post(kind: int, **fields: object) -> None:
    pygame.event.post(pygame.event.Event(kind, **fields))


def lies(window: Window) -> Iterator[str]:
    """What the widgets say that is not so."""
    session, panel = window.session, window.panel
    enabled = {name: button.is_enabled for button, name in panel._tools.items()}
    free = window.replay is None and session.held is None
    wanted = tuple(offer for offer in window._buttons() if offer.unit) if free else ()
    if panel._offers != wanted:
        yield f"the list offers {panel._offers}, not {wanted}"
    asked = session.question is not None
    if asked and free and {o.unit for o in panel._offers} != set(session.question.need.options):
        yield "a question without all of its answers"
    if enabled["undo"] is not ((asked or session.held is not None or session.game.can_undo) and window.replay is None):
        yield "undo"
    if enabled["redo"] is not (session.can_redo and window.replay is None):
        yield "redo"
    over = session.battle.clock.phase == OVER
    if free and not asked and not over and not wanted and not enabled["end-step"]:
        yield "nothing can be done, and the step cannot be ended"
    if window._options and free and not asked and wanted[-1].command != "back":
        yield "options without a way back"


@pytest.mark.parametrize("name", SCENARIOS)
def test_nothing_that_is_pressed_breaks_anything(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for key, value in (("SDL_VIDEODRIVER", "dummy"), ("SDL_AUDIODRIVER", "dummy"), ("XDG_DATA_HOME", str(tmp_path))):
        monkeypatch.setenv(key, value)
    monkeypatch.setenv("XDG_PICTURES_DIR", str(tmp_path / "pictures"))
    monkeypatch.chdir(tmp_path)
    pygame.display.quit()

    opener = Opener(1)
    window = Window(opener.open(str(data_root() / "assets" / "scenarios" / name)).session, SIZES[0], loader=opener)
    lay_out(tmp_path)
    monkey = Monkey(window, SEED * len(SCENARIOS) + SCENARIOS.index(name))
    done = []
    for _ in range(EVENTS // len(SCENARIOS)):
        done.append(monkey.act())
        window.step()
        window.step()
        assert list(lies(window)) == [], done[-12:]
        window.open = True
    journal = window.session.journal
    assert journal is not None
    entries = len(window.session.game.entries)
    window.session.close()
    assert len(read_record(journal.path).entries) == entries
    pygame.display.quit()
