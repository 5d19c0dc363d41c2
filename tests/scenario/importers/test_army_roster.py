"""Does the roster say in TOML what was imported, whatever the names are?"""

import tomllib
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from sim.rules import Listing
from sim.scenario import read_document
from sim.scenario.importers import (
    BaseSize,
    ImportedArmy,
    ImportedModel,
    ImportedUnit,
    Unread,
    read_army,
    report,
    to_toml,
)

FIXTURES = Path(__file__).parent / "fixtures"
SIMPLE = (FIXTURES / "simple.txt").read_text("utf-8")
ODD = (FIXTURES / "odd.txt").read_text("utf-8")

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


def units_of(toml: str) -> list[dict[str, Any]]:
    read = tomllib.loads(toml)
    assert set(read) == {"unit"}
    units: list[dict[str, Any]] = read["unit"]
    return units


def test_a_roster_holds_every_unit_and_model_with_an_id_of_its_own() -> None:
    army = read_army(SIMPLE)
    units = units_of(to_toml(army, "red"))
    assert [unit["id"] for unit in units] == [unit.id for unit in army.units]
    ids = [model["id"] for unit in units for model in unit["models"]]
    assert len(set(ids)) == len(ids) == army.model_count
    assert {(unit["player"], unit["where"]) for unit in units} == {("red", "reserves")}


def test_a_listed_datasheet_brings_base_keywords_profile_and_abilities() -> None:
    army = read_army("Crisis Sunforge Battlesuits [150 pts]:\n• 3x Crisis Sunforge Shas’ui: 2x Fusion blaster")
    (unit,) = units_of(to_toml(army, "blue", "table"))
    assert unit["datasheet"] == "Crisis Sunforge Battlesuits"
    assert unit["base"] == {"round": 50}
    assert unit["profile"] == {"M": 10, "T": 5, "SV": 3, "INV": 4, "W": 4, "LD": 7, "OC": 2}
    assert "deep-strike" in unit["abilities"]
    assert {"VEHICLE", "FLY", "T'AU EMPIRE"} <= set(unit["keywords"])
    assert unit["where"] == "table"
    assert unit["models"][2] == {
        "id": "crisis-sunforge-battlesuits-3",
        "name": "Crisis Sunforge Shas’ui",
        "loadout": ["Fusion blaster"] * 2,
    }


def test_an_unknown_datasheet_stands_on_an_assumed_base() -> None:
    units = {unit["id"]: unit for unit in units_of(to_toml(read_army(SIMPLE), "red"))}
    assert units["reed-singers"]["base"] == {"round": 32, "assumed": True}
    assert units["reed-singers"]["keywords"] == ["INFANTRY"]
    assert "datasheet" not in units["reed-singers"]
    assert units["mud-barge"]["base"] == {"round": 100, "assumed": True}


def test_an_estimated_hull_is_assumed_too() -> None:
    army = read_army("Tidewall Gunrig [90 pts]: Supremacy railgun")
    (unit,) = units_of(to_toml(army, "red"))
    assert unit["base"]["assumed"] is True
    assert len(unit["base"]["hull"]) > 2
    assert any("estimate" in note for note in army.notes)


def test_a_model_with_a_base_of_its_own_keeps_it() -> None:
    text = "Kroot Farstalkers [85 pts]:\n• 1x Kroot Kill-broker: Blade\n• 9x Kroot Farstalkers: Gun"
    (unit,) = units_of(to_toml(read_army(text), "red"))
    assert unit["base"] == {"round": 28.5}
    assert [model.get("base") for model in unit["models"]] == [{"round": 32}] + [None] * 9


def test_a_prefix_keeps_two_like_armies_apart() -> None:
    army = read_army(SIMPLE)
    ids = [
        unit["id"]
        for player, prefix in (("red", "red-"), ("blue", "blue-"))
        for unit in units_of(to_toml(army, player, prefix=prefix))
    ]
    assert len(set(ids)) == len(ids) == 12


def test_enhancements_survive_as_abilities() -> None:
    units = {unit["id"]: unit for unit in units_of(to_toml(read_army(SIMPLE), "red"))}
    assert units["choirmaster-on-stilts"]["abilities"] == ["enhancement: Drowned Bell"]


def test_the_comment_lists_what_was_not_read() -> None:
    comment = to_toml(read_army(ODD), "red").partition("[[unit]]")[0]
    assert "Potters without a price" in comment
    assert "line 13" in comment
    assert all(line.startswith("#") for line in comment.strip().splitlines())


def test_the_report_says_what_is_assumed_and_what_was_not_read() -> None:
    lines = report(read_army(ODD, "odd.txt"))
    assert lines[0] == "Second Firing (Order of the Kiln): 4 units, 11 models, 400 points"
    assert sum("(assumed)" in line for line in lines) == 4
    assert "lines not read: 7" in lines
    assert any(line.startswith("bases assumed: kiln-wardens (round 32 mm)") for line in lines)
    assert "lines not read: none" in report(read_army(SIMPLE))


@settings(derandomize=True, deadline=None, max_examples=300)
@given(texts, texts, texts, texts)
def test_any_name_comes_back_as_it_was(name: str, thing: str, title: str, player: str) -> None:
    unit = ImportedUnit(
        id="one",
        name=name,
        points=5,
        models=(ImportedModel(name, (thing, thing)),),
        base=BaseSize(oval=(60.0, 35.5)),
        base_source="guide",
        datasheet=thing,
        keywords=(name, thing),
        profile=((name, 5.5),),
        enhancements=(thing,),
    )
    army = ImportedArmy(title, name, 5, (unit,), (Unread(1, thing, name),), (title,), name, thing, ((name, title),))
    (read,) = units_of(to_toml(army, player))
    assert (read["name"], read["player"], read["keywords"]) == (name, player, [name, thing])
    assert read["models"] == [{"id": "one-1", "name": name, "loadout": [thing, thing]}]
    assert read["profile"] == {name: 5.5}
    assert read["base"] == {"oval": [60, 35.5]}
    assert read["abilities"] == [f"enhancement: {thing}"]


def test_half_a_letter_cannot_break_the_file() -> None:
    army = read_army("Horn \ud800 Blowers [5 pts]: \udfff")
    to_toml(army, "\ud800").encode("utf-8")


def test_a_roster_is_a_file_that_scenarios_can_name(tmp_path: Path) -> None:
    army = read_army(SIMPLE)
    file = tmp_path / "roster.toml"
    file.write_text(to_toml(army, "red"), encoding="utf-8")
    assert [unit.id for unit in read_document(file).unit] == [unit.id for unit in army.units]


def test_who_has_no_datasheet_is_told_where_the_game_was_asked() -> None:
    text = "Strike Team [70 pts]: Pulse rifle\nKroot Hounds [40 pts]: Fangs\nReed Singers [70 pts]: Pipe\n"
    army = read_army(text, "list.txt", lambda name: Listing() if name == "Strike Team" else None)
    assert army.unbound == ("kroot-hounds", "reed-singers")
    line = "units without a datasheet: kroot-hounds, reed-singers"
    assert line in report(army)
    assert f"# {line}" in to_toml(army, "red").splitlines()
    assert units_of(to_toml(army, "red"))[0]["datasheet"] == "Strike Team"
    assert "units without a datasheet: none" in report(read_army(text, "list.txt", lambda name: Listing()))
    assert not any("without a datasheet" in line for line in report(read_army(text)))


def test_a_datasheet_that_only_the_game_knows_is_bound() -> None:
    army = read_army(
        "Reed Singers [70 pts]: Pipe", "list.txt", lambda name: Listing() if name == "Reed Singers" else None
    )
    (unit,) = units_of(to_toml(army, "red"))
    assert unit["datasheet"] == "Reed Singers"
    assert unit["base"]["assumed"] is True
    assert army.unbound == ()
