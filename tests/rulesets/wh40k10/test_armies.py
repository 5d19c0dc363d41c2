"""Are the armies that ship what they say, and do those in the battles stand where they may be set up?"""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from sim.battle import Battle, Clock, Unit
from sim.battle.state import DESTROYED, RESERVES
from sim.engine import judge
from sim.resources import data_root
from sim.rules import Deploy
from sim.rulesets.wh40k10 import RULESET
from sim.rulesets.wh40k10.datasheets import find, weapons_of
from sim.scenario import load_case

ARMIES = sorted((data_root() / "assets" / "armies").glob("wh40k10-*.toml"))
BATTLES = sorted((data_root() / "assets" / "scenarios").glob("wh40k10-*-battle.toml"))
GAMES = {"wh40k10": RULESET}
SHORT = 0.02  # of its size, what an army may leave unspent


def stem(path: Path) -> str:
    return path.stem


def waiting(roster: Path, folder: Path) -> Battle:
    """A battle in which the army of a roster waits to be set up."""
    file = folder / "case.toml"
    file.write_text(
        'title = "waiting"\nruleset = "wh40k10"\nmap = "maps/crossroads-60x44.toml"\n'
        f'roster = "{roster.as_posix()}"\n[clock]\nphase = "deployment"\nplayer = "red"\n',
        "utf-8",
    )
    return load_case(file, GAMES).battle


def points(units: list[Unit]) -> int:
    return sum(unit.points for unit in units)


def check_army(units: list[Unit], size: int) -> None:
    assert (1 - SHORT) * size <= points(units) <= size
    for unit in units:
        sheet = find(unit.datasheet)
        assert sheet is not None
        assert len(unit.models) in [s.models for s in sheet.sizes]
        assert unit.points == sheet.points(len(unit.models))
        for model in unit.models:
            assert weapons_of(unit, model) or not sheet.weapon
            assert all(sheet.weapons(name) or sheet.is_wargear(name) for name in model.loadout), unit.id


def check_passengers(battle: Battle) -> None:
    for unit in battle.units:
        where, _, name = unit.whereabouts.partition(":")
        if where == "embarked":
            carrier = battle.unit(name)
            sheet = find(carrier.datasheet)
            assert sheet is not None
            assert carrier.player == unit.player
            assert all(unit.has(keyword) for keyword in sheet.carries)
            assert not unit.has(*sheet.excludes)
            assert len(unit.models) <= int(carrier.ability("capacity") or 0)


def test_what_ships() -> None:
    assert [path.stem for path in ARMIES] == [
        "wh40k10-marines-1000",
        "wh40k10-orks-500",
        "wh40k10-tau-1000",
        "wh40k10-tau-500",
    ]
    assert [path.stem for path in BATTLES] == ["wh40k10-1000-battle", "wh40k10-500-battle"]


@pytest.mark.parametrize("path", ARMIES, ids=stem)
def test_an_army_has_its_size_and_only_what_its_datasheets_know(path: Path, tmp_path: Path) -> None:
    battle = waiting(path, tmp_path)
    check_army(list(battle.units), int(path.stem.rpartition("-")[2]))
    check_passengers(battle)
    assert {unit.whereabouts.partition(":")[0] for unit in battle.units} <= {RESERVES, "embarked"}


@pytest.mark.parametrize("path", BATTLES, ids=stem)
def test_the_armies_of_a_battle_have_its_size(path: Path) -> None:
    battle = load_case(path, GAMES).battle
    assert (battle.clock.round, battle.clock.phase, battle.clock.step) == (1, "command", "command")
    assert battle.clock.player == battle.players[0]
    for player in battle.players:
        check_army([unit for unit in battle.units if unit.player == player], int(path.stem.split("-")[1]))
    check_passengers(battle)
    in_reserve = [unit for unit in battle.units if unit.whereabouts == RESERVES]
    assert {unit.player for unit in in_reserve} == set(battle.players)
    assert all(unit.ability("deep-strike") is not None for unit in in_reserve)


@pytest.mark.parametrize("path", BATTLES, ids=stem)
def test_every_unit_stands_where_it_may_be_set_up(path: Path) -> None:
    battle = load_case(path, GAMES).battle
    standing = [unit for unit in battle.units if unit.on_table]
    assert len(standing) >= 8
    for unit in standing:
        poses = tuple(model.placed.pose for model in unit.models)
        models = tuple(replace(model, pose=None) for model in unit.models)
        before = battle.with_unit(replace(unit, whereabouts=RESERVES, models=models))
        before = replace(before, clock=Clock(1, unit.player, "deployment", "deploy-armies"))
        assert judge(RULESET, before, Deploy(unit.id, poses)).codes == (), unit.id


def test_a_battle_is_the_army_of_the_roster(tmp_path: Path) -> None:
    army = {unit.id: unit for unit in waiting(ARMIES[2], tmp_path).units}
    battle = load_case(BATTLES[0], GAMES).battle
    blue = {unit.id: unit for unit in battle.units if unit.player == "blue"}
    assert army.keys() == blue.keys()
    for name, unit in army.items():
        assert unit.whereabouts != DESTROYED
        assert [m.loadout for m in unit.models] == [m.loadout for m in blue[name].models]
