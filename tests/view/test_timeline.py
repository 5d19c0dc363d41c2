"""A record as a film: what is on at which second, and what is seen of it, as values."""

from __future__ import annotations

from itertools import pairwise

import msgspec
import pytest
from msgspec import Raw
from msgspec.structs import replace

from sim.battle import (
    Battle,
    Clock,
    ClockAdvanced,
    DiceRolled,
    Event,
    Marker,
    MarkerSet,
    ModelsMoved,
    ModelsPlaced,
    ModelsRemoved,
    ScoreChanged,
    WoundsChanged,
)
from sim.battle.state import DESTROYED
from sim.engine import Game
from sim.geometry import Path, Pose
from sim.record import LoggedEntry, Record, record_of
from sim.rules.sequence import OVER
from sim.rulesets.wh40k10 import RULESET
from sim.view.scene import Die, Disc, Ghost, Line, Ruler
from sim.view.timeline import Timeline
from tests.rulesets.wh40k10.stage import SHOOTING, battle, squad

LEAD_IN = 0.8  # seconds before anything happens
SHOT = {"type": "shoot", "unit": "men", "attacks": [{"model": "men-1", "weapon": "bolt rifle", "target": "foe"}]}
WALK = Path.through(Pose(10.0, 10.0), [[10.0, 15.0]])


def table() -> Battle:
    men = squad("men", "red", "Intercessor Squad", (10, 10), 3)
    foe = squad("foe", "blue", "Boyz", (10, 20), 2)
    return replace(battle(SHOOTING, men, foe), title="A shoot-out")


def film(*events: Event, command: dict[str, object] | None = None, start: Battle | None = None) -> Timeline:
    """A record of one entry."""
    begun = record_of(Game(RULESET, start or table()))
    entry = LoggedEntry(1, Raw(msgspec.json.encode(command or {"type": "end-step"})), events=events)
    return Timeline(Record(begun.header, (entry,)), RULESET)


@pytest.mark.parametrize(
    ("event", "seconds"),
    [
        (ModelsPlaced("men", (("men-1", Pose(1, 1)),)), 1.6),
        (ModelsMoved("men", (("men-1", WALK),)), 0.7 + 5 * 0.12),
        (ModelsMoved("men", ()), 0.7),
        (ClockAdvanced(Clock(2, "red", "charge", "charge")), 0.9),
        (DiceRolled("hits", 6, (1, 2)), 1.2),
        (ModelsRemoved("foe", ("foe-1",)), 0.9),
        (WoundsChanged("men-1", 1), 0.9),
        (ScoreChanged("red", 5, "points"), 1.4),
        (ScoreChanged("red", 1, "cp"), 0.0),
        (MarkerSet("men", Marker("moved")), 0.0),
    ],
)
def test_how_long_a_thing_is_seen(event: Event, seconds: float) -> None:
    shown = film(event)
    assert [(cue.start, cue.duration, cue.entry) for cue in shown.cues] == [(LEAD_IN, pytest.approx(seconds), 1)]
    assert shown.duration == pytest.approx(LEAD_IN + seconds + 1.2)


def test_a_record_without_entries_shows_the_table_for_two_seconds() -> None:
    empty = Timeline(record_of(Game(RULESET, table())), RULESET)
    assert empty.duration == pytest.approx(2.0)
    assert empty.entry_at(1.0) == 0
    assert empty.time_of(0) == 0.0
    assert empty.scene_at(5.0).caption.headline == "A shoot-out"


def test_one_thing_after_another() -> None:
    charge = Clock(2, "red", "charge", "charge")
    shown = film(WoundsChanged("men-1", 1), ClockAdvanced(charge), WoundsChanged("men-1", 2))
    assert [cue.start for cue in shown.cues] == pytest.approx([0.8, 1.7, 2.6])
    assert [shown.battle_before(k).model("men-1").wounds_lost for k in range(len(shown.cues))] == [0, 1, 1]
    assert [shown.entry_at(t) for t in (0.0, 0.79, 0.8, 9.0)] == [0, 0, 1, 1]
    assert [shown.clock_at(t).phase for t in (0.0, 0.9, 1.71, 2.7)] == ["shooting", "shooting", "charge", "charge"]
    assert shown.time_of(1) == pytest.approx(3.5)
    assert shown.time_of(0) == 0.0


def test_a_move_is_seen_from_its_start_to_its_end() -> None:
    shown = film(ModelsMoved("men", (("men-1", WALK),)))
    seen = []
    for share in (0.0, 0.25, 0.5, 1.0):
        scene = shown.scene_at(LEAD_IN + share * shown.cues[0].duration)
        (disc,) = [item for item in scene.items if isinstance(item, Disc) and item.at[0] == 10.0 and item.at[1] < 20.0]
        seen.append(disc.at[1])
        assert [item.points for item in scene.items if isinstance(item, Line)] == [((10.0, 10.0), (10.0, 15.0))]
        assert scene.caption.headline == 'men moved 5.00"'
    assert seen == pytest.approx([10.0, 10.0 + 5 * 0.15625, 12.5, 15.0]), "slowly, then quickly, then slowly"


def test_who_is_set_up_appears_one_after_another_and_then_stands() -> None:
    away = squad("men", "red", "Intercessor Squad", (10, 10), 4, where="reserves")
    start = battle(SHOOTING, away, squad("foe", "blue", "Boyz", (10, 20), 2))
    placed = tuple((f"men-{k}", Pose(10.0 + 2 * k, 30.0)) for k in range(1, 5))
    shown = film(ModelsPlaced("men", placed), start=start)
    counts = []
    for share in (0.0, 0.25, 0.5, 0.59):
        scene = shown.scene_at(LEAD_IN + share * 1.6 + 1e-9)
        counts.append(sum(isinstance(item, Ghost) and item.legal for item in scene.items))
    assert counts == [1, 2, 4, 4]
    scene = shown.scene_at(LEAD_IN + 0.61 * 1.6)
    assert not [item for item in scene.items if isinstance(item, Ghost)]
    assert sum(isinstance(item, Disc) and item.at[1] == 30.0 for item in scene.items) == 4
    assert scene.caption.headline == "men is set up, 4 models"


@pytest.mark.parametrize(
    ("to", "names", "headline", "tone"),
    [
        (DESTROYED, ("foe-1",), "foe lost 1 model, 1 left", "bad"),
        (DESTROYED, ("foe-1", "foe-2"), "foe: destroyed", "bad"),
        ("reserves", ("foe-1", "foe-2"), "foe left the table, 2 models", "note"),
    ],
)
def test_who_goes_is_marked_and_then_gone(to: str, names: tuple[str, ...], headline: str, tone: str) -> None:
    shown = film(ModelsRemoved("foe", names, to), command=SHOT)
    early, late = shown.scene_at(LEAD_IN + 0.3), shown.scene_at(LEAD_IN + 0.8)
    for scene in (early, late):
        assert (scene.caption.headline, scene.caption.tone) == (headline, tone)
    ghosts = [item for item in early.items if isinstance(item, Ghost)]
    assert [ghost.legal for ghost in ghosts] == [False] * len(names)
    assert [item.label for item in early.items if isinstance(item, Ruler)] == ['8.74"'], "who shot at them"
    assert not [item for item in late.items if isinstance(item, Ghost)]


def test_wounds_and_points_are_said() -> None:
    one, two = film(WoundsChanged("men-1", 1)), film(WoundsChanged("men-2", 2))
    assert one.scene_at(1.0).caption.headline == "men 1 has lost 1 wound"
    assert two.scene_at(1.0).caption.headline == "men 2 has lost 2 wounds"
    scored = film(ScoreChanged("red", 5, "points")).scene_at(1.0).caption
    assert (scored.headline, scored.tone, scored.lines) == ("Red scored 5 (Red 5 · Blue 0)", "good", ())
    last = film(ScoreChanged("red", 5, "points")).scene_at(9.0).caption
    assert last.headline == "Red scored 5 (Red 5 · Blue 0)", "nobody has won in the middle of a battle"


def test_a_change_of_phase_is_headed_by_it() -> None:
    shown = film(ClockAdvanced(Clock(2, "red", "charge", "charge")))
    assert shown.scene_at(1.0).caption.headline == "Round 2 · Red · Charge"
    assert shown.scene_at(1.0).caption.lines == (), "nobody has scored, nobody keeps points"


def test_what_nobody_sees_changes_the_table_at_once() -> None:
    shown = film(MarkerSet("men", Marker("moved")), WoundsChanged("men-1", 1))
    assert shown.scene_at(LEAD_IN).caption.headline == "men 1 has lost 1 wound"


@pytest.mark.parametrize("command", [SHOT, None])
def test_dice_lie_in_rows_of_ten_beside_what_they_are_for(command: dict[str, object] | None) -> None:
    faces = tuple(range(1, 7)) * 2
    scene = film(DiceRolled("hits of men", 6, faces), command=command).scene_at(1.0)
    dice = [item for item in scene.items if isinstance(item, Die)]
    assert [die.face for die in dice] == list(faces)
    rows = [die.at[1] for die in dice]
    assert rows[:10] == [rows[0]] * 10
    assert rows[10:] == [rows[0] - 1.6] * 2
    assert [b.at[0] - a.at[0] for a, b in pairwise(dice[:10])] == pytest.approx([1.6] * 9)
    middle = (sum(die.at[0] for die in dice[:10]) / 10, (rows[0] + rows[10]) / 2)
    assert sum(die.at[0] for die in dice[10:]) / 2 == pytest.approx(middle[0]), "the last row is in the middle too"
    if command is None:
        assert middle == pytest.approx((30.0, 22.0)), "in the middle of the table"
    else:
        (ruler,) = [item for item in scene.items if isinstance(item, Ruler)]
        assert middle[0] - 5 * 1.6 == pytest.approx(ruler.end[0] + 3.0), "three inches to the right of the target"
    assert scene.caption.headline == "Hits of men"
    assert scene.caption.lines == (("Rolled 1 2 3 4 5 6 1 2 3 4 5 6", "plain"),)


def test_dice_stay_on_the_table() -> None:
    start = battle(SHOOTING, squad("men", "red", "Intercessor Squad", (58, 2)), squad("foe", "blue", "Boyz", (58, 43)))
    scene = film(DiceRolled("hits", 6, (6,) * 20), command=SHOT, start=start).scene_at(1.0)
    for die in (item for item in scene.items if isinstance(item, Die)):
        assert 1.6 - 1e-9 <= die.at[0] <= 60 - 1.6 + 1e-9
        assert 1.6 - 1e-9 <= die.at[1] <= 44 - 1.6 + 1e-9
    assert max(item.at[0] for item in scene.items if isinstance(item, Die)) == pytest.approx(60 - 1.6)


def test_the_last_picture_says_who_won_and_none_before_the_end() -> None:
    start = replace(table(), score=(("blue", 20), ("red", 15)))
    over = film(WoundsChanged("men-1", 1), ClockAdvanced(Clock(5, "red", OVER, OVER)), start=start)
    assert over.scene_at(LEAD_IN + 0.2).caption.headline == "men 1 has lost 1 wound"
    last = over.scene_at(over.duration).caption
    assert (last.headline, last.tone) == ("Blue wins, 20 to 15", "good")
    assert last.lines == (("Red 15 · Blue 20", "plain"),)
