"""Is a list read as its writer meant it, whatever copying has done to it, and is what cannot be meant said?"""

from __future__ import annotations

import pytest

from sim.app.games import rulesets
from sim.rules import Listing
from sim.scenario.importers import ImportedArmy, ImporterError, read_army
from sim.scenario.importers.cleaning import cleaned

PLAIN = """Xenos - Orks - Goods yard - [215 pts]

## Infantry [85 pts]
Boyz [85 pts]:
• 1x Boss Nob: Slugga, Big choppa
• 9x Boy: Slugga, Choppa

## Vehicle [130 pts]
Deff Dread [130 pts]: 2x Big shoota, 2x Dread klaw
"""


def listing(name: str) -> Listing | None:
    found = rulesets()["wh40k10"].listing
    assert found is not None
    return found(name)


def said(army: ImportedArmy) -> list[tuple[object, ...]]:
    return [(unit.name, unit.points, [(model.name, model.loadout) for model in unit.models]) for unit in army.units]


CHANGES = {
    "quoted": PLAIN.replace("\n", "\n> ").join(("> ", "")),
    "no-break blanks": PLAIN.replace(" pts", "\u00a0pts").replace("x ", "x\u202f"),
    "nothing as wide as a blank": PLAIN.replace("Boyz", "\u200bBoyz\ufeff"),
    "bold": PLAIN.replace("Boyz [85 pts]:", "**Boyz [85 pts]:**").replace(
        "Deff Dread [130 pts]:", "**Deff Dread [130 pts]:**"
    ),
    "bold names": PLAIN.replace("Boyz", "**Boyz**").replace("Deff Dread", "__Deff Dread__"),
    "slanted": PLAIN.replace("Deff Dread", "*Deff Dread*").replace("Choppa", "_Choppa_"),
    "a block of code": f"```text\n{PLAIN}```\n",
    "pictures": PLAIN.replace("Boyz [85 pts]:", "🔥 Boyz [85 pts] ✅:").replace("## Vehicle", "## 👑 Vehicle"),
    "arrows and numbers": PLAIN.replace("Boyz [", "➤ Boyz [").replace("Deff Dread [", "2. Deff Dread ["),
    "long dashes": PLAIN.replace(" - ", " – "),
    "times": PLAIN.replace("x ", "× "),
    "bulleted units": PLAIN.replace("Boyz [", "• Boyz [").replace("• 1x", "  • 1x").replace("• 9x", "  • 9x"),
    "headings without marks": PLAIN.replace("## Infantry", "Infantry").replace("## Vehicle", "**Vehicles**"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_copying_brings_changes_nothing(change: str) -> None:
    army = read_army(CHANGES[change], knows=listing)
    assert said(army) == said(read_army(PLAIN, knows=listing))
    assert (army.title, army.faction, army.points) == ("Goods yard", "Orks", 215)
    assert army.unread == ()
    assert army.notes == ()


def test_a_list_keeps_its_lines() -> None:
    for text in CHANGES.values():
        lines = text.split("\n")
        assert len(cleaned(lines)) == len(lines)
    assert cleaned(["a > b", "> c"]) == ("a > b", "> c"), "one quoted line of two makes no quotation"
    assert cleaned(["2x Big shoota", "* Boyz", "snake_case_name"]) == ("2x Big shoota", "* Boyz", "snake_case_name")


@pytest.mark.parametrize(
    ("text", "game"),
    [
        ("Death - Bones - Test - [950pts]\n## Pitched Battle GHB 2023 [950pts]\nArkhan [370pts]", "Age of Sigmar"),
        ("The Old World - Empire - [500 pts]\nKnights [200 pts]", "The Old World"),
        ("Legions - A - [500 pts]\nGame: The Horus Heresy\nSquad [200 pts]", "The Horus Heresy"),
    ],
)
def test_lists_of_other_games_are_refused_by_name(text: str, game: str) -> None:
    with pytest.raises(ImporterError, match=rf"^list.txt: text: this looks like a list of {game}; "):
        read_army(text, "list.txt")


def test_units_that_are_called_like_other_games_are_units() -> None:
    text = PLAIN + "Old World Veterans [10 pts]: Slugga\nThe Old World Guard [10 pts]:\n• 2x Necromunda Guide: Slugga"
    assert [unit.name for unit in read_army(text).units][2:] == ["Old World Veterans", "The Old World Guard"]


@pytest.mark.parametrize(
    ("old", "new", "note"),
    [
        ("9x Boy", "7x Boy", "boyz: 8 models; its datasheet has 10 to 20"),
        (
            "9x Boy: Slugga, Choppa",
            "9x Boy: Slugga, Chopa",
            "boyz: its datasheet has no 'Chopa'; did the list mean 'choppa'?",
        ),
        ("Boss Nob: Slugga, Big choppa", "Boss Nob", "boyz: 1 of 10 models carry no weapon of its datasheet"),
        (": 2x Big shoota, 2x Dread klaw", "", "deff-dread: its model carries no weapon of its datasheet"),
    ],
)
def test_what_cannot_be_meant_is_said(old: str, new: str, note: str) -> None:
    assert old in PLAIN
    assert note in read_army(PLAIN.replace(old, new), knows=listing).notes


def test_a_remark_behind_the_points_does_not_part_a_unit_from_its_models() -> None:
    (boyz, _) = read_army(PLAIN.replace("Boyz [85 pts]:", "Boyz [85 pts] (led by the boss):")).units
    assert len(boyz.models) == 10
