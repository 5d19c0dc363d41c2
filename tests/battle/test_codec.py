"""Do battles and events survive the way to JSON and back, and does a digest tell battles apart?"""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from sim.battle import (
    Battle,
    Battlefield,
    Circle,
    Clock,
    CodecError,
    Event,
    Floor,
    Marker,
    Model,
    ModelsMoved,
    Objective,
    Ranked,
    Terrain,
    Unit,
    Zone,
    decode,
    digest,
    encode,
)
from sim.geometry import Base, Hull, Oval, Path, Pose, Rect, Round
from tests.toy import skirmish

BASES: tuple[Base, ...] = (
    Round.mm(32),
    Oval.mm(120, 92),
    Rect.mm(25, 50),
    Hull(((-1.0, -1.0), (2.0, 0.0), (-1.0, 1.0))),
)


def full() -> Battle:
    """A battle in which every field holds something."""
    models = tuple(
        Model(f"m{k}", "u", base, Pose(1.0 + k, 2.0, 30.0, 3.0), 1, ("sword",), "Sam") for k, base in enumerate(BASES)
    )
    square = ((0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0))
    return Battle(
        ruleset="toy",
        battlefield=Battlefield(
            24.0,
            18.0,
            (Terrain("t", "block", square, 5.0, (Floor(3.0, square),), ("dense",)),),
            (Objective("A", (3.0, 3.0), 0.8),),
            (Zone("z", "red", square, (Circle((1.0, 1.0), 0.5),)),),
        ),
        clock=Clock(2, "red", "go", "walk"),
        units=(
            Unit(
                "u",
                "red",
                models,
                "Name",
                "sheet",
                Ranked(2),
                "table",
                (Marker("wet", "rain", 2, "end-of-turn"),),
                ("A",),
                ("b: c",),
                (("M", 6.0),),
                70,
            ),
        ),
        players=("red", "blue"),
        score=(("red", 1),),
        resources=(("red", "pluck", 2),),
        options=(("flag", True), ("range", 12.5), ("word", "x")),
        title="Full",
    )


def test_a_battle_reads_back_equal_with_every_field_filled() -> None:
    battle = full()
    text = encode(battle)
    assert b"\n" not in text
    again = decode(text, Battle)
    assert again == battle
    assert encode(again) == text
    assert [type(m.base) for m in again.models()] == [Round, Oval, Rect, Hull]


def test_numbers_are_kept_to_the_last_bit() -> None:
    pose = Pose(0.1 + 0.2, 1 / 3, 1e-17, 2**-40)
    moved = ModelsMoved("u", (("m", Path(pose, (Pose(0.7, 1 / 3, 1e-17, 2**-40),))),))
    assert decode(encode(moved), Event) == moved  # type: ignore[arg-type, comparison-overlap]


def test_a_digest_differs_with_anything_that_differs() -> None:
    battle = full()
    unit = battle.units[0]
    first = unit.models[0]
    others = [
        replace(battle, title="Fuller"),
        replace(battle, clock=replace(battle.clock, step="drop")),
        replace(battle, players=("blue", "red")),
        replace(battle, score=(("red", 2),)),
        replace(battle, resources=()),
        replace(battle, options=()),
        replace(battle, battlefield=replace(battle.battlefield, width=24.000001)),
        battle.with_unit(replace(unit, markers=())),
        battle.with_unit(replace(unit, formation=Ranked(3))),
        battle.with_unit(replace(unit, models=(replace(first, wounds_lost=2), *unit.models[1:]))),
        battle.with_unit(
            replace(unit, models=(replace(first, pose=Pose(1.0 + 1e-12, 2.0, 30.0, 3.0)), *unit.models[1:]))
        ),
    ]
    found = [digest(b) for b in (battle, *others)]
    assert len(set(found)) == len(found)
    assert all(len(d) == 16 and int(d, 16) >= 0 for d in found)


def test_equal_battles_have_equal_digests_also_when_somebody_wrote_whole_numbers() -> None:
    whole = replace(
        skirmish(),
        battlefield=replace(skirmish().battlefield, width=24, depth=18),
    ).with_unit(Unit("newts", "red", (Model("n", "newts", Round(1), Pose(20, 15, 0, 0)),)))
    exact = skirmish().with_unit(Unit("newts", "red", (Model("n", "newts", Round(1.0), Pose(20.0, 15.0)),)))
    assert whole == exact
    assert digest(whole) == digest(exact)
    assert digest(decode(encode(whole), Battle)) == digest(whole)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (b"{", "no JSON"),
        (b"", "no JSON"),
        (b"[]", "Expected `object`, got `array`"),
        (b'{"ruleset":"toy"}', "missing required field `battlefield`"),
        (
            b'{"ruleset":"toy","battlefield":{"width":"wide","depth":1}}',
            "Expected `float`, got `str` - at `$.battlefield.width`",
        ),
        (
            b'{"ruleset":"t","battlefield":{"width":1,"depth":1},"units":[{"id":"u","player":"r",'
            b'"models":[{"id":"m","unit":"u","base":{"radius":1}}]}]}',
            "expected a base with d, length and width, width and depth, or outline",
        ),
        (
            b'{"ruleset":"t","battlefield":{"width":1,"depth":1},"units":[{"id":"u","player":"r",'
            b'"models":[{"id":"m","unit":"u","base":{"d":-1}}]}]}',
            "expected more than 0 inches, got -1",
        ),
    ],
)
def test_what_is_no_battle_is_refused_in_words(text: bytes, what: str) -> None:
    with pytest.raises(CodecError) as caught:
        decode(text, Battle)
    assert what in str(caught.value)


def test_an_unknown_event_is_refused() -> None:
    with pytest.raises(CodecError, match="Invalid value 'explosion'"):
        decode(b'{"event":"explosion"}', Event)  # type: ignore[arg-type]
