"""Ready-made commands: legal-looking ways and attacks for a unit, best guess first; the judge has the last word."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from sim.battle import Battle, Model, Unit, same_name
from sim.geometry import EPS, Path, Placed, PlacedSet, Point, Pose, judge, separations, within
from sim.geometry.distance import overhang
from sim.geometry.routes import Map, cut_off
from sim.geometry.tolerance import Bools
from sim.rulesets.wh40k10 import (
    charging,
    contacts,
    engagement,
    fighting,
    firing,
    losses,
    measuring,
    movement,
    reaching,
    shooting,
    striking,
    terrain,
    volleys,
)
from sim.rulesets.wh40k10.attacks import Attack
from sim.rulesets.wh40k10.commands import (
    AttackWith,
    ChargeMove,
    Consolidate,
    FallBack,
    Fight,
    PileIn,
    Shoot,
)
from sim.rulesets.wh40k10.datasheets import Weapon, arms_of, carried

SHARES = (1.0, 0.75, 0.5, 0.25)  # of a move that are tried when the whole one is in the way of comrades
SHORT_OF = 1e-9  # inches kept from a limit
HALVINGS = 12  # of a way through the air, until it is as long as the inches go
PASSES = 2  # over the models that stop short of a base that they could touch
MOST_TRIES = 12  # spots in touch with enemies to which a way is looked for


def towards(
    battle: Battle, unit: Unit, goal: Point, reach: float, map_of: Callable[[Model], Map] | None = None
) -> Iterator[tuple[Path, ...]]:
    """Ways of a unit towards a point, its formation kept, the longest first."""
    if not unit.models:
        return
    centre = _centre(unit)
    maps = map_of or (lambda model: reaching.ground_map(battle, unit, model, None))
    ways = []
    for model in unit.models:
        pose = _pose(model)
        aim = (goal[0] + pose.x - centre[0], goal[1] + pose.y - centre[1])
        ways.append(maps(model).towards(pose.at, aim, reach - SHORT_OF) or ())
    for share in SHARES:
        starts = [_pose(model) for model in unit.models]
        yield tuple(
            _walk(battle, unit, model, p, way, share * reach - SHORT_OF)
            for model, p, way in zip(unit.models, starts, ways, strict=True)
        )


def _walk(battle: Battle, unit: Unit, model: Model, start: Pose, way: Sequence[Point], reach: float) -> Path:
    """Along a way for so many inches, those through the air counted; who walks off a height comes down for it."""
    path = Path.through(start, [list(point) for point in cut_off(start.at, tuple(way), reach)])
    if unit.has("FLY") and start.z <= EPS:
        return _flown(battle, unit, model, path, way, reach)
    if start.z <= EPS or not path.stops:
        return path
    surface = terrain.surface_at(battle.battlefield, start.z)
    if surface is not None and within(overhang(Placed(model.base, path.end), surface), 0.0):
        return path
    lower = cut_off(start.at, tuple(way), reach - start.z)
    if not lower:
        return Path(start, ())
    return Path.through(start, [*(list(point) for point in lower[:-1]), [*lower[-1], start.facing, 0.0]])


def _flown(battle: Battle, unit: Unit, model: Model, path: Path, way: Sequence[Point], reach: float) -> Path:
    """As far along a way as the inches go through the air over what is high, found by halves."""

    def cut(inches: float) -> Path:
        return Path.through(path.start, [list(point) for point in cut_off(path.start.at, tuple(way), inches)])

    def fits(tried: Path) -> bool:
        return tried.length + movement.climbing(battle, unit, model, tried) <= reach

    if fits(path):
        return path
    low, high = 0.0, reach
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if fits(cut(middle)) else (low, middle)
    return cut(low)


def away(battle: Battle, unit: Unit, reach: float) -> Iterator[FallBack]:
    """Falling Back in one direction or another, those away from the enemy first."""
    engaged = engagement.engaged_with(battle, unit)
    foes = reaching.bases_of(battle, engaged)
    x, y = _centre(unit)
    ex, ey = (float(foes.x.mean()), float(foes.y.mean())) if len(foes) else (x - 1, y)
    first = math.atan2(y - ey, x - ex)
    for turn in (0.0, 0.5, -0.5, 1.0, -1.0, 1.6, -1.6):
        for share in (1.0, 0.7):
            dx, dy = (reach * share * f(first + turn) for f in (math.cos, math.sin))
            paths = tuple(Path.through(_pose(m), [[_pose(m).x + dx, _pose(m).y + dy]]) for m in unit.models)
            yield FallBack(unit.id, paths)


def charge_moves(battle: Battle, unit: Unit) -> Iterator[ChargeMove]:
    """Charge moves into the declared targets with the inches that were rolled."""
    roll = charging.charge_roll(unit)
    targets = charging.charge_targets(unit)
    if roll is None or not targets:
        return
    for spare in (0.0, 0.6):
        paths = press(battle, unit, targets, float(roll), targets, spare)
        if paths is not None:

            def touching(ways: tuple[Path, ...], k: int) -> contacts.Touch | None:
                return charging.could_touch(battle, unit, ChargeMove(unit.id, targets, ways), k, float(roll))

            yield ChargeMove(unit.id, targets, _in_touch(unit, paths, reaching.bases_of(battle, targets), touching))


def _in_touch(
    unit: Unit,
    paths: tuple[Path, ...],
    theirs: PlacedSet,
    touching: Callable[[tuple[Path, ...], int], contacts.Touch | None],
    fixed: frozenset[int] = frozenset(),
) -> tuple[Path, ...]:
    """The same ways, with those who stop short of a base that they could touch sent straight into it."""
    for _ in range(PASSES):
        before = paths
        for k, model in enumerate(unit.models):
            end = PlacedSet((Placed(model.base, paths[k].end),))
            if k in fixed or separations(end, theirs).min() <= reaching.CONTACT:
                continue
            touch = touching(paths, k)
            if touch is not None:
                paths = (*paths[:k], Path.through(_pose(model), [list(touch.at)]), *paths[k + 1 :])
        if paths == before:
            break
    return paths


def press(
    battle: Battle,
    unit: Unit,
    targets: Sequence[str],
    reach: float,
    allowed: Sequence[str],
    spare: float = 0.0,
    fixed: frozenset[int] = frozenset(),
) -> tuple[Path, ...] | None:
    """Ways of all models towards the bases of the targets, the nearest first, each to the closest free spot.

    ``allowed`` are the enemy units within whose reach they may come; ``fixed`` models stay where they are, and so does
    who finds nothing better. ``spare`` keeps comrades apart, so that those behind find room.
    """
    theirs = reaching.bases_of(battle, targets)
    if not len(theirs):
        return None
    apart = separations(PlacedSet.of(m.placed for m in unit.models), theirs)
    order = [int(k) for k in apart.min(axis=1).argsort()]
    ends: dict[int, Path] = {k: Path(_pose(unit.models[k]), ()) for k in order}
    settled: list[Placed] = [unit.models[k].placed for k in fixed]
    waiting = [k for k in order if k not in fixed]
    for place, k in enumerate(waiting):
        model = unit.models[k]
        still = [unit.models[i].placed for i in waiting[place + 1 :]]
        path = _into(battle, unit, model, theirs, reach, allowed, settled, still, spare)
        if path is not None:
            ends[k] = path
        settled.append(Placed(model.base, ends[k].end))
    return tuple(ends[k] for k in range(len(unit.models)))


def _into(
    battle: Battle,
    unit: Unit,
    model: Model,
    theirs: PlacedSet,
    reach: float,
    allowed: Sequence[str],
    settled: Sequence[Placed],
    still: Sequence[Placed],
    spare: float,
) -> Path | None:
    """The way of one model to the best free spot: in touch with an enemy base, or as near as it gets."""
    pose = _pose(model)
    way = reaching.ground_map(battle, unit, model, allowed)
    legal = reaching.standing_alone(battle, unit, model, allowed)
    apart = separations(PlacedSet((model.placed,)), theirs)[0]
    now = float(apart.min())
    comrades = PlacedSet.of([*settled, *still])
    for gap in (0.0, *(ring for ring in reaching.RINGS if ring), measuring.ENGAGEMENT_REACH - reaching.HAIR):
        tried = 0
        for j in apart.argsort()[: reaching.NEAREST_BASES]:
            if apart[j] > reach + 1:
                break
            for spot in sorted(_about(model, theirs[int(j)], gap), key=lambda p: math.dist(p.at, pose.at)):
                if math.dist(spot.at, pose.at) > reach or tried > MOST_TRIES:
                    break
                placed = Placed(model.base, spot)
                if len(comrades) and separations(PlacedSet((placed,)), comrades).min() < spare - SHORT_OF:
                    continue
                if any(judge(legal, PlacedSet((placed,)))):
                    continue
                tried += 1
                route = way.route(pose.at, spot.at)
                if route is not None and _costs(battle, unit, model, route) <= reach - SHORT_OF:
                    near = float(separations(PlacedSet((placed,)), theirs).min())
                    if near < now - 1e-6:
                        return Path.through(pose, [list(point) for point in route])
    best: tuple[float, Path] | None = None
    for j in apart.argsort()[:2]:
        whole = way.towards(pose.at, theirs[int(j)].pose.at, reach - SHORT_OF)
        for share in (1.0, 0.8, 0.6, 0.4, 0.2):
            route = cut_off(pose.at, whole or (), reach * share - SHORT_OF)
            if not route or _costs(battle, unit, model, route) > reach:
                continue
            spot = Pose(route[-1][0], route[-1][1], pose.facing, pose.z)
            placed = Placed(model.base, spot)
            if len(comrades) and separations(PlacedSet((placed,)), comrades).min() < -SHORT_OF:
                continue
            if any(judge(legal, PlacedSet((placed,)))):
                continue
            near = float(separations(PlacedSet((placed,)), theirs).min())
            if near < now - 1e-6 and (best is None or near < best[0]):
                best = (near, Path.through(pose, [list(point) for point in route]))
    return best[1] if best is not None else None


def _about(model: Model, enemy: Placed, gap: float) -> Iterator[Pose]:
    """Spots all around an enemy base, a gap from it."""
    pose = _pose(model)
    heading = math.atan2(pose.y - enemy.pose.y, pose.x - enemy.pose.x)
    angles = [heading + 2 * math.pi * k / reaching.ANGLES for k in range(reaching.ANGLES)]
    for angle, far in zip(angles, reaching.centre_distances(model, enemy, angles, gap), strict=True):
        yield Pose(enemy.pose.x + far * math.cos(angle), enemy.pose.y + far * math.sin(angle), pose.facing, pose.z)


def _close_in(
    battle: Battle, unit: Unit, targets: Sequence[str], foes: Sequence[str], reach: float
) -> tuple[Path, ...]:
    """Ways of a unit that piles in towards some enemies; none of them moves where it cannot come closer."""
    fixed = in_contact(battle, unit)
    paths = press(battle, unit, targets, reach, foes, fixed=fixed)
    if paths is None or not any(path.stops for path in paths):
        return _stay(unit)
    theirs = battle.index.enemies_of(unit.player).bases
    return _in_touch(unit, paths, theirs, lambda ways, k: fighting.could_touch(battle, unit, ways, k), fixed)


def pile_ins(battle: Battle, unit: Unit, reach: float) -> Iterator[PileIn]:
    """Piling in towards the nearest enemies; or not at all."""
    foes = tuple(u.id for u in battle.units if u.player != unit.player and u.on_table and u.models)
    near = tuple(name for name in foes if name in engagement.engaged_with(battle, unit)) or foes
    paths = _close_in(battle, unit, near, foes, reach)
    if any(path.stops for path in paths):
        yield PileIn(unit.id, paths)
    yield PileIn(unit.id, _stay(unit))


def consolidations(battle: Battle, unit: Unit, reach: float) -> Iterator[Consolidate]:
    """Consolidating into enemies, or towards an objective marker; or not at all."""
    foes = tuple(u.id for u in battle.units if u.player != unit.player and u.on_table and u.models)
    if foes:
        paths = _close_in(battle, unit, foes, foes, reach)
        if any(path.stops for path in paths):
            yield Consolidate(unit.id, paths)
    centre = _centre(unit)
    for objective in sorted(battle.battlefield.objectives, key=lambda o: math.dist(o.at, centre))[:1]:
        for paths in towards(battle, unit, objective.at, reach):
            yield Consolidate(unit.id, paths)
    yield Consolidate(unit.id, _stay(unit))


def in_contact(battle: Battle, unit: Unit) -> frozenset[int]:
    """The models of a unit that touch an enemy base."""
    theirs = battle.index.enemies_of(unit.player).bases
    if not len(theirs) or not unit.models:
        return frozenset()
    apart = separations(PlacedSet.of(m.placed for m in unit.models), theirs).min(axis=1)
    return frozenset(int(k) for k in (apart <= reaching.CONTACT).nonzero()[0])


def shots(
    battle: Battle, unit: Unit, targets: Sequence[str] | None = None, weigh: bool = True, aboard: bool = True
) -> Shoot | None:
    """Every weapon of a unit at whichever of the targets it hurts most; None when nothing can be shot.

    Unless the targets are weighed up any one is as good as another. Without ``aboard`` nobody shoots out of it.
    """
    known = battle.__dict__.setdefault("_shots", {})  # asked for again and again while nothing has happened
    key = (unit.id, None if targets is None else tuple(targets), weigh, aboard)
    if key not in known:
        known[key] = _shots(battle, unit, targets, weigh, aboard)
    found: Shoot | None = known[key]
    return found


def _shots(battle: Battle, unit: Unit, targets: Sequence[str] | None, weigh: bool, aboard: bool) -> Shoot | None:
    foes = [u for u in battle.units if u.player != unit.player and u.on_table and u.models]
    if targets is not None:
        foes = [u for u in foes if u.id in targets]
    chosen: dict[tuple[str, str], list[tuple[float, AttackWith]]] = {}
    worth: dict[object, float] = {}
    legal: dict[tuple[Weapon, str, bool], bool] = {}
    rows = {m.id: k for k, m in enumerate(unit.models)}
    farthest = max((weapon.range for _, _, weapon in shooting.guns(battle, unit)), default=0.0)
    foes = [foe for foe in foes if engagement.apart(battle, unit, foe).min() <= farthest]
    clear: dict[tuple[Weapon, str], Bools] = {}
    for passenger, model, weapon in shooting.guns(battle, unit):
        for foe in foes if passenger is None or aboard else ():
            at = (weapon, foe.id)
            if at not in clear:
                clear[at] = firing.clear_shots(battle, unit, foe, weapon)
            if not clear[at][rows.get(model.id, 0)]:
                continue
            attack = AttackWith(model.id, weapon.name, foe.id, weapon.profile)
            if weapon.has("one-shot") and not shooting.copies_left(unit, model, attack):
                continue
            found = shooting.shots_of(battle, unit, (attack,))
            same = (weapon, foe.id, passenger is None)
            if same not in legal:
                legal[same] = bool(found) and not any(shooting.may_target(battle, unit, found[0]))
            if not legal[same]:
                continue
            where = (model.id, weapon.name if passenger is None else "")
            if not weigh:
                chosen.setdefault(where, []).append((0.0, attack))
                continue
            about = shooting.circumstances(battle, unit, found[0])
            key = (weapon, foe.id, about)
            if key not in worth:
                covered = shooting.covered(battle, unit, foe)
                attack_on = volleys.Volley(weapon, (model.id,), foe.id, about, covered).attack(battle)
                worth[key] = value_of(battle, attack_on, foe)
            chosen.setdefault(where, []).append((worth[key], attack))
    attacks: list[AttackWith] = []
    for (name, _), options in chosen.items():
        best = max(options, key=lambda option: option[0])[1]
        copies = carried(battle.model(name), best.weapon)
        own = battle.model(name).unit == unit.id
        if own and any(w.has("one-shot") for w in arms_of(unit, battle.model(name)) if same_name(w.name, best.weapon)):
            copies = shooting.copies_left(unit, battle.model(name), best)
        attacks.extend([best] * (copies if own else 1))
    attacks = list(_pistols_or_others(battle, unit, attacks, chosen))
    attacks = list(_no_more_than_the_deck(battle, unit, attacks))
    return Shoot(unit.id, tuple(attacks)) if attacks else None


def value_of(battle: Battle, attack: Attack, foe: Unit) -> float:
    """What one weapon is worth against a unit: the share of its points that it takes, on the average."""
    left = losses.wounds_left(foe)
    toll = attack.odds(1, left)
    points = foe.points or 10 * len(foe.models)
    return points * (toll.lost.mean / max(1, sum(left)) + 0.2 * toll.fallen.mean / max(1, len(left)))


def _pistols_or_others(
    battle: Battle,
    unit: Unit,
    attacks: Sequence[AttackWith],
    chosen: dict[tuple[str, str], list[tuple[float, AttackWith]]],
) -> Iterator[AttackWith]:
    """Of each model that is no Monster or Vehicle either its Pistols or its other weapons, whichever do more."""
    if unit.has("MONSTER", "VEHICLE"):
        yield from attacks
        return
    value = {attack: worth for options in chosen.values() for worth, attack in options}
    for name in dict.fromkeys(attack.model for attack in attacks):
        mine = [a for a in attacks if a.model == name]
        owner = battle.unit(battle.model(name).unit)
        weapons = {w.name: w for w in arms_of(owner, battle.model(name))}
        pistols = [a for a in mine if weapons[a.weapon].has("pistol")]
        others = [a for a in mine if not weapons[a.weapon].has("pistol")]
        yield from max((pistols, others), key=lambda group: (math.fsum(value[a] for a in group), len(group)))


def _no_more_than_the_deck(battle: Battle, unit: Unit, attacks: Sequence[AttackWith]) -> Iterator[AttackWith]:
    value = unit.ability("firing-deck")
    room = int(value) if value and value.isdigit() else 0
    aboard: set[str] = set()
    for attack in attacks:
        if battle.model(attack.model).unit != unit.id:
            if attack.model in aboard or len(aboard) >= room:
                continue
            aboard.add(attack.model)
        yield attack


def blows(battle: Battle, unit: Unit) -> Fight:
    """Every model that fights with the melee weapon that does most, at an enemy that it can reach."""
    attacks: list[AttackWith] = []
    for k, model in enumerate(unit.models):
        reach = targets_in_reach(battle, unit)[k]
        if not reach:
            continue
        melee = [w for w in arms_of(unit, model) if w.range == 0]
        options = [(_worth(battle, unit, model, w, name), w, name) for w in melee for name in reach]
        main = [o for o in options if not o[1].has("extra-attacks")]
        extra = [o for o in options if o[1].has("extra-attacks")]
        for group in (main, extra):
            if group:
                _, weapon, name = max(group, key=lambda o: o[0])
                attacks.append(AttackWith(model.id, weapon.name, name, weapon.profile))
    return Fight(unit.id, tuple(attacks))


def _worth(battle: Battle, unit: Unit, model: Model, weapon: Weapon, target: str) -> float:
    foe = battle.unit(target)
    about = striking.circumstances(battle, unit, foe, weapon, model.id)
    return value_of(battle, volleys.attack_of(weapon, foe, about), foe)


def targets_in_reach(battle: Battle, unit: Unit) -> tuple[tuple[str, ...], ...]:
    """For each model the enemy units that it can fight."""
    return striking.targets_of(battle, unit)


def _stay(unit: Unit) -> tuple[Path, ...]:
    return tuple(Path(_pose(m), ()) for m in unit.models)


def _centre(unit: Unit) -> Point:
    poses = [_pose(m) for m in unit.models]
    return math.fsum(p.x for p in poses) / len(poses), math.fsum(p.y for p in poses) / len(poses)


def _costs(battle: Battle, unit: Unit, model: Model, way: Sequence[Point]) -> float:
    """Inches of a way that a model goes, over what is high and all."""
    path = Path.through(_pose(model), [list(point) for point in way])
    return path.length + movement.climbing(battle, unit, model, path)


def _pose(model: Model) -> Pose:
    assert model.pose is not None
    return model.pose
