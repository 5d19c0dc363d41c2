"""Is the table of bases sound, and does a name find its row however it is typed?"""

import re
from itertools import pairwise

import msgspec
import pytest

from sim.geometry import Hull, Oval, Rect, Round
from sim.resources import data_path
from sim.scenario.importers import BaseSize, load_bases
from sim.scenario.importers.bases import TABLE

NAMES = sorted(load_bases().datasheets)

# Bases on sale, in mm.
ROUNDS = {25, 28.5, 30, 32, 40, 50, 55, 60, 65, 80, 90, 100, 120, 130, 160}
OVALS = {(60, 35.5), (75, 42), (90, 52.5), (95, 40), (105, 70), (120, 92), (150, 95), (170, 109)}


def test_rows_stand_in_alphabetical_order() -> None:
    rows = re.findall(r'^\[datasheet\."(.+)"\]$', data_path(TABLE).read_text("utf-8"), re.MULTILINE)
    assert len(rows) == len(NAMES)
    assert all(before.casefold() < after.casefold() for before, after in pairwise(rows))


@pytest.mark.parametrize("name", NAMES)
def test_a_row_can_stand_on_a_table(name: str) -> None:
    sheet = load_bases().datasheets[name]
    base = sheet.base
    if base.round is not None:
        assert base.round in ROUNDS
        Round.mm(base.round)
    elif base.oval is not None:
        assert base.oval in OVALS
        Oval.mm(*base.oval)
    elif base.rect is not None:
        Rect.mm(*base.rect)
    else:
        assert base.hull is not None
        Hull(base.hull)
        for axis in zip(*base.hull, strict=True):
            assert min(axis) == -max(axis), "a hull lies about its middle"
    assert (base.hull is not None) == sheet.estimate == (sheet.source == "estimate")


@pytest.mark.parametrize("name", NAMES)
def test_a_row_has_its_numbers_and_keywords(name: str) -> None:
    sheet = load_bases().datasheets[name]
    assert set(sheet.profile) - {"INV"} == {"M", "T", "SV", "W", "LD", "OC"}
    assert sheet.keywords[-1] in {"T'AU EMPIRE", "ADEPTUS ASTARTES", "ORKS"}
    assert all(keyword == keyword.upper() for keyword in sheet.keywords)
    assert len(set(sheet.keywords)) == len(sheet.keywords)
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*( [D0-9+]+)?", token) for token in sheet.abilities)


@pytest.mark.parametrize(
    ("name", "base"),
    [
        ("Pathfinder Team", BaseSize(round=25)),
        ("Kroot Carnivores", BaseSize(round=28.5)),
        ("Stealth Battlesuits", BaseSize(round=32)),
        ("Crisis Sunforge Battlesuits", BaseSize(round=50)),
        ("Broadside Battlesuits", BaseSize(round=60)),
        ("Ghostkeel Battlesuit", BaseSize(oval=(105, 70))),
        ("Riptide Battlesuit", BaseSize(oval=(120, 92))),
        ("Captain", BaseSize(round=40)),
        ("Nobz", BaseSize(round=32)),
    ],
)
def test_bases_that_are_known(name: str, base: BaseSize) -> None:
    assert load_bases().datasheets[name].base == base


@pytest.mark.parametrize(
    "typed",
    ["kroot carnivores", "Kroot  Carnivores ", "KROOT CARNIVORE", "Kroot Carnivores"],
)
def test_a_name_is_found_however_it_is_typed(typed: str) -> None:
    found = load_bases().find(typed)
    assert found is not None
    assert found[0] == "Kroot Carnivores"


def test_a_name_that_is_not_listed_is_not_guessed() -> None:
    assert load_bases().find("Kroot") is None
    assert load_bases().find("") is None


def test_a_section_decides_what_is_assumed() -> None:
    table = load_bases()
    assert table.assume("Infantry") == BaseSize(round=32)
    assert table.assume("no such section") == BaseSize(round=32)
    assert table.assume("Mounted") == BaseSize(oval=(75, 42))


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"round": 32, "oval": [60, 35]},
        {"round": 0},
        {"oval": [60]},
        {"hull": [[0, 0], [1, 1]]},
        {"disc": 5},
    ],
)
def test_a_base_that_is_none_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(wrong, BaseSize)
