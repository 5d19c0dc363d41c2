"""What a player may call once in a battle: a Waaagh!, and the blows of a lifetime. Played, with dice written down."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from sim.battle import Battle, Marker, Unit
from sim.chance import ScriptedDice
from sim.engine import Game, ScriptedChoices
from sim.geometry import Path
from sim.rules import EndStep, NeedChoice
from sim.rulesets.wh40k10 import RULESET, leaders
from sim.rulesets.wh40k10.commands import Advance, AttackWith, Charge, Fight
from tests.rulesets.wh40k10.stage import CHARGE, FIGHT, battle, judged, now, played, squad

B32 = 32 / 25.4
CALL, NOT_NOW = "call-waaagh", "not-now"
ENDED = now("fight", "remaining-combats", "blue", 1)  # red's Command phase comes next, in round two


def lads(at: tuple[float, float], *markers: Marker, name: str = "lads", **more: object) -> Unit:
    return squad(name, "red", "Boyz", at, markers=markers, loadout=["choppa"], **more)  # type: ignore[arg-type]


def men(at: tuple[float, float]) -> Unit:
    return squad("men", "blue", "Intercessor Squad", at, loadout=["close combat weapon"])


class Ears:
    """Answers what it was told and remembers what it was asked."""

    def __init__(self, *answers: str) -> None:
        self.answers, self.asked = list(answers), list[NeedChoice]()

    def choose(self, battle: Battle, need: NeedChoice) -> str:
        """The next answer."""
        self.asked.append(need)
        return self.answers.pop(0)


def on(start: Battle, *answers: str) -> tuple[Battle, list[NeedChoice]]:
    """The battle after the end of this step, and what was asked."""
    game, ears = Game(RULESET, start), Ears(*answers)
    game.play(EndStep(), ScriptedDice([]), ears)
    assert not ears.answers
    return game.battle, ears.asked


def until(start: Battle, phase: str, player: str) -> tuple[Battle, list[NeedChoice]]:
    """The battle in the next phase of a name and a player, and whatever was asked on the way."""
    game, ears = Game(RULESET, start), Ears(*[NOT_NOW] * 9)
    while (game.battle.clock.phase, game.battle.clock.player) != (phase, player):
        game.play(EndStep(), ScriptedDice([]), ears)
    return game.battle, ears.asked


# --- Waaagh!


def test_a_waaagh_is_called_in_the_own_command_phase_once_by_who_has_it() -> None:
    start = battle(ENDED, lads((10, 10)), lads((0, 0), name="far", where="reserves"), men((10, 40)), cp=3)
    called, asked = on(start, CALL)
    assert [(need.player, set(need.options)) for need in asked] == [("red", {CALL, NOT_NOW})]
    assert all(called.unit(name).marked("waaagh") for name in ("lads", "far")), "wherever they are"
    assert not called.unit("men").marked("waaagh")
    theirs, asked = until(called, "command", "blue")
    assert not asked, "blue has no Orks"
    assert theirs.unit("lads").marked("waaagh"), "it lasts through the opponent's turn"
    over, asked = until(replace(theirs, clock=now("fight", "remaining-combats", "blue")), "command", "red")
    assert not over.unit("lads").marked("waaagh"), "until the next own Command phase"
    assert not asked, "once in a battle"


def test_a_waaagh_kept_for_later_is_asked_for_again() -> None:
    start = battle(ENDED, lads((10, 10)), men((10, 40)), cp=3)
    kept, _ = on(start, NOT_NOW)
    assert not kept.unit("lads").marked("waaagh")
    again, asked = on(replace(kept, clock=now("fight", "remaining-combats", "blue")), CALL)
    assert len(asked) == 1
    assert again.unit("lads").marked("waaagh")


@pytest.mark.parametrize(("y", "first"), [(10 + B32 + 17.9, CALL), (10 + B32 + 18.1, NOT_NOW)])
def test_calling_stands_first_where_half_could_charge(y: float, first: str) -> None:
    _, asked = on(battle(ENDED, lads((10, 10)), men((10, y)), cp=3), NOT_NOW)
    assert asked[0].options[0] == first


WAAAGH = Marker("waaagh", until="next-command-phase", player="red", round=3)


@pytest.mark.parametrize("called", [True, False])
def test_under_a_waaagh_orks_charge_after_an_advance(called: bool) -> None:
    start = battle(now("movement", "move-units"), lads((10, 10), *([WAAAGH] if called else [])), men((10, 26)))
    pose = start.unit("lads").models[0].pose
    assert pose is not None
    moved = played(start, (Advance("lads", (Path.through(pose, [[10, 17]]),)), (3,)))
    charge = Charge("lads", ("men",))
    assert judged(replace(moved, clock=CHARGE), charge).codes == (() if called else ("not-eligible",))


@pytest.mark.parametrize(
    ("called", "faces"),
    [
        (False, (5, 5, 5, 3, 4, 4, 6, 6)),  # three blows hit on 3, wound Toughness 4 with Strength 4 on 4
        (True, (5, 5, 5, 5, 3, 3, 3, 2, 6, 6, 6)),  # four blows, Strength 5 wounds on 3
    ],
)
def test_under_a_waaagh_orks_strike_harder_and_more_often(called: bool, faces: tuple[int, ...]) -> None:
    start = battle(
        now("fight", "remaining-combats", "blue"), lads((10, 10), *([WAAAGH] if called else [])), men((10, 10 + B32))
    )
    played(start, (Fight("lads", (AttackWith("lads-1", "choppa", "men"),)), faces))


def test_under_a_waaagh_orks_have_an_invulnerable_save_and_extra_attacks_are_as_many_as_before() -> None:
    plain, wild = lads((10, 10)), lads((10, 10), WAAAGH)
    assert leaders.invulnerable(plain, plain.models[0]) is None
    assert leaders.invulnerable(wild, wild.models[0]) == 5
    trukk = squad("trukk", "red", "Trukk", (10, 10), markers=[WAAAGH])
    assert leaders.invulnerable(trukk, trukk.models[0]) == 5, "better than its own"
    armed = squad("trukk", "red", "Trukk", (10, 10), markers=[WAAAGH], loadout=["wreckin' ball", "spiked wheels"])
    start = battle(now("fight", "remaining-combats", "blue"), armed, men((10, 10 + B32)))
    blows = tuple(AttackWith("trukk-1", weapon, "men") for weapon in ("wreckin' ball", "spiked wheels"))
    game = Game(RULESET, start)
    game.play(
        Fight("trukk", blows), ScriptedDice([1, 1, 1, 1, 1]), Ears()
    )  # one of the ball, three and one of the wheels
    assert game.battle.unit("trukk").marked("fought")


# --- the blows of a lifetime


def captain(at: tuple[float, float], player: str = "red", name: str = "cap") -> Unit:
    return squad(name, player, "Captain", at, loadout=["close combat weapon"])


@pytest.mark.parametrize("turn", ["red", "blue"])
def test_more_blows_are_asked_for_at_the_start_of_either_fight_phase_where_they_can_be_struck(turn: str) -> None:
    """The Captain is engaged; his twin far away is not asked."""
    far = captain((40, 40), name="far")
    start = battle(now("charge", "charge", turn), captain((10, 10)), far, lads_of_blue((10, 10 + B32 + 0.5)))
    kept, asked = on(start, NOT_NOW)
    assert [need.player for need in asked] == ["red"]
    assert kept.clock.phase == "fight"
    used, asked = on(start, "now")
    assert [
        (m.subject, m.amount, m.until) for m in used.unit("cap").markers if m.kind == "more-melee-attacks-once"
    ] == [("cap-1", 3, "end-of-phase")]
    again = replace(used, clock=now("charge", "charge", turn))
    assert not on(again)[1], "once in a battle"


def lads_of_blue(at: tuple[float, float]) -> Unit:
    return squad("mob", "blue", "Boyz", at, loadout=["choppa"])


def test_more_blows_with_devastating_wounds_are_struck_until_the_phase_ends() -> None:
    """Six blows and three more; three Critical Wounds need no save."""
    start = battle(now("charge", "charge", "blue"), captain((10, 10)), squad("mob", "blue", "Boyz", (10, 10 + B32), 2))
    used, _ = on(start, "now")
    used = replace(used, clock=now("fight", "remaining-combats", "blue"))
    blows = Fight("cap", (AttackWith("cap-1", "close combat weapon", "mob"),))
    faces = (6, 6, 6, 1, 1, 1, 1, 1, 1, 6, 6, 6)
    game = Game(RULESET, used)
    dice = ScriptedDice(list(faces))
    game.play(blows, dice, ScriptedChoices([]))
    assert dice.left == 0
    assert not game.battle.unit("mob").models
    after = game.battle
    assert not until(after, "command", "red")[0].unit("cap").marked("more-melee-attacks-once")


def test_who_does_not_call_it_strikes_as_ever() -> None:
    start = battle(FIGHT, squad("mob", "blue", "Boyz", (10, 10 + B32), 3), captain((10, 10)))
    blows = Fight("cap", (AttackWith("cap-1", "close combat weapon", "mob"),))
    played(replace(start, clock=now("fight", "remaining-combats", "blue")), (blows, (1, 1, 1, 1, 1, 1)))
