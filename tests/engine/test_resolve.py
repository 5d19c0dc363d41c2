"""Are dice and choices asked for from outside, answered, and kept?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from sim.battle import (
    Battle,
    ChoiceMade,
    Clock,
    DiceRolled,
    MarkerSet,
    ModelsRemoved,
    ScoreChanged,
    WoundsChanged,
)
from sim.chance import DiceError, ScriptedDice
from sim.engine import ChoiceError, FirstChoice, Resolution, ScriptedChoices, judge, resolve
from sim.engine.resolve import DECLINE
from sim.rules import NeedChoice, NeedRoll, Procedure, ReactionWindow, Ruleset
from tests.toy import RULESET, Recall, Throw, skirmish

NOW = Clock(1, "blue", "throws", "pebbles")


def throw(faces: Sequence[int], choices: Sequence[str], battle: Battle | None = None) -> Resolution:
    """What comes of the ants throwing."""
    before = replace(skirmish() if battle is None else battle, clock=NOW)
    assert judge(RULESET, before, Throw("ants")).legal
    procedure = RULESET.play("throw").resolve(before, Throw("ants"))
    return resolve(RULESET, before, procedure, ScriptedDice(faces), ScriptedChoices(choices))


def kinds(result: Resolution) -> list[str]:
    return [type(event).__name__ for event in result.events]


def test_hits_wound_and_wounds_remove_and_score() -> None:
    result = throw([4, 3, 6], ["mice", DECLINE])
    assert kinds(result) == [
        "ChoiceMade",
        "ChoiceMade",
        "DiceRolled",
        "WoundsChanged",
        "ModelsRemoved",
        "ScoreChanged",
        "WoundsChanged",
        "ModelsRemoved",
        "ScoreChanged",
        "MarkerSet",
    ]
    assert result.battle.unit("mice").models == ()
    assert dict(result.battle.score) == {"blue": 2, "red": 0}
    assert result.faces == ((4, 3, 6),)
    assert result.choices == ("mice", DECLINE)


def test_every_roll_and_choice_is_logged_with_its_purpose() -> None:
    result = throw([1, 1, 1], ["toad", DECLINE])
    assert result.events[0] == ChoiceMade("blue", "whom to throw at", "toad")
    assert result.events[1] == ChoiceMade("red", "thrown-at (dodge: costs one pluck)", DECLINE, "thrown-at", "toad")
    assert result.events[2] == DiceRolled("ants throws at toad", 6, (1, 1, 1))
    assert kinds(result)[3:] == ["MarkerSet"]


def test_a_reaction_happens_before_the_roll_and_changes_it() -> None:
    result = throw([4, 4, 5], ["toad", "dodge"])
    assert result.events[2] == ScoreChanged("red", -1, "pluck")
    assert kinds(result)[3] == "MarkerSet"
    assert ("red", "pluck", 1) in result.battle.resources
    assert result.battle.model("toad-1").wounds_lost == 1
    assert throw([4, 4, 5], ["toad", DECLINE]).battle.model("toad-1").wounds_lost == 3


def test_who_cannot_react_is_not_asked() -> None:
    poor = replace(skirmish(), resources=(("blue", "pluck", 2), ("red", "pluck", 0)))
    assert throw([1, 1, 1], ["toad"], poor).choices == ("toad",)
    tired = replace(skirmish(), options=(("dodges", False),))
    assert throw([1, 1, 1], ["toad"], tired).choices == ("toad",)


def test_a_single_target_is_no_choice() -> None:
    battle = skirmish()
    alone = battle.with_unit(replace(battle.unit("mice"), models=(), whereabouts="destroyed"))
    result = throw([6, 1, 1], [DECLINE], alone)
    assert result.choices == (DECLINE,)
    assert result.battle.model("toad-1").wounds_lost == 1


def test_the_last_wound_removes() -> None:
    hurt = skirmish().with_unit(
        replace(skirmish().unit("toad"), models=(replace(skirmish().model("toad-1"), wounds_lost=2),))
    )
    result = throw([6, 6, 6], ["toad", DECLINE], hurt)
    assert [e for e in result.events if isinstance(e, WoundsChanged)] == [
        WoundsChanged("toad-1", 3),
        WoundsChanged("toad-1", 4),
    ]
    assert ModelsRemoved("toad", ("toad-1",)) in result.events
    assert isinstance(result.events[-1], MarkerSet)


def test_a_choice_that_was_not_offered_is_an_error() -> None:
    with pytest.raises(ChoiceError) as caught:
        throw([1, 1, 1], ["newts"])
    assert str(caught.value) == "whom to throw at: 'newts' was not offered, only mice, toad"


def test_choices_and_faces_that_run_out_are_errors() -> None:
    with pytest.raises(ChoiceError, match="the list of choices ran out at 'whom to throw at'"):
        throw([1, 1, 1], [])
    with pytest.raises(DiceError, match="the roll script has 2 faces left, ants throws at toad needs 3"):
        throw([1, 1], ["toad", DECLINE])


def test_the_first_choice_declines_reactions() -> None:
    before = replace(skirmish(), clock=NOW)
    procedure = RULESET.play("throw").resolve(before, Throw("ants"))
    result = resolve(RULESET, before, procedure, ScriptedDice([1, 1, 1]), FirstChoice())
    assert result.choices == ("mice", DECLINE)


def test_a_recalled_unit_waits() -> None:
    before = skirmish()
    procedure = RULESET.play("recall").resolve(before, Recall("ants"))
    after = resolve(RULESET, before, procedure, ScriptedDice(()), FirstChoice()).battle
    assert after.unit("ants").whereabouts == "reserves"
    assert all(m.pose is None for m in after.unit("ants").models)
    assert after.index.of_unit("ants").names == ()


# --- what a procedure hears


def run(procedure: Procedure, faces: Sequence[int] = (), ruleset: Ruleset = RULESET) -> Resolution:
    return resolve(ruleset, skirmish(), procedure, ScriptedDice(faces), FirstChoice())


def test_answers_go_to_the_one_who_asked() -> None:
    heard: list[Any] = []

    def procedure() -> Procedure:
        heard.append((yield NeedRoll(2, 6, "two dice")))
        heard.append((yield NeedChoice("red", "colour", ("green", "grey"))))
        after = yield WoundsChanged("toad-1", 1)
        heard.append(after.model("toad-1").wounds_lost)
        window = yield ReactionWindow("never", "toad", ("blue", "red"))
        heard.append(window == after)
        heard.append((yield NeedRoll(0, 6, "no dice")))

    result = run(procedure(), [3, 5])
    assert heard == [(3, 5), "green", 1, True, ()]
    assert result.faces == ((3, 5), ())
    assert [face for roll in result.faces for face in roll] == [3, 5]


def test_players_react_in_the_order_in_which_they_are_asked() -> None:
    def procedure() -> Procedure:
        yield ReactionWindow("thrown-at", "toad", ("red", "blue", "red"))

    chooser = ScriptedChoices(["dodge", DECLINE, "dodge"])
    result = resolve(RULESET, skirmish(), procedure(), ScriptedDice(()), chooser)
    asked = [event.player for event in result.events if isinstance(event, ChoiceMade)]
    assert asked == ["red", "blue", "red"]
    assert ("red", "pluck", 0) in result.battle.resources


def test_a_face_that_the_die_does_not_have_is_an_error() -> None:
    def procedure() -> Procedure:
        yield NeedRoll(1, 6, "a die")

    with pytest.raises(DiceError, match="says 7 for a die, a die with 6 sides was expected"):
        run(procedure(), [7])
