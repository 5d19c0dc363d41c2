"""Does a New Recruit "simple" list become its units, with every line understood or reported?"""

import os
from pathlib import Path

import pytest

from sim.scenario.importers import ImportedArmy, ImportedUnit, ImporterError, read_army, report

FIXTURES = Path(__file__).parent / "fixtures"
SIMPLE = (FIXTURES / "simple.txt").read_text("utf-8")
ODD = (FIXTURES / "odd.txt").read_text("utf-8")


def unit_of(army: ImportedArmy, unit_id: str) -> ImportedUnit:
    return next(unit for unit in army.units if unit.id == unit_id)


def one(line: str) -> ImportedUnit:
    (unit,) = read_army(line).units
    return unit


def test_title_faction_points_and_settings() -> None:
    army = read_army(SIMPLE, "simple.txt")
    assert (army.title, army.faction, army.points) == ("Reeds at Dusk", "Marsh Choir", 615)
    assert army.settings == (
        ("Battle Size", "Skirmish (1000 Point limit)"),
        ("Detachment", "Lantern Procession"),
    )
    assert army.source == "simple.txt"


def test_every_line_of_a_plain_list_is_understood() -> None:
    assert read_army(SIMPLE).unread == ()


def test_units_models_and_ids() -> None:
    army = read_army(SIMPLE)
    assert [(unit.id, unit.points, len(unit.models)) for unit in army.units] == [
        ("mother-sedge", 110, 1),
        ("choirmaster-on-stilts", 95, 1),
        ("reed-singers", 70, 10),
        ("reed-singers-b", 70, 10),
        ("heron-guard", 110, 3),
        ("mud-barge", 160, 1),
    ]
    assert army.model_count == 26


def test_models_are_named_in_the_singular_and_without_their_suffix() -> None:
    names = [model.name for model in unit_of(read_army(SIMPLE), "reed-singers-b").models]
    assert names == ["First Voice"] + ["Reed Singer"] * 9


def test_multipliers_become_entries_and_the_warlord_a_mark() -> None:
    hero = unit_of(read_army(SIMPLE), "mother-sedge")
    assert hero.warlord
    assert "WARLORD" in hero.keywords
    assert hero.models[0].loadout == ("Reed crook", "Wisp caller", "Wisp caller", "Mire cloak")


def test_an_upgrade_is_an_enhancement_and_no_weapon() -> None:
    master = unit_of(read_army(SIMPLE), "choirmaster-on-stilts")
    assert master.enhancements == ("Drowned Bell",)
    assert master.models[0].loadout == ("Long horn", *["Hand bell"] * 4, *["Wisp Lantern"] * 2)


def test_things_in_brackets_are_carried_too() -> None:
    guard = unit_of(read_army(SIMPLE), "heron-guard")
    expected = ("Beak spear", "Ember frog", "Frog spit", "Frog tongue", "Frog tongue")
    assert guard.models[0].loadout == expected


@pytest.mark.parametrize(
    ("text", "loadout"),
    [
        ("2x Drone (Pod), Fists", ("Drone", "Pod", "Drone", "Pod", "Fists")),
        ("Lamp (Aura)", ("Lamp (Aura)",)),
        ("Horn (A, B (C))", ("Horn", "A", "B", "C")),
        ("Broken (bracket, Fists", ("Broken (bracket, Fists",)),
        ("2 x Horn ,, Bell", ("Horn", "Horn", "Bell")),
        ("0x Horn", ("0x Horn",)),
    ],
)
def test_wargear(text: str, loadout: tuple[str, ...]) -> None:
    assert sorted(one(f"Lone Wader [5 pts]: {text}").models[0].loadout) == sorted(loadout)


def test_a_price_makes_an_enhancement_of_a_characters_thing_only() -> None:
    character = "## Character\nLone Wader [5 pts]: Bell, Old Crown (+25 pts)"
    infantry = "## Infantry\nWaders [5 pts]: Old Crown [5 pts]"
    hero, squad = read_army(f"{character}\n{infantry}").units
    assert (hero.enhancements, hero.models[0].loadout) == (("Old Crown",), ("Bell",))
    assert (squad.enhancements, squad.models[0].loadout) == ((), ("Old Crown",))


def test_what_only_a_suffix_names_is_carried() -> None:
    unit = one("Waders [5 pts]:\n• 2x Waders w/ long pole")
    assert [(model.name, model.loadout) for model in unit.models] == [("Wader", ("Long pole",))] * 2


def test_what_is_listed_for_a_unit_every_model_carries() -> None:
    army = read_army("Waders [5 pts]: Warlord, Banner\n• 1x Elder: Pole\n• 2x Waders: Pole")
    assert [model.loadout for model in army.units[0].models] == [("Banner", "Pole")] * 3
    assert army.units[0].warlord


@pytest.mark.parametrize("section", ["Character", "Epic Hero"])
def test_a_character_with_followers_is_a_model_beside_them(section: str) -> None:
    unit = one(f"## {section}\nMother Sedge [90 pts]: Reed crook, Warlord\n• 2x Choirgirls: Bog knife")
    assert [(model.name, model.loadout) for model in unit.models] == [
        ("Mother Sedge", ("Reed crook",)),
        ("Choirgirl", ("Bog knife",)),
        ("Choirgirl", ("Bog knife",)),
    ]
    counted = one(f"## {section}\nMother Sedge [90 pts]: Warlord\n• 1x Mother Sedge: Reed crook\n• 1x Choirgirl: Horn")
    assert [model.name for model in counted.models] == ["Mother Sedge", "Choirgirl"]


def test_lines_that_are_not_understood_are_reported_with_number_and_reason() -> None:
    army = read_army(ODD)
    assert {unread.line: unread.text for unread in army.unread} == {
        5: "An unheard-of switch",
        7: "• 3x Strays: Sticks",
        11: "- 1x Spare tongs",
        12: "• 0x Ghosts: Nothing",
        13: "Potters without a price",
        14: "• 2x Potters: Clay",
        18: "[30 pts]: Nameless",
    }
    assert all(unread.why for unread in army.unread)


def test_an_odd_list_keeps_what_it_says_clearly() -> None:
    units = [(unit.name, unit.points, len(unit.models)) for unit in read_army(ODD).units]
    assert units == [
        ("Kiln Wardens", 100, 5),
        ("Kiln Hauler", 60, 1),
        ("Clay Hounds", 60, 1),
        ("Clay Rats", 20, 4),
    ]
    assert "Kiln Hauler: 'on wheels' behind its points is not read" in read_army(ODD).notes


def test_points_that_do_not_add_up_are_noted() -> None:
    notes = read_army(ODD).notes
    assert "the list says both 400 and 410 points of itself" in notes
    assert "the list says 400 points, its units add up to 240" in notes
    assert "section Infantry: the heading says 150 points, its units 240" in notes
    assert not any("points" in note for note in read_army(SIMPLE).notes)


def test_without_a_header_the_points_are_the_sum() -> None:
    army = read_army("Reed Singers [70 pts]:\n• 2x Reed Singers: Blowpipe\nMud Barge [160 pts]")
    assert (army.points, army.title, army.unread) == (230, "", ())


@pytest.mark.parametrize(
    ("head", "faction", "title"),
    [
        ("Xenos - Marsh Choir - Dusk - [70 pts]", "Marsh Choir", "Dusk"),
        ("Xenos - Marsh Choir - Dusk - again - [70 pts]", "Marsh Choir", "Dusk - again"),
        ("Xenos - Marsh Choir - [70 pts]", "Marsh Choir", "Marsh Choir"),
        ("Kiln Order - Dusk - [1,070 points]", "Kiln Order", "Dusk"),
    ],
)
def test_titles(head: str, faction: str, title: str) -> None:
    army = read_army(f"{head}\nReed Singers [70 pts]")
    assert (army.faction, army.title) == (faction, title)
    assert len(army.units) == 1


@pytest.mark.parametrize("change", ["crlf", "cr", "bom", "tabs", "asterisks", "hyphens", "blank ends", "times"])
def test_the_same_list_however_it_was_saved(change: str) -> None:
    text = {
        "crlf": SIMPLE.replace("\n", "\r\n"),
        "cr": SIMPLE.replace("\n", "\r"),
        "bom": "\ufeff" + SIMPLE,
        "tabs": SIMPLE.replace("• ", "\t•\t"),
        "asterisks": SIMPLE.replace("•", "*"),
        "hyphens": SIMPLE.replace("•", "  -"),
        "blank ends": SIMPLE.replace("\n", "  \n\n"),
        "times": SIMPLE.replace("8x", "8×"),
    }[change]
    plain = read_army(SIMPLE)
    army = read_army(text)
    assert (army.units, army.unread, army.points) == (plain.units, (), plain.points)


def test_more_than_a_model_can_carry_is_reported() -> None:
    army = read_army(f"Reed Singers [70 pts]: {', '.join(['99x Horn'] * 4)}")
    assert [unread.line for unread in army.unread] == [1]
    assert army.units[0].models[0].loadout == ()


def test_a_line_longer_than_any_list_has_is_reported() -> None:
    army = read_army(f"Mud Barge [160 pts]\nReed Singers [70 pts]: {'Horn, ' * 3000}")
    assert [unread.line for unread in army.unread] == [2]


def test_an_army_of_too_many_models_is_refused() -> None:
    with pytest.raises(ImporterError, match="expected at most 5,000 models"):
        read_army("200x Reed Singers [70 pts]\n" * 30)


@pytest.mark.skipif("INCHWISE_SAMPLES" not in os.environ, reason="INCHWISE_SAMPLES names no folder of real lists")
def test_a_real_list() -> None:
    samples = sorted(Path(os.environ["INCHWISE_SAMPLES"]).glob("01_*simple*.txt"))
    assert samples, "no simple list in the folder"
    army = read_army(samples[0].read_text("utf-8"), samples[0].name)
    assert (len(army.units), army.model_count, army.points) == (18, 65, 1985)
    assert (army.unread, army.notes) == ((), ())
    assert not any(unit.assumed for unit in army.units)
    assert "18 units, 65 models, 1985 points" in report(army)[0]
