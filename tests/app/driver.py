"""Runs a real window for a test: what the panel says and where things are is told in a file after every change.

``python driver.py SOURCE STATE JOURNAL``: the window takes events from the screen's mouse and keys; where there is no
screen with a mouse, lines in STATE.events are posted instead (``move X Y``, ``down X Y``, ``up X Y``, ``key NAME``).
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pygame

from sim.app.common import load
from sim.app.opening import Opener
from sim.app.window.session import Session
from sim.app.window.window import Window
from sim.chance import SeededDice


def main() -> None:
    """Open the window and keep telling what is seen."""
    source, state, journal = (Path(word) for word in sys.argv[1:4])
    case = load(str(source))
    session = Session(case.ruleset, case.battle, SeededDice(1), journal, case.assumed)

    window = Window(session, (1600, 1000), loader=Opener(1, journal=False))
    events = state.with_suffix(".events")
    done, told = 0, ""
    clock = pygame.time.Clock()
    while window.open:
        clock.tick(60)
        lines = events.read_text().splitlines() if events.exists() else []
        for line in lines[done:]:
            _post(line)
        done = len(lines)
        window.step()
        now = json.dumps(_state(window))
        if now != told:
            beside = state.with_suffix(".part")
            beside.write_text(now)
            beside.replace(state)
            told = now
    session.close()


def _post(line: str) -> None:
    word, *numbers = line.split()
    if word == "key":
        code = pygame.key.key_code(numbers[0])
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=code, mod=0, unicode="", scancode=0))
        return
    if word == "type":
        for letter in line.partition(" ")[2]:
            pygame.event.post(pygame.event.Event(pygame.TEXTINPUT, text=letter))
        return
    pos = (int(numbers[0]), int(numbers[1]))
    pygame.mouse.set_pos(pos)
    if word == "move":
        pygame.event.post(pygame.event.Event(pygame.MOUSEMOTION, pos=pos, rel=(1, 1), buttons=(0, 0, 0)))
    else:
        kind = pygame.MOUSEBUTTONDOWN if word == "down" else pygame.MOUSEBUTTONUP
        pygame.event.post(pygame.event.Event(kind, pos=pos, button=1))


def _state(window: Window) -> dict[str, object]:
    field = window.session.battle.battlefield
    tools = {}
    for name in ("undo", "redo", "end-step", "replay", "save", "open", "picture", "clip", "storm-team", "terminators"):
        rect = window.panel.button_of(name)
        tools[name] = None if rect is None else list(rect.center)
    return {
        "text": window.panel.text,
        "held": window.session.held is not None,
        "entries": len(window.session.game.entries),
        "buttons": tools,
        "list": [[offer.command, offer.unit, *at] for offer, at in window.panel.in_sight],
        "boxes": {
            name: None if (rect := window.dialogs.button_of(name)) is None else list(rect.center)
            for name in ("ok", "cancel")
        },
        "note": window.note,
        "asked": 0 if window.session.question is None else 1 + len(window.session.question.answers),
        "title": window.session.battle.title,
        "filming": window.export is not None,
        "clock": [
            window.session.battle.clock.round,
            window.session.battle.clock.player,
            window.session.battle.clock.phase,
            window.session.battle.clock.step,
        ],
        "corner": list(window.pixel((0.0, 0.0))),
        "scale": (window.pixel((field.width, 0.0))[0] - window.pixel((0.0, 0.0))[0]) / field.width,
        "replay": window.replay is not None,
        "message": ""
        if (box := window.dialogs._box) is None or not box.alive()
        else box.text_block.html_text.replace("<br>", ""),
        "units": len(window.session.battle.units),
        "seconds": window.replay.seconds if window.replay is not None else 0.0,
    }


if __name__ == "__main__":
    main()
