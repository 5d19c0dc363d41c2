"""What else is said of a file: of heights, of ranks, of re-rolls and questions that a game does not know."""

from __future__ import annotations

from pathlib import Path

import pytest

from sim.app.games import rulesets
from sim.scenario import ScenarioError, load_case
from sim.scenario.commands import _one_of
from sim.scenario.importers import ImporterError, read_army
from sim.scenario.storyboard import read_storyboard
from tests.scenario.writing import HEAD, STANDING, TABLE, refusal

BASIC = HEAD + TABLE
FANTASY = BASIC.replace('"toy"', '"t9a"')
UNIT = '[[unit]]\nid = "herd"\nplayer = "red"\nbase = { rect = [25.4, 25.4] }\n'


def said(tmp_path: Path, text: str) -> str:
    file = tmp_path / "case.toml"
    file.write_text(text)
    with pytest.raises(ScenarioError) as wrong:
        load_case(file, rulesets())
    return str(wrong.value)


@pytest.mark.parametrize(
    ("more", "key"),
    [
        ('[unit.rerolls]\nhit = "ones"\n', "rerolls"),
        ('[[unit.modifier]]\nto = "hit"\nby = 1\n', "modifier"),
        ('[unit.rerolls]\nhit = "ones"\n[[unit.modifier]]\nto = "hit"\nby = 1\n', "rerolls"),
    ],
)
def test_re_rolls_and_modifiers_are_refused_by_a_game_without_them(tmp_path: Path, more: str, key: str) -> None:
    told = said(tmp_path, f"{FANTASY}{UNIT}models = [[5, 5]]\n{more}")
    assert f"(unit[0].{key})" in told
    assert "The 9th Age has no re-rolls and modifiers that files describe" in told


@pytest.mark.parametrize("height", ["1e7", "-1e7"])
def test_a_model_that_stands_beyond_all_heights_is_refused(tmp_path: Path, height: str) -> None:
    text = BASIC + STANDING.replace("[4, 4], [5.5, 4]", f"{{ at = [4, 4], z = {height} }}")
    assert "(unit[0].models[0])" in refusal(tmp_path, text)


def test_three_ranks_stand_behind_one_another(tmp_path: Path) -> None:
    file = tmp_path / "case.toml"
    file.write_text(f"{FANTASY}{UNIT}formation = {{ files = 2, models = 6, at = [12, 10], facing = 90 }}\n")
    (unit,) = load_case(file, rulesets()).battle.units
    spots = [model.pose.at for model in unit.models if model.pose is not None]
    assert [y for _, y in spots] == pytest.approx([11, 11, 10, 10, 9, 9])
    assert sorted(x for x, _ in spots[:2]) == pytest.approx([11.5, 12.5])


def test_a_question_that_a_game_does_not_know_is_refused_with_those_that_it_does(tmp_path: Path) -> None:
    told = said(tmp_path, f'{FANTASY}{UNIT}models = [[5, 5]]\n[[ask]]\nquestion = "gapp"\nof = ["herd"]\n')
    assert "no question is called 'gapp'; did you mean 'gap'?" in told
    assert "t9a answers " in told


def test_names_are_listed_where_they_are_few() -> None:
    names = tuple(f"n{k}" for k in range(12))
    assert _one_of(names) == f"; known: {', '.join(names)}"
    assert _one_of((*names, "one-more")) == ""
    assert _one_of(()) == ""
    assert _one_of(("twice", "twice")) == "; known: twice"


@pytest.mark.parametrize(("seconds", "fine"), [(600, True), (600.5, False), (0, False), (0.1, True)])
def test_a_shot_lasts_ten_minutes_at_most(tmp_path: Path, seconds: float, fine: bool) -> None:
    (tmp_path / "case.toml").write_text(FANTASY + UNIT + "models = [[5, 5]]\n")
    board = tmp_path / "board.toml"
    board.write_text(f'scenario = "case.toml"\n[[shot]]\nseconds = {seconds}\n')
    if fine:
        assert read_storyboard(board, rulesets()).shots[0].seconds == seconds
    else:
        with pytest.raises(ScenarioError, match="expected seconds from 0 to 600"):
            read_storyboard(board, rulesets())


@pytest.mark.parametrize(
    ("text", "style"),
    [
        ("My army\n\nExported with App Version: v1.30\n", "the publisher's app"),
        ("x" * 60, f"got {'x' * 60!r}"),
        ("x" * 61, f"got {'x' * 57 + '...'!r}"),
    ],
)
def test_a_list_that_is_not_read_is_told_by_its_style_or_its_first_line(text: str, style: str) -> None:
    with pytest.raises(ImporterError) as wrong:
        read_army(text, "list.txt")
    assert style in str(wrong.value)


@pytest.mark.parametrize("across", [1e-6, 0.003])
def test_what_is_as_thin_as_a_needle_is_refused(tmp_path: Path, across: float) -> None:
    needle = f"[[-2, 0], [2, 0], [2, {across}], [-2, {across}]]"
    hull = UNIT.replace("rect = [25.4, 25.4]", f"hull = {needle}") + "models = [[5, 5]]\n"
    assert "expected a hull at least 0.1 mm across, got " in said(tmp_path, FANTASY + hull)
    wall = f'[[terrain]]\nid = "wall"\nkind = "impassable"\noutline = {needle}\n'
    assert "wall: expected an outline at least 0.1 mm across, got " in said(tmp_path, FANTASY + wall)


def test_a_thin_wall_and_a_slanted_one_are_none(tmp_path: Path) -> None:
    thin = "[[0, 0], [4, 0], [4, 0.004], [0, 0.004]]"
    slanted = "[[5, 5], [9, 8], [8.997, 8.004], [4.997, 5.004]]"
    walls = "".join(
        f'[[terrain]]\nid = "w{k}"\nkind = "impassable"\noutline = {o}\n' for k, o in enumerate((thin, slanted))
    )
    file = tmp_path / "case.toml"
    file.write_text(FANTASY + walls)
    assert len(load_case(file, rulesets()).battle.battlefield.terrain) == 2
