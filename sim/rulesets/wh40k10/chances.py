"""The exact odds of a command: of each volley of its attacks, or of the roll of a charge."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from msgspec import structs

from sim.battle import Battle, BattleError, Unit
from sim.chance import Pmf
from sim.geometry import Path
from sim.rules import Command, Odds, command_name
from sim.rulesets.wh40k10 import (
    charging,
    losses,
    movement,
    needed,
    reaching,
    shooting,
    stratagems,
    striking,
    tolls,
    uncounted,
)
from sim.rulesets.wh40k10.attacks import CRITICAL, Attack
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
        case Shoot() | Fight():
            return tuple(_of_attacks(battle, command))
        case Charge(unit, targets):
            return (_of_charge(battle, unit, targets),)
        case _:
            return ()


def volleys_of(battle: Battle, command: Shoot | Fight) -> tuple[Volley, ...]:
    """The volleys of a command in the order in which they are resolved."""
    unit = battle.unit(command.unit)
    if isinstance(command, Fight):
        return tuple(striking.plan_volleys(battle, unit, command.attacks))
    shots = shooting.shots_of(battle, unit, command.attacks)
    return tuple(shooting.plan_volleys(battle, unit, shots))


def by_target(volleys: Sequence[Volley]) -> dict[str, list[Volley]]:
    """Volleys by their target, in their order."""
    found: dict[str, list[Volley]] = {}
    for volley in volleys:
        found.setdefault(volley.target, []).append(volley)
    return found


class MissingNumber(BattleError):
    """A number without which there are no odds; says whose and which."""


def _needs(unit: Unit, numbers: tuple[str, ...]) -> None:
    """Raises ``MissingNumber`` where a unit lacks a number that its losses depend on."""
    for what in needed.missing(unit, numbers):
        raise MissingNumber(what)


def _of_attacks(battle: Battle, command: Shoot | Fight) -> Iterator[Odds]:
    """What the targets suffer, and what the attacks cost their own unit; each says what it leaves out."""
    unit, volleys = battle.unit(command.unit), volleys_of(battle, command)
    left_out = uncounted.of_volleys(battle, unit, volleys)
    unread = uncounted.unread(battle, (unit.id, *by_target(volleys)))
    for odds in (*_of_volleys(battle, volleys), *_of_hazards(battle, command, volleys)):
        numbers = {**odds.numbers, "left_out": list(left_out), "unread_abilities": unread}
        yield replace(odds, numbers=numbers, notes=tuple(uncounted.told(left_out, unread)))


def _of_hazards(battle: Battle, command: Shoot | Fight, volleys: Sequence[Volley]) -> Iterator[Odds]:
    """What the Hazardous tests after the attacks cost the unit that makes them."""
    unit = battle.unit(command.unit)
    if isinstance(command, Fight):
        tests = striking.hazarded(volleys)
    else:
        tests = shooting.hazarded(unit, shooting.shots_of(battle, unit, command.attacks))
    if not tests or shooting.passes_hazards(unit):
        return
    _needs(unit, needed.OF_BEARERS)
    toll = tolls.toll_of_hazards(battle, unit, tests)
    title = f"Hazardous tests of {unit.name}: {len(tests)}"
    yield _odds_of(unit, title, (), toll, {"hazardous_tests": len(tests), "target": unit.id})


def _of_volleys(battle: Battle, volleys: Sequence[Volley]) -> Iterator[Odds]:
    """Each volley by itself at its target as it is now, and all that one target suffers together."""
    for name in by_target(volleys):
        _needs(battle.unit(name), needed.OF_TARGETS)
    for volley in volleys:
        target = battle.unit(volley.target)
        attack = volley.attack(battle)
        title = f"{_many(volley)}{attack.name} at {target.name}"
        lines = (*attack.lines_of_attacker(), *_lines_of_target(battle, volley))
        numbers = {
            "weapons": len(volley.models),
            "hits_on": None if attack.hit is None else min(attack.hit.needed, CRITICAL),
            "hit_chance": attack.hit_chance,
            "wounds_on": min(attack.wound.needed, attack.critical_wound),
            "wound_chance": attack.wound_chance,
            "saves": [_save_numbers(found, names) for found, names in _kinds(battle, volley)],
        }
        yield from _of_target(battle, target, (volley,), title, lines, numbers)
    for name, found in by_target(volleys).items():
        if len(found) > 1:
            target = battle.unit(name)
            lines = tuple(f"{_many(volley)}{volley.attack(battle).name}" for volley in found)
            yield from _of_target(battle, target, found, f"All together at {target.name}", lines, {})


def _many(volley: Volley) -> str:
    return f"{len(volley.models)} x " if len(volley.models) > 1 else ""


def _of_target(
    battle: Battle,
    target: Unit,
    volleys: Sequence[Volley],
    title: str,
    lines: tuple[str, ...],
    numbers: Mapping[str, Any],
) -> Iterator[Odds]:
    """What volleys do to one unit; told for Characters picked out with Precision, and for none, where one can be."""
    choices: tuple[tuple[bool, str], ...] = ((True, ""),)
    if any(volley.picks(target) for volley in volleys):
        choices = ((True, ", Characters picked out with Precision"), (False, ", no Character picked out"))
    everyone = target.name if all(v.reached(target) is None for v in volleys) else f"{target.name} in sight"
    about = {**numbers, "target": target.id, "volleys": len(volleys)}
    for precision, told in choices:
        toll = tolls.toll_of(battle, target, volleys, precision)
        picked = {**about, "picked_out": precision} if len(choices) > 1 else about
        yield _odds_of(target, title + told, lines, toll, picked, everyone)


def _odds_of(
    unit: Unit, title: str, lines: tuple[str, ...], toll: tolls.Toll, numbers: Mapping[str, Any], everyone: str = ""
) -> Odds:
    """What a unit suffers; ``everyone`` are those of it who can."""
    names = {model.id: model.name or model.id for model in unit.models}
    led = tuple(f"{chance:.2%} for {names[model]}" for model, chance in toll.characters)
    return Odds(
        title,
        (*lines, f"{toll.all_fallen:.2%} for all of {everyone or unit.name}", *led),
        (("models destroyed", toll.fallen), ("wounds lost", toll.lost)),
        {**numbers, "all_destroyed_chance": toll.all_fallen, "destroyed_chances": dict(toll.characters)},
    )


def _kinds(battle: Battle, volley: Volley) -> list[tuple[Attack, tuple[str, ...]]]:
    """The models that can be reached, by what they have against the attack: in the order in which they suffer."""
    target = battle.unit(volley.target)
    found: dict[tuple[str, ...], tuple[Attack, list[str]]] = {}
    for model in losses.suffering_order(target, volley.reached(target)):
        attack = volley.attack(battle, model.id)
        key = (*attack.lines_of_target(), str(attack.damage_pmf.mean))
        found.setdefault(key, (attack, []))[1].append(model.id)
    return [(attack, tuple(names)) for attack, names in found.values()]


def _lines_of_target(battle: Battle, volley: Volley) -> Iterator[str]:
    """What saves the target, apart for models that differ in it."""
    kinds = _kinds(battle, volley)
    if len(kinds) == 1:
        yield from kinds[0][0].lines_of_target()
        return
    for attack, names in kinds:
        called = dict.fromkeys(battle.model(name).name or battle.unit(volley.target).name for name in names)
        many = f"{len(names)} x " if len(names) > 1 else ""
        yield f"{many}{', '.join(called)}: {'; '.join(attack.lines_of_target())}"


def _save_numbers(attack: Attack, names: tuple[str, ...]) -> dict[str, Any]:
    return {
        "models": list(names),
        "saved_on": attack.saves_on if attack.saves_on <= CRITICAL else None,
        "invulnerable": attack.invulnerable,
        "save_chance": attack.save_chance,
        "ignored_on": attack.ignores_wounds,
        "mortal_ignored_on": attack.mortal_ignored_on,
    }


def _of_charge(battle: Battle, unit: str, targets: tuple[str, ...]) -> Odds:
    charger = battle.unit(unit)
    needs = charging.needed(battle, charger, targets)
    rolled = Pmf.die(charging.SIDES, charging.DICE)
    chance = 0.0 if needs == "never" else rolled.at_least(int(needs))
    names = ", ".join(battle.unit(name).name for name in targets)
    less = movement.shaken(charger)
    why = f" (-{less} shaken)" if less else ""
    most = charging.MOST - less
    if needs == "never":
        lines: tuple[str, ...] = (f'no way of {most}" or less ends within Engagement Range of {names}{why}',)
    else:
        lines = (f"needs {needs}{why}", f"{chance:.2%} to arrive")
    numbers = {"needs": None if needs == "never" else int(needs), "chance": chance}
    return Odds(f"Charge of {charger.name} at {names}", lines, (("Charge roll", rolled),), numbers)


def describe(battle: Battle, command: Command) -> str:
    """A command in a few words: at whom, with what chance."""
    match command:
        case Shoot() | Fight():
            parts = []
            for name, volleys in by_target(volleys_of(battle, command)).items():
                target = battle.unit(name)
                toll = tolls.toll_of(battle, target, volleys)
                parts.append(f"{target.name}: about {toll.fallen.mean:.1f} of {len(target.models)}")
            return "; ".join(parts) or "nobody"
        case Charge(unit, targets):
            needs = charging.needed(battle, battle.unit(unit), targets)
            chance = 0.0 if needs == "never" else Pmf.die(charging.SIDES, charging.DICE).at_least(int(needs))
            names = ", ".join(battle.unit(name).name for name in targets)
            return f"{names}: no roll suffices" if needs == "never" else f"{names}: needs {needs}, {chance:.0%}"
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
            return command_name(type(command)).replace("-", " ").capitalize()


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
