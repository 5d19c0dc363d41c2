"""The exact odds of a command: of each volley of its attacks, or of the roll of a charge."""

from __future__ import annotations

from msgspec import structs

from sim.battle import Battle
from sim.chance import Pmf
from sim.geometry import Path
from sim.rules import Command, Odds, command_name
from sim.rulesets.wh40k10 import charging, losses, movement, reaching, shooting, stratagems, striking
from sim.rulesets.wh40k10.commands import (
    Advance,
    Charge,
    ChargeMove,
    Embark,
    Fight,
    Guide,
    NormalMove,
    ScoutMove,
    Shoot,
    Stratagem,
)
from sim.rulesets.wh40k10.volleys import Volley


def odds(battle: Battle, command: Command) -> tuple[Odds, ...]:
    """What a command that rolls may do; nothing for one that this says nothing of."""
    match command:
        case Shoot(unit, attacks):
            shooter = battle.unit(unit)
            shots = shooting.shots_of(battle, shooter, attacks)
            return tuple(_of_volley(battle, v) for v in shooting.plan_volleys(battle, shooter, shots))
        case Fight(unit, attacks):
            planned = striking.plan_volleys(battle, battle.unit(unit), attacks)
            return tuple(_of_volley(battle, volley) for volley in planned)
        case Charge(unit, targets):
            return (_of_charge(battle, unit, targets),)
        case _:
            return ()


def _of_volley(battle: Battle, volley: Volley) -> Odds:
    target = battle.unit(volley.target)
    attack = volley.attack(battle)
    toll = attack.odds(len(volley.models), losses.wounds_left(target, volley.reached(target)))
    many = f"{len(volley.models)} x " if len(volley.models) > 1 else ""
    everyone = target.name if volley.reached(target) is None else f"{target.name} in sight"
    lines = (*attack.lines(), f"{toll.all_fallen:.2%} for all of {everyone}")
    found = (("models destroyed", toll.fallen), ("wounds lost", toll.lost))
    return Odds(f"{many}{attack.name} at {target.name}", lines, found)


def _of_charge(battle: Battle, unit: str, targets: tuple[str, ...]) -> Odds:
    charger = battle.unit(unit)
    needs = charging.needed(battle, charger, targets)
    rolled = Pmf.die(charging.SIDES, charging.DICE)
    chance = 0.0 if needs == "never" else rolled.at_least(int(needs))
    names = ", ".join(battle.unit(name).name for name in targets)
    less = movement.shaken(charger)
    why = f" (-{less} shaken)" if less else ""
    lines = (f"needs {needs}{why}" if needs != "never" else f"no roll suffices{why}", f"{chance:.2%} to arrive")
    return Odds(f"Charge of {charger.name} at {names}", lines, (("Charge roll", rolled),))


def describe(battle: Battle, command: Command) -> str:
    """A command in a few words: at whom, with what chance."""
    match command:
        case Shoot(_, attacks) | Fight(_, attacks):
            parts = []
            for name in dict.fromkeys(attack.target for attack in attacks):
                found = [a for a in attacks if a.target == name]
                rows = odds(battle, structs.replace(command, attacks=tuple(found)))
                kills = sum(pmf.mean for row in rows for what, pmf in row.distributions if what == "models destroyed")
                parts.append(f"{battle.unit(name).name}: about {kills:.1f} of {len(battle.unit(name).models)}")
            return "; ".join(parts) or "nobody"
        case Charge(unit, targets):
            needs = charging.needed(battle, battle.unit(unit), targets)
            chance = 0.0 if needs == "never" else Pmf.die(charging.SIDES, charging.DICE).at_least(int(needs))
            names = ", ".join(battle.unit(name).name for name in targets)
            return f"{names}: needs {needs}, {chance:.0%}"
        case ChargeMove(_, targets):
            return f"into {', '.join(battle.unit(name).name for name in targets)}"
        case Guide(_, observer, target):
            return f"{battle.unit(observer).name} spots {battle.unit(target).name}"
        case Stratagem(name, unit, target):
            names = ", ".join(battle.unit(n).name if battle.has_unit(n) else n for n in target.split())
            title = stratagems.title_of(battle, battle.unit(unit).player, name)
            return f"{title}: {battle.unit(unit).name}{f' ({names})' if names else ''}"
        case Embark(unit, transport):
            return f"{battle.unit(unit).name} aboard {battle.unit(transport).name}"
        case _:
            return command_name(type(command)).replace("-", " ")


def routed(battle: Battle, command: Command) -> Command | None:
    """A move with the same ends by ways round what is in the way; None when some model has no way."""
    targets: tuple[str, ...] | None = None
    if isinstance(command, ChargeMove):
        targets = command.targets
    elif not isinstance(command, (NormalMove, Advance, ScoutMove)):
        return None
    unit = battle.unit(command.unit)
    if len(unit.models) != len(command.paths):
        return None
    paths = []
    for model, path in zip(unit.models, command.paths, strict=True):
        if not path.stops or path.pivots or model.pose is None:
            paths.append(path)
            continue
        way = reaching.ground_map(battle, unit, model, targets).route(model.pose.at, path.end.at)
        if way is None:
            return None
        last = [*way[-1], path.end.facing, path.end.z] if way else []
        paths.append(Path.through(model.pose, [*(list(point) for point in way[:-1]), *([last] if last else [])]))
    return structs.replace(command, paths=tuple(paths))
