"""Ability tokens: each has a reader in the code or stands in the list of those that RULES.md calls unplayed."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from sim.rules.abilities import AbilityError
from sim.rulesets.wh40k10 import RULESET, tokens

PACKAGE = Path(inspect.getfile(tokens)).parent
ASKING = {"ability", "has", "_has", "_number"}  # calls whose words are tokens


@cache
def _tree(module: str) -> ast.Module:
    found = importlib.import_module(f"{tokens.MODULES}.{module}")
    return ast.parse(inspect.getsource(found))


def _texts(module: str) -> set[str]:
    """Every text of a module that is no docstring of it, and the first word of each."""
    nodes = [n.value for n in ast.walk(_tree(module)) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    return {*nodes, *(text.partition(" ")[0] for text in nodes)}


def _asked_for() -> Iterator[tuple[str, str]]:
    """Each token that some module asks a unit or a weapon for, with the module."""
    for file in sorted(PACKAGE.glob("*.py")):
        for node in ast.walk(_tree(file.stem) if file.stem != "__init__" else ast.Module([], [])):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute | ast.Name):
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id
            if name in ASKING:
                for word in node.args:
                    if isinstance(word, ast.Constant) and isinstance(word.value, str) and word.value.islower():
                        yield file.stem, word.value


EVERY = {**tokens.WEAPON, **tokens.UNIT}


@pytest.mark.parametrize("name", sorted(EVERY))
def test_every_token_has_its_readers(name: str) -> None:
    for module in EVERY[name].readers:
        assert name in _texts(module), f"{module} does not know {name}"


def test_whatever_is_asked_for_is_a_token() -> None:
    asked = {(module, word) for module, word in _asked_for() if not word.startswith(tokens.ANTI)}
    assert len(asked) > 50
    assert not {pair for pair in asked if pair[1] not in EVERY}


def test_rules_md_names_what_nothing_plays_and_nothing_else() -> None:
    (row,) = (row.rule for row in RULESET.rows() if row.rule.startswith("Ability tokens known by name alone"))
    assert set(re.findall("`([a-z0-9-]+)`", row)) == {name for name, token in EVERY.items() if not token.played}


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("deep-strike", "deep-strike"),
        ("Deep Strike", "deep-strike"),
        ("Scouts 6", "scouts 6"),
        ("Feel No Pain 5+", "feel-no-pain 5"),
        ("Firing Deck (2)", "firing-deck 2"),
        ("detachment Kauyon", "detachment kauyon"),
        ("Deadly Demise: D6", "deadly-demise D6"),
        ("denial-aura", "denial-aura"),
        ("a word of the house", "a word of the house"),
    ],
)
def test_an_ability_of_a_unit_is_kept_as_the_game_reads_it(written: str, kept: str) -> None:
    assert tokens.read_unit(written) == kept


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("deep-strke", "did you mean deep-strike"),
        ("Lone Operativ", "did you mean lone-operative"),
        ("scouts", "scouts: expected a whole number"),
        ("feel-no-pain 7", "feel-no-pain: expected a face"),
        ("stealth 3", "stealth: expected nothing after it"),
        ("detachment retaliation", "detachment: expected one or more of kauyon, montka"),
        ("re-roll-against-armour saves", "expected one or more of hit, wound, damage"),
        ("denial-aura far", "denial-aura: expected inches"),
        ("deadly-demise lots", "deadly-demise: expected an amount"),
    ],
)
def test_an_ability_that_is_not_understood_is_refused_with_what_was_meant(written: str, said: str) -> None:
    with pytest.raises(AbilityError, match=re.escape(said)):
        tokens.read_unit(written)


@pytest.mark.parametrize(
    ("written", "kept"),
    [("Rapid Fire 1", "rapid-fire 1"), ("Anti-Vehicle 4+", "anti-vehicle 4"), ("anti-infantry 2", "anti-infantry 2")],
)
def test_an_ability_of_a_weapon_is_kept_as_the_game_reads_it(written: str, kept: str) -> None:
    assert tokens.read_weapon(written) == kept


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("rapid-fire", "rapid-fire: expected"),
        ("anti-fly", "no ability"),
        ("anti-fly 7", "anti-fly: expected a face"),
        ("lethal-hit", "did you mean lethal-hits"),
        ("splash", "no ability of a weapon is called 'splash'"),
    ],
)
def test_an_ability_of_a_weapon_that_is_not_understood_is_refused(written: str, said: str) -> None:
    with pytest.raises(AbilityError, match=re.escape(said)):
        tokens.read_weapon(written)
