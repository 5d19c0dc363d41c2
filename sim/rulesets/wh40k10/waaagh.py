"""Waaagh!: once in a battle, at the start of the own Command phase, Orks become better until the next one begins.

They may charge after an Advance, strike harder and more often, and are harder to kill.
"""

from __future__ import annotations

from sim.battle import Battle, Marker, MarkerSet, Model, Unit
from sim.geometry import within
from sim.rules import NeedChoice
from sim.rulesets.wh40k10 import leaders, quantifiers
from sim.rulesets.wh40k10.datasheets import Weapon
from sim.rulesets.wh40k10.engagement import apart
from sim.rulesets.wh40k10.leaders import WAAAGH
from sim.rulesets.wh40k10.once import NOT_NOW
from sim.rulesets.wh40k10.resources import Resolving

RULE = "Waaagh!"
CALLED = "waaagh-called"  # the marker of a unit whose player has called it
CALL = "call-waaagh"
MORE_BLOWS = 1
MORE_STRENGTH = 1
CHARGES = 12.0  # inches; who could declare a charge after its move is why a player may want to call it


def called(battle: Battle, player: str) -> Resolving:
    """Whose Command phase begins may call it, if it has not; for everybody who has it, wherever they are."""
    mine = [u for u in battle.units if u.player == player and u.models and quantifiers.some(u, WAAAGH) is not None]
    if not mine or any(unit.marked(CALLED) for unit in mine):
        return battle
    options = (CALL, NOT_NOW) if _many_could_charge(battle, mine) else (NOT_NOW, CALL)
    picked = yield NeedChoice(player, f"{RULE} of {player}: call it now, once in the battle", options)
    if picked == NOT_NOW:
        return battle
    for unit in mine:
        until_next = Marker(WAAAGH, until="next-command-phase", player=player, round=battle.clock.round + 1)
        battle = yield MarkerSet(unit.id, until_next)
        battle = yield MarkerSet(unit.id, Marker(CALLED))
    return battle


def _many_could_charge(battle: Battle, mine: list[Unit]) -> bool:
    """Whether half of the units on the table could move and declare a charge in this turn."""
    there = [unit for unit in mine if unit.on_table]
    foes = [u for u in battle.units if u.player != mine[0].player and u.on_table and u.models]
    near = [
        unit
        for unit in there
        if any(within(float(apart(battle, unit, foe).min()), (leaders.move(unit) or 0.0) + CHARGES) for foe in foes)
    ]
    return bool(near) and 2 * len(near) >= len(there)


def more_blows(unit: Unit, model: Model, weapon: Weapon) -> int:
    """How many attacks more a model makes with a melee weapon; Extra Attacks stay as many as they are."""
    strikes_more = _lasts_on(unit, model) and weapon.range == 0 and not weapon.has("extra-attacks")
    return MORE_BLOWS if strikes_more else 0


def more_strength(unit: Unit, model: Model, weapon: Weapon) -> int:
    """By how much the Strength of a model's melee weapon is better."""
    return MORE_STRENGTH if _lasts_on(unit, model) and weapon.range == 0 else 0


def _lasts_on(unit: Unit, model: Model) -> bool:
    return unit.marked(WAAAGH) and quantifiers.of_model(unit, model, WAAAGH) is not None
