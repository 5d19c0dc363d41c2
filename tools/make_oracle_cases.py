"""Writes cases of placement from random tables, answered by a slow oracle that knows nothing of the judge.

    python tools/make_oracle_cases.py [FOLDER]

The oracle uses the standard library only: distances between convex shapes by looking in every direction for the widest
strip that parts them, farthest points and cut-out ground by walking along edges in small steps. The numbers of the
rules stand here a second time. The same seed gives the same files, byte by byte.
"""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).resolve().parents[1] / "tests" / "cases" / "wh40k10" / "oracle"
SEED = 40_010
MM = 25.4
WIDTH, DEPTH = 60.0, 44.0
SHY = 0.0005  # inches; how near to a limit the close calls lie
SURE = 0.002  # inches; a random table whose answer hangs on less than this is thrown away
XY = tuple[float, float]


class Shape(NamedTuple):
    """A convex base at a place: an ellipse by its half axes, or corners about its centre."""

    x: float
    y: float
    facing: float = 0.0
    a: float = 0.0
    b: float = 0.0
    corners: tuple[XY, ...] = ()
    z: float = 0.0

    def at(self, x: float, y: float) -> Shape:
        """The same shape elsewhere."""
        return self._replace(x=x, y=y)

    def reach(self, angle: float) -> float:
        """How far the shape reaches in a direction, measured from the origin of the table."""
        ux, uy = math.cos(angle), math.sin(angle)
        turn = math.radians(self.facing)
        if self.corners:
            c, s = math.cos(turn), math.sin(turn)
            own = max((c * u - s * v) * ux + (s * u + c * v) * uy for u, v in self.corners)
        else:
            own = math.hypot(self.a * math.cos(angle - turn), self.b * math.sin(angle - turn))
        return self.x * ux + self.y * uy + own

    def edge(self, steps: int) -> list[XY]:
        """Points around the edge, the corners among them."""
        c, s = math.cos(math.radians(self.facing)), math.sin(math.radians(self.facing))
        if self.corners:
            rim = []
            for (u, v), (p, q) in zip(self.corners, self.corners[1:] + self.corners[:1], strict=True):
                rim += [(u + (p - u) * k / steps, v + (q - v) * k / steps) for k in range(steps)]
        else:
            turns = [2 * math.pi * k / steps for k in range(steps)]
            rim = [(self.a * math.cos(t), self.b * math.sin(t)) for t in turns]
        return [(self.x + c * u - s * v, self.y + s * u + c * v) for u, v in rim]


def disc(mm: float, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Shape:
    """A round base by its diameter in millimetres."""
    return Shape(x, y, 0.0, mm / MM / 2, mm / MM / 2, z=z)


def signed_gap(one: Shape, other: Shape) -> float:
    """The width of the widest strip between two shapes; negative when they overlap, by the shortest push apart."""

    def strip(angle: float) -> float:
        return -other.reach(angle + math.pi) - one.reach(angle)

    best = max(range(720), key=lambda k: strip(math.pi * k / 360))
    low, high = math.pi * (best - 1) / 360, math.pi * (best + 1) / 360
    return peak(strip, low, high)


def peak(value: Callable[[float], float], low: float, high: float) -> float:
    """The greatest value of a function with one peak between two numbers."""
    for _ in range(90):
        third = (high - low) / 3
        if value(low + third) < value(high - third):
            low += third
        else:
            high -= third
    return value((low + high) / 2)


def sticking_out(shape: Shape, outline: Sequence[XY], discs: Sequence[tuple[XY, float]] = ()) -> float:
    """How far a shape sticks out of a convex outline (counter-clockwise), or into a disc cut out of it."""
    worst = -math.inf
    for (ax, ay), (bx, by) in zip(outline, [*outline[1:], outline[0]], strict=True):
        normal = math.atan2(ax - bx, by - ay)
        worst = max(worst, shape.reach(normal) - (ax * math.cos(normal) + ay * math.sin(normal)))
    for (cx, cy), r in discs:
        worst = max(worst, -signed_gap(shape, Shape(cx, cy, 0.0, r, r)))
    return worst


def to_segment(p: XY, a: XY, b: XY) -> float:
    """How far a point lies from a straight segment."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    long = dx * dx + dy * dy
    t = 0.0 if long == 0 else max(0.0, min(1.0, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / long))
    return math.hypot(p[0] - a[0] - dx * t, p[1] - a[1] - dy * t)


def holds(outline: Sequence[XY], p: XY) -> bool:
    """Whether a point lies in a convex outline that runs counter-clockwise."""
    sides = zip(outline, [*outline[1:], outline[0]], strict=True)
    return all((bx - ax) * (p[1] - ay) - (by - ay) * (p[0] - ax) >= 0 for (ax, ay), (bx, by) in sides)


def farthest_point(shape: Shape, outline: Sequence[XY]) -> float:
    """How far the farthest point of a round base lies from a convex outline, by walking round its edge."""

    def away(angle: float) -> float:
        p = (shape.x + shape.a * math.cos(angle), shape.y + shape.a * math.sin(angle))
        sides = zip(outline, [*outline[1:], outline[0]], strict=True)
        return 0.0 if holds(outline, p) else min(to_segment(p, a, b) for a, b in sides)

    best = max(range(1440), key=lambda k: away(math.pi * k / 720))
    return peak(away, math.pi * (best - 1) / 720, math.pi * (best + 1) / 720)


def border(outline: Sequence[XY], discs: Sequence[tuple[XY, float]], step: float = 0.002) -> Iterator[XY]:
    """Points along the border of a convex outline less some discs."""
    for (ax, ay), (bx, by) in zip(outline, [*outline[1:], outline[0]], strict=True):
        count = max(2, round(math.dist((ax, ay), (bx, by)) / step))
        for k in range(count + 1):
            p = (ax + (bx - ax) * k / count, ay + (by - ay) * k / count)
            if all(math.dist(p, c) >= r - 1e-9 for c, r in discs):
                yield p
    for (cx, cy), r in discs:
        count = round(2 * math.pi * r / step)
        for k in range(count):
            p = (cx + r * math.cos(2 * math.pi * k / count), cy + r * math.sin(2 * math.pi * k / count))
            if holds(outline, p):
                yield p


def together(shapes: Sequence[Shape]) -> bool:
    """Whether shapes are in coherency: enough neighbours each, and all of them one group."""
    need = min(1 if len(shapes) < 7 else 2, len(shapes) - 1)
    near = [
        {j for j, b in enumerate(shapes) if i != j and signed_gap(a, b) <= 2.0 + 1e-7 and abs(a.z - b.z) <= 5.0 + 1e-7}
        for i, a in enumerate(shapes)
    ]
    seen, new = {0}, {0}
    while new:
        new = {j for i in new for j in near[i]} - seen
        seen |= new
    return all(len(others) >= need for others in near) and len(seen) == len(shapes)


# --- files


def toml(value: object) -> str:
    """A value as TOML."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return repr(0.0 + value)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(toml, value)) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{k} = {toml(v)}" for k, v in value.items()) + " }"
    return f'"{value}"' if isinstance(value, str) else str(value)


def table(head: str, **fields: object) -> str:
    """A table of a file: its head and its fields."""
    return "\n".join([head, *(f"{name} = {toml(value)}" for name, value in fields.items())]) + "\n"


def base_of(shape: Shape) -> dict[str, object]:
    """The base of a shape as a table."""
    if shape.corners:
        return {"hull": shape.corners}
    return {"round": shape.a * 2 * MM} if shape.a == shape.b else {"oval": (shape.a * 2 * MM, shape.b * 2 * MM)}


def model_of(shape: Shape) -> dict[str, object]:
    """A shape as a model on the table."""
    return {"at": (shape.x, shape.y), "facing": shape.facing, "z": shape.z, "base": base_of(shape)}


def pose_of(shape: Shape) -> dict[str, object]:
    """Where a shape stands."""
    return {"at": (shape.x, shape.y), "facing": shape.facing, "z": shape.z}


class Writer:
    """Writes numbered case files into a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.count = 0

    def case(self, kind: str, words: str, *tables: str, options: str = "") -> None:
        """Write the next case."""
        self.count += 1
        head = table("", title=f"Oracle {self.count}: {words}", ruleset="wh40k10", source="derived").lstrip()
        size = table("[table]", width=WIDTH, depth=DEPTH)
        parts = [part for part in (head, options, size, *tables) if part]
        path = self.folder / f"{self.count:03}-{kind}.toml"
        path.write_text("\n".join(parts), encoding="utf-8")


def unit(name: str, player: str, shapes: Sequence[Shape], **more: object) -> str:
    """A unit on the table."""
    keywords = more.pop("keywords", ["INFANTRY"])
    return table("[[unit]]", id=name, player=player, keywords=keywords, models=[model_of(s) for s in shapes], **more)


def waiting(name: str, shapes: Sequence[Shape], where: str = "reserves", **more: object) -> str:
    """A unit that is not on the table yet."""
    keywords = more.pop("keywords", ["INFANTRY"])
    models = [{"base": base_of(s)} for s in shapes]
    return table("[[unit]]", id=name, player="red", where=where, keywords=keywords, models=models, **more)


def clock(battle_round: int, step: str, phase: str = "movement", player: str = "red") -> str:
    """Whose time it is."""
    return table("[clock]", round=battle_round, player=player, phase=phase, step=step)


def expect(codes: Sequence[str], measured: dict[str, float] | None = None) -> str:
    """What the right verdict is."""
    fields: dict[str, object] = {"legal": not codes}
    if codes:
        fields["codes"] = sorted(codes)
    if measured:
        fields["measured"] = measured
    return table("[expect]", **fields)


def command(kind: str, name: str, shapes: Sequence[Shape], **more: object) -> str:
    """A command that sets models up."""
    return table("[command]", type=kind, unit=name, models=[pose_of(s) for s in shapes], **more)


# --- random tables


def any_shape(rnd: random.Random) -> Shape:
    """A base of any kind, turned at random, at the origin."""
    facing = round(rnd.uniform(0, 360), 1)
    match rnd.randrange(3):
        case 0:
            return disc(rnd.choice((25, 28.5, 32, 40, 50, 60, 90, 130)))
        case 1:
            length, width = rnd.choice(((60, 35.5), (75, 42), (90, 52), (105, 70), (120, 92), (150, 95)))
            return Shape(0, 0, facing, length / MM / 2, width / MM / 2)
        case _:
            w, d = round(rnd.uniform(0.8, 2.2), 2), round(rnd.uniform(0.8, 1.8), 2)
            nose = round(rnd.uniform(0.2, 1.2), 2)
            return Shape(0, 0, facing, corners=((-w, -d), (w, -d), (w + nose, 0.0), (w, d), (-w, d)))


def scattered(rnd: random.Random, count: int, box: tuple[float, float, float, float]) -> list[Shape]:
    """Shapes that lie wholly inside a box and do not overlap."""
    found: list[Shape] = []
    x0, y0, x1, y1 = box
    outline = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
    while len(found) < count:
        here = any_shape(rnd).at(round(rnd.uniform(x0, x1), 3), round(rnd.uniform(y0, y1), 3))
        if sticking_out(here, outline) < 0 and all(signed_gap(here, other) > 0.1 for other in found):
            found.append(here)
    return found


def beside(rnd: random.Random, shape: Shape, other: Shape, gap: float) -> Shape:
    """The shape moved so that it lies a gap from the other, in a random direction."""
    angle = rnd.uniform(0, 2 * math.pi)
    low, high = 0.0, 40.0
    for _ in range(70):
        far = (low + high) / 2
        moved = shape.at(other.x + far * math.cos(angle), other.y + far * math.sin(angle))
        low, high = (far, high) if signed_gap(moved, other) < gap else (low, far)
    return shape.at(other.x + high * math.cos(angle), other.y + high * math.sin(angle))


ON_TABLE = ((0.0, 0.0), (WIDTH, 0.0), (WIDTH, DEPTH), (0.0, DEPTH))


def deep_strikes(rnd: random.Random, out: Writer, count: int) -> None:
    """One model at a chosen gap from the nearest of many enemies: ovals, hulls and rounds of every size."""
    offsets = (0.0, SHY, -SHY, 0.3, -0.4)
    done = 0
    while done < count:
        enemies = scattered(rnd, 7, (4, 4, 56, 40))
        target = rnd.choice(enemies)
        mine = beside(rnd, any_shape(rnd), target, 9.0 + offsets[done % len(offsets)])
        if sticking_out(mine, ON_TABLE) > -0.01:
            continue
        gaps = [signed_gap(mine, enemy) for enemy in enemies]
        if any(g < signed_gap(mine, target) + SURE for g, enemy in zip(gaps, enemies, strict=True) if enemy != target):
            continue
        least = min(gaps)
        bad = least <= 9.0 + 1e-7
        out.case(
            "deep-strike",
            f"{least:.4f} inches from the nearest of seven",
            unit("guard", "blue", enemies),
            waiting("strikers", [mine], abilities=["deep-strike"]),
            clock(2, "reinforcements"),
            command("deep-strike", "strikers", [mine]),
            expect(["enemy-too-close"] if bad else [], {"enemy-too-close": least} if bad else None),
        )
        done += 1


def squads(rnd: random.Random, out: Writer, count: int) -> None:
    """Whole units dropped among enemies, crates, floors and markers: every fault that there is, all at once."""
    done = 0
    while done < count:
        enemies = scattered(rnd, 3, (4, 4, 56, 40))
        size = rnd.choice((3, 5, 7))
        mm = rnd.choice((25, 32, 40))
        x, y = rnd.uniform(2, 58), rnd.uniform(2, 42)
        mine = [disc(mm, round(x + rnd.gauss(0, 1.8), 3), round(y + rnd.gauss(0, 1.8), 3)) for _ in range(size)]
        cx, cy = round(x + rnd.uniform(-3, 3), 2), round(y + rnd.uniform(-3, 3), 2)
        crate = Shape(cx, cy, corners=((-1.0, -0.5), (1.0, -0.5), (1.0, 0.5), (-1.0, 0.5)))
        ox, oy = round(rnd.uniform(x - 4, x + 4), 2), round(rnd.uniform(y - 4, y + 4), 2)
        if not (0 < ox < WIDTH and 0 < oy < DEPTH):
            continue
        marker = disc(40, ox, oy)
        pairs = [signed_gap(a, b) for i, a in enumerate(mine) for b in mine[:i]]
        foes = [signed_gap(a, e) for a in mine for e in enemies]
        solid, marks = [signed_gap(a, crate) for a in mine], [signed_gap(a, marker) for a in mine]
        outs = [sticking_out(a, ON_TABLE) for a in mine]
        close = [*(p for p in pairs), *(p - 2 for p in pairs), *(f - 9 for f in foes), *foes, *solid, *marks, *outs]
        if min(map(abs, close)) < SURE:
            continue
        faults = {
            "enemy-too-close": min(foes) <= 9,
            "overlaps-model": min([*pairs, *foes]) < 0,
            "overlaps-terrain": min(solid) < 0,
            "on-objective": min(marks) < 0,
            "off-table": max(outs) > 0,
            "incoherent": not together(mine),
        }
        codes = [code for code, wrong in faults.items() if wrong]
        if done % 3 == 0 and codes:
            continue
        measured = {"enemy-too-close": max(0.0, min(foes))} if faults["enemy-too-close"] else {}
        if faults["off-table"]:
            measured["off-table"] = max(outs)
        if faults["on-objective"]:
            measured["on-objective"] = min(marks)
        outline = [(cx + u, cy + v) for u, v in crate.corners]
        out.case(
            "squad",
            f"{size} models, {len(codes)} faults",
            table("[[terrain]]", id="crate", kind="crate", outline=outline, height=3.0),
            table("[[objective]]", id="A", at=(ox, oy)),
            unit("guard", "blue", enemies),
            waiting("strikers", mine, abilities=["deep-strike"]),
            clock(2, "reinforcements"),
            command("deep-strike", "strikers", mine),
            expect(codes, measured),
        )
        done += 1


def zones(rnd: random.Random, out: Writer, count: int) -> None:
    """Deployment into a slanted zone out of which a disc is cut, on and about its borders."""
    for k in range(count):
        outline = ((0.0, 0.0), (30.0, 0.0), (round(rnd.uniform(24, 36), 2), 22.0), (0.0, 22.0))
        hole = ((round(rnd.uniform(20, 28), 2), 22.0), round(rnd.uniform(5, 9), 2))
        shape = any_shape(rnd)
        want = (0.0, -SHY, SHY, 0.4)[k % 4]
        low, high = 10.0, hole[0][0] if k % 2 else 40.0
        y = round(rnd.uniform(16, 18) if k % 2 else rnd.uniform(4, 9), 3)
        for _ in range(70):
            middle = (low + high) / 2
            inside = sticking_out(shape.at(middle, y), outline, [hole]) < want
            low, high = (middle, high) if inside else (low, middle)
        mine = shape.at(high, y)
        over = sticking_out(mine, outline, [hole])
        bad = over > 1e-7
        zone = {"circle": {"at": hole[0], "radius": hole[1]}}
        out.case(
            "deploy",
            f"{over:+.4f} inches over the border of a zone with a disc cut out",
            table("[[zone]]", player="red", outline=outline, minus=[zone]),
            waiting("squad", [mine]),
            clock(1, "deploy-armies", "deployment"),
            command("deploy", "squad", [mine]),
            expect(["not-wholly-within"] if bad else [], {"not-wholly-within": over} if bad else None),
        )


def infiltrators(rnd: random.Random, out: Writer, count: int) -> None:
    """Round bases about nine inches from an enemy zone with a disc cut out, from any side."""
    done = 0
    while done < count:
        outline = ((5.0, 0.0), (40.0, 0.0), (40.0, 22.0), (5.0, 22.0))
        hole = ((40.0, 22.0), round(rnd.uniform(7, 12), 2))
        mine = disc(rnd.choice((25, 32, 40)), round(rnd.uniform(30, 58), 3), round(rnd.uniform(15, 42), 3))
        rim = list(border(outline, [hole]))
        if holds(outline, (mine.x, mine.y)) and math.dist((mine.x, mine.y), hole[0]) > hole[1]:
            continue
        gap = min(math.dist(p, (mine.x, mine.y)) for p in rim) - mine.a
        if gap < 0.1 or abs(gap - 9) < SURE or sticking_out(mine, ON_TABLE) > -0.01 or (done % 3 == 0) != (gap > 9):
            continue
        bad = gap <= 9
        out.case(
            "infiltrate",
            f"{gap:.3f} inches from a zone with a disc cut out",
            table("[[zone]]", player="blue", outline=outline, minus=[{"circle": {"at": hole[0], "radius": hole[1]}}]),
            waiting("strikers", [mine], abilities=["infiltrators"]),
            clock(1, "deploy-armies", "deployment"),
            command("infiltrate", "strikers", [mine]),
            expect(["enemy-zone-too-close"] if bad else []),
        )
        done += 1


def banned_zones(rnd: random.Random, out: Writer, count: int) -> None:
    """Strategic Reserves of round two about an enemy zone with a disc cut out of its side."""
    done = 0
    while done < count:
        outline = ((0.0, 0.0), (20.0, 0.0), (20.0, 30.0), (0.0, 30.0))
        hole = ((0.0, round(rnd.uniform(22, 30), 2)), round(rnd.uniform(4, 7), 2))
        mine = disc(rnd.choice((25, 32, 40, 60)), 0.0, round(rnd.uniform(17, 34), 3))
        mine = mine.at(round(rnd.uniform(mine.a + 0.01, 6 - mine.a - 0.01), 3), mine.y)
        rings = [mine._replace(a=mine.a * k / 60, b=mine.b * k / 60).edge(240) for k in range(61)]
        deep = max(min(20 - p[0], 30 - p[1], math.dist(p, hole[0]) - hole[1]) for ring in rings for p in ring)
        if abs(deep) < 0.05 or (done % 2 == 0) != (deep < 0):
            continue
        out.case(
            "strategic",
            f"{'outside' if deep < 0 else 'inside'} an enemy zone with a disc cut out",
            table("[[zone]]", player="blue", outline=outline, minus=[{"circle": {"at": hole[0], "radius": hole[1]}}]),
            waiting("strikers", [mine]),
            clock(2, "reinforcements"),
            command("strategic-reserves", "strikers", [mine]),
            expect([] if deep < 0 else ["in-enemy-zone"]),
        )
        done += 1


def edges(rnd: random.Random, out: Writer, count: int) -> None:
    """Strategic Reserves along an edge: wholly within six inches, by any base at any facing."""
    for k in range(count):
        shape = any_shape(rnd)
        width = shape.reach(0.0)
        want = (0.0, SHY, -SHY, 0.3)[k % 4]
        mine = shape.at(6.0 + want - width, round(rnd.uniform(12, 32), 3))
        back = -mine.reach(math.pi)
        if back < 0.01:
            mine = disc(40).at(6.0 + want - disc(40).a, mine.y)
        far = mine.reach(0.0)
        bad = far > 6.0 + 1e-7
        out.case(
            "edge",
            f"the far side {far:.4f} inches from the edge",
            waiting("strikers", [mine]),
            clock(3, "reinforcements"),
            command("strategic-reserves", "strikers", [mine]),
            expect(["not-wholly-within"] if bad else [], {"not-wholly-within": far} if bad else None),
        )


def gaps(rnd: random.Random, out: Writer, count: int) -> None:
    """Engagement Range and plain gaps between bases of any kind, on floors of any height."""
    for k in range(count):
        one = any_shape(rnd).at(30.0, 22.0)
        want = (1.0, 1.0 + SHY, 1.0 - SHY, 0.2)[k % 4]
        rise = (0.0, 5.0, 5.0 + SHY, 5.0 - SHY)[(k // 4 + k) % 4]
        other = beside(rnd, any_shape(rnd), one, want)._replace(z=rise)
        gap = signed_gap(one, other)
        engaged = gap <= 1.0 + 1e-7 and rise <= 5.0 + 1e-7
        out.case(
            "engaged",
            f"{gap:.4f} inches across and {rise:.4f} up",
            unit("squad", "red", [one]),
            unit("guard", "blue", [other]),
            table("[[ask]]", question="gap", of=["squad", "guard"], answer=max(0.0, gap)),
            table("[[ask]]", question="engaged", of=["squad", "guard"], answer=engaged),
        )


def chains(rnd: random.Random, out: Writer, count: int) -> None:
    """Units strung out at about two inches, with neighbours at about five inches of height."""
    for k in range(count):
        shapes = [any_shape(rnd).at(30.0, 22.0)]
        size = rnd.choice((2, 3, 5, 6))
        want = (2.0, 2.0 + SHY, 2.0 - SHY, 1.0)[k % 4]
        rise = (0.0, 0.0, 0.0, 5.0 + SHY, 0.0, 0.0, 0.0, 5.0 - SHY)[k % 8]
        while len(shapes) < size:
            gap = want if len(shapes) == size - 1 else rnd.uniform(0.2, 1.9)
            new = beside(rnd, any_shape(rnd), shapes[-1], gap)
            others = [signed_gap(new, s) for s in shapes[:-1]]
            if sticking_out(new, ON_TABLE) < -0.01 and all(g > 2.2 for g in others):
                shapes.append(new)
        shapes[-1] = shapes[-1]._replace(z=rise)
        out.case(
            "coherent",
            f"a chain of {size}, its last link {want:.4f} inches across and {rise:.4f} up",
            unit("squad", "red", shapes),
            table("[[ask]]", question="coherent", of=["squad"], answer=together(shapes)),
        )


def landings(rnd: random.Random, out: Writer, count: int) -> None:
    """Out of a hull: the far side of a round base at about three inches, or at six in an emergency."""
    done = 0
    while done < count:
        hull = Shape(
            30.0,
            22.0,
            round(rnd.uniform(0, 360), 1),
            corners=((-2.2, -1.4), (2.0, -1.4), (3.1, 0.0), (2.0, 1.4), (-2.2, 1.4)),
        )
        outline = hull.edge(1)
        want = 3.0 + (0.0, SHY, -SHY, 0.2)[done % 4]
        angle = rnd.uniform(0, 2 * math.pi)
        mine = disc(rnd.choice((25, 28.5, 32)))
        low, high = 0.0, 15.0
        for _ in range(70):
            far = (low + high) / 2
            moved = mine.at(hull.x + far * math.cos(angle), hull.y + far * math.sin(angle))
            low, high = (far, high) if farthest_point(moved, outline) < want else (low, far)
        mine = mine.at(hull.x + high * math.cos(angle), hull.y + high * math.sin(angle))
        reach = farthest_point(mine, outline)
        bad = reach > 3.0 + 1e-7
        out.case(
            "disembark",
            f"the far side {reach:.4f} inches from the hull",
            unit("boat", "red", [hull], keywords=["VEHICLE", "TRANSPORT"]),
            waiting("crew", [mine], where="embarked:boat"),
            clock(2, "move-units"),
            command("disembark", "crew", [mine]),
            expect(["not-wholly-within"] if bad else [], {"not-wholly-within": reach} if bad else None),
        )
        done += 1


def walks(rnd: random.Random, out: Writer, count: int) -> None:
    """Straight moves past round enemies: the least gap on the way at about one inch."""
    done = 0
    while done < count:
        angle = rnd.uniform(0, 2 * math.pi)
        mine = disc(rnd.choice((25, 32, 40)), 30.0, 22.0)
        end = (30.0 + 10 * math.cos(angle), 22.0 + 10 * math.sin(angle))
        enemy = disc(rnd.choice((25, 32, 60)))
        want = 1.0 + (0.0, SHY, -SHY, 0.5)[done % 4]
        side = want + mine.a + enemy.a
        share = rnd.uniform(3.5, 6.5)
        enemy = enemy.at(
            30.0 + share * math.cos(angle) - side * math.sin(angle),
            22.0 + share * math.sin(angle) + side * math.cos(angle),
        )
        gap = to_segment((enemy.x, enemy.y), (mine.x, mine.y), end) - mine.a - enemy.a
        ends = [math.dist((enemy.x, enemy.y), p) - mine.a - enemy.a for p in ((mine.x, mine.y), end)]
        if min(ends) < 1 + SURE:
            continue
        bad = gap <= 1.0 + 1e-7
        out.case(
            "walk",
            f"passing an enemy at {gap:.4f} inches",
            unit("guard", "blue", [enemy]),
            unit("squad", "red", [mine], profile={"M": 10.000001}),
            clock(2, "move-units"),
            table("[command]", type="normal-move", unit="squad", paths=[[end]]),
            expect(["enters-engagement"] if bad else [], {"enters-engagement": gap} if bad else None),
        )
        done += 1


def floors(rnd: random.Random, out: Writer, count: int) -> None:
    """Standing on the floor of a ruin, or over its edge by a hair."""
    for k in range(count):
        shape = rnd.choice((disc(25), disc(32), disc(40), Shape(0, 0, 0.0, 75 / MM / 2, 42 / MM / 2)))
        shape = shape._replace(facing=round(rnd.uniform(0, 360), 1) if shape.a != shape.b else 0.0, z=3.0)
        want = (0.0, SHY, -SHY, 0.25)[k % 4]
        left = -shape.at(0.0, 0.0).reach(math.pi)
        mine = shape.at(20.0 - want - left, round(rnd.uniform(16, 24), 3))
        floor = ((20.0, 12.0), (30.0, 12.0), (30.0, 28.0), (20.0, 28.0))
        over = sticking_out(mine, floor)
        bad = over > 1e-7
        out.case(
            "floor",
            f"{over:+.4f} inches over the edge of a floor",
            table("[[terrain]]", id="house", kind="ruin", outline=floor, floors=[{"z": 3.0, "outline": floor}]),
            waiting("strikers", [mine], abilities=["deep-strike"]),
            clock(2, "reinforcements"),
            command("deep-strike", "strikers", [mine]),
            expect(["overhangs-floor"] if bad else [], {"overhangs-floor": over} if bad else None),
        )


def limits(out: Writer) -> None:
    """Every other number of the rules from both sides, a hair off, between round bases of 32 mm."""
    r = 16 / MM
    for shy in (SHY, -SHY):
        less = shy < 0
        words = f"{shy:+.4f} inches off a limit"

        def foe(gap: float, abilities: Sequence[str] = ()) -> str:
            return unit("guard", "blue", [disc(32, 30 + gap + 2 * r, 22)], abilities=abilities)

        here = [disc(32, 30, 22)]
        arrive = (clock(2, "reinforcements"), command("deep-strike", "strikers", here))
        striker = waiting("strikers", here, abilities=["deep-strike"])
        aura = expect(["denied-by-aura"] if less else [])
        out.case("aura", f"an aura, {words}", foe(12 + shy, ["denial-aura"]), striker, *arrive, aura)
        out.case(
            "infiltrate",
            f"Infiltrators and an enemy, {words}",
            foe(9 + shy),
            waiting("strikers", here, abilities=["infiltrators"]),
            clock(1, "deploy-armies", "deployment"),
            command("infiltrate", "strikers", here),
            expect(["enemy-too-close"] if less else []),
        )
        out.case(
            "infiltrate",
            f"Infiltrators and a zone, {words}",
            table(
                "[[zone]]", player="blue", outline=((30 + 9 + shy + r, 0), (60, 0), (60, 44), (30 + 9 + shy + r, 44))
            ),
            waiting("strikers", here, abilities=["infiltrators"]),
            clock(1, "deploy-armies", "deployment"),
            command("infiltrate", "strikers", here),
            expect(["enemy-zone-too-close"] if less else []),
        )
        out.case(
            "scouts",
            f"Scouts, {words}",
            foe(9 + shy),
            unit("scouts", "red", [disc(32, 26, 22)], abilities=["scouts 6"]),
            clock(1, "scouts", "deployment"),
            table("[command]", type="scout-move", unit="scouts", paths=[[(30.0, 22.0)]]),
            expect(["enemy-too-close"] if less else []),
        )
        hull = Shape(20.0, 22.0, corners=((-2.0, -1.0), (2.0, -1.0), (2.0, 1.0), (-2.0, 1.0)))
        boat = unit("boat", "red", [hull], keywords=["VEHICLE", "TRANSPORT"])
        out.case(
            "embark",
            f"embarking, {words}",
            boat,
            unit("crew", "red", [disc(32, 25 + r + shy, 22)]),
            clock(2, "move-units"),
            table("[command]", type="embark", unit="crew", transport="boat"),
            expect([] if less else ["too-far"], None if less else {"too-far": 3 + shy}),
        )
        crew = [disc(32, 28 - r + shy, 22)]
        out.case(
            "emergency",
            f"an emergency, {words}",
            unit("boat", "red", [hull], keywords=["VEHICLE", "TRANSPORT"], markers=["wreck"]),
            waiting("crew", crew, where="embarked:boat"),
            command("disembark", "crew", crew, emergency=True),
            table("[expect]", legal=True, outcome="disembarks" if less else "lost"),
        )
        perch = ((22.5, 20.0), (26.0, 20.0), (26.0, 24.0), (22.5, 24.0))
        high = [disc(32, 23.5, 22, z=5 + shy)]
        out.case(
            "disembark",
            f"disembarking upstairs, {words}",
            table("[[terrain]]", id="house", kind="ruin", outline=perch, floors=[{"z": 5 + shy, "outline": perch}]),
            boat,
            waiting("crew", high, where="embarked:boat"),
            clock(2, "move-units"),
            command("disembark", "crew", high),
            expect([] if less else ["not-wholly-within"], None if less else {"not-wholly-within": 5 + shy}),
        )
        pipes = ((30 + r, 20.0), (30.5 + r, 20.0), (30.5 + r, 24.0), (30 + r, 24.0))
        out.case(
            "barricade",
            f"across a barricade, {words}",
            table("[[terrain]]", id="pipes", kind="barricade", outline=pipes, height=1.0),
            unit("squad", "red", here),
            foe(2 + shy),
            table("[[ask]]", question="can-fight", of=["squad"], answer=[less]),
        )
        walking = clock(2, "move-units")
        for value, keywords in ((1.0, ["MOUNTED"]), (2.0, ["VEHICLE"])):
            bike = Shape(30.0, 22.0, 0.0, 75 / MM / 2, 42 / MM / 2)
            total = 6.0 + value + shy
            out.case(
                "pivot",
                f"a pivot of {value:g}, {words}",
                unit("rider", "red", [bike], keywords=keywords, profile={"M": 6.0 + value}),
                walking,
                table("[command]", type="normal-move", unit="rider", paths=[[(30.0, 22.0, 20.0), (36.0 + shy, 22.0)]]),
                expect([] if less else ["too-far"], None if less else {"too-far": total}),
            )
        stem = disc(32 + shy * MM, 30, 22)
        out.case(
            "pivot",
            f"the stem of a flying base, {words}",
            unit("drone", "red", [stem], keywords=["VEHICLE"], abilities=["flying-stem"], profile={"M": 6}),
            walking,
            table("[command]", type="normal-move", unit="drone", paths=[[(30.0, 22.0, 20.0), (36.0, 22.0)]]),
            expect([] if less else ["too-far"], None if less else {"too-far": 8.0}),
        )
        step = ((32.0, 18.0), (33.0, 18.0), (33.0, 26.0), (32.0, 26.0))
        out.case(
            "step",
            f"a step on the way, {words}",
            table("[[terrain]]", id="step", kind="crate", outline=step, height=2 + shy),
            unit("tank", "red", here, keywords=["VEHICLE"], profile={"M": 6}),
            walking,
            table("[command]", type="normal-move", unit="tank", paths=[[(36.0, 22.0)]]),
            expect([] if less else ["crosses-terrain"]),
        )
        width = 3 + shy / 2
        titan = [Shape(width, 22.0, 0.0, corners=((-width, -4.0), (width, -4.0), (width, 4.0), (-width, 4.0)))]
        zone = table("[[zone]]", player="red", outline=((50, 0), (60, 0), (60, 44), (50, 44)))
        out.case(
            "too-large",
            f"the width of the strip, {words}",
            zone,
            waiting("titan", titan, keywords=["VEHICLE"]),
            clock(2, "reinforcements"),
            command("strategic-reserves", "titan", titan),
            expect([] if less else ["must-touch"]),
        )


def write(folder: Path) -> int:
    """Write all cases into a folder, which is emptied of cases first; the number of files."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.toml"):
        old.unlink()
    rnd, out = random.Random(SEED), Writer(folder)
    deep_strikes(rnd, out, 15)
    squads(rnd, out, 9)
    zones(rnd, out, 8)
    infiltrators(rnd, out, 6)
    banned_zones(rnd, out, 6)
    edges(rnd, out, 8)
    gaps(rnd, out, 16)
    chains(rnd, out, 8)
    landings(rnd, out, 8)
    walks(rnd, out, 8)
    floors(rnd, out, 8)
    limits(out)
    return out.count


def main() -> int:
    """Write the cases and say how many."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    print(f"{write(folder)} cases written to {folder}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
