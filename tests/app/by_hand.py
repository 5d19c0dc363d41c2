"""A person who plays a whole battle at the window with real clicks, and decides as the greedy player does.

``python tests/app/by_hand.py SCENARIO JOURNAL [--rounds N] [--reacts] [--pictures FOLDER]`` on a screen with xdotool,
or on SDL's dummy driver: reads the battle from the journal, as anybody could, presses the button of an offer, leads the
unit to where it is to go, takes the first option, declines every reaction, and ends the steps. ``--reacts`` asks for
re-rolls and takes what is offered instead of declining it; ``--pictures`` keeps the screen whenever the panel asks or
tells of something new.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sim.app.games import rulesets
from sim.battle import Battle
from sim.engine import judge
from sim.record import read_record
from sim.rules import Command, EndStep, Offer

DRIVER = Path(__file__).with_name("driver.py")
SECONDS = 60.0
TOOLS = ("end-step",)
Mouse = Callable[..., None]


class ByHand:
    """Somebody at a window that tells what is seen in a file."""

    def __init__(self, process: subprocess.Popen[bytes], state: Path, journal: Path, mouse: Mouse | None) -> None:
        self.process, self.state, self.journal, self.mouse = process, state, journal, mouse
        self.skipped: set[tuple[Any, ...]] = set()
        self.clicks = 0
        self.reacts = False
        self.pictures: Path | None = None
        self.pictured: set[str] = set()

    def look(self) -> dict[str, Any]:
        return json.loads(self.state.read_text()) if self.state.exists() else {}

    def until(self, what: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        end = time.monotonic() + SECONDS
        seen: dict[str, Any] = {}
        while time.monotonic() < end:
            assert self.process.poll() is None, "the window is gone"
            seen = self.look()
            if seen and what(seen):
                return seen
            time.sleep(0.02)
        raise AssertionError(f"never seen; last: {seen}")

    def _post(self, *words: object) -> None:
        with self.state.with_suffix(".events").open("a") as file:
            file.write(" ".join(map(str, words)) + "\n")

    def click(self, x: int, y: int) -> None:
        self.clicks += 1
        if self.mouse is not None:
            self.mouse("mousemove", x, y, "sleep", "0.03", "click", 1)
        else:
            for word in ("move", "down", "up"):
                self._post(word, x, y)
        time.sleep(0.05)

    def key(self, name: str) -> None:
        if self.mouse is not None:
            self.mouse("key", {"escape": "Escape"}.get(name, name))
        else:
            self._post("key", name)

    @property
    def battle(self) -> Battle:
        record = read_record(self.journal)
        return record.battle_at(len(record.entries))

    def turn_after_turn(self, rounds: int) -> None:
        """Play until the battle, or so many rounds of it, are over."""
        while True:
            seen = self.until(lambda s: s["list"] is not None)
            number, _, phase, _ = seen["clock"]
            if phase == "over" or number > rounds:
                return
            self.act(seen)

    def act(self, seen: dict[str, Any]) -> None:
        """One thing: an answer, an option, something that is offered, or the end of the step."""
        entries = seen["entries"]
        buttons = {(command, unit): (x, y) for command, unit, x, y in seen["list"]}
        self.picture(seen)
        for command in ("answer", "option"):
            spots = [(unit, at) for (name, unit), at in buttons.items() if name == command]
            if self.reacts and command == "answer":
                spots.sort(key=lambda spot: spot[0] in ("decline", "no"))
            chosen = next((at for _, at in spots), None)
            if chosen is not None:
                self.click(*chosen)
                before = (entries, seen["list"], seen["asked"])
                self.until(lambda s, before=before: (s["entries"], s["list"], s["asked"]) != before)  # type: ignore[misc]
                return
        battle = self.battle
        ruleset = rulesets()[battle.ruleset]
        for (name, unit), at in buttons.items():
            key = (name, unit, *seen["clock"])
            if key in self.skipped or not unit:
                continue
            offer = Offer(name, unit, "")
            wanted = next((c for c in ruleset.proposals(battle, offer, False) if judge(ruleset, battle, c).legal), None)
            if wanted is None:
                self.skipped.add(key)
                continue
            self.click(*at)
            self.until(lambda s: s["held"] or s["list"] != seen["list"])
            if self.look()["held"]:
                self.lead(wanted, entries, key)
            return
        self.end_step(seen)

    def picture(self, seen: dict[str, Any]) -> None:
        """Keep the screen where the panel has a title, a question or a kind of button that was not seen before."""
        if self.pictures is None:
            return
        kinds = sorted({command if command != "answer" else unit.split(":")[0] for command, unit, _, _ in seen["list"]})
        what = " ".join([seen["text"].splitlines()[0], *kinds])
        if what not in self.pictured:
            self.pictured.add(what)
            file = self.pictures / f"{len(self.pictured):03d}.png"
            subprocess.run(["import", "-window", "root", str(file)], check=True, timeout=20)

    def lead(self, wanted: Command, entries: int, key: tuple[Any, ...]) -> None:
        """Lead the held unit to where a command would have it; put it back where that is not legal by hand."""
        ends = [path.end for path in getattr(wanted, "paths", ())] or list(getattr(wanted, "models", ()))
        x, y = sum(p.x for p in ends) / len(ends), sum(p.y for p in ends) / len(ends)
        seen = self.look()
        left, low = seen["corner"]
        self.click(round(left + x * seen["scale"]), round(low - y * seen["scale"]))
        end = time.monotonic() + 3.0
        while time.monotonic() < end:
            now = self.look()
            if now["entries"] != entries or now["asked"]:
                return
            time.sleep(0.03)
        self.skipped.add(key)
        self.key("escape")
        self.until(lambda s: not s["held"])

    def end_step(self, seen: dict[str, Any]) -> None:
        """Press the tool that ends the step."""
        button = seen["buttons"]["end-step"]
        assert button is not None
        self.click(*button)
        self.until(lambda s: s["entries"] != seen["entries"] or s["asked"] or s["text"] != seen["text"])


def sit_down(scenario: Path, folder: Path, journal: Path, screen: dict[str, str], mouse: Mouse | None) -> ByHand:
    """A window on a scenario and somebody before it."""
    state = folder / "state.json"
    for old in (state, state.with_suffix(".events")):
        old.unlink(missing_ok=True)
    words = [sys.executable, str(DRIVER), str(scenario), str(state), str(journal)]
    process = subprocess.Popen(words, env=screen)
    hand = ByHand(process, state, journal, mouse)
    hand.until(lambda s: True)
    return hand


def main() -> None:
    """Play by hand and tell what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenario", type=Path)
    parser.add_argument("journal", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--reacts", action="store_true", help="take reactions and re-rolls instead of declining them")
    parser.add_argument("--pictures", type=Path, help="a folder for pictures of the screen; needs a screen")
    given = parser.parse_args()
    screen = {**os.environ, "SDL_AUDIODRIVER": "dummy", "SDL_VIDEO_WINDOW_POS": "0,0"}
    mouse: Mouse | None = None
    if "DISPLAY" in os.environ:

        def send(*words: object) -> None:
            subprocess.run(["xdotool", *map(str, words)], env=screen, check=True, timeout=20)

        mouse = send
    else:
        screen["SDL_VIDEODRIVER"] = "dummy"
    hand = sit_down(given.scenario.resolve(), given.journal.parent, given.journal, screen, mouse)
    begun = time.monotonic()
    hand.reacts, hand.pictures = given.reacts, given.pictures
    try:
        if given.reacts:
            hand.key("r")
        hand.turn_after_turn(given.rounds)
    finally:
        seen = hand.look()
        hand.process.terminate()
        print(f"{hand.clicks} clicks, {seen['entries']} entries, {time.monotonic() - begun:.0f} s, {seen['clock']}")
    score = dict(read_record(given.journal).battle_at(seen["entries"]).score)
    print(score, judge(rulesets()["wh40k10"], hand.battle, EndStep()).codes)


if __name__ == "__main__":
    main()
