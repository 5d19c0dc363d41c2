"""Do proposals gather round their point without overlaps, the same every time?"""

from __future__ import annotations

import itertools
import math

import pytest

from sim.geometry import Base, Hull, KeepTogether, Oval, Placed, PlacedSet, Pose, Rect, Round, gap, separation
from sim.motion import pack, ranks

UNITS: dict[str, list[Base]] = {
    "one": [Round.mm(32)],
    "five": [Round.mm(32)] * 5,
    "ten": [Round.mm(25)] * 10,
    "unlike": [Round.mm(32), Round.mm(40), Oval.mm(60, 35), Rect.mm(25, 50), Round.mm(90)],
    "many": [Round.mm(28.5)] * 20,
}


def apart(bases: list[Base], poses: tuple[Pose, ...]) -> float:
    placed = [Placed(base, pose) for base, pose in zip(bases, poses, strict=True)]
    return min((separation(a, b) for a, b in itertools.combinations(placed, 2)), default=math.inf)


@pytest.mark.parametrize("name", UNITS)
def test_ranks_do_not_touch_and_stay_near_their_neighbours(name: str) -> None:
    bases = UNITS[name]
    poses = ranks(bases, facing=30.0)
    assert len(poses) == len(bases)
    assert apart(bases, poses) >= 0.25 - 1e-9
    assert all(pose.facing == 30.0 for pose in poses)
    if name != "unlike":
        members = PlacedSet.of(Placed(b, p) for b, p in zip(bases, poses, strict=True))
        needed = 2 if len(bases) > 6 else 1
        assert not list(KeepTogether("incoherent", "r", 2.0, 5.0, needed).judge(members))


def test_ranks_are_centred_about_the_origin() -> None:
    poses = ranks([Round.mm(32)] * 8)
    assert sum(p.x for p in poses) == pytest.approx(0.0, abs=1e-9)
    assert abs(sum(p.y for p in poses)) < 2.0
    assert ranks([]) == ()


@pytest.mark.parametrize("name", UNITS)
def test_a_packed_unit_does_not_overlap_and_is_near_its_point(name: str) -> None:
    bases = UNITS[name]
    poses = pack(bases, (20.0, 15.0))
    assert apart(bases, poses) >= 0.0
    area = sum(math.pi * Placed(base, Pose(0.0, 0.0)).radius ** 2 for base in bases)
    reach = 2.5 * math.sqrt(area / math.pi) + 1.0
    assert all(math.dist(pose.at, (20.0, 15.0)) < reach for pose in poses)


def test_a_packed_unit_keeps_off_what_stands_there() -> None:
    bases: list[Base] = [Round.mm(32)] * 6
    wall = Placed(Hull(((-0.1, -4.0), (0.1, -4.0), (0.1, 4.0), (-0.1, 4.0))), Pose(21.0, 15.0))
    stranger = Placed(Round.mm(60), Pose(18.5, 13.0))
    poses = pack(bases, (20.0, 15.0), [wall, stranger])
    for base, pose in zip(bases, poses, strict=True):
        assert gap(Placed(base, pose), wall) > 0.0
        assert gap(Placed(base, pose), stranger) > 0.0
    assert apart(bases, poses) >= 0.0


def test_packing_says_the_same_every_time() -> None:
    bases = UNITS["unlike"]
    obstacle = [Placed(Round.mm(60), Pose(20.5, 15.0))]
    assert pack(bases, (20.0, 15.0), obstacle) == pack(bases, (20.0, 15.0), obstacle)
    assert pack([], (1.0, 1.0)) == ()
