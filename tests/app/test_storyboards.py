"""What a film of a storyboard says: its own words in every shot, whoever is in hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from sim.app.cli import cli
from sim.app.storyboard import load_storyboard

BOARD = """
title = "Words"
scenario = "assets/scenarios/demo.toml"
[[shot]]
seconds = 2.0
caption = "The table"
[[shot]]
seconds = 3.0
command = "deep-strike"
unit = "storm-team"
path = [[24, 36], [30.5, 26.5]]
caption = "My own words"
[[shot]]
seconds = 3.0
command = "deep-strike"
unit = "storm-team"
path = [[24, 36], [30.5, 26.5]]
"""


def test_the_words_of_a_shot_are_shown_with_and_without_a_unit_in_hand(tmp_path: Path) -> None:
    file = tmp_path / "board.toml"
    file.write_text(BOARD, "utf-8")
    story = load_storyboard(str(file))
    assert story.scene_at(1.0).caption.headline == "The table"
    own, verdict = story.scene_at(4.9), story.scene_at(7.9)
    assert own.caption.headline == "My own words"
    assert verdict.caption.headline.startswith("Not here")
    assert own.caption.lines == verdict.caption.lines, "the reasons stand below"
    assert own.caption.tone == "bad"


@pytest.mark.parametrize("source", ["assets/scenarios/demo.toml", "assets/scenarios/not-here.toml"])
def test_a_scenario_has_no_moment_to_be_drawn(source: str, tmp_path: Path) -> None:
    failed = CliRunner().invoke(
        cli, ["render", source, "--at", "3", "-o", str(tmp_path / "x.png")], standalone_mode=False
    )
    assert failed.exception is not None
    assert "--at: only a record has a moment to be drawn" in failed.exception.format_message()  # type: ignore[attr-defined]
    assert not (tmp_path / "x.png").exists()
