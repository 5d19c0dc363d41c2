"""Move Manoeuvres and what is moved by magic: whole blocks, judged by where they end and what they come near to."""

from __future__ import annotations

import math
from collections.abc import Iterator

from sim.battle import Battle, Marker, MarkerSet, ModelsMoved, ModelsPlaced, Unit
from sim.geometry import Limit, Path, Placed, PlacedSet, Pose, Rules, Sweep, Witness, beyond
from sim.geometry.lengths import compared, inches
from sim.rules import Going, Procedure, Violation
from sim.rulesets.t9a import formation, spacing
from sim.rulesets.t9a.commands import AdvanceMove, MagicMove, March, Reform
from sim.rulesets.t9a.eligibility import (
    MOVED,
    ambushers_first,
    may_act,
    may_manoeuvre,
    no_war_machine,
    one_each,
    random_movers_first,
    standing_free,
    starts,
)

ADVANCE = "Advance Move"
MARCH = "March Move"
MAGIC = "Magic Move"
REFORM = "Reform"
MARCH_FACTOR = 2.0  # a March Rate that is not given is this many Advance Rates
CENTRE_REACH = 0.0  # inches that the centre of the boundary may shift; Reform


WithPaths = AdvanceMove | March | MagicMove


def advance_rate(unit: Unit) -> float | None:
    """The Advance Rate in inches, None when it is not known."""
    rate = unit.value("Adv")
    return unit.value("M") if rate is None else rate


def march_rate(unit: Unit) -> float | None:
    """The March Rate in inches, None when it is not known."""
    rate, advance = unit.value("Mar"), advance_rate(unit)
    if rate is not None:
        return rate
    return None if advance is None else MARCH_FACTOR * advance


def rules(battle: Battle, command: WithPaths) -> Rules:
    """Half an inch from others on the way; at the end in the same ranks, on the table and one inch from others."""
    unit = battle.unit(command.unit)
    return Rules(
        moving=spacing.passing(battle, unit),
        standing=(*_same_ranks(unit), *spacing.block_standing(battle, unit)),
    )


def _same_ranks(unit: Unit) -> Iterator[formation.KeepRanks]:
    pattern = tuple(model.pose for model in unit.models if model.pose is not None)
    if len(pattern) == len(unit.models) and len(pattern) > 1:
        yield formation.KeepRanks("broken-ranks", formation.RULE, pattern)


def judge_advance(battle: Battle, command: AdvanceMove) -> Iterator[Violation]:
    """All that is wrong with this Advance Move."""
    unit = battle.unit(command.unit)
    yield from _in_movement_phase(battle, unit, ADVANCE)
    yield from _along(battle, command, ADVANCE, advance_rate(unit))


def judge_march(battle: Battle, command: March) -> Iterator[Violation]:
    """All that is wrong with this March Move."""
    unit = battle.unit(command.unit)
    yield from _in_movement_phase(battle, unit, MARCH)
    yield from no_war_machine(unit, MARCH, "march")
    yield from _along(battle, command, MARCH, march_rate(unit))


def judge_magic(battle: Battle, command: MagicMove) -> Iterator[Violation]:
    """All that is wrong with this Magic Move; a unit that arrived from ambush in this turn may make it."""
    unit = battle.unit(command.unit)
    yield from may_act(battle, unit, MAGIC, "magic")
    yield from standing_free(unit, MAGIC)
    yield from _along(battle, command, MAGIC, command.distance)


def _in_movement_phase(battle: Battle, unit: Unit, rule: str) -> Iterator[Violation]:
    yield from may_act(battle, unit, rule, "movement")
    yield from ambushers_first(battle, unit, rule)
    yield from random_movers_first(battle, unit, rule)
    yield from standing_free(unit, rule)
    yield from may_manoeuvre(unit, rule)
    if unit.ability("random-movement") is not None:
        yield Violation("not-eligible", rule, f"{unit.name} has Random Movement and moves by it alone", (unit.id,))


def _along(battle: Battle, command: WithPaths, rule: str, rate: float | None) -> Iterator[Violation]:
    """Paths for all models from where they stand, none too far, in good order and apart from everybody."""
    unit = battle.unit(command.unit)
    wrong = (*one_each(unit, command.paths, rule), *starts(unit, command.paths, rule))
    yield from wrong
    if wrong:
        return
    if rate is None:
        yield Violation("not-eligible", rule, f"{unit.name} has no Advance Rate (Adv) in its profile", (unit.id,))
    else:
        yield from _too_far(unit, tuple(path.end for path in command.paths), rule, rate)
    bases = [model.base for model in unit.models]
    ends = PlacedSet.of(Placed(base, path.end) for base, path in zip(bases, command.paths, strict=True))
    sweeps = tuple(Sweep(base, path) for base, path in zip(bases, command.paths, strict=True))
    yield from spacing.violations(unit, rules(battle, command), ends, sweeps)


def _too_far(unit: Unit, ends: tuple[Pose, ...], rule: str, rate: float) -> Iterator[Violation]:
    """No model's centre ends farther from its start than the rate."""
    for going, model, end in zip(_goings(unit, ends, rate), unit.models, ends, strict=True):
        if model.pose is not None and going.too_far:
            off, most = compared(going.gone, rate)
            what = f"{model.id} ends {off} from where it stood; at most {most} is allowed"
            shown = Witness(line=(model.pose.at, end.at))
            yield Violation("too-far", rule, what, (model.id,), going.gone, Limit("at_most", rate), shown)


def goes(battle: Battle, command: WithPaths | Reform) -> tuple[Going, ...]:
    """How far from where it stood each model ends, and how far it may."""
    unit = battle.unit(command.unit)
    match command:
        case Reform(_, models):
            rate, ends = march_rate(unit), models
        case MagicMove():
            rate, ends = command.distance, tuple(path.end for path in command.paths)
        case _:
            rate = march_rate(unit) if isinstance(command, March) else advance_rate(unit)
            ends = tuple(path.end for path in command.paths)
    return () if rate is None else _goings(unit, ends, rate)


def _goings(unit: Unit, ends: tuple[Pose, ...], rate: float) -> tuple[Going, ...]:
    pairs = zip(unit.models, ends, strict=True)
    return tuple(
        Going(model.id, 0.0 if model.pose is None else math.dist(model.pose.at, end.at), rate) for model, end in pairs
    )


def resolve(battle: Battle, command: WithPaths) -> Procedure:
    """The models follow their paths, and those that joined the unit keep their places in it."""
    unit = battle.unit(command.unit)
    yield ModelsMoved(unit.id, tuple((m.id, path) for m, path in zip(unit.models, command.paths, strict=True)))
    yield from companions_follow(battle, unit, command.paths[0].end)
    if not isinstance(command, MagicMove):
        kind = "march" if isinstance(command, March) else "advance"
        yield MarkerSet(unit.id, Marker(MOVED, kind, until="end-of-turn"))


def companions_follow(battle: Battle, unit: Unit, first: Pose) -> Procedure:
    """Models that joined a unit keep their places beside its first model."""
    start = unit.models[0].pose
    assert start is not None
    for model in formation.crew(battle, unit):
        if model.unit != unit.id and model.pose is not None:
            _, place = formation.moved((start, model.pose), first)
            path = Path.through(model.pose, [[place.x, place.y, place.facing]])
            yield ModelsMoved(model.unit, ((model.id, path),))


# --- reform


def reform_rules(battle: Battle, command: Reform) -> Rules:
    """In ranks, on the table, one inch from everybody."""
    unit = battle.unit(command.unit)
    return Rules(standing=(*in_ranks(unit, command.models), *spacing.block_standing(battle, unit)))


def in_ranks(unit: Unit, poses: tuple[Pose, ...], files: int = 0) -> Iterator[formation.KeepRanks]:
    """The models stand in ranks of so many files, by default of as many as stand beside the first."""
    if len(unit.models) > 1 and poses:
        wide = files or beside_first(poses)
        bases, gap = [model.base for model in unit.models], formation.gap_between_models(unit)
        pattern = formation.ranks(bases, wide, gap, (0.0, 0.0), 0.0)
        yield formation.KeepRanks("broken-ranks", formation.RULE, pattern)


def beside_first(poses: tuple[Pose, ...]) -> int:
    """How many models, from the first on, stand level with it."""
    first = poses[0]
    angle = math.radians(first.facing)
    ahead = [(p.x - first.x) * math.cos(angle) + (p.y - first.y) * math.sin(angle) for p in poses]
    return next((k for k, off in enumerate(ahead) if beyond(abs(off), 0.0)), len(poses))


def is_joined(battle: Battle, unit: Unit) -> bool:
    """Whether a model has joined a unit: how such a unit reforms is not known here."""
    return any(other.on_table and formation.host_of(other) == unit.id for other in battle.units)


def judge_reform(battle: Battle, command: Reform) -> Iterator[Violation]:
    """All that is wrong with this Reform."""
    unit = battle.unit(command.unit)
    yield from _in_movement_phase(battle, unit, REFORM)
    wrong = tuple(one_each(unit, command.models, REFORM))
    yield from wrong
    if wrong or not unit.models:
        return
    if is_joined(battle, unit):
        what = f"{unit.name} is joined by a model: its reform is not known here"
        yield Violation("not-eligible", REFORM, what, (unit.id,))
    rate = march_rate(unit)
    if rate is None:
        yield Violation("not-eligible", REFORM, f"{unit.name} has no Advance Rate (Adv) in its profile", (unit.id,))
    else:
        yield from _too_far(unit, command.models, REFORM, rate)
    members = PlacedSet.of(Placed(m.base, pose) for m, pose in zip(unit.models, command.models, strict=True))
    yield from _centre_shifted(unit, members)
    yield from spacing.violations(unit, reform_rules(battle, command), members)


def _centre_shifted(unit: Unit, members: PlacedSet) -> Iterator[Violation]:
    before = [model.placed for model in unit.models if model.pose is not None]
    if not before:
        return
    start, end = formation.boundary(before).pose.at, formation.boundary(members.members).pose.at
    off = math.dist(start, end)
    if beyond(off, CENTRE_REACH):
        what = f"the centre of {unit.name} shifts by {inches(off)}; a Reform keeps it"
        limit = Limit("at_most", CENTRE_REACH)
        yield Violation("too-far", REFORM, what, (unit.id,), off, limit, Witness(line=(start, end)))


def resolve_reform(battle: Battle, command: Reform) -> Procedure:
    """The models stand in their new ranks; the unit has moved."""
    unit = battle.unit(command.unit)
    yield ModelsPlaced(unit.id, tuple((m.id, p) for m, p in zip(unit.models, command.models, strict=True)))
    yield MarkerSet(unit.id, Marker(MOVED, "reform", until="end-of-turn"))
