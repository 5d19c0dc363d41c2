"""Measure inchwise against plain ways of doing the same, in one run and in turn.

``python tools/bench.py [NAME…] [--json]`` prints for each work our median, the yardstick's median, their ratio (how
many times as fast ours is) and what was compared. It is no timed test: machines are noisy, and only ratios inside one
run mean something.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from pathlib import Path

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import numpy as np
import shapely
from msgspec.structs import replace

from sim.analysis import pockets
from sim.battle import Battle, Battlefield, Clock, Model, Terrain, Unit
from sim.engine import judge
from sim.geometry import Base, Oval, Placed, PlacedSet, Pose, Rect, Round, separations
from sim.geometry.arcs import exact_region
from sim.geometry.sight import Blockers, visible
from sim.rulesets.wh40k10 import RULESET
from sim.rulesets.wh40k10.commands import DeepStrike, NormalMove

ENEMIES = 100
PIECES = 20


@dataclass(frozen=True)
class Work:
    """Two ways of doing the same: ours, and a yardstick."""

    name: str
    ours: Callable[[], object]
    yardstick: Callable[[], object]
    what: str
    rounds: int = 15


def table(enemies: int = ENEMIES, pieces: int = PIECES, rounds: bool = False) -> Battle:
    """A full table: enemies on the lower half, terrain everywhere, ten models in reserves."""
    rng = np.random.default_rng(7)
    bases: list[Base] = [Round.mm(25), Round.mm(32), Round.mm(40), Round.mm(50), Round.mm(60)]
    if not rounds:
        bases[-1] = Oval.mm(120, 92)
    spots = [(2.5 + 3.4 * (k % 17), 2.5 + 3.2 * (k // 17)) for k in range(enemies)]
    foes = tuple(
        Model(f"foe-{k}", "foes", bases[int(rng.integers(5))], Pose(x, y, float(rng.uniform(0, 360))))
        for k, (x, y) in enumerate(spots)
    )
    terrain = []
    for k in range(pieces):
        x, y = 3 + 6 * (k % 9), 24 + 8 * (k // 9)
        angle = rng.uniform(0, np.pi)
        corners = [(-2.0, -0.3), (2.0, -0.3), (2.0, 0.3), (-2.0, 0.3)]
        c, s = np.cos(angle), np.sin(angle)
        outline = tuple((float(x + c * u - s * v), float(y + s * u + c * v)) for u, v in corners)
        terrain.append(Terrain(f"wall-{k}", "ruin-wall", outline, 5.0))
    mine = tuple(Model(f"mine-{k}", "mine", Round.mm(32)) for k in range(10))
    return Battle(
        ruleset="wh40k10",
        battlefield=Battlefield(60.0, 44.0, tuple(terrain)),
        clock=Clock(2, "red", "movement", "reinforcements"),
        units=(
            Unit("foes", "blue", foes, keywords=("INFANTRY",)),
            Unit("mine", "red", mine, whereabouts="reserves", keywords=("INFANTRY",), abilities=("deep-strike",)),
        ),
        players=("red", "blue"),
    )


def deep_strike() -> Work:
    """A ten-model deep strike against 100 enemies and 20 terrain pieces."""
    battle = table()
    poses = tuple(Pose(20 + 1.6 * (k % 5), 34.3 + 1.6 * (k // 5)) for k in range(10))
    command = DeepStrike("mine", poses)
    enemies = [m.placed.polygon for m in battle.unit("foes").models]
    walls = [shapely.Polygon(t.outline) for t in battle.battlefield.terrain]
    edge = shapely.box(0, 0, 60, 44)

    def ours() -> object:
        return judge(RULESET, battle, replace(command))  # another command of the same words: nothing is remembered

    def plain() -> object:
        discs = [shapely.Point(p.x, p.y).buffer(32 / 25.4 / 2, quad_segs=16) for p in poses]
        bad = [(i, j) for i, d in enumerate(discs) for j, e in enumerate(enemies) if d.distance(e) <= 9]
        bad += [(i, j) for i, d in enumerate(discs) for j, w in enumerate(walls) if d.distance(w) <= 0]
        bad += [(i, -1) for i, d in enumerate(discs) if not edge.contains(d)]
        near = [[k for k, o in enumerate(discs) if k != i and d.distance(o) <= 2] for i, d in enumerate(discs)]
        return bad, near

    return Work("deep-strike", ours, plain, "ten models, 100 enemies, 20 pieces; Python loop over shapely distances")


def gaps() -> Work:
    """All gaps of 200 bases against 200."""
    rng = np.random.default_rng(3)
    bases = [Round.mm(32), Round.mm(25), Oval.mm(75, 42)]

    def some(n: int) -> PlacedSet:
        return PlacedSet.of(
            Placed(bases[int(rng.integers(3))], Pose(*(float(v) for v in rng.uniform((0, 0, 0), (60, 60, 360)))))
            for _ in range(n)
        )

    a, b = some(200), some(200)
    left, right = [p.polygon for p in a], [p.polygon for p in b]
    return Work(
        "gaps",
        lambda: separations(a, b),
        lambda: [[p.distance(q) for q in right] for p in left],
        "200 x 200 rounds and ovals; Python loop over shapely distances of 256-gons",
        rounds=3,
    )


def region(rounds: bool = True) -> Work:
    """The exact region of legal centres of a round base."""
    battle = table(120, rounds=rounds)
    unit = battle.unit("mine")
    command = DeepStrike("mine", (Pose(30, 30),) * 10)
    rules = RULESET.play("deep-strike").rules
    assert rules is not None
    found = rules(battle, command)
    edge = shapely.box(0, 0, 60, 44)
    shapes = np.array([m.placed.polygon for m in battle.unit("foes").models])
    walls = np.array([shapely.Polygon(t.outline) for t in battle.battlefield.terrain])

    r = unit.models[0].base.semi_axes[0]

    def ours() -> object:
        exact = exact_region(found.standing, unit.models[0].base, 0.0, edge)
        return exact.area, exact.polygons

    def plain() -> object:
        grown = [*shapely.buffer(shapes, 9 + r, quad_segs=16), *shapely.buffer(walls, r, quad_segs=16)]
        return edge.buffer(-r).difference(shapely.union_all(grown))

    kinds = "rounds" if rounds else "rounds and ovals"
    what = f"120 enemies ({kinds}), 20 pieces, exact area and polygons; union_all of 16-segment buffers"
    return Work("region" if rounds else "region-ovals", ours, plain, what, rounds=9)


def oval() -> Work:
    """The region of a large oval at a fixed facing."""
    battle = table(120, rounds=True)
    rules = RULESET.play("deep-strike").rules
    assert rules is not None
    standing = rules(battle, DeepStrike("mine", (Pose(30, 30),) * 10)).standing
    edge = shapely.box(0, 0, 60, 44)
    base, facing = Oval.mm(120, 92), 30.0
    shapes = np.array([m.placed.polygon for m in battle.unit("foes").models])
    walls = np.array([shapely.Polygon(t.outline) for t in battle.battlefield.terrain])
    r = max(base.semi_axes)

    def plain() -> object:
        grown = [*shapely.buffer(shapes, 9 + r, quad_segs=16), *shapely.buffer(walls, r, quad_segs=16)]
        return edge.buffer(-r).difference(shapely.union_all(grown))

    what = "120 x 92 mm at a facing, 120 enemies, 20 pieces; union_all for a round base as long as the oval"

    def ours() -> object:
        exact = exact_region(standing, base, facing, edge)
        return exact.area, exact.polygons

    return Work("region-oval-base", ours, plain, what, rounds=9)


def screens() -> Work:
    """The pockets of a full table with how many models each holds; the yardstick is the union of the discs alone."""
    battle = table(120, rounds=True)
    rules = RULESET.play("deep-strike").rules
    assert rules is not None
    standing = rules(battle, DeepStrike("mine", (Pose(30, 30),) * 10)).standing
    edge = shapely.box(0, 0, 60, 44)
    base = battle.unit("mine").models[0].base
    shapes = np.array([m.placed.polygon for m in battle.unit("foes").models])
    return Work(
        "screens",
        lambda: pockets(standing, base, 0.0, edge),
        lambda: edge.difference(shapely.union_all(shapely.buffer(shapes, 9 + base.semi_axes[0], quad_segs=16))),
        "120 enemies, 20 pieces: pockets and how many fit; union_all of 16-segment buffers",
        rounds=9,
    )


def crowd() -> Work:
    """Ten thousand models, most of them at fault, against 300; the yardstick finds the near pairs and no reasons."""
    battle = table(300)
    models = tuple(Model(f"mine-{k}", "mine", Round.mm(32)) for k in range(10_000))
    battle = battle.with_unit(replace(battle.unit("mine"), models=models))
    spots = np.random.default_rng(1).uniform((-5, -5), (65, 49), (10_000, 2))
    command = DeepStrike("mine", tuple(Pose(float(x), float(y)) for x, y in spots))
    foes = np.array([m.placed.polygon for m in battle.unit("foes").models])

    def plain() -> object:
        tree = shapely.STRtree(shapely.buffer(shapely.points(spots), 32 / 25.4 / 2, quad_segs=16))
        return tree.query(foes, predicate="dwithin", distance=9.0), tree.query(tree.geometries, "dwithin", distance=2.0)

    what = "10,000 models against 300, judged with every reason; STRtree pairs within 9 and 2 inches"
    return Work("crowd", lambda: judge(RULESET, battle, replace(command)), plain, what, rounds=3)


def normal_move() -> Work:
    """A ten-model move with its whole path past 100 enemies."""
    battle = table()
    spots = tuple(Pose(20 + 1.6 * (k % 5), 34.3 + 1.6 * (k // 5)) for k in range(10))
    from sim.geometry import Path as Way

    unit = battle.unit("mine")
    models = tuple(replace(m, pose=p) for m, p in zip(unit.models, spots, strict=True))
    unit = replace(unit, models=models, whereabouts="table", profile=(("M", 6.0),))
    battle = replace(battle.with_unit(unit), clock=Clock(2, "red", "movement", "move-units"))
    paths = tuple(Way.through(p, [[p.x + 3, p.y + 1], [p.x + 4, p.y + 3]]) for p in spots)
    command = NormalMove("mine", paths)
    enemies = [m.placed.polygon for m in battle.unit("foes").models]

    def plain() -> object:
        lines = [shapely.LineString([p.at, (p.x + 3, p.y + 1), (p.x + 4, p.y + 3)]) for p in spots]
        swept = [line.buffer(32 / 25.4 / 2, quad_segs=16) for line in lines]
        return [(i, j) for i, s in enumerate(swept) for j, e in enumerate(enemies) if s.distance(e) <= 1]

    what = "ten paths, 100 enemies; buffered lines"
    return Work("normal-move", lambda: judge(RULESET, battle, replace(command)), plain, what)


def sight() -> Work:
    """Who sees whom on a table of walls and L-shapes."""
    rng = np.random.default_rng(5)
    outlines = []
    for k in range(PIECES):
        long, wide, thick = float(rng.uniform(2, 6)), float(rng.uniform(2, 6)), 0.4
        local = [(0.0, 0.0), (long, 0.0), (long, thick), (0.0, thick)]
        if k % 2:
            local[3:] = [(thick, thick), (thick, wide), (0.0, wide)]
        angle, (x, y) = rng.uniform(0, 2 * np.pi), rng.uniform((3, 3), (57, 41))
        c, s = np.cos(angle), np.sin(angle)
        outlines.append(tuple((float(x + c * u - s * v), float(y + s * u + c * v)) for u, v in local))
    blockers = Blockers(tuple(f"piece-{k}" for k in range(PIECES)), tuple(outlines))
    bases: list[Base] = [Round.mm(25), Round.mm(32), Round.mm(40), Oval.mm(75, 42), Rect(3.0, 5.0)]

    def some(n: int) -> PlacedSet:
        spots = rng.uniform((0, 0, 0), (60, 44, 360), (n, 3)).tolist()
        return PlacedSet.of(Placed(bases[int(rng.integers(5))], Pose(*spot)) for spot in spots)

    observers, targets = some(40), some(40)
    whole = shapely.union_all([shapely.Polygon(outline) for outline in outlines])
    shapely.prepare(whole)

    def rim(member: Placed) -> np.ndarray:
        edge = member.polygon.exterior
        return np.asarray(shapely.get_coordinates(edge.interpolate(np.arange(16) / 16, normalized=True)))

    rims = [[rim(member) for member in group] for group in (observers, targets)]

    def plain() -> object:
        return [
            [not all(whole.intersects(shapely.LineString([p, q])) for p in one for q in other) for other in rims[1]]
            for one in rims[0]
        ]

    what = "40 x 40 bases of five kinds, 20 pieces, exact; Python loop over 16 x 16 rim points and the prepared union"
    return Work("sight", lambda: visible(observers, targets, blockers), plain, what, rounds=3)


def drag() -> Work:
    """A frame of a drag at 1920 x 1080 with 200 bases, the judge included; the yardstick redraws everything."""
    import pygame

    from sim.app.window.session import Session
    from sim.chance import SeededDice
    from sim.render.painter import Painter
    from sim.view import Camera
    from sim.view.theme import theme

    pygame.init()
    battle = table(190)
    session = Session(RULESET, battle, SeededDice(1))
    surface = pygame.display.set_mode((1920, 1080))
    camera = Camera.fitting(60, 44, (1920, 1080))
    session.pick(session.offers[0], (30.0, 38.0))
    painter = Painter(theme("table"))
    turn = iter(range(10_000_000))

    def frame(who: Painter) -> None:
        k = next(turn)
        session.hold_at((30.0 + 0.01 * (k % 100), 36.0))
        verdict = session.verdict
        session.margins()
        who.paint(session.scene(verdict), camera, surface)

    frame(painter)
    return Work(
        "drag",
        lambda: frame(painter),
        lambda: frame(Painter(theme("table"))),
        "one frame, 200 bases, ten held, judged; a painter without caches",
        rounds=9,
    )


def clip() -> Work:
    """A 1280 x 720 clip of a judged drag; the yardstick is the encoder alone on frames that are ready."""
    import pygame

    from sim.app.films import ahead, film_of, frames
    from sim.render.clip import write_clip
    from sim.view.theme import theme

    pygame.init()
    size, fps, start, count = (1280, 720), 30, 1.0, 240
    story = film_of("assets/scenarios/demo-storyboard.toml")
    folder = Path(tempfile.mkdtemp(prefix="inchwise-bench-"))
    look = theme("table")
    ready = [(s.copy(), n) for s, n in frames(story, look, size, fps, start, count)]

    def ours() -> None:
        pictures = ahead(frames(story, look, size, fps, start, count))
        write_clip(pictures, folder / "ours.mp4", size, fps)

    def plain() -> None:
        write_clip(iter(ready), folder / "ready.mp4", size, fps)

    what = f"{count} frames 1280x720, each judged, drawn and encoded; the encoder alone on ready frames"
    return Work("clip", ours, plain, what, rounds=3)


def odds() -> Work:
    """The exact distribution of twenty attacks into ten models of two wounds; the yardstick samples it."""
    from sim.chance.amounts import Amount
    from sim.rules import Ledger
    from sim.rulesets.wh40k10.attacks import Attack

    one = Amount.of("1")
    attack = Attack("guns", one, 0, Ledger(3), Ledger(4), Ledger(5), None, Amount.of("2"))
    rng = np.random.default_rng(4)

    def plain() -> object:
        faces = rng.integers(1, 7, (3, 10_000, 20))
        through = (faces[0] >= 3) & (faces[1] >= 4) & (faces[2] < 5)
        return np.bincount(np.minimum(through.sum(axis=1), 10)) / 10_000

    what = "20 attacks, 3+, 4+, 5+, damage 2, ten models of two wounds; 10,000 samples in numpy"
    return Work("odds", lambda: attack.odds(20, (2,) * 10), plain, what, rounds=25)


def battle_played(kind: str) -> Work:
    """A whole battle of 500 points a side; the yardstick judges and resolves its record anew."""
    from sim.app.games import rulesets
    from sim.chance import SeededDice
    from sim.engine import Game
    from sim.players import GreedyPlayer, Player, RandomPlayer, play_out
    from sim.record import record_of, verify
    from sim.resources import data_path
    from sim.scenario import load_case

    case = load_case(data_path("assets/scenarios/wh40k10-500-battle.toml"), rulesets())
    names = case.battle.players

    seeds = count()

    def ours() -> Game:
        seed = next(seeds)
        game = Game(case.ruleset, case.battle)
        players: dict[str, Player] = {
            name: GreedyPlayer(name) if kind == "greedy" else RandomPlayer(1000 * seed + place, name)
            for place, name in enumerate(names)
        }
        for _ in play_out(game, players, SeededDice(seed)):
            pass
        return game

    kept = record_of(ours())
    what = f"{kind} against {kind}, 500 points, to the end, a battle each round; verifying one record"
    return Work(f"battle-{kind}", ours, lambda: verify(kept, case.ruleset), what, rounds=7)


def record() -> Work:
    """Opening a record of 2,000 entries; the yardstick decodes its JSON and nothing else."""
    from sim.app.window.session import Session
    from sim.chance import SeededDice
    from sim.record import read_record
    from sim.rules import EndStep

    battle = table()
    folder = Path(tempfile.mkdtemp(prefix="inchwise-bench-"))
    path = folder / "long.jsonl"
    session = Session(RULESET, battle, SeededDice(1))
    session.game.play(
        DeepStrike("mine", tuple(Pose(20 + 1.6 * (k % 5), 34.3 + 1.6 * (k // 5)) for k in range(10))), session.dice
    )
    session.game.play(EndStep(), session.dice)
    first = session.record()
    moved = first.entries[0]
    entries = tuple(replace(moved, number=k + 1) for k in range(2000))
    from sim.record import write_record

    write_record(path, replace(first, entries=entries))

    def ours() -> object:
        opened = read_record(path)
        return opened.battle_at(len(opened.entries))

    def plain() -> object:
        return [json.loads(line) for line in path.read_bytes().splitlines()]

    return Work(
        "record", ours, plain, "2,000 entries opened, checked and played to the end; json.loads alone", rounds=3
    )


WORKS: dict[str, Callable[[], Work]] = {
    "deep-strike": deep_strike,
    "normal-move": normal_move,
    "gaps": gaps,
    "region": region,
    "region-ovals": lambda: region(rounds=False),
    "region-oval-base": oval,
    "screens": screens,
    "crowd": crowd,
    "sight": sight,
    "drag": drag,
    "clip": clip,
    "record": record,
    "odds": odds,
    "battle-greedy": lambda: battle_played("greedy"),
    "battle-random": lambda: battle_played("random"),
}


def measure(work: Work) -> dict[str, object]:
    """Run both ways in turn and give the medians in milliseconds."""
    work.ours()
    work.yardstick()
    ours: list[float] = []
    plain: list[float] = []
    for _ in range(work.rounds):
        for way, times in ((work.ours, ours), (work.yardstick, plain)):
            begun = time.perf_counter()
            way()
            times.append((time.perf_counter() - begun) * 1000)
    a, b = statistics.median(ours), statistics.median(plain)
    return {
        "name": work.name,
        "ours_ms": round(a, 3),
        "yardstick_ms": round(b, 3),
        "ratio": round(b / a, 2),
        "work": work.what,
    }


def main() -> None:
    """Measure what was asked for, or everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(WORKS))
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.names if name not in WORKS]
    if unknown:
        parser.error(f"no work is called {', '.join(unknown)}; known: {', '.join(WORKS)}")
    for name in arguments.names or WORKS:
        row = measure(WORKS[name]())
        if arguments.json:
            print(json.dumps(row), flush=True)
        else:
            times = f"ours {row['ours_ms']:>9} ms   yardstick {row['yardstick_ms']:>9} ms   ratio {row['ratio']:>7}"
            print(f"{row['name']:<14} {times}   {row['work']}", flush=True)


if __name__ == "__main__":
    main()
