"""How much room does each model have, to the widest thing that it must keep clear of?"""

from __future__ import annotations

import pytest

from sim.analysis import margins
from sim.geometry import Placed, PlacedSet, Pose, Rules
from tests.toy import Drop, skirmish
from tests.toy.placing import drop_rules


def members(*poses: Pose) -> PlacedSet:
    base = skirmish().unit("crickets").models[0].base
    return PlacedSet.of(Placed(base, pose) for pose in poses)


def rules_for(*poses: Pose) -> Rules:
    return drop_rules(skirmish(), Drop("crickets", poses))


def test_each_model_has_the_margin_to_its_nearest_enemy() -> None:
    half, radius = 25 / 25.4 / 2, 25 / 25.4 / 2
    poses = (Pose(5.0, 8.0), Pose(6.5, 9.5))
    one, two = margins(rules_for(*poses), members(*poses))
    assert (one.member, one.other, two.member, two.other) == (0, "mice-1", 1, "mice-2")
    assert one.measured == pytest.approx(12.0 - 8.0 - half - radius, abs=1e-9)
    assert one.short == pytest.approx(3.0 - one.measured, abs=1e-12)
    assert two.short > 0 > one.short - 3.0
    assert str(one.required) == 'more than 3"'


def test_an_overlap_is_no_room_at_all() -> None:
    (one,) = margins(rules_for(Pose(5.0, 12.0)), members(Pose(5.0, 12.0)))
    assert (one.measured, one.short) == (0.0, 3.0)


def test_without_a_clearance_there_is_no_margin() -> None:
    assert margins(Rules(), members(Pose(1.0, 1.0))) == ()
    assert margins(rules_for(), members()) == ()
