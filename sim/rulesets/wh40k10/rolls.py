"""Rolls that may be rolled again: each roll of a unit opens a moment, and dice that fell twice are done with."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

from msgspec.structs import replace

from sim.battle import Battle, RollAbout
from sim.chance import Pmf
from sim.rules import NeedChoice, NeedRoll, Option, ReactionWindow, Told

AFTER_ROLL = "after-roll"
RE_ROLL_MARKER = "command-re-roll"
NO_DICE = frozenset[int]()
Rolled = Generator[Told, Any, tuple[Battle, tuple[int, ...]]]


def roll(
    battle: Battle,
    unit_id: str,
    count: int,
    sides: int,
    purpose: str,
    each: int = 1,
    about: RollAbout | None = None,
) -> Rolled:
    """Dice for a unit, and the battle after them; ``each`` so many of them are one roll and fall again together."""
    if count <= 0:
        return battle, ()
    player = battle.unit(unit_id).player
    faces: tuple[int, ...] = yield NeedRoll(count, sides, purpose, player, about=about)
    return (yield from bought_again(battle, unit_id, faces, sides, purpose, each, about))


def bought_again(
    battle: Battle,
    unit_id: str,
    faces: Sequence[int],
    sides: int,
    purpose: str,
    each: int = 1,
    about: RollAbout | None = None,
    spent: frozenset[int] = NO_DICE,
) -> Rolled:
    """The moment after a roll, and the faces after it; ``spent`` dice have been rolled again already."""
    found = tuple(faces)
    open_to = [k for k in range(0, len(found), each) if not spent & set(range(k, k + each))]
    if not battle.resources or not open_to:
        return battle, found
    player = battle.unit(unit_id).player
    before = _used(battle, unit_id)
    shown = " ".join(str(face) for face in found)
    tells = expectation([sum(found[k : k + each]) for k in open_to], sides, each, about)
    words = f"{purpose}: {shown}"
    battle = yield ReactionWindow(AFTER_ROLL, unit_id, (player,), roll=about, words=words, chance=tells)
    if _used(battle, unit_id) == before:
        return battle, found
    at = open_to[0]
    options = {" ".join(str(face) for face in found[k : k + each]): k for k in reversed(open_to)}
    if len(options) > 1:
        names = tuple(sorted(options, key=lambda name: found[options[name] : options[name] + each]))
        what = f"Command Re-roll of {purpose}: which {'die' if each == 1 else 'dice'}"
        titles = tuple(Option(name, f"Roll {name if each > 1 else f'the {name}'} again") for name in names)
        at = options[(yield NeedChoice(player, what, names, about=titles))]
    new: tuple[int, ...] = yield NeedRoll(each, sides, f"{purpose}, again", player, about=again_of(about))
    return battle, (*found[:at], *new, *found[at + each :])


def expectation(rolled: Sequence[int], sides: int, each: int, about: RollAbout | None) -> str:
    """What is needed, how many of some rolls fell short of it, and the chance of one of them if it is rolled again.

    Nothing where nothing is needed, or where what is needed is not a matter of these dice alone. ``each`` dice are one
    roll, of which the sum counts.
    """
    if about is None or not about.needs:
        return ""
    chance = Pmf.die(sides, each).at_least(about.needs)
    short = sum(total < about.needs for total in rolled)
    if len(rolled) == 1:
        fell = "the roll falls short" if short else "the roll suffices"
    else:
        fell = f"{short} of {len(rolled)} fell short"
    what = "one die" if each == 1 else f"the {each} dice"
    return f"{about.needs}+ is needed: {fell}. Rolled again, {what} would make it {chance:.0%} of the time."


def again_of(about: RollAbout | None) -> RollAbout | None:
    """What a roll is about whose dice fell before."""
    return None if about is None else replace(about, again=True)


def _used(battle: Battle, unit_id: str) -> int:
    return sum(marker.kind == RE_ROLL_MARKER for marker in battle.unit(unit_id).markers)
