"""Does a game keep what was done, take it back, and branch?"""

from __future__ import annotations

import pytest

from sim.battle import Battle, BattleError, Clock, ModelsPlaced, digest
from sim.chance import DiceError, ScriptedDice, SeededDice
from sim.engine import Entry, Game, Refused, judge
from sim.geometry import Path, Pose
from sim.rules import Command, EndStep, Play, Procedure, Ruleset
from tests.toy import RULESET, Drop, Throw, Walk, skirmish

NO_DICE = ScriptedDice(())
DROP = Drop("newts", (Pose(20.0, 15.0), Pose(21.5, 15.0)))
CRICKETS = Drop("crickets", (Pose(12.0, 4.0), Pose(13.2, 4.0), Pose(14.4, 4.0)))


def walk_ants(battle: Battle, dx: float, dy: float) -> Walk:
    poses = [m.pose for m in battle.unit("ants").models]
    return Walk("ants", tuple(Path.through(p, [[p.x + dx, p.y + dy]]) for p in poses if p is not None))


def test_playing_keeps_the_entry_and_the_battle_after_it() -> None:
    game = Game(RULESET, skirmish())
    entry = game.play(CRICKETS, NO_DICE)
    assert (entry.number, entry.command, entry.faces, entry.choices) == (1, CRICKETS, (), ())
    assert [type(e) for e in entry.events] == [ModelsPlaced]
    assert entry.digest == digest(game.battle)
    assert game.battle.unit("crickets").on_table
    assert game.entries == (entry,)
    assert game.start == skirmish()
    assert game.play(EndStep(), NO_DICE).number == 2
    assert game.battle.clock == Clock(1, "blue", "go", "walk")


def test_a_refusal_carries_every_fault() -> None:
    game = Game(RULESET, skirmish())
    with pytest.raises(Refused) as caught:
        game.play(Drop("newts", (Pose(-5.0, 15.0), Pose(7.0, 5.0))), NO_DICE)
    codes = caught.value.verdict.codes
    assert codes == ("enemy-too-close", "incoherent", "off-table", "overlaps-model", "wrong-phase")
    for violation in caught.value.verdict.violations:
        assert violation.message in str(caught.value)
    assert game.battle == skirmish()
    assert not game.can_undo


def test_the_clearance_is_strict() -> None:
    battle = skirmish()
    toad = battle.model("toad-1").placed
    front = min(y for _, y in toad.corners)
    radius = 25 / 25.4 / 2
    spread = 1.2

    def codes(y: float) -> tuple[str, ...]:
        poses = tuple(Pose(16.5 + k * spread, y) for k in (-1, 0, 1))
        return judge(RULESET, battle, Drop("crickets", poses)).codes

    assert codes(front - radius - 3.0) == ("enemy-too-close",)
    assert codes(front - radius - 3.0001) == ()


def test_undo_and_redo_step_over_entries() -> None:
    game = Game(RULESET, skirmish())
    battles = [game.battle]
    for command in (CRICKETS, EndStep(), walk_ants(game.battle, 0.0, 1.0)):
        game.play(command, NO_DICE)
        battles.append(game.battle)
    assert [game.undo().number for _ in range(2)] == [3, 2]
    assert game.battle == battles[1]
    assert len(game.entries) == 1
    assert (game.can_undo, game.can_redo) == (True, True)
    assert game.redo().number == 2
    assert game.battle == battles[2]
    game.undo()
    game.undo()
    with pytest.raises(IndexError, match="nothing to undo"):
        game.undo()
    assert game.battle == battles[0]


def test_something_new_forgets_what_was_undone() -> None:
    game = Game(RULESET, skirmish())
    game.play(CRICKETS, NO_DICE)
    game.play(EndStep(), NO_DICE)
    game.undo()
    game.undo()
    entry = game.play(EndStep(), NO_DICE)
    assert entry.number == 1
    assert not game.can_redo
    with pytest.raises(IndexError, match="nothing to redo"):
        game.redo()
    assert not game.battle.unit("crickets").on_table


def test_a_refused_command_keeps_what_can_be_redone() -> None:
    game = Game(RULESET, skirmish())
    game.play(CRICKETS, NO_DICE)
    game.undo()
    with pytest.raises(Refused):
        game.play(Throw("ants"), NO_DICE)
    assert game.can_redo
    game.redo()
    assert game.battle.unit("crickets").on_table


def test_branches_share_the_past_alone() -> None:
    game = Game(RULESET, skirmish())
    game.play(CRICKETS, NO_DICE)
    game.play(EndStep(), NO_DICE)
    here, earlier, first = game.branch(), game.branch(1), game.branch(0)
    assert (here.battle, here.entries) == (game.battle, game.entries)
    assert earlier.entries == game.entries[:1]
    assert first.battle is game.start
    here.play(walk_ants(here.battle, 0.0, 1.0), NO_DICE)
    earlier.undo()
    assert len(game.entries) == 2
    assert game.battle == game.branch().battle
    assert not game.battle.unit("ants").marked("walked")
    for wrong in (-1, 3):
        with pytest.raises(IndexError, match="expected an entry from 0 to 2"):
            game.branch(wrong)


def test_a_branch_does_not_write_into_the_same_journal() -> None:
    heard: list[Entry] = []
    game = Game(RULESET, skirmish(), lambda entry, after: heard.append(entry))
    game.play(CRICKETS, NO_DICE)
    game.branch().play(EndStep(), NO_DICE)
    assert [entry.number for entry in heard] == [1]


def test_an_entry_is_heard_of_before_it_is_shown() -> None:
    seen: list[tuple[int, int]] = []
    game = Game(RULESET, skirmish(), lambda entry, after: seen.append((entry.number, len(game.entries))))
    game.play(CRICKETS, NO_DICE)
    game.play(EndStep(), NO_DICE)
    assert seen == [(1, 0), (2, 1)]


def test_an_entry_that_could_not_be_written_did_not_happen() -> None:
    def full(entry: Entry, after: Battle) -> None:
        raise OSError("no space left on device")

    game = Game(RULESET, skirmish(), full)
    with pytest.raises(OSError, match="no space"):
        game.play(CRICKETS, NO_DICE)
    assert game.battle == skirmish()
    assert game.entries == ()


def test_an_error_of_the_dice_leaves_the_game_as_it_was() -> None:
    game = Game(RULESET, skirmish())
    for _ in range(2):
        game.play(EndStep(), NO_DICE)
    before = game.battle
    with pytest.raises(DiceError):
        game.play(Throw("beetle"), ScriptedDice(()))
    assert game.battle is before
    assert len(game.entries) == 2


def test_an_unknown_unit_and_an_unknown_command_are_faults() -> None:
    class Teleport(Command, frozen=True, tag="teleport"):
        unit: str

    assert judge(RULESET, skirmish(), Drop("nobody", ())).codes == ("no-such-unit",)
    verdict = judge(RULESET, skirmish(), Teleport("ants"))
    assert verdict.codes == ("unknown-command",)
    assert "teleport" in verdict.violations[0].message


def test_an_error_in_a_ruleset_is_no_verdict() -> None:
    def broken(battle: Battle, command: EndStep) -> Procedure:
        yield ModelsPlaced("nobody", ())

    plays = (Play(EndStep, "Broken", lambda battle, command: (), broken),)
    ruleset = Ruleset("b", "B", "1", "1", RULESET.phases, 1, plays, RULESET.available, {})
    game = Game(ruleset, skirmish())
    with pytest.raises(BattleError):
        game.play(EndStep(), SeededDice(1))
    assert game.battle == skirmish()
