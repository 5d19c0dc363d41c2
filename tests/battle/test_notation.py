"""Does a position fit on one line and open again as the same position?"""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from sim.battle import (
    Battle,
    Battlefield,
    Clock,
    Model,
    ModelsRemoved,
    NotationError,
    Unit,
    evolve,
    from_line,
    to_line,
)
from sim.geometry import Hull, Oval, Pose, Rect, Round
from tests.toy import skirmish, waiting


def stands(battle: Battle) -> list[tuple[object, ...]]:
    """What a line keeps of the units: ids, owners, places, bases and poses."""
    return [
        (unit.player, unit.id, unit.whereabouts, [(m.base, m.pose) for m in unit.models])
        for player in battle.players
        for unit in battle.units
        if unit.player == player
    ]


def check_round_trip(battle: Battle) -> None:
    line = to_line(battle)
    assert "\n" not in line
    again = from_line(line)
    assert stands(again) == stands(battle)
    assert again.clock == battle.clock
    assert again.players == battle.players
    assert again.ruleset == battle.ruleset
    assert (again.battlefield.width, again.battlefield.depth) == (
        battle.battlefield.width,
        battle.battlefield.depth,
    )
    assert to_line(again) == line


def test_the_line_reads_as_people_write_it() -> None:
    battle = Battle(
        "toy",
        Battlefield(60.0, 44.0),
        Clock(2, "red", "movement"),
        (
            Unit("a", "red", tuple(Model(f"a-{k}", "a", Round.mm(32), Pose(12.5 + k, 3.2)) for k in (0, 1))),
            Unit("b", "blue", (Model("b-1", "b", Oval.mm(120, 92), Pose(30.0, 20.0, 90.0)),)),
            Unit("s", "blue", tuple(Model(f"s-{k}", "s", Round.mm(32)) for k in range(5)), whereabouts="reserves"),
        ),
        ("red", "blue"),
    )
    line = "TT1 60x44 toy | red: a r32 12.5,3.2 13.5,3.2 | blue: b o120x92 30,20@90 s r32 =reserves*5 | t2.red.movement"
    assert to_line(battle) == line
    check_round_trip(battle)


def test_all_bases_heights_and_places_survive() -> None:
    check_round_trip(skirmish())
    check_round_trip(waiting())


def test_a_base_that_is_no_whole_number_of_millimetres_survives() -> None:
    odd = Round(1 / 3)
    battle = Battle("toy", Battlefield(1.5, 2.25), units=(Unit("u", "p", (Model("u-1", "u", odd, Pose(1.0, 1.0)),)),),
                    players=("p",))  # fmt: skip
    check_round_trip(battle)


def test_the_fallen_are_left_out() -> None:
    battle = evolve(skirmish(), ModelsRemoved("toad", ("toad-1",)))
    again = from_line(to_line(battle))
    assert not again.has_unit("toad")
    assert again.players == battle.players
    assert [u.id for u in again.units] == [u.id for u in battle.units if u.id != "toad"]


def test_a_clock_without_a_player_keeps_its_places() -> None:
    check_round_trip(replace(skirmish(), clock=Clock(2, "", "go", "walk")))
    check_round_trip(replace(skirmish(), clock=Clock(3, "", "", "walk")))
    check_round_trip(replace(skirmish(), clock=Clock()))


numbers = st.floats(-1e5, 1e5).filter(lambda v: v == 0 or abs(v) > 1e-9)
lengths = st.floats(0.01, 40.0)
millimetres = st.sampled_from([25, 28.5, 32, 40, 50, 60, 90, 130]) | st.integers(1, 200)
bases = st.one_of(
    st.builds(Round, lengths),
    st.builds(Round.mm, millimetres),
    st.builds(Oval, lengths, lengths),
    st.builds(Rect, lengths, lengths),
    st.tuples(lengths, lengths).map(lambda s: Hull(((-s[0], -1.0), (s[0], 0.0), (0.0, s[1])))),
)
poses = st.builds(Pose, numbers, numbers, st.floats(-720, 720), st.sampled_from([0.0, 3.0, 2.7]))
# What a file may call a unit: no blanks, nothing that divides the line.
names = st.text(st.characters(codec="ascii", categories=["L", "N"], include_characters="-_.'"), min_size=1, max_size=6)


@st.composite
def battles(draw: st.DrawFn) -> Battle:
    players = draw(st.lists(st.sampled_from(["red", "blue", "Old Guard"]), min_size=1, max_size=2, unique=True))
    units = []
    for name in draw(st.lists(names, max_size=4, unique=True)):
        own = draw(st.lists(bases, min_size=1, max_size=3))
        stands_here = draw(st.booleans())
        places = [draw(poses) if stands_here else None for _ in own]
        models = tuple(
            Model(f"{name}-{k}", name, base, pose) for k, (base, pose) in enumerate(zip(own, places, strict=True), 1)
        )
        where = "table" if stands_here else draw(st.sampled_from(["reserves", "embarked:x"]))
        units.append(Unit(name, draw(st.sampled_from(players)), models, whereabouts=where))
    words = st.sampled_from(["", "movement", "move-units"])
    clock = Clock(draw(st.integers(1, 9)), draw(st.sampled_from(["", "red"])), draw(words), draw(words))
    size = st.floats(1.0, 400.0)
    return Battle("toy", Battlefield(draw(size), draw(size)), clock, tuple(units), tuple(players))


@settings(derandomize=True, deadline=None, max_examples=200)
@given(battles())
def test_any_position_opens_again(battle: Battle) -> None:
    check_round_trip(battle)


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("", "expected 'TT1 WIDTHxDEPTH RULESET | PLAYER: … | tROUND…', got ''"),
        ("TT2 60x44 toy | t1", "got 'TT2 60x44 toy'"),
        ("TT1 60 toy | t1", "got 'TT1 60 toy'"),
        ("TT1 60x44 toy", "expected 'TT1"),
        ("TT1 ex44 toy | t1", "expected a table such as 60x44"),
        ("TT1 60x44 toy | red a r32 1,1 | t1", "expected 'PLAYER: units', got 'red a r32 1,1'"),
        ("TT1 60x44 toy | red: a | t1", "unit 'a' has no models"),
        ("TT1 60x44 toy | red: a 1,1 | t1", "expected a base before '1,1'"),
        ("TT1 60x44 toy | red: a =reserves*2 | t1", "expected a base before '=reserves*2'"),
        ("TT1 60x44 toy | red: a r0 1,1 | t1", "'r0' is no base"),
        ("TT1 60x44 toy | red: a o120 1,1 | t1", "'o120' is no base"),
        ("TT1 60x44 toy | red: a h0,0;1 1,1 | t1", "'h0,0;1' is no base"),
        ("TT1 60x44 toy | red: a r32 1,x | t1", "expected a pose such as 12.5,3.2@90, got '1,x'"),
        ("TT1 60x44 toy | red: a r32 nan,1 | t1", "expected a pose such as 12.5,3.2@90, got 'nan,1'"),
        ("TT1 60x44 toy | red: a r32 1,1 a r32 2,2 | t1", "a second unit is called 'a'"),
        ("TT1 60x44 toy | red: a r32 1,1 | round 2", "expected a clock such as t2.red.movement, got 'round 2'"),
        ("TT1 60x44 toy | red: a r32 1,1 | t1.a.b.c.d", "expected a clock"),
    ],
)
def test_what_is_no_position_is_refused_in_words(line: str, what: str) -> None:
    with pytest.raises(NotationError) as caught:
        from_line(line)
    assert what in str(caught.value)


@settings(derandomize=True, deadline=None, max_examples=300)
@given(st.data())
def test_a_damaged_line_opens_or_is_refused(data: st.DataObject) -> None:
    line = to_line(skirmish())
    start = data.draw(st.integers(0, len(line) - 1))
    end = data.draw(st.integers(start, min(len(line), start + 12)))
    other = line[:start] + data.draw(st.text('TT1x|:=*@^,.;r0q h-"e', max_size=6)) + line[end:]
    with contextlib.suppress(NotationError):
        opened = from_line(other)
        assert stands(from_line(to_line(opened))) == stands(opened)
