"""Rolls that may be rolled again: every roll of a unit opens a moment for a Command Re-roll."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from msgspec.structs import replace

from sim.battle import Battle, RollAbout
from sim.rules import NeedChoice, NeedRoll, ReactionWindow, Told
from sim.rulesets.wh40k10.resources import can_pay

AFTER_ROLL = "after-roll"
RE_ROLL_MARKER = "command-re-roll"
Rolled = Generator[Told, Any, tuple[Battle, tuple[int, ...]]]


def roll(
    battle: Battle,
    unit_id: str,
    count: int,
    sides: int,
    purpose: str,
    together: bool = False,
    about: RollAbout | None = None,
) -> Rolled:
    """Dice for a unit, and the battle after them; with ``together`` they are one roll and are all rolled again."""
    if count <= 0:
        return battle, ()
    player = battle.unit(unit_id).player
    faces: tuple[int, ...] = yield NeedRoll(count, sides, purpose, player, about=about)
    if not can_re_roll(battle, unit_id):
        return battle, faces
    shown = " ".join(str(face) for face in faces)
    before = _used(battle, unit_id)
    battle = yield ReactionWindow(AFTER_ROLL, f"{unit_id}: {purpose}: {shown}", (player,))
    if _used(battle, unit_id) == before:
        return battle, faces
    if together:
        again: tuple[int, ...] = yield NeedRoll(count, sides, f"{purpose}, again", player, about=again_of(about))
        return battle, again
    which = min(faces)
    if len(set(faces)) > 1:
        options = tuple(str(face) for face in sorted(set(faces)))
        which = int((yield NeedChoice(player, f"Command Re-roll of {purpose}: which die", options)))
    (new,) = yield NeedRoll(1, sides, f"{purpose}, again", player, about=again_of(about))
    at = faces.index(which)
    return battle, (*faces[:at], new, *faces[at + 1 :])


def again_of(about: RollAbout | None) -> RollAbout | None:
    """What a roll is about whose dice fell before."""
    return None if about is None else replace(about, again=True)


def can_re_roll(battle: Battle, unit_id: str) -> bool:
    """Whether the owner of a unit could pay for a Command Re-roll of it in this phase."""
    if not battle.resources:
        return False
    unit = battle.unit(unit_id)
    if unit.marked("battle-shocked") or not can_pay(battle, unit.player, 1):
        return False
    return not any(u.player == unit.player and u.marked(RE_ROLL_MARKER) for u in battle.units)


def _used(battle: Battle, unit_id: str) -> int:
    return sum(marker.kind == RE_ROLL_MARKER for marker in battle.unit(unit_id).markers)
