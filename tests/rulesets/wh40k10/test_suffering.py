"""Whom do wounds go to where a unit is led: of Devastating Wounds, of Hazardous weapons, and mortal wounds at large?"""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from sim.battle import Battle, Unit
from sim.chance import ScriptedDice
from sim.engine import ScriptedChoices, resolve
from sim.rules import NeedChoice, Procedure
from sim.rulesets.wh40k10 import RULESET, leaders, losses, volleys
from sim.rulesets.wh40k10.commands import AttackWith, Shoot
from sim.rulesets.wh40k10.datasheets import Weapon
from sim.rulesets.wh40k10.volleys import Circumstances, Volley
from tests.rulesets.wh40k10.stage import CHARGE, SHOOTING, battle, played, squad

EXACT = Weapon("exact gun", 48, "1", 9, -3, "3", 2, abilities=("precision", "devastating-wounds"))


def led(*names: str, player: str = "blue") -> Unit:
    """Three Intercessors and their Captain, with these weapons."""
    men = squad("men", player, "Intercessor Squad", (30, 34), 3, loadout=names)
    both = leaders.joined(men, squad("captain", player, "Captain", (30, 35.6), loadout=names))
    assert isinstance(both, Unit)
    return both


def wounds(after: Battle) -> dict[str, int]:
    """The wounds that each model of the led unit has lost."""
    return {m.id: m.wounds_lost for m in after.unit("men").models}


@pytest.mark.parametrize(
    ("choice", "left"),
    [
        ("captain-1", {"men-1": 0, "men-2": 0, "men-3": 0, "captain-1": 3}),
        ("as-ever", {"men-1": 0, "men-2": 0, "captain-1": 0}),
    ],
)
def test_devastating_wounds_with_precision_may_be_put_on_a_character(choice: str, left: dict[str, int]) -> None:
    start = battle(SHOOTING, squad("gun", "red", "Lootas", (30, 2)), led("bolt pistol"))

    def precise(battle: Battle) -> Procedure:
        about = Circumstances(models_at_selection=4, characters=frozenset({"captain-1"}))
        yield from volleys.resolve_all(battle, "gun", [Volley(EXACT, ("gun-1",), "men", about)])

    found = resolve(RULESET, start, precise(start), ScriptedDice((6, 6)), ScriptedChoices([choice]))
    assert wounds(found.battle) == left


def fired(hurt: str = "") -> Battle:
    """A led unit fires hazardous pistols, all of them, and one test fails."""
    unit = led("plasma pistol", player="red")
    unit = replace(unit, models=tuple(replace(m, wounds_lost=1 if m.id == hurt else 0) for m in unit.models))
    start = battle(SHOOTING, unit, squad("foe", "blue", "Boyz", (30, 24), 1))
    shots = tuple(AttackWith(m.id, "plasma pistol", "foe", "supercharge") for m in unit.models)
    return played(start, (Shoot("men", shots), (2, 2, 2, 1, 1, 6, 6, 6)))


def test_a_bearer_who_is_no_character_suffers_first() -> None:
    assert wounds(fired()) == {"men-1": 0, "men-2": 0, "captain-1": 0}


def test_who_is_wounded_already_suffers_before_that() -> None:
    assert wounds(fired("captain-1")) == {"men-1": 0, "men-2": 0, "men-3": 0, "captain-1": 4}


def test_the_owner_allocates_mortal_wounds_too_where_owners_allocate() -> None:
    start = battle(CHARGE, squad("dread", "red", "Deff Dread", (30, 2)), led("bolt pistol"))
    start = replace(start, options=(("allocation", "owner"),))

    def suffered(battle: Battle) -> Procedure:
        yield from losses.mortal_wounds(battle, "men", 3, "dread")

    found = resolve(RULESET, start, suffered(start), ScriptedDice(()), ScriptedChoices(["men-2", "men-1"]))
    assert wounds(found.battle) == {"men-1": 1, "men-3": 0, "captain-1": 0}, "whoever is wounded goes on"


def test_the_owner_picks_among_those_who_are_no_leaders_while_there_are_others() -> None:
    start = replace(battle(SHOOTING, led("bolt pistol")), options=(("allocation", "owner"),))
    asked: list[tuple[str, ...]] = []

    class Listens:
        def choose(self, battle: Battle, need: NeedChoice) -> str:
            asked.append(need.options)
            return need.options[0]

    def suffered(battle: Battle) -> Procedure:
        yield from losses.mortal_wounds(battle, "men", 1, "gun")

    resolve(RULESET, start, suffered(start), ScriptedDice(()), Listens())
    assert [sorted(options) for options in asked] == [["men-1", "men-2", "men-3"]]


def test_the_last_who_is_no_leader_suffers_though_the_leaders_lose_touch() -> None:
    """He stands between two leaders, each two inches from him: coherency spares none of the three."""
    men = squad("men", "blue", "Intercessor Squad", (30, 34), 1, abilities=("two-leaders 1",))
    led = leaders.joined(men, squad("captain", "blue", "Captain", (27, 34)))
    assert isinstance(led, Unit)
    both = leaders.joined(led, squad("other", "blue", "Captain", (33, 34)))
    assert isinstance(both, Unit), both
    start = battle(SHOOTING, both)
    assert losses.next_to_suffer(start, both).id == "men-1"
