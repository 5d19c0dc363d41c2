"""The exact odds of a command: of each volley of its attacks, or of the roll of a charge."""

from __future__ import annotations

from sim.battle import Battle
from sim.chance import Pmf
from sim.rules import Command, Odds
from sim.rulesets.wh40k10 import charging, fighting, losses, shooting
from sim.rulesets.wh40k10.commands import Charge, Fight, Shoot
from sim.rulesets.wh40k10.volleys import Volley


def odds(battle: Battle, command: Command) -> tuple[Odds, ...]:
    """What a command that rolls may do; nothing for one that this says nothing of."""
    match command:
        case Shoot(unit, attacks):
            shooter = battle.unit(unit)
            shots = shooting.shots_of(battle, shooter, attacks)
            return tuple(_of_volley(battle, v) for v in shooting.plan_volleys(battle, shooter, shots))
        case Fight(unit, attacks):
            planned = fighting.plan_volleys(battle, battle.unit(unit), attacks)
            return tuple(_of_volley(battle, volley) for volley in planned)
        case Charge(unit, targets):
            return (_of_charge(battle, unit, targets),)
        case _:
            return ()


def _of_volley(battle: Battle, volley: Volley) -> Odds:
    target = battle.unit(volley.target)
    attack = volley.attack(battle)
    toll = attack.odds(len(volley.models), losses.wounds_left(target))
    many = f"{len(volley.models)} x " if len(volley.models) > 1 else ""
    lines = (*attack.lines(), f"{toll.all_fallen:.2%} for all of {target.name}")
    found = (("models destroyed", toll.fallen), ("wounds lost", toll.lost))
    return Odds(f"{many}{attack.name} at {target.name}", lines, found)


def _of_charge(battle: Battle, unit: str, targets: tuple[str, ...]) -> Odds:
    charger = battle.unit(unit)
    needs = charging.needed(battle, charger, targets)
    rolled = Pmf.die(charging.SIDES, charging.DICE)
    chance = 0.0 if needs == "never" else rolled.at_least(int(needs))
    names = ", ".join(battle.unit(name).name for name in targets)
    lines = (f"needs {needs}" if needs != "never" else "no roll suffices", f"{chance:.2%} to arrive")
    return Odds(f"Charge of {charger.name} at {names}", lines, (("Charge roll", rolled),))
