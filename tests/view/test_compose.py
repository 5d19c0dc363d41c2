"""From a battle and a verdict to a picture: what lies where, under which style, and in which words, as values."""

from __future__ import annotations

import math

import pytest
import shapely
from msgspec.structs import replace

from sim.battle import Battle, Battlefield, Clock, Floor, Marker, Objective, Terrain, Unit, Zone
from sim.battle.state import Circle
from sim.engine import judge
from sim.geometry import Limit, Oval, Path, Pose, Rect, Round, Witness
from sim.rules import Verdict, Violation
from sim.rules.sequence import OVER
from sim.rulesets.t9a import RULESET as OTHER
from sim.rulesets.wh40k10 import RULESET
from sim.rulesets.wh40k10.commands import AttackWith, DeepStrike, NormalMove, Shoot
from sim.view import compose, overlay
from sim.view.scene import Caption, Disc, Ghost, Label, Line, Mark, Polygon, Ruler, Scene
from sim.view.scene import Oval as OvalItem
from sim.view.scene import Zone as Ground
from tests.rulesets.wh40k10.stage import SHOOTING, battle, now, squad

SQUARE = ((10.0, 10.0), (14.0, 10.0), (14.0, 14.0), (10.0, 14.0))


def men(count: int = 3, at: tuple[float, float] = (10.0, 10.0), **more: object) -> Unit:
    return squad("men", "red", "Intercessor Squad", at, count, **more)  # type: ignore[arg-type]


def foe(count: int = 2, at: tuple[float, float] = (10.0, 20.0)) -> Unit:
    return squad("foe", "blue", "Boyz", at, count)


def table(*units: Unit) -> Battle:
    return battle(SHOOTING, *units)


# --- sides


@pytest.mark.parametrize(
    ("players", "sides"),
    [
        (("red", "blue"), ("first", "second")),
        (("Blue", "Red"), ("second", "first")),
        (("orks", "tau"), ("first", "second")),
        (("a", "b", "c"), ("first", "second", "neutral")),
    ],
)
def test_a_player_called_blue_is_the_blue_one(players: tuple[str, ...], sides: tuple[str, ...]) -> None:
    start = Battle("wh40k10", Battlefield(60, 44), SHOOTING, (), players)
    assert tuple(compose.side(start, player) for player in players) == sides
    assert compose.side(start, "nobody") == "neutral"


# --- what lies on the table


def test_the_ground_lowest_first_with_floors_zones_and_markers() -> None:
    hill = Terrain("hill", "hill", SQUARE, 4.0)
    wall = Terrain("wall", "ruin-wall", SQUARE, 5.0)
    trees = Terrain("trees", "forest", SQUARE)
    ruin = Terrain("ruin", "ruin", SQUARE, 6.0, floors=(Floor(3.0, SQUARE),))
    zone = Zone("z", "blue", ((0.0, 0.0), (20.0, 0.0), (20.0, 20.0), (0.0, 20.0)), (Circle((10.0, 10.0), 5.0),))
    field = Battlefield(60, 44, (ruin, wall, hill, trees), (Objective("home", (30.0, 22.0), 1.5),), (zone,))
    items = compose.ground(replace(table(), battlefield=field))
    drawn = [(item.style, item.height, item.label) for item in items if isinstance(item, Polygon)]
    assert drawn == [
        ("terrain.woods", 0.0, "forest"),
        ("terrain.hill", 4.0, 'hill 4"'),
        ("terrain.ruin-wall", 5.0, ""),
        ("terrain.ruin", 6.0, ""),
        ("terrain.floor", 3.0, 'ruin 3"'),
    ]
    (shown,) = [item for item in items if isinstance(item, Ground)]
    assert (shown.style, shown.label) == ("zone.deployment.second", "blue deployment")
    ((outline, hole),) = shown.pieces
    assert len(outline) == 4
    assert all(math.dist(point, (10, 10)) == pytest.approx(5.0) for point in hole)
    markers = compose.objectives(replace(table(), battlefield=field), RULESET)
    assert markers == (Disc((30.0, 22.0), 1.5, "objective", Mark("home")),)


def held_table(*units: Unit) -> Battle:
    """The table with one objective marker at (10, 10)."""
    return replace(table(*units), battlefield=Battlefield(60, 44, (), (Objective("A", (10.0, 10.0), 0.8),)))


def middles_of(start: Battle) -> list[tuple[float, float]]:
    return [model.pose.at for model in start.models() if model.pose is not None]


@pytest.mark.parametrize(
    ("units", "style", "levels"),
    [
        ((men(3, at=(10.0, 12.0)), foe(2, at=(40.0, 40.0))), "objective.first", ["Red 6 · Blue 0"]),
        ((men(1, at=(10.0, 12.0)), foe(2, at=(8.0, 8.0))), "objective.second", ["Red 2 · Blue 4"]),
        ((men(2, at=(10.0, 12.0)), foe(2, at=(8.0, 8.0))), "objective", ["Red 4 · Blue 4"]),
        ((men(3, at=(30.0, 12.0)), foe(2, at=(40.0, 40.0))), "objective", []),
        ((men(3, at=(30.0, 12.0), markers=(Marker("kept:A", "red"),)), foe()), "objective.first", []),
    ],
)
def test_a_marker_shows_who_holds_it_and_how_strongly(units: tuple[Unit, ...], style: str, levels: list[str]) -> None:
    start = held_table(*units)
    scene = compose.table_scene(start, RULESET)
    (marker,) = [item for item in scene.items if isinstance(item, Disc) and item.style.startswith("objective")]
    assert (marker.style, marker.mark) == (style, Mark("A"))
    labels = [item for item in scene.items if isinstance(item, Label)]
    assert [label.text for label in labels] == levels
    for label in labels:
        apart = [(abs(x - label.at[0]), abs(y - label.at[1])) for x, y in middles_of(start)]
        assert all(x > 1.5 or y > 0.8 for x, y in [*apart, (0.0, abs(10.0 - label.at[1]))]), "covers nothing"
    owner = RULESET.questions["controls"](start, ("A",), {})
    sides = {"red": "objective.first", "blue": "objective.second", "contested": "objective"}
    assert sides[str(owner)] == style, "the question and the picture say the same"
    assert compose.close_up(scene).focus is None, "levels are no reason to look closely"


def test_markers_of_games_without_control_show_no_owner() -> None:
    scene = compose.table_scene(held_table(men(3)), OTHER)
    assert [i.style for i in scene.items if isinstance(i, Disc) and i.mark == Mark("A")] == ["objective"]
    assert not [item for item in scene.items if isinstance(item, Label)]


def test_who_stands_above_the_table_shows_how_high() -> None:
    unit = men(3)
    heights = (0.0, 3.0, 4.5)
    models = tuple(replace(m, pose=Pose(10.0, 9.0 + z, z=z)) for m, z in zip(unit.models, heights, strict=True))
    unit = replace(unit, models=models)
    shown = [item.mark.height for item in compose.bases(table(unit)) if isinstance(item, Disc) and item.mark]
    assert shown == ["", '3"', '4.5"']
    poses = tuple(model.pose for model in models if model.pose is not None)
    ghosts = compose.held(table(unit), unit, poses, Verdict())
    assert [g.shape.mark.height for g in ghosts if isinstance(g, Ghost) and g.shape.mark] == shown, "in hand as well"


def test_a_base_bears_its_number_its_wounds_and_its_facing() -> None:
    unit = men(2, base=Round.mm(32))
    large = squad("tank", "blue", "Hammerhead Gunship", (30, 20), 1, base=Round.mm(100), wounds=4)
    suits = squad("suits", "blue", "Crisis Sunforge Battlesuits", (40, 20), 2, base=Round.mm(60))
    away = squad("away", "red", "Boyz", (0, 0), 2, where="reserves")
    items = compose.bases(table(unit, large, suits, away), frozenset(("tank",)))
    marks = [(item.style, item.mark) for item in items if isinstance(item, Disc)]
    total = large.value("W")
    assert marks[:3] == [
        ("base.first", Mark("M1", "", 0.0)),
        ("base.first", Mark("M2", "", 0.0)),
        ("base.second", Mark("T", f"{total - 4:g}/{total:g}", 0.0, assumed=True)),
    ]
    assert [mark.label for _, mark in marks[3:] if mark] == ["S1", "S2"]
    assert [mark.wounds for _, mark in marks[3:] if mark] == [f"{suits.value('W'):g}/{suits.value('W'):g}"] * 2
    assert len(marks) == 5
    small = compose.bases(table(men(2, base=Round.mm(25))))
    assert [item.mark.label for item in small if isinstance(item, Disc) and item.mark] == ["1", "2"]
    (disc, _) = small
    assert isinstance(disc, Disc)
    assert (disc.at, disc.radius) == ((10.0, 10.0), pytest.approx(12.5 / 25.4))


def test_wounds_of_two_are_told_only_when_some_are_lost() -> None:
    whole, hurt = compose.bases(table(men(1))), compose.bases(table(men(1, wounds=1)))
    assert [item.mark.wounds for item in (*whole, *hurt) if isinstance(item, Disc) and item.mark] == ["", "1/2"]


def test_what_lies_on_the_table_for_a_unit_is_a_coin_with_its_initial() -> None:
    unit = men(1, where="reserves", markers=(Marker("marker", "tunnel", at=(5.0, 6.0)), Marker("fate", at=(9.0, 9.0))))
    assert compose.bases(table(unit)) == (Disc((5.0, 6.0), 12 / 25.4, "objective", Mark("M")),)


def test_every_base_is_drawn_in_its_shape() -> None:
    pose = Pose(5.0, 6.0, 90.0)
    assert compose.shape(Round(2.0), pose, "s") == Disc((5.0, 6.0), 1.0, "s")
    assert compose.shape(Oval(4.0, 2.0), pose, "s") == OvalItem((5.0, 6.0), 4.0, 2.0, 90.0, "s")
    hull = compose.shape(Rect(4.0, 2.0), pose, "s")
    assert isinstance(hull, Polygon)
    assert {(round(x, 9), round(y, 9)) for x, y in hull.outline} == {(3, 5), (7, 5), (7, 7), (3, 7)}


# --- what is held


def strike(at: tuple[float, float], count: int = 2) -> tuple[Battle, Unit, DeepStrike]:
    unit = men(count, where="reserves", abilities=("deep-strike",))
    start = battle(now("movement", "reinforcements"), unit, foe(1, (30.0, 20.0)))
    return start, unit, DeepStrike("men", tuple(Pose(at[0] + 1.5 * k, at[1]) for k in range(count)))


def test_the_ground_of_a_deep_strike_is_nine_inches_of_the_enemy_and_the_rest_of_the_table() -> None:
    start, unit, command = strike((30.0, 30.0))
    play = RULESET.play(command)
    assert play.rules is not None
    base = unit.models[0].base
    shown = overlay.of_rules(start, play.rules(start, command), base, 0.0)
    assert shown.region is not None
    radius = 32 / 25.4
    taken = math.pi * (9 + radius) ** 2
    table_area = (60 - radius) * (44 - radius)
    assert shown.region.area == pytest.approx(table_area - taken, rel=0.01)
    zones = [item for item in shown.items if isinstance(item, Ground)]
    assert [zone.style for zone in zones if zone.style == "zone.centre"] == ["zone.centre"]
    (too_near,) = [zone for zone in zones if zone.style == "zone.exclusion" and zone.label]
    area = sum(shapely.Polygon(piece[0]).area for piece in too_near.pieces)
    assert area == pytest.approx(math.pi * (9 + radius / 2) ** 2, rel=0.01)


def test_of_a_move_no_ground_is_shown_but_how_far_it_gets() -> None:
    start = battle(now("movement", "move-units"), men(1), foe(1, (50.0, 40.0)))
    command = NormalMove("men", (Path(Pose(10.0, 10.0), ()),))
    unit = start.unit("men")
    shown = overlay.of_command(start, RULESET.play(command), command, unit, (Pose(10.0, 10.0),))
    assert shown.region is None
    zones = [item for item in shown.items if isinstance(item, Ground)]
    assert not [zone for zone in zones if zone.style == "zone.centre"]
    (reach,) = [zone for zone in zones if zone.label == 'at most 6"']
    assert shapely.Polygon(reach.pieces[0][0]).area == pytest.approx(math.pi * 36, rel=0.01)


def test_held_models_are_ghosts_each_legal_or_not() -> None:
    start, unit, command = strike((36.6, 20.0), 4)
    items = compose.held(start, unit, command.models, judge(RULESET, start, command))
    ghosts = [item for item in items if isinstance(item, Ghost)]
    assert [ghost.legal for ghost in ghosts] == [False, False, False, True]
    assert [ghost.shape.mark.label for ghost in ghosts if ghost.shape.mark] == ["M1", "M2", "M3", "M4"]
    labels = [item.label for item in items if isinstance(item, Ruler)]
    assert labels[-1] == '5.34"  needs more than 9"'
    assert len(labels) == 3


def test_a_fault_of_the_whole_unit_marks_every_model() -> None:
    start, unit, command = strike((36.6, 20.0))
    shooting = replace(start, clock=SHOOTING)
    items = compose.held(shooting, unit, command.models, judge(RULESET, shooting, command))
    assert [item.legal for item in items if isinstance(item, Ghost)] == [False, False]


def off(
    shortfall: float, line: tuple[tuple[float, float], tuple[float, float]] | None, code: str = "near"
) -> Violation:
    witness = Witness(line=line)
    return Violation(code, "Rule", f"off by {shortfall}", ("men-1",), 9 - shortfall, Limit("at_least", 9.0), witness)


def test_the_three_worst_are_drawn_the_worst_on_top() -> None:
    line = ((0.0, 0.0), (1.0, 0.0))
    drawn = list(compose.rulers([off(4, line), off(1, line), off(3, line), off(2, line), off(9, None)]))
    assert [ruler.label for ruler in drawn] == [f'{9 - k:.2f}"  needs at least 9"' for k in (2, 3, 4)]
    assert {ruler.tone for ruler in drawn} == {"bad"}


def test_of_many_overlaps_one_is_drawn() -> None:
    point = ((1.0, 1.0), (1.0, 1.0))
    drawn = list(compose.rulers([off(1, point), off(2, point), off(3, ((0.0, 0.0), (5.0, 0.0)))]))
    assert [(ruler.start, ruler.end) for ruler in drawn] == [((1.0, 1.0), (1.0, 1.0)), ((0.0, 0.0), (5.0, 0.0))]
    assert drawn[0].label.startswith('7.00"'), "the worse of the two"


def test_a_violation_with_an_outline_is_measured_along_its_last_edge() -> None:
    outline = ((0.0, 0.0), (3.0, 0.0), (3.0, 4.0))
    one = Violation("x", "Rule", "m", (), 1.0, Limit("at_most", 0.0), Witness(outlines=(outline,)))
    (ruler,) = compose.rulers([one])
    assert (ruler.start, ruler.end) == ((3.0, 0.0), (3.0, 4.0))
    two = replace(one, witness=Witness(outlines=(outline, outline)))
    assert not list(compose.rulers([two]))


def test_the_label_of_a_ruler() -> None:
    assert (
        compose.ruler_label(Violation("off-table", "Table", "m", (), -0.5, Limit("at_most", 0.0))) == '0.50" off table'
    )
    assert compose.ruler_label(Violation("a", "Rule", "m", (), 7.0, Limit("at_most", 6.0))) == '7.00"  needs at most 6"'


def test_only_who_moves_leaves_a_trail() -> None:
    stays, goes = Path(Pose(1.0, 1.0), ()), Path.through(Pose(2.0, 2.0), [[2.0, 5.0], [4.0, 5.0]])
    assert list(compose.trails([stays, goes])) == [Line(((2.0, 2.0), (2.0, 5.0), (4.0, 5.0)), "line.path")]


def test_aims_go_from_base_to_base_once_for_each_target_that_stands_there() -> None:
    start = table(men(), foe(), squad("away", "blue", "Boyz", (0, 0), 1, where="reserves"))
    shoot = Shoot("men", tuple(AttackWith(m, "bolt rifle", t) for m in ("men-1", "men-2") for t in ("foe", "away")))
    (ruler,) = compose.aims(start, (shoot, None))
    radius = 16 / 25.4
    assert ruler.start == pytest.approx((10.0, 10.0 + radius))
    assert ruler.end == pytest.approx((10.0, 20.0 - radius))
    assert (ruler.label, ruler.tone) == (f'{10 - 2 * radius:.2f}"', "note")
    assert compose.aims(start, (Shoot("nobody", shoot.attacks),)) == ()


# --- words


def test_the_standings_and_who_wins() -> None:
    start = table()
    assert compose.standings(start) == ""
    assert compose.outcome(start) == ""
    scored = replace(start, score=(("blue", 7), ("red", 12)), resources=(("red", "cp", 3),))
    assert compose.standings(scored) == "Red 12, 3 CP · Blue 7"
    assert compose.standings(replace(start, resources=(("blue", "cp", 1),))) == "Red 0 · Blue 0, 1 CP"
    assert compose.outcome(scored) == "", "the battle goes on"
    over = replace(scored, clock=Clock(5, "red", OVER, OVER))
    assert compose.outcome(over) == "Red wins, 12 to 7"
    assert compose.outcome(replace(over, score=(("blue", 7), ("red", 7)))) == "A draw, 7 each"
    assert compose.outcome(replace(over, score=(("blue", 7),))) == "Blue wins, 7 to 0"


@pytest.mark.parametrize(
    ("clock", "words"),
    [
        (Clock(2, "red", "shooting", "shoot"), "Round 2 · Red · Shooting › Shoot"),
        (Clock(2, "blue", "charge", "charge"), "Round 2 · Blue · Charge"),
        (Clock(1, "red", "deployment", "deploy-armies"), "Red · Deployment"),
        (Clock(1, "red", "nowhere", "never"), "A title"),
    ],
)
def test_whose_time_it_is(clock: Clock, words: str) -> None:
    assert compose.heading(replace(table(), clock=clock, title="A title"), RULESET) == words


def test_the_answer_is_yes_or_no_with_every_reason() -> None:
    fine = strike((30.0, 35.0))
    start, unit, command = fine
    play = RULESET.play(command)
    said = compose.verdict_caption(start, unit, play, judge(RULESET, start, command))
    assert (said.headline, said.tone, said.lines[0]) == ("Yes: men may stand here", "good", (play.title, "note"))
    start, unit, command = strike((36.6, 20.0), 4)
    said = compose.verdict_caption(start, unit, play, judge(RULESET, start, command))
    assert (said.headline, said.tone) == ("Not here: 3 of 4 models at fault", "bad")
    assert len([1 for _, tone in said.lines if tone == "bad"]) == 3
    assert said.lines[1][0].startswith("men 1 is 5.34")
    assert said.lines[1][0].endswith("(Deep Strike)")
    start, unit, command = strike((36.6, 20.0), 1)
    assert compose.verdict_caption(start, unit, play, judge(RULESET, start, command)).headline == "Not here: men"
    start = replace(start, clock=SHOOTING)
    assert (
        compose.verdict_caption(start, unit, play, judge(RULESET, start, command)).headline == "No: men may not do this"
    )
    walk = NormalMove("men", (Path(Pose(10.0, 10.0), ()),))
    start = battle(now("movement", "move-units"), men(1))
    said = compose.verdict_caption(start, start.unit("men"), RULESET.play(walk), judge(RULESET, start, walk))
    assert said.headline == "Yes: men may go there"


def test_models_are_called_by_their_unit_and_number() -> None:
    start = table(men(), foe(1))
    assert [compose.name_of(start, name) for name in ("men-2", "foe-1", "men", "hill")] == [
        "men 2",
        "foe",
        "men",
        "hill",
    ]
    words = Violation("x", "Rule", "men-1 is near men-12 and foe-1", ("men-1", "foe-1"))
    assert compose.in_words(start, words).startswith("men 1 is near")
    assert compose.sentence(start, Violation("x", "Rule", "men-1 is near", ("men-1",))) == "men 1 is near (Rule)"


def test_pieces_of_the_table_are_called_in_words() -> None:
    field = Battlefield(
        60, 44, (Terrain("container-red", "container", SQUARE, 5.0),), (Objective("home-blue", (1, 1), 1),)
    )
    start = replace(table(men()), battlefield=field)
    overlap = Violation("overlaps", "Table", "men-1 overlaps container-red", ("men-1", "container-red"))
    assert compose.in_words(start, overlap) == "men 1 overlaps container red"
    assert compose.name_of(start, "home-blue") == "home blue"
    assert compose.name_of(start, "no-such-thing") == "no-such-thing"


def test_answers_are_said_in_words() -> None:
    start = table(men(), foe(1))
    assert compose.option_words(start, "fire-overwatch: men") == "Fire overwatch: men"
    assert compose.option_words(start, "men-2") == "men 2"
    assert compose.option_words(start, "men") == "men"
    assert compose.option_words(start, "keep-it") == "Keep it"


def test_of_faults_of_one_kind_the_worst_is_told() -> None:
    start = table(men(), foe(1))
    faults = [off(1, None), off(3, None), off(2, None), off(1, None, "other")]
    assert list(compose.grouped(start, faults)) == ["off by 3; and 2 more", "off by 1"]


# --- from near


def scene(*items: object) -> Scene:
    return Scene(60.0, 44.0, (), items, "", Caption())  # type: ignore[arg-type]


def test_a_close_up_shows_four_inches_around_what_it_is_about() -> None:
    assert compose.close_up(scene(Disc((1.0, 1.0), 1.0, "base.first"))).focus is None, "nothing is held or measured"
    near = compose.close_up(
        scene(Ruler((20.0, 20.0), (50.0, 20.0), "x"), Line(((30.0, 10.0), (30.0, 38.0)), "line.path"))
    )
    assert near.focus == ((16.0, 6.0), (54.0, 42.0))
    small = compose.close_up(scene(Label((30.0, 22.0), "x")))
    assert small.focus == ((20.0, 15.0), (40.0, 29.0)), "at least twenty by fourteen"
    corner = compose.close_up(scene(Label((1.0, 43.0), "x")))
    assert corner.focus == ((0.0, 30.0), (20.0, 44.0)), "never off the table"
    whole = compose.close_up(scene(Ruler((0.0, 0.0), (60.0, 44.0), "x")))
    assert whole.focus == ((0.0, 0.0), (60.0, 44.0))


@pytest.mark.parametrize(
    ("shape", "box"),
    [
        (Disc((30.0, 22.0), 10.0, "s"), (16.0, 8.0, 44.0, 36.0)),
        (OvalItem((30.0, 22.0), 20.0, 4.0, 0.0, "s"), (16.0, 8.0, 44.0, 36.0)),
        (Polygon(((20.0, 12.0), (40.0, 12.0), (40.0, 32.0)), "s"), (16.0, 8.0, 44.0, 36.0)),
    ],
)
def test_a_held_base_is_shown_whole(shape: Disc, box: tuple[float, ...]) -> None:
    focus = compose.close_up(scene(Ghost(shape, True))).focus
    assert focus is not None
    assert (*focus[0], *focus[1]) == box


def test_crumbs_of_an_area_are_left_out() -> None:
    crumb = shapely.box(0, 0, 1e-5, 1e-5)
    ring = shapely.box(0, 0, 4, 4).difference(shapely.box(1, 1, 2, 2))
    found = compose.pieces(shapely.GeometryCollection([crumb, ring, shapely.Point(9, 9)]))
    assert [len(piece) for piece in found] == [2]
    assert len(found[0][0]) == 4


def test_zones_lie_under_the_bases_and_all_else_above() -> None:
    start = table(men(1))
    zone, line = Ground((), "zone.centre"), Line(((0.0, 0.0), (1.0, 1.0)), "line.path")
    laid = compose.Laid(start, RULESET)
    shown = laid.scene((line, zone))
    assert [type(item) for item in shown.items] == [Ground, Disc, Line]
    assert (shown.width, shown.depth) == (60.0, 44.0)
    later = laid.after(table(men(2)))
    assert later.ground is laid.ground
    assert len(later.scene().items) == 2
    assert compose.table_scene(start, RULESET, (line,), Caption("x")).caption == Caption("x")


def test_a_ruler_alone_is_seen_from_near_with_some_inches_about_it() -> None:
    scene = Scene(60.0, 44.0, (), (Ruler((31.0, 20.0), (19.0, 28.0), "x", "bad"),))
    (x0, y0), (x1, y1) = compose.close_up(scene).focus
    assert ((x0 + x1) / 2, (y0 + y1) / 2) == pytest.approx((25.0, 24.0))
    assert x1 - x0 == pytest.approx(max(12.0 + 2 * compose.AROUND, compose.NEAREST_VIEW[0]))
    assert y1 - y0 == pytest.approx(max(8.0 + 2 * compose.AROUND, compose.NEAREST_VIEW[1]))
    steep = Scene(60.0, 44.0, (), (Ruler((10.0, 40.0), (12.0, 4.0), "x", "bad"),))
    (x0, y0), (x1, y1) = compose.close_up(steep).focus
    assert y0 <= 4.0 <= 40.0 <= y1
    assert x0 <= 10.0 <= 12.0 <= x1


def test_the_worst_ruler_comes_last_and_one_without_a_number_first() -> None:
    def wrong(measured: float | None) -> Violation:
        limit = None if measured is None else Limit("at_least", 9.0)
        return Violation("c", "Rule", "what", (), measured, limit, Witness(line=((0.0, 0.0), (1.0, 1.0))))

    labels = [ruler.label for ruler in compose.rulers([wrong(2.0), wrong(None), wrong(5.0)])]
    assert [label.split(chr(34))[0] for label in labels] == ["Rule", "5.00", "2.00"]
