"""What the window writes down while somebody plays."""

from __future__ import annotations

from pathlib import Path

from sim.app.common import load
from sim.app.games import rulesets
from sim.app.window.answer import answer, plain
from sim.app.window.session import Session
from sim.battle import Terrain, Unit, digest
from sim.chance import ScriptedDice
from sim.geometry import Rect
from sim.record import read_record, verify
from sim.record.log import SNAPSHOT_EVERY
from sim.rules import EndStep
from sim.rulesets.wh40k10 import RULESET as WH40K
from sim.rulesets.wh40k10.commands import NormalMove
from sim.scenario import load_case
from sim.view import Scene
from sim.view.timeline import Timeline
from tests.conformance.kit import ROOT
from tests.record.table import comings_and_goings
from tests.rulesets.wh40k10.stage import battle, now, squad
from tests.toy import RULESET, skirmish


def session_in(path: Path, count: int) -> Session:
    session = Session(RULESET, skirmish(), ScriptedDice(()), path)
    for _, command in zip(range(count), comings_and_goings(), strict=False):
        session.game.play(command, session.dice)
    return session


def test_a_journal_has_a_snapshot_where_one_is_due(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    session = session_in(path, SNAPSHOT_EVERY + 2)
    for _ in range(3):
        assert session.undo()
    assert not read_record(path).snapshots
    assert session.redo()
    session.close()
    record = read_record(path)
    assert list(record.snapshots) == [SNAPSHOT_EVERY]
    assert digest(record.snapshots[SNAPSHOT_EVERY]) == digest(session.battle)
    assert verify(record, RULESET) is None


def test_a_journal_that_goes_on_from_a_record_begins_with_all_of_it(tmp_path: Path) -> None:
    session_in(tmp_path / "first.jsonl", SNAPSHOT_EVERY + 1).close()
    record, path = read_record(tmp_path / "first.jsonl"), tmp_path / "second.jsonl"
    session = Session.of_record(RULESET, record, ScriptedDice(()), path)
    assert session.end_step().legal
    session.close()
    again = read_record(path)
    assert again.entries[:-1] == record.entries
    assert list(again.snapshots) == [SNAPSHOT_EVERY]
    assert verify(again, RULESET) is None


def test_what_is_in_hand_goes_up_and_down_the_floors_under_the_cursor(tmp_path: Path) -> None:
    case = load_case(ROOT / "tests" / "cases" / "wh40k10" / "extra-up-the-stairs.toml", rulesets())
    session = Session(case.ruleset, case.battle, ScriptedDice(()), tmp_path / "journal.jsonl")
    offer = next(o for o in session.ruleset.available(session.battle) if o.command == "normal-move")
    session.pick(offer, (15.0, 10.0))
    assert session.raise_by_one(True) == 'Standing 3" up.'
    assert session.verdict is not None
    assert session.verdict.legal
    assert session.raise_by_one(True) == 'Standing 9" up.'
    assert not session.verdict.legal
    assert session.raise_by_one(False) == 'Standing 3" up.'
    dropped = session.drop()
    assert dropped is not None
    assert dropped.legal
    assert session.battle.unit("squad").models[0].placed.pose.z == 3.0
    session.close()


def test_a_unit_in_hand_tells_the_length_that_the_verdict_counts(tmp_path: Path) -> None:
    """Turning costs inches: the panel, the sentence of the verdict and what happened afterwards say the same."""
    tank = squad("tank", "red", "Rhino", (10, 10), base=Rect(4.0, 3.0))
    session = Session(WH40K, battle(now("movement", "move-units"), tank), ScriptedDice(()), tmp_path / "j.jsonl")
    (offer,) = (o for o in session.offers if o.command == "normal-move")
    session.pick(offer, (10.0, 10.0))
    session.turn(2)
    session.hold_at((15.0, 10.0))
    assert [(going.gone, going.most) for going in session.goings()] == [(7.0, 12.0)]
    assert '1 7.00" of 12"' in plain(answer(session, session.verdict, session.margins()))
    session.hold_at((21.5, 10.0))
    verdict = session.verdict
    assert [violation.measured for violation in verdict.violations] == [13.5]
    assert '1 13.50" of 12": 1.50" too far' in plain(answer(session, verdict, session.margins()))
    session.hold_at((15.0, 10.0))
    session.drop()
    assert 'tank moved 7.00"' in session.happened
    session.close()


def test_undo_puts_back_what_is_in_hand_and_no_more(tmp_path: Path) -> None:
    session = session_in(tmp_path / "undone.journal", 2)
    done = len(session.game.entries)
    offer = next(offer for offer in session.offers if offer.unit and session.battle.unit(offer.unit).on_table)
    session.pick(offer, (1.0, 1.0))
    assert session.undo()
    assert session.held is None
    assert len(session.game.entries) == done
    assert session.undo()
    assert len(session.game.entries) == done - 1
    session.close()


def test_the_mark_of_an_assumed_base_is_kept_in_journals_records_films_and_moments(tmp_path: Path) -> None:
    case = load_case(ROOT / "assets" / "scenarios" / "wh40k10-500-battle.toml", rulesets())
    assert case.assumed
    path = tmp_path / "battle.jsonl"
    session = Session(case.ruleset, case.battle, ScriptedDice(()), path, case.assumed)
    session.end_step()
    session.close()
    record = read_record(path)
    assert frozenset(record.header.assumed) == case.assumed
    again = Session.of_record(case.ruleset, record, ScriptedDice(()))
    assert again.assumed == case.assumed
    assert again.record().header.assumed == record.header.assumed
    assert load(f"{path}@1").assumed == case.assumed

    def marked(scene: Scene) -> int:
        return sum(bool(getattr(getattr(item, "mark", None), "assumed", False)) for item in scene.items)

    here = marked(session.scene(None))
    assert here
    assert marked(again.scene(None)) == here
    assert marked(Timeline(record, case.ruleset).scene_at(0.0)) == here


# --- the corners of a session


def alone(tmp_path: Path, *units: Unit, step: str = "move-units") -> Session:
    return Session(WH40K, battle(now("movement", step), *units), ScriptedDice(()), tmp_path / "j.jsonl")


def test_who_arrives_with_nobody_to_face_looks_along_the_table(tmp_path: Path) -> None:
    men = squad("men", "red", "Intercessor Squad", (0, 0), 1, where="reserves", abilities=["deep-strike"])
    session = alone(tmp_path, men, step="reinforcements")
    offer = next(o for o in session.offers if o.command == "deep-strike")
    assert [pose.facing for pose in session.pick(offer, (30.0, 20.0)).poses] == [0.0]
    session.close()


def test_one_model_is_taken_in_hand_only_while_its_unit_is_laid_down(tmp_path: Path) -> None:
    session = alone(tmp_path, squad("men", "red", "Intercessor Squad", (10, 10), 2))
    assert not session.grab_model((10.0, 10.0)), "nothing is in hand"
    offer = next(o for o in session.offers if o.command == "normal-move")
    session.pick(offer, (10.0, 10.0))
    assert not session.grab_model((10.0, 10.0)), "the whole unit is"
    session.pin()
    assert not session.grab_model((30.0, 30.0)), "nobody stands there"
    assert session.grab_model((10.0, 10.0))
    assert session.held is not None
    assert session.held.model == 0
    session.close()


def test_nothing_better_is_looked_for_where_nothing_is_wrong(tmp_path: Path) -> None:
    session = alone(tmp_path, squad("men", "red", "Intercessor Squad", (10, 10), 1))
    assert session.better() is None, "nothing is in hand"
    offer = next(o for o in session.offers if o.command == "normal-move")
    session.pick(offer, (10.0, 10.0))
    session.hold_at((12.0, 10.0))
    assert session.better() is None, "it may stand there"
    session.hold_at((30.0, 10.0))
    find = session.better()
    assert find is not None
    assert find() is not None
    session.close()


def test_where_no_way_leads_the_straight_one_is_judged(tmp_path: Path) -> None:
    walls = [
        Terrain(f"wall-{k}", "ruin-wall", outline)
        for k, outline in enumerate(
            [
                ((7, 7), (13, 7), (13, 8), (7, 8)),
                ((7, 12), (13, 12), (13, 13), (7, 13)),
                ((7, 8), (8, 8), (8, 12), (7, 12)),
                ((12, 8), (13, 8), (13, 12), (12, 12)),
            ]
        )
    ]
    dread = squad("dread", "red", "Deff Dread", (10, 10), 1)
    start = battle(now("movement", "move-units"), dread, terrain=walls)
    session = Session(WH40K, start, ScriptedDice(()), tmp_path / "j.jsonl")
    offer = next(o for o in session.offers if o.command == "normal-move")
    session.pick(offer, (10.0, 10.0))
    session.hold_at((10.0, 15.5))
    assert session.held is not None
    assert WH40K.routed(session.battle, session.held.command) is None
    assert session.verdict is not None
    assert not session.verdict.legal
    session.close()


def test_what_a_computer_does_is_given_back_as_its_entry(tmp_path: Path) -> None:
    session = alone(tmp_path, squad("men", "red", "Intercessor Squad", (10, 10), 1))
    entry = session.do_for_computer(EndStep())
    assert entry is not None
    assert entry.number == 1
    assert session.do_for_computer(NormalMove("men", ())) is None, "what is not legal is not done"
    session.close()
