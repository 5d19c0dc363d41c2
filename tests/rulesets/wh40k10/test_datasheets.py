"""Do the datasheets say what they should, do wrong ones get refused, and are units bound to them?"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from sim.battle import BattleError, Model, Unit
from sim.chance.amounts import Amount
from sim.geometry import Hull, Oval, Round
from sim.resources import data_root
from sim.rulesets.wh40k10 import RULESET
from sim.rulesets.wh40k10.datasheets import (
    FOLDER,
    Datasheet,
    DatasheetError,
    Weapon,
    base_of,
    bind,
    find,
    read_sheets,
    sheets,
    weapons_of,
    wounds_of,
)

BASES = tomllib.loads((data_root() / "assets" / "bases" / "wh40k10.toml").read_text("utf-8"))["datasheet"]


def sheet(name: str) -> Datasheet:
    found = find(name)
    assert found is not None, name
    return found


def only(name: str, weapon: str, profile: str = "") -> Weapon:
    (found,) = [w for w in sheet(name).weapons(weapon) if w.profile == profile]
    return found


def team(datasheet: str, models: int, **fields: Any) -> Unit:
    return Unit(
        "u", "blue", tuple(Model(f"u-{k}", "u", Round.mm(25)) for k in range(models)), datasheet=datasheet, **fields
    )


# --- the tables


def test_all_of_them_are_there() -> None:
    assert len(sheets()) == 28
    files = {path.stem: tomllib.loads(path.read_text("utf-8")) for path in (data_root() / FOLDER).glob("*.toml")}
    assert {stem: len(read["datasheet"]) for stem, read in files.items()} == {"tau": 14, "marines": 8, "orks": 6}
    assert sum(len(sheet.weapon) for sheet in sheets().values()) > 150


@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        ("Strike Team", {"M": 6, "T": 3, "SV": 4, "W": 1, "LD": 7, "OC": 2}),
        ("Crisis Sunforge Battlesuits", {"M": 10, "T": 5, "SV": 3, "INV": 4, "W": 4, "LD": 7, "OC": 2}),
        ("Tidewall Gunrig", {"M": 4, "T": 8, "SV": 3, "W": 14, "LD": 7, "OC": 0}),
        ("Terminator Squad", {"M": 5, "T": 5, "SV": 2, "INV": 4, "W": 3, "LD": 6, "OC": 1}),
        ("Redemptor Dreadnought", {"M": 8, "T": 10, "SV": 2, "W": 12, "LD": 6, "OC": 4}),
        ("Trukk", {"M": 12, "T": 8, "SV": 4, "INV": 6, "W": 10, "LD": 7, "OC": 2}),
    ],
)
def test_profiles(name: str, numbers: dict[str, float]) -> None:
    assert sheet(name).profile == numbers


@pytest.mark.parametrize(
    ("name", "weapon", "profile", "numbers"),
    [
        ("Strike Team", "pulse rifle", "", (30, "1", 4, 5, 0, "1", ("rapid-fire 1",))),
        ("Breacher Team", "pulse blaster", "", (10, "2", 3, 6, -1, "1", ("assault",))),
        (
            "Tidewall Gunrig",
            "supremacy railgun",
            "",
            (72, "1", 5, 20, -5, "D6+6", ("devastating-wounds", "twin-linked")),
        ),
        ("Hammerhead Gunship", "ion cannon", "overcharge", (60, "D6+3", 4, 8, -2, "3", ("blast", "hazardous"))),
        ("Crisis Starscythe Battlesuits", "t'au flamer", "", (12, "D6", None, 4, 0, "1", ("ignores-cover", "torrent"))),
        ("Commander in Coldstar Battlesuit", "fusion blaster", "", (12, "1", 3, 9, -4, "D6", ("melta 2",))),
        ("Crisis Sunforge Battlesuits", "fusion blaster", "", (12, "1", 4, 9, -4, "D6", ("melta 2",))),
        ("Stealth Battlesuits", "battlesuit fists", "", (0, "2", 5, 4, 0, "1", ())),
        (
            "Riptide Battlesuit",
            "twin smart missile system",
            "",
            (30, "3", 4, 5, 0, "1", ("indirect-fire", "twin-linked")),
        ),
        (
            "Broadside Battlesuits",
            "twin smart missile system",
            "",
            (30, "4", 4, 5, 0, "1", ("indirect-fire", "twin-linked")),
        ),
        ("Devilfish", "twin pulse carbine", "", (20, "2", 4, 5, 0, "1", ("assault", "twin-linked"))),
        ("Hammerhead Gunship", "twin pulse carbine", "", (20, "2", 4, 5, 0, "1", ("twin-linked",))),
        ("Terminator Squad", "cyclone missile launcher", "frag", (36, "2D6", 3, 4, 0, "1", ("blast",))),
        ("Terminator Squad", "chainfist", "", (0, "3", 4, 8, -2, "2", ("anti-vehicle 3",))),
        ("Captain", "plasma pistol", "supercharge", (12, "1", 2, 8, -3, "2", ("hazardous", "pistol"))),
        ("Intercessor Squad", "astartes chainsword", "", (0, "5", 3, 4, -1, "1", ())),
        ("Assault Intercessors with Jump Packs", "astartes chainsword", "", (0, "4", 3, 4, -1, "1", ())),
        ("Nobz", "close combat weapon", "", (0, "3", 3, 5, 0, "1", ())),
        ("Boyz", "close combat weapon", "", (0, "2", 3, 4, 0, "1", ())),
        ("Lootas", "deffgun", "", (48, "2", 6, 8, -1, "2", ("heavy", "rapid-fire 1"))),
        ("Deff Dread", "dread klaw", "", (0, "4", 3, 12, -2, "3", ("dead-choppy",))),
        ("Trukk", "wreckin' ball", "", (0, "1", 4, 10, 0, "D6", ("extra-attacks",))),
    ],
)
def test_weapons(name: str, weapon: str, profile: str, numbers: tuple[Any, ...]) -> None:
    w = only(name, weapon, profile)
    assert (w.range, w.attacks, w.skill, w.strength, w.ap, w.damage, w.abilities) == numbers
    assert w.ranged == (w.range > 0)


@pytest.mark.parametrize(
    ("name", "models", "points"),
    [
        ("Strike Team", 10, 70),
        ("Kroot Carnivores", 10, 65),
        ("Kroot Carnivores", 20, 140),
        ("Kroot Carnivores", 11, 140),
        ("Broadside Battlesuits", 2, 170),
        ("Stealth Battlesuits", 5, 100),
        ("Redemptor Dreadnought", 1, 205),
        ("Boyz", 20, 170),
        ("Boyz", 21, 0),
    ],
)
def test_points(name: str, models: int, points: int) -> None:
    assert sheet(name).points(models) == points


def test_bases() -> None:
    assert base_of("Strike Team") == (Round.mm(25), False)
    assert base_of("Riptide Battlesuit") == (Oval.mm(120, 92), False)
    assert isinstance(sheet("Rhino").base.base(), Hull)
    assert {s.name for s in sheets().values() if s.base.estimate} == {
        "Tidewall Gunrig",
        "Tidewall Shieldline",
        "Rhino",
        "Trukk",
    }
    assert base_of("Wraith Barge") is None


@pytest.mark.parametrize("name", sorted(s.name for s in sheets().values()))
def test_the_table_of_bases_says_the_same(name: str) -> None:
    mine, other = sheet(name), BASES[name]
    assert {*mine.keywords, mine.faction} == set(other["keywords"])
    assert mine.profile == other["profile"]
    assert set(other["abilities"]) <= set(mine.abilities)
    form = {key: getattr(mine.base, key) for key in other["base"]}
    assert {
        key: list(map(list, v)) if key == "hull" else list(v) if key == "oval" else v for key, v in form.items()
    } == (other["base"])
    assert mine.base.estimate == other.get("estimate", False)


def test_who_may_ride() -> None:
    assert sheet("Devilfish").carries == ("T'AU EMPIRE", "INFANTRY")
    assert sheet("Devilfish").excludes == ("BATTLESUIT", "KROOT", "VESPID STINGWINGS")
    assert "TACTICUS" in sheet("Rhino").excludes
    carriers = {s.name for s in sheets().values() if "TRANSPORT" in s.keywords}
    assert carriers == {s.name for s in sheets().values() if s.carries}
    assert all(bind(team(name, 1)).ability("capacity") for name in carriers)


def test_a_weapon_has_abilities_with_values() -> None:
    melta = only("Eradicator Squad", "multi-melta")
    assert (melta.ability("melta"), melta.ability("heavy"), melta.ability("blast")) == ("2", "", None)
    assert melta.has("heavy")
    assert not melta.has("blast")
    assert Amount.of(melta.damage).mean == pytest.approx(3.5)


# --- names


@pytest.mark.parametrize(
    ("typed", "id_"),
    [
        ("Strike Team", "strike-team"),
        ("strike-team", "strike-team"),
        ("STRIKE  TEAMS", "strike-team"),
        ("Crisis Sunforge Battlesuit", "crisis-sunforge-battlesuits"),
        ("assault intercessor with jump packs", "assault-intercessors-with-jump-packs"),
        ("Loota", "lootas"),
    ],
)
def test_a_name_is_found_however_it_is_typed(typed: str, id_: str) -> None:
    assert sheet(typed).id == id_


@pytest.mark.parametrize("typed", ["", "-", "Strike", "Team", "Nob Squad"])
def test_a_name_that_is_not_there_is_not_guessed(typed: str) -> None:
    assert find(typed) is None


# --- binding


def test_a_unit_gets_what_it_does_not_say() -> None:
    unit = bind(team("Strike Team", 10))
    assert dict(unit.profile) == sheet("Strike Team").profile
    assert unit.has("T'au Empire", "FIRE WARRIOR")
    assert unit.ability("for-the-greater-good") == ""
    assert unit.points == 70
    assert [m.name for m in unit.models[:2]] == ["Fire Warrior Shas'ui", ""]
    assert {m.loadout for m in unit.models} == {("pulse rifle", "pulse pistol", "close combat weapon")}
    assert bind(unit) == unit


def test_what_a_unit_says_wins() -> None:
    armed = Model("u-0", "u", Round.mm(25), loadout=("pulse carbine",), name="Old Hand")
    unit = team(
        "Pathfinder Team",
        3,
        points=55,
        profile=(("W", 2.0), ("X", 1.0)),
        keywords=("infantry", "HEROES"),
        abilities=("scouts: 9",),
    )
    unit = Unit(**{f: getattr(unit, f) for f in unit.__struct_fields__} | {"models": (armed, *unit.models[1:])})
    bound = bind(unit)
    assert (bound.value("W"), bound.value("X"), bound.value("M"), bound.points) == (2.0, 1.0, 7.0, 55)
    assert bound.keywords[:2] == ("infantry", "HEROES")
    assert [k.upper() for k in bound.keywords].count("INFANTRY") == 1
    assert bound.ability("scouts") == "9"
    assert sum(a.startswith("scouts") for a in bound.abilities) == 1
    assert bound.models[0] == armed
    assert "Pathfinder Shas'ui" not in [m.name for m in bound.models]


def test_a_leader_differs() -> None:
    boyz = bind(team("Boyz", 10))
    assert boyz.models[0].loadout == ("slugga", "big choppa")
    assert boyz.models[1].loadout == ("slugga", "choppa")
    assert [wounds_of(boyz, m) for m in boyz.models[:2]] == [2, 1]
    assert [m.name for m in bind(team("Lootas", 10)).models].count("Spanner") == 2
    assert [m.name for m in bind(team("Lootas", 5)).models].count("Spanner") == 1


def test_a_leader_is_known_by_the_name() -> None:
    models = tuple(Model(f"u-{k}", "u", Round.mm(32), name=n) for k, n in enumerate(("Boy", "boss nob")))
    boyz = bind(Unit("u", "red", models, datasheet="boyz"))
    assert [m.loadout for m in boyz.models] == [("slugga", "choppa"), ("slugga", "big choppa")]
    assert [m.name for m in boyz.models] == ["Boy", "boss nob"]
    assert [wounds_of(boyz, m) for m in boyz.models] == [1, 2]


def test_an_unknown_datasheet_adds_nothing() -> None:
    for name in ("", "Wraith Barge"):
        unit = team(name, 2)
        assert bind(unit) == unit
        assert wounds_of(unit, unit.models[0]) is None
    assert RULESET.bind is bind


# --- what a model carries


def carrying(datasheet: str, *loadout: str) -> tuple[Weapon, ...]:
    model = Model("u-1", "u", Round.mm(32), loadout=loadout)
    return weapons_of(Unit("u", "blue", (model,), datasheet=datasheet), model)


def test_every_profile_of_everything_carried_in_order() -> None:
    found = carrying("Pathfinder Team", "Ion Rifle", "Pulse pistols", "close-combat weapon")
    assert [(w.name, w.profile) for w in found] == [
        ("ion rifle", "standard"),
        ("ion rifle", "overcharge"),
        ("pulse pistol", ""),
        ("close combat weapon", ""),
    ]
    dread = bind(team("Deff Dread", 1))
    names = [w.name for w in weapons_of(dread, dread.models[0])]
    assert names == ["big shoota", "big shoota", "dread klaw", "dread klaw", "stompy feet"]


def test_the_own_datasheet_comes_first_and_others_help_out() -> None:
    assert [w.skill for w in carrying("Captain", "bolt pistol")] == [2]
    assert [w.skill for w in carrying("Intercessor Squad", "bolt pistol")] == [3]
    assert [w.strength for w in carrying("Captain", "T’au flamer")] == [4]
    assert [w.name for w in carrying("", "deffgun")] == ["deffgun"]


def test_wargear_is_no_weapon() -> None:
    found = carrying("Strike Team", "Marker Drone", "Gun Drone", "twin pulse carbine")
    assert [(w.name, w.skill) for w in found] == [("twin pulse carbine", 5)]
    assert carrying("Rhino", "shield drone") == ()


def test_what_nobody_has_is_refused() -> None:
    with pytest.raises(BattleError, match="u-1 of u carries 'harpoon', and no datasheet has such a weapon"):
        carrying("Strike Team", "harpoon")


@pytest.mark.parametrize("id_", sorted(sheets()))
def test_everybody_carries_what_the_datasheet_knows(id_: str) -> None:
    size = max(size.models for size in sheets()[id_].sizes)
    unit = bind(team(id_, size))
    for model in unit.models:
        carried = weapons_of(unit, model)
        assert {w.name for w in carried} == set(model.loadout)
        assert all(w in sheets()[id_].weapon for w in carried)


# --- tables that are refused

GOOD = """
[[datasheet]]
id = "rowers"
name = "Rowers"
faction = "RIVER"
keywords = ["INFANTRY", "ROWERS"]
profile = { M = 6, T = 3, SV = 4, W = 1, LD = 7, OC = 2 }
abilities = ["scouts 7"]
base = { round = 25 }
sizes = [{ models = 5, points = 50 }]
default = ["oar"]

[[datasheet.weapon]]
name = "oar"
range = 0
attacks = "D3"
skill = 4
strength = 3
ap = 0
damage = "1"
abilities = ["sustained-hits 1"]
"""


def refused(folder: Path, text: str) -> str:
    (folder / "river.toml").write_text(text, "utf-8")
    with pytest.raises(DatasheetError) as error:
        read_sheets(folder)
    said = str(error.value)
    assert "\n" not in said
    assert said.startswith("river.toml: ")
    return said.removeprefix("river.toml: ")


def test_a_good_table_is_read(tmp_path: Path) -> None:
    (tmp_path / "river.toml").write_text(GOOD, "utf-8")
    (rowers,) = read_sheets(tmp_path)
    assert (rowers.id, rowers.weapon[0].ability("sustained-hits")) == ("rowers", "1")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("T = 3, ", "", "rowers: profile has no T"),
        ("OC = 2", "OC = 2, WS = 3", "rowers: profile has an unknown WS"),
        ('"scouts 7"', '"swims"', "rowers: no ability of a unit is called 'swims'"),
        ('"scouts 7"', '"scouts"', "rowers: scouts: expected a whole number, got ''"),
        ('"scouts 7"', '"stealth 3"', "rowers: stealth: expected nothing after it, got '3'"),
        ('"sustained-hits 1"', '"splash"', "rowers: oar: no ability of a weapon is called 'splash'"),
        ('"sustained-hits 1"', '"anti-fly 7"', "rowers: oar: anti-fly: expected a face from 2+ to 6+, got '7'"),
        ('"D3"', '"some"', "rowers: oar: attacks: expected an amount such as 3, D6 or 2D6+1, got 'some'"),
        ('damage = "1"', 'damage = "D"', "rowers: oar: damage: expected an amount such as 3, D6 or 2D6+1, got 'D'"),
        ('["oar"]', '["oar", "net"]', "rowers: 'net' of the default loadout has no profile"),
        ('["oar"]', '["oar"]\nleader = { name = "Cox", loadout = ["horn"] }', "rowers: 'horn' of the default loadout"),
        ("[{ models = 5, points = 50 }]", "[]", "rowers: expected at least one size, got none"),
        ("points = 50", "points = 0", "rowers: expected sizes of at least one model and one point"),
        ("round = 25", "round = 25, oval = [30, 20]", "rowers: base: expected exactly one of round, oval and hull"),
        ("round = 25", "hull = [[0, 0], [1, 1], [1, 0], [0, 1]]", "rowers: base: "),
        ('"INFANTRY"', '"Infantry"', "rowers: expected keywords in capitals, got 'Infantry'"),
        ('id = "rowers"', 'id = "The Rowers"', "The Rowers: expected an id in small letters, digits and hyphens"),
        ("skill = 4", "skill = 7", "rowers: oar: expected a skill of 2 to 6, got 7"),
        ("skill = 4\n", "", "rowers: oar: expected a skill, or torrent and none"),
        (
            "ap = 0",
            "ap = 1",
            "rowers: oar: expected a range of 0 or more, a strength of 1 or more and an ap of 0 or less",
        ),
        ("strength = 3\n", "", "rowers: object missing required field `strength`"),
        ("strength = 3", 'strength = "3"', "rowers: expected `int`, got `str`"),
        ('id = "rowers"\n', "", "datasheet 1: object missing required field `id`"),
        ('name = "Rowers"', 'name = "Rowers"\nmotto = "Row"', "rowers: object contains unknown field `motto`"),
        ("[[datasheet]]", "[[sheet]]", "file: "),
        ('id = "rowers"', "id = ", "file: "),
    ],
)
def test_a_wrong_table_is_refused_on_one_line(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert old in GOOD
    assert refused(tmp_path, GOOD.replace(old, new, 1)).startswith(said)


def test_a_name_is_used_once(tmp_path: Path) -> None:
    assert refused(tmp_path, GOOD + GOOD) == "rowers: rowers of river.toml has its name"
    again = GOOD.replace('"rowers"', '"oarsmen"').replace('"Rowers"', '"Rower"')
    assert refused(tmp_path, GOOD + again) == "oarsmen: rowers of river.toml has its name"


def test_a_profile_is_named_once(tmp_path: Path) -> None:
    twice = GOOD + GOOD[GOOD.index("[[datasheet.weapon]]") :]
    assert refused(tmp_path, twice) == "rowers: oar: a second profile ''"


def test_a_folder_without_tables_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DatasheetError, match="expected tables of datasheets, got none"):
        read_sheets(tmp_path)
