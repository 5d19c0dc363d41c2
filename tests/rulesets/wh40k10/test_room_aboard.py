"""Is a file held to how many, and whom, a Transport carries, as a battle is?"""

from __future__ import annotations

from pathlib import Path

import pytest

from sim.geometry import Rect
from sim.rulesets.wh40k10 import RULESET
from sim.rulesets.wh40k10.commands import Embark
from sim.scenario import ScenarioError, load_case
from tests.rulesets.wh40k10.stage import battle, judged, now, squad

HEAD = """title = "Aboard"
ruleset = "wh40k10"

[table]
width = 60.0
depth = 44.0
"""
TRUKK = '\n[[unit]]\nid = "trukk"\ndatasheet = "Trukk"\nplayer = "red"\nmodels = [[10, 10]]\n'


def aboard(name: str, sheet: str, models: int, player: str = "red", carrier: str = "trukk") -> str:
    return (
        f'\n[[unit]]\nid = "{name}"\nname = "{name}"\ndatasheet = "{sheet}"\nplayer = "{player}"\n'
        f'where = "embarked:{carrier}"\nmodels = {models}\n'
    )


def said(tmp_path: Path, text: str) -> str:
    """Why a file is refused, nothing where it is not."""
    file = tmp_path / "case.toml"
    file.write_text(text)
    try:
        load_case(file, {"wh40k10": RULESET})
    except ScenarioError as error:
        return f"{error.where}: {error.what}"
    return ""


@pytest.mark.parametrize(
    ("passengers", "why"),
    [
        (aboard("lads", "Boyz", 10), ""),
        (aboard("lads", "Nobz", 5) + aboard("more", "Lootas", 7), ""),
        (
            aboard("lads", "Boyz", 10) + aboard("more", "Lootas", 5),
            "line 27 (unit[2].where): trukk holds 12 models; 15 are aboard",
        ),
        (
            aboard("kroot", "Kroot Carnivores", 10),
            "line 19 (unit[1].where): kroot is not ORKS: trukk cannot carry it",
        ),
        (
            aboard("lads", "Boyz", 10, player="blue"),
            "line 19 (unit[1].where): lads is not of the same player as trukk",
        ),
        (aboard("jumpers", "Stormboyz", 5), "line 19 (unit[1].where): jumpers is JUMP PACK: trukk cannot carry it"),
    ],
)
def test_a_file_puts_aboard_what_a_transport_holds(tmp_path: Path, passengers: str, why: str) -> None:
    assert said(tmp_path, HEAD + TRUKK + passengers) == why


def mega(name: str, models: int) -> str:
    return aboard(name, "Nobz", models) + 'keywords = ["ORKS", "INFANTRY", "MEGA ARMOUR"]\n'


def test_mega_armour_takes_the_room_of_two(tmp_path: Path) -> None:
    assert said(tmp_path, HEAD + TRUKK + mega("nobz", 5)) == ""
    assert said(tmp_path, HEAD + TRUKK + mega("nobz", 5) + aboard("more", "Lootas", 5)).endswith(
        "trukk holds 12 models; 10 are aboard and take the room of 15"
    )


@pytest.mark.parametrize(("keywords", "codes"), [((), ()), (("MEGA ARMOUR",), ("no-room",))])
def test_mega_armour_finds_room_for_two_in_play_as_well(keywords: tuple[str, ...], codes: tuple[str, ...]) -> None:
    truck = squad("trukk", "red", "Trukk", (10, 10), base=Rect(5.5, 3.0))
    riding = squad("lads", "red", "Lootas", (0, 0), 5, where="embarked:trukk")
    nobz = squad("nobz", "red", "Nobz", (7.4, 12.6), 5, gap=1.3, keywords=keywords)
    verdict = judged(battle(now("movement", "move-units"), truck, riding, nobz), Embark("nobz", "trukk"))
    assert verdict.codes == codes
    if codes:
        assert verdict.violations[0].message.endswith("which take the room of 5 and 10")


def test_a_file_puts_nobody_aboard_what_is_no_transport(tmp_path: Path) -> None:
    mob = TRUKK.replace("trukk", "mob").replace("Trukk", "Boyz").replace("[[10, 10]]", "[[10, 10], [12, 10]]")
    why = said(tmp_path, HEAD + mob + aboard("lads", "Boyz", 10, carrier="mob"))
    assert why == "line 19 (unit[1].where): mob is not a Transport"
