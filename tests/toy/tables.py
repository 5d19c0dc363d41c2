"""Battles of the toy game to begin with."""

from __future__ import annotations

from collections.abc import Sequence

from sim.battle import Battle, Battlefield, Clock, Model, Objective, Terrain, Unit, Zone
from sim.battle.state import ON_TABLE, RESERVES
from sim.geometry import Base, Hull, Oval, Point, Pose, Rect, Round

FIELD = Battlefield(
    24.0,
    18.0,
    terrain=(Terrain("block", "block", ((11.0, 8.0), (13.0, 8.0), (13.0, 10.0), (11.0, 10.0)), 2.0),),
    objectives=(Objective("A", (6.0, 9.0), 0.8),),
    zones=(
        Zone("blue zone", "blue", ((0.0, 0.0), (24.0, 0.0), (24.0, 6.0), (0.0, 6.0))),
        Zone("red zone", "red", ((0.0, 12.0), (24.0, 12.0), (24.0, 18.0), (0.0, 18.0))),
    ),
)
NOTCHED = Hull(((-1.0, -0.5), (1.0, -0.5), (0.5, 0.0), (1.0, 0.5), (-1.0, 0.5)))


def unit(
    name: str, player: str, base: Base, at: Sequence[Point] | int, wounds: float = 1.0, facing: float = 0.0
) -> Unit:
    """A unit on the table at points, or a number of models that wait."""
    poses = [None] * at if isinstance(at, int) else [Pose(x, y, facing) for x, y in at]
    models = tuple(Model(f"{name}-{k}", name, base, pose) for k, pose in enumerate(poses, 1))
    where = RESERVES if isinstance(at, int) else ON_TABLE
    return Unit(name, player, models, name, whereabouts=where, profile=(("M", 5.0), ("W", wounds)))


def skirmish() -> Battle:
    """Two sides with one unit of every kind of base on the table and one more each that waits."""
    return Battle(
        ruleset="toy",
        battlefield=FIELD,
        clock=Clock(1, "blue", "go", "drop"),
        units=(
            unit("ants", "blue", Round.mm(25), [(4.0, 4.0), (5.5, 4.0), (7.0, 4.0)]),
            unit("beetle", "blue", Oval.mm(60, 35), [(16.0, 4.0)], wounds=3.0, facing=30.0),
            unit("crickets", "blue", Round.mm(25), 3),
            unit("mice", "red", Rect.mm(25, 25), [(5.0, 12.0), (6.5, 12.0)], facing=270.0),
            unit("toad", "red", NOTCHED, [(16.0, 13.0)], wounds=4.0, facing=270.0),
            unit("newts", "red", Round.mm(32), 2),
        ),
        players=("blue", "red"),
        score=(("blue", 0), ("red", 0)),
        resources=(("blue", "pluck", 2), ("red", "pluck", 2)),
        title="Pebbles",
    )


def waiting() -> Battle:
    """The same sides before anybody was set up."""
    start = skirmish()
    units = tuple(
        Unit(
            u.id,
            u.player,
            tuple(Model(m.id, m.unit, m.base) for m in u.models),
            u.name,
            whereabouts=RESERVES,
            profile=u.profile,
        )
        for u in start.units
    )
    return Battle(
        ruleset=start.ruleset,
        battlefield=start.battlefield,
        clock=Clock(1, "blue", "setup", "array"),
        units=units,
        players=start.players,
        score=start.score,
        resources=start.resources,
        title="Pebbles from the start",
    )
