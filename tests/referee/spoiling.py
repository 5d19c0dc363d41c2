"""Ways to spoil a good record, one for each respect in which the referee looks: it must not be blind to any.

A way takes a copy of a record's lines and the story that they tell, changes one thing, and gives True; False where the
record has no place for it.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterator

from tests.referee import ground
from tests.referee.checks.blows import critical, shots, volleys
from tests.referee.checks.moves import cost_of, walks
from tests.referee.sheets import weapon
from tests.referee.story import Entry, Step, Story
from tests.referee.table import Json, Model, Table, Unit

Lines = list[Json]
Way = Callable[[Lines, Story], bool]
WAYS: dict[tuple[str, str], Way] = {}


def spoils(check: str) -> Callable[[Way], Way]:
    """Puts a way on the list, under the check that must see it."""

    def add(way: Way) -> Way:
        WAYS[check, way.__name__] = way
        return way

    return add


# --- places in a record


def line_of(lines: Lines, number: int) -> Json:
    """The line of an entry."""
    return next(line for line in lines if line["line"] == "entry" and line["number"] == number)


def event_of(lines: Lines, step: Step) -> Json:
    """The event of a step in the lines."""
    found: Json = line_of(lines, step.entry)["events"][step.place]
    return found


def drop(lines: Lines, step: Step) -> None:
    """Take an event out."""
    del line_of(lines, step.entry)["events"][step.place]


def insert(lines: Lines, step: Step, *events: Json) -> None:
    """Put events before another one."""
    line_of(lines, step.entry)["events"][step.place : step.place] = copy.deepcopy(list(events))


def append(lines: Lines, number: int, *events: Json) -> None:
    """Put events at the end of an entry."""
    line_of(lines, number).setdefault("events", []).extend(copy.deepcopy(list(events)))


def enter(lines: Lines, before: int, command: Json, *events: Json) -> None:
    """Put a new entry before another one."""
    at = next(k for k, line in enumerate(lines) if line["line"] == "entry" and line["number"] == before)
    lines.insert(at, {"line": "entry", "number": 0, "command": command, "events": copy.deepcopy(list(events))})
    for number, line in enumerate((line for line in lines if line["line"] == "entry"), 1):
        line["number"] = number


def first(story: Story, fits: Callable[[Step], bool]) -> Step | None:
    """The first event that fits."""
    return next((step for step in story.steps if fits(step)), None)


def in_phase(story: Story, phase: str, step: str = "") -> Iterator[Entry]:
    """The entries of a phase, from the second round on."""
    for entry in story.entries:
        if entry.clock.phase == phase and step in ("", entry.clock.step) and entry.clock.round >= 2:
            yield entry


def own(table: Table) -> list[Unit]:
    """The active player's units on the table."""
    return list(table.friends(table.clock.player))


def foes(table: Table) -> list[Unit]:
    """The other player's units on the table."""
    return list(table.enemies(table.clock.player))


def chosen(player: str, unit: str, card: str, when: str = "", subject: str = "") -> list[Json]:
    """The events of a Stratagem that is used."""
    told = {"event": "choice", "player": player, "purpose": "", "choice": "yes", "when": when, "subject": subject}
    used = {"event": "choice", "player": player, "purpose": "", "choice": card, "when": "stratagem", "subject": unit}
    return [told, used, {"event": "score", "player": player, "amount": -1, "resource": "cp"}]


def marker(unit: str, kind: str, subject: str = "", until: str = "end-of-battle") -> Json:
    """The event of a marker that is laid."""
    return {"event": "marker-set", "unit": unit, "marker": {"kind": kind, "subject": subject, "until": until}}


def cleared(unit: str, kind: str) -> Json:
    """The event of a marker that is taken off."""
    return {"event": "marker-cleared", "unit": unit, "kind": kind}


def placed(unit: str, model: str, x: float, y: float) -> Json:
    """The event of one model that is set up."""
    pose = {"x": x, "y": y, "facing": 0.0, "z": 0.0}
    return {"event": "placed", "unit": unit, "models": [[model, pose]]}


def beside(model: Model, inches: float) -> tuple[float, float]:
    """A spot to the right of a model's own position."""
    assert model.pose is not None
    return model.pose[0] + inches, model.pose[1]


# --- the clock, acts, points


@spoils("clock")
def a_phase_is_left_out(lines: Lines, story: Story) -> bool:
    step = first(story, lambda s: s.kind == "clock" and s.after.clock.phase == "shooting")
    if step is None:
        return False
    event_of(lines, step)["clock"] |= {"phase": "charge", "step": "charge"}
    return True


@spoils("whose phase")
def the_enemy_shoots(lines: Lines, story: Story) -> bool:
    for entry in in_phase(story, "shooting"):
        enter(lines, entry.number, {"type": "shoot", "unit": foes(entry.before)[0].id, "attacks": []})
        return True
    return False


@spoils("whose phase")
def a_charge_among_the_moves(lines: Lines, story: Story) -> bool:
    for entry in in_phase(story, "movement"):
        enter(lines, entry.number, {"type": "charge", "unit": own(entry.before)[0].id, "targets": []})
        return True
    return False


@spoils("who is there")
def who_waits_in_reserves_moves(lines: Lines, story: Story) -> bool:
    for entry in story.entries:
        away = [u for u in entry.before.units.values() if u.where == "reserves" and u.player == entry.clock.player]
        if entry.clock.step == "move-units" and away:
            enter(lines, entry.number, {"type": "normal-move", "unit": away[0].id, "paths": []})
            return True
    return False


@spoils("who is there")
def who_stands_arrives(lines: Lines, story: Story) -> bool:
    for entry in in_phase(story, "movement", "reinforcements"):
        enter(lines, entry.number, {"type": "deep-strike", "unit": own(entry.before)[0].id, "models": []})
        return True
    return False


@spoils("once a phase")
def a_unit_shoots_twice(lines: Lines, story: Story) -> bool:
    shot = next((e for e in story.entries if e.type == "shoot"), None)
    if shot is None:
        return False
    enter(lines, shot.number + 1, shot.command)
    return True


@spoils("once a battle")
def what_is_spent_is_spent_again(lines: Lines, story: Story) -> bool:
    for entry in in_phase(story, "shooting"):
        unit = own(entry.before)[0]
        append(lines, entry.number, marker(unit.id, "spent nova"), marker(unit.id, "spent nova"))
        return True
    return False


@spoils("barred")
def who_advanced_charges(lines: Lines, story: Story) -> bool:
    gone = {
        (e.before.turn, e.unit)
        for e in story.entries
        if e.type == "advance" and any(s.kind == "moved" for s in e.steps)
    }
    for entry in in_phase(story, "charge"):
        for unit in own(entry.before):
            if (entry.before.turn, unit.id) in gone and unit.ability("charge-after-advance") is None:
                enter(lines, entry.number, {"type": "charge", "unit": unit.id, "targets": []})
                return True
    return False


@spoils("command points gained")
def a_point_too_many(lines: Lines, story: Story) -> bool:
    step = first(story, lambda s: s.kind == "score" and s.event["amount"] == 1 and s.entry > 5)
    if step is None:
        return False
    event_of(lines, step)["amount"] = 2
    return True


@spoils("command points gained")
def a_point_between(lines: Lines, story: Story) -> bool:
    for entry in in_phase(story, "shooting"):
        append(lines, entry.number, {"event": "score", "player": "red", "amount": 1, "resource": "cp"})
        return True
    return False


@spoils("command points spent")
def a_point_lost(lines: Lines, story: Story) -> bool:
    for entry in in_phase(story, "charge"):
        append(lines, entry.number, {"event": "score", "player": "red", "amount": -1, "resource": "cp"})
        return True
    return False


@spoils("command points spent")
def a_debt(lines: Lines, story: Story) -> bool:
    for entry in in_phase(story, "charge"):
        events = chosen("red", own(entry.before)[0].id, "Tank Shock")
        events[-1]["amount"] = -40
        append(lines, entry.number, *events)
        return True
    return False


# --- nerves, score, what lasts


@spoils("battle-shock tests")
def a_failed_test_is_passed(lines: Lines, story: Story) -> bool:
    step = first(story, lambda s: s.sets("battle-shocked") and s.event["marker"].get("subject") != "wreck")
    if step is None:
        return False
    drop(lines, step)
    return True


@spoils("battle-shock tests")
def a_test_is_left_out(lines: Lines, story: Story) -> bool:
    for step in story.steps:
        if step.rolls("battle-shock") and step.after.units[step.about["unit"]].on_table:
            event_of(lines, step)["about"]["kind"] = "something"
            return True
    return False


@spoils("battle-shock tests")
def a_test_is_not_due(lines: Lines, story: Story) -> bool:
    for step in story.steps:
        if step.kind == "clock" and step.after.clock.step == "battle-shock" and step.after.clock.round == 1:
            unit = own(step.after)[0]
            about = {"kind": "battle-shock", "unit": unit.id, "needs": 7}
            append(lines, step.entry, {"event": "dice", "purpose": "", "sides": 6, "faces": [6, 6], "about": about})
            return True
    return False


@spoils("battle-shock ends")
def battle_shock_goes_on(lines: Lines, story: Story) -> bool:
    for step in story.steps:
        ends = step.kind == "marker-cleared" and step.event["kind"] == "battle-shocked"
        if ends and step.after.units[step.event["unit"]].on_table:
            drop(lines, step)
            return True
    return False


@spoils("battle-shock ends")
def battle_shock_ends_at_once(lines: Lines, story: Story) -> bool:
    for entry in in_phase(story, "shooting"):
        for unit in entry.before.units.values():
            if unit.on_table and unit.marked("battle-shocked"):
                append(lines, entry.number, cleared(unit.id, "battle-shocked"))
                return True
    return False


@spoils("score")
def five_points_more(lines: Lines, story: Story) -> bool:
    step = first(story, lambda s: s.kind == "score" and s.event.get("resource", "points") == "points")
    if step is None:
        return False
    event_of(lines, step)["amount"] += 5
    return True


@spoils("lasts too long")
def a_marker_stays(lines: Lines, story: Story) -> bool:
    step = first(story, lambda s: s.kind == "marker-cleared" and s.event["kind"] == "shot")
    if step is None:
        return False
    drop(lines, step)
    return True


@spoils("ends too soon")
def a_move_is_forgotten(lines: Lines, story: Story) -> bool:
    step = first(story, lambda s: s.sets("moved"))
    if step is None:
        return False
    append(lines, step.entry, cleared(step.event["unit"], "moved"))
    return True


@spoils("pulse onslaught lasts")
def a_shaken_unit_recovers(lines: Lines, story: Story) -> bool:
    for entry in in_phase(story, "shooting"):
        unit = foes(entry.before)[0]
        append(lines, entry.number, marker(unit.id, "shaken", "red"))
        following = story.entries[entry.number]
        append(lines, following.number, cleared(unit.id, "shaken"))
        return True
    return False


# --- moves


def stretched(lines: Lines, step: Step, name: str, x: float, y: float) -> None:
    """Let the way of a model end elsewhere."""
    path = next(path for model, path in event_of(lines, step)["paths"] if model == name)
    path["stops"] = [*path.get("stops", [])[:-1], {**(path.get("stops") or [path["start"]])[-1], "x": x, "y": y}]


@spoils("move too far")
def a_tenth_of_an_inch_too_far(lines: Lines, story: Story) -> bool:
    for walk in walks(story):
        if walk.kind not in ("normal-move", "advance"):
            continue
        for model in walk.unit.models:
            way = walk.ways.get(model.id, [])
            if len(way) < 2 or math.dist(way[-1][:2], way[-2][:2]) < 0.5 or way[-1][3] != way[-2][3]:
                continue
            left = walk.allowed(model) - cost_of(walk.step.before, walk.unit, model, way)
            (x0, y0), (x1, y1) = way[-2][:2], way[-1][:2]
            last = math.dist((x0, y0), (x1, y1))
            much = (last + left + 0.1) / last
            stretched(lines, walk.step, model.id, x0 + (x1 - x0) * much, y0 + (y1 - y0) * much)
            return True
    return False


@spoils("move too far")
def a_pivot_for_nothing(lines: Lines, story: Story) -> bool:
    for walk in walks(story):
        model = walk.unit.models[0]
        way = walk.ways.get(model.id, [])
        if walk.unit.ability("flying-stem") is None or len(way) < 2 or walk.kind != "normal-move":
            continue
        if cost_of(walk.step.before, walk.unit, model, way) < walk.allowed(model) - 1.9:
            continue
        path = event_of(lines, walk.step)["paths"][0][1]
        path["stops"][-1]["facing"] += 40.0
        return True
    return False


@spoils("move passes")
def through_an_enemy(lines: Lines, story: Story) -> bool:
    for walk in walks(story):
        if walk.kind != "normal-move" or walk.unit.has("FLY") or not walk.moves:
            continue
        foe = ground.standing(foes(walk.step.before)[0])[0]
        name = next(iter(walk.ways))
        path = event_of(lines, walk.step)["paths"][0][1]
        assert foe.pose is not None
        path["stops"].insert(0, {**path["start"], "x": foe.pose[0], "y": foe.pose[1]})
        return bool(name)
    return False


@spoils("move passes")
def past_an_enemy_too_near(lines: Lines, story: Story) -> bool:
    for walk in walks(story):
        if walk.kind != "normal-move" or walk.unit.has("FLY") or not walk.moves:
            continue
        foe = ground.standing(foes(walk.step.before)[0])[0]
        model = walk.unit.models[0]
        x, y = beside(foe, ground.reach_of(foe.base) + ground.reach_of(model.base) + 0.9)
        path = event_of(lines, walk.step)["paths"][0][1]
        path["stops"].insert(0, {**path["start"], "x": x, "y": y})
        return True
    return False


@spoils("move passes")
def over_the_edge(lines: Lines, story: Story) -> bool:
    for walk in walks(story):
        if walk.moves and walk.kind == "normal-move":
            path = event_of(lines, walk.step)["paths"][0][1]
            path["stops"].insert(0, {**path["start"], "x": -0.1})
            return True
    return False


def ending(
    lines: Lines, story: Story, kind: str, spot: Callable[[Table, Unit, Model], tuple[float, float] | None]
) -> bool:
    """Let the first model of a move end at a spot."""
    for walk in walks(story):
        model = walk.unit.models[0]
        if walk.kind != kind or not walk.moves or model.id not in walk.ways:
            continue
        at = spot(walk.step.after, walk.step.after.units[walk.unit.id], model)
        if at is not None:
            stretched(lines, walk.step, model.id, *at)
            return True
    return False


@spoils("stands wrongly")
def upon_a_friend(lines: Lines, story: Story) -> bool:
    def spot(table: Table, unit: Unit, model: Model) -> tuple[float, float] | None:
        others = [m for u in table.friends(unit.player) if u.id != unit.id for m in ground.standing(u)]
        return beside(others[0], 0.1) if others else None

    return ending(lines, story, "normal-move", spot)


@spoils("stands wrongly")
def out_of_coherency(lines: Lines, story: Story) -> bool:
    def spot(table: Table, unit: Unit, model: Model) -> tuple[float, float] | None:
        mates = ground.standing(unit)[1:]
        if not mates:
            return None
        x = max(m.pose[0] for m in mates if m.pose) + 2 * ground.reach_of(model.base) + 2.1
        return x, mates[0].pose[1]  # type: ignore[index]

    return ending(lines, story, "normal-move", spot)


@spoils("stands wrongly")
def upon_a_marker(lines: Lines, story: Story) -> bool:
    def spot(table: Table, unit: Unit, model: Model) -> tuple[float, float] | None:
        x, y = table.field["objectives"][0]["at"]
        return float(x), float(y)

    return ending(lines, story, "normal-move", spot)


@spoils("stands wrongly")
def in_a_wall(lines: Lines, story: Story) -> bool:
    def spot(table: Table, unit: Unit, model: Model) -> tuple[float, float] | None:
        at = ground.pieces(table, "ruin-wall", "container")[0].representative_point()
        return at.x, at.y

    return ending(lines, story, "normal-move", spot)


@spoils("stands wrongly")
def in_the_air(lines: Lines, story: Story) -> bool:
    for walk in walks(story):
        if walk.moves:
            event_of(lines, walk.step)["paths"][0][1]["stops"][-1]["z"] = 4.4
            return True
    return False


def _against(gap: float) -> Callable[[Table, Unit, Model], tuple[float, float] | None]:
    def spot(table: Table, unit: Unit, model: Model) -> tuple[float, float] | None:
        foe = max((m for u in table.enemies(unit.player) for m in ground.standing(u)), key=lambda m: m.pose or ())
        return beside(foe, ground.reach_of(foe.base) + ground.reach_of(model.base) + gap)

    return spot


@spoils("ends engaged")
def a_move_ends_engaged(lines: Lines, story: Story) -> bool:
    return ending(lines, story, "normal-move", _against(0.9))


@spoils("ends engaged")
def who_is_free_falls_back(lines: Lines, story: Story) -> bool:
    for walk in walks(story):
        if walk.kind == "normal-move":
            line_of(lines, walk.entry.number)["command"]["type"] = "fall-back"
            return True
    return False


@spoils("closer")
def piling_in_goes_away(lines: Lines, story: Story) -> bool:
    for walk in walks(story):
        for model in walk.unit.models:
            way = walk.ways.get(model.id)
            if walk.kind != "pile-in" or way is None or way[0] == way[-1] or len(way) < 2:
                continue
            x = way[0][0] + (way[0][0] - way[-1][0])
            stretched(lines, walk.step, model.id, x, way[0][1] + (way[0][1] - way[-1][1]))
            return True
    return False


@spoils("consolidates")
def consolidating_goes_away(lines: Lines, story: Story) -> bool:
    for entry in story.entries:
        unit = entry.before.units.get(entry.unit)
        if entry.type != "consolidate" or unit is None or not ground.engaged_with(entry.before, unit, -ground.SLACK):
            continue
        paths = []
        for model in ground.standing(unit):
            assert model.pose is not None
            x, y, facing, z = model.pose
            start = {"x": x, "y": y, "facing": facing, "z": z}
            paths.append([model.id, {"start": start, "stops": [{**start, "x": x + 20.0, "y": y + 20.0}]}])
        append(lines, entry.number, {"event": "moved", "unit": unit.id, "paths": paths})
        return True
    return False


# --- setting up and Transports


@spoils("set up")
def set_up_upon_somebody(lines: Lines, story: Story) -> bool:
    for step in story.steps:
        if step.kind == "placed":
            pose = event_of(lines, step)["models"][0][1]
            other = next(m for u in step.before.units.values() if u.on_table for m in ground.standing(u))
            assert other.pose is not None
            pose["x"], pose["y"] = other.pose[0] + 0.05, other.pose[1]
            return True
    return False


@spoils("arrives")
def too_near_an_enemy(lines: Lines, story: Story) -> bool:
    for entry in story.entries:
        for step in entry.steps:
            if step.kind != "placed" or entry.type != "deep-strike":
                continue
            unit = step.before.units[step.event["unit"]]
            foe = ground.standing(next(step.before.enemies(unit.player)))[0]
            pose = event_of(lines, step)["models"][0][1]
            apart = ground.reach_of(foe.base) + ground.reach_of(unit.models[0].base) + 8.9
            pose["x"], pose["y"] = beside(foe, apart)
            return True
    return False


@spoils("arrives")
def far_from_every_edge(lines: Lines, story: Story) -> bool:
    for entry in story.entries:
        if entry.type == "deep-strike":
            line_of(lines, entry.number)["command"]["type"] = "strategic-reserves"
            return True
    return False


@spoils("deploys")
def deployed_out_of_the_zone(lines: Lines, story: Story) -> bool:
    for step in story.steps:
        if step.kind == "placed" and step.before.units[step.event["unit"]].where == "reserves":
            unit = step.before.units[step.event["unit"]]
            clock = {"phase": "deployment", "step": "deploy-armies", "player": unit.player}
            models = [[m.id, {"x": 30.0, "y": 22.0, "facing": 0.0, "z": 0.0}] for m in unit.models[:1]]
            lines[0]["start"]["clock"] = clock
            enter(lines, 1, {"type": "deploy", "unit": unit.id}, {"event": "placed", "unit": unit.id, "models": models})
            return True
    return False


@spoils("disembarks")
def too_far_from_the_transport(lines: Lines, story: Story) -> bool:
    for entry in story.entries:
        for step in entry.steps:
            if entry.type == "disembark" and step.kind == "placed":
                pose = event_of(lines, step)["models"][0][1]
                pose["x"] += 14.0
                return True
    return False


@spoils("disembarks")
def out_of_a_transport_that_advanced(lines: Lines, story: Story) -> bool:
    for entry in story.entries:
        if entry.type == "disembark":
            carrier = entry.before.units[entry.unit].where.partition(":")[2]
            if entry.before.units[carrier].ability("disembark-after-advance") is None:
                enter(lines, entry.number, {"type": "advance", "unit": carrier, "paths": []})
                return True
    return False


@spoils("embarks")
def aboard_from_afar(lines: Lines, story: Story) -> bool:
    for entry in in_phase(story, "movement", "move-units"):
        carriers = [u for u in own(entry.before) if u.has("TRANSPORT")]
        riders = [u for u in own(entry.before) if not u.has("VEHICLE")]
        if carriers and riders:
            names = [m.id for m in riders[0].models]
            gone = {"event": "removed", "unit": riders[0].id, "models": names, "to": f"embarked:{carriers[0].id}"}
            enter(lines, entry.number, {"type": "embark", "unit": riders[0].id, "transport": carriers[0].id}, gone)
            return True
    return False


@spoils("wreck")
def left_in_a_wreck(lines: Lines, story: Story) -> bool:
    for entry in story.entries:
        for unit in entry.before.units.values():
            if unit.where.startswith("embarked:"):
                carrier = entry.before.units[unit.where.partition(":")[2]]
                names = [m.id for m in carrier.models]
                append(lines, len(story.entries), {"event": "removed", "unit": carrier.id, "models": names})
                # nobody may have got out before: the last word on the unit is that it is aboard
                rest = [m.id for m in story.entries[-1].after.units[unit.id].models]
                aboard = {"event": "removed", "unit": unit.id, "models": rest, "to": unit.where}
                append(lines, len(story.entries), aboard)
                return bool(rest) and bool(story.entries[-1].after.units[carrier.id].models)
    return False


# --- charges and fights


@spoils("charge declared")
def a_charge_at_who_is_too_far(lines: Lines, story: Story) -> bool:
    for entry in story.entries:
        if entry.type != "charge":
            continue
        unit = entry.before.units[entry.unit]
        far = [u for u in entry.before.enemies(unit.player) if ground.units_apart(unit, u) > 12.1]
        if far:
            line_of(lines, entry.number)["command"]["targets"] = [far[0].id]
            return True
    return False


@spoils("charge declared")
def a_charge_with_three_dice(lines: Lines, story: Story) -> bool:
    step = first(story, lambda s: s.rolls("charge"))
    if step is None:
        return False
    event_of(lines, step)["faces"].append(1)
    return True


@spoils("charge ends")
def a_charge_stops_short(lines: Lines, story: Story) -> bool:
    for walk in walks(story):
        if walk.kind == "charge-move" and walk.moves:
            for _, path in event_of(lines, walk.step)["paths"]:
                path["stops"] = []
            return True
    return False


@spoils("charge bonus")
def a_charge_without_bonus(lines: Lines, story: Story) -> bool:
    step = first(story, lambda s: s.sets("charge-bonus") and s.after.units[s.event["unit"]].on_table)
    if step is None:
        return False
    drop(lines, step)
    return True


@spoils("charge bonus")
def a_bonus_out_of_turn(lines: Lines, story: Story) -> bool:
    for entry in in_phase(story, "charge"):
        append(lines, entry.number, marker(foes(entry.before)[0].id, "charge-bonus", until="end-of-turn"))
        return True
    return False


@spoils("order of fights")
def a_fight_is_passed_over(lines: Lines, story: Story) -> bool:
    for entry in story.entries:
        if entry.type == "fight" and entry.after.units[entry.unit].on_table:
            line = line_of(lines, entry.number)
            if not ground.engaged_with(entry.after, entry.after.units[entry.unit], -ground.SLACK):
                continue
            line["command"] = {"type": "nothing", "unit": entry.unit}
            for other in story.entries[: entry.number - 1]:
                if other.type == "pile-in" and other.unit == entry.unit and other.before.phase == entry.before.phase:
                    line_of(lines, other.number)["command"] = {"type": "nothing", "unit": entry.unit}
            return True
    return False


@spoils("who strikes")
def a_blow_at_who_is_far(lines: Lines, story: Story) -> bool:
    for entry in story.entries:
        for attack in entry.command.get("attacks", ()) if entry.type == "fight" else ():
            unit = entry.before.units[entry.unit]
            far = [u for u in entry.before.enemies(unit.player) if ground.units_apart(unit, u) > 4.0]
            if far:
                line_of(lines, entry.number)["command"]["attacks"][0] = {**attack, "target": far[0].id}
                return True
    return False


@spoils("who strikes")
def nobody_strikes(lines: Lines, story: Story) -> bool:
    for entry in story.entries:
        if entry.type == "fight" and entry.command.get("attacks"):
            line_of(lines, entry.number)["command"]["attacks"] = []
            return True
    return False


# --- shooting


def shooting(story: Story) -> Iterator[tuple[Entry, Unit]]:
    """Every unit that shoots."""
    for entry in story.entries:
        if entry.type == "shoot" and entry.command.get("attacks"):
            yield entry, entry.before.units[entry.unit]


@spoils("shooting")
def a_shot_too_far(lines: Lines, story: Story) -> bool:
    for entry, unit in shooting(story):
        attack = entry.command["attacks"][0]
        model = unit.model(attack["model"])
        arm = weapon(unit, model, attack["weapon"], attack.get("profile", "")) if model is not None else None
        for foe in entry.before.enemies(unit.player):
            if arm is not None and arm.range < 40 and ground.units_apart(unit, foe) > arm.range + 0.1:
                line_of(lines, entry.number)["command"]["attacks"][0]["target"] = foe.id
                return True
    return False


@spoils("shooting")
def a_weapon_that_nobody_carries(lines: Lines, story: Story) -> bool:
    for entry, _ in shooting(story):
        line_of(lines, entry.number)["command"]["attacks"][0]["weapon"] = "supremacy railgun "
        return True
    return False


@spoils("shooting")
def one_weapon_twice(lines: Lines, story: Story) -> bool:
    for entry, _ in shooting(story):
        attacks = line_of(lines, entry.number)["command"]["attacks"]
        attacks += [dict(attacks[0])] * 4
        return True
    return False


@spoils("shooting")
def a_friend_is_shot_at(lines: Lines, story: Story) -> bool:
    for entry, unit in shooting(story):
        line_of(lines, entry.number)["command"]["attacks"][0]["target"] = unit.id
        return True
    return False


@spoils("guided")
def a_shooter_observes(lines: Lines, story: Story) -> bool:
    for entry, unit in shooting(story):
        target = entry.command["attacks"][0]["target"]
        other = next(u for u in entry.before.friends(unit.player) if u.id != unit.id)
        command = {"type": "guide", "unit": other.id, "observer": unit.id, "target": target}
        enter(lines, entry.number + 1, command)
        return True
    return False


# --- dice


@spoils("number of attacks")
def one_attack_more(lines: Lines, story: Story) -> bool:
    for volley in volleys(story):
        if volley.hit is not None and not volley.hit.again and volley.weapon.name != "bolt rifle":
            event_of(lines, volley.hit.step)["faces"].append(1)
            return True
    return False


@spoils("hit rolls")
def an_easier_hit(lines: Lines, story: Story) -> bool:
    for volley in volleys(story):
        if volley.hit is not None and not volley.overwatch and volley.hit.about["needs"] in (3, 4, 5):
            event_of(lines, volley.hit.step)["about"]["needs"] -= 1
            return True
    return False


@spoils("hit rolls")
def a_hit_is_turned(lines: Lines, story: Story) -> bool:
    for volley in volleys(story):
        hit = volley.hit
        if hit is None or hit.again or volley.wound is None or volley.overwatch or 5 not in hit.first:
            continue
        if volley.weapon.has("indirect-fire") or hit.about["needs"] > 5:
            continue
        faces = event_of(lines, hit.step)["faces"]
        faces[faces.index(5)] = 1
        return True
    return False


@spoils("wound rolls")
def an_easier_wound(lines: Lines, story: Story) -> bool:
    for volley in volleys(story):
        if volley.wound is not None and volley.wound.about["needs"] > 2:
            event_of(lines, volley.wound.step)["about"]["needs"] -= 1
            return True
    return False


@spoils("wound rolls")
def a_wound_is_turned(lines: Lines, story: Story) -> bool:
    for volley in volleys(story):
        wound = volley.wound
        if wound is None or wound.again or len(volley.saves) != len(_wounding(wound.first, wound.about["needs"])):
            continue
        plain = [f for f in wound.first if f >= wound.about["needs"] and f < critical(volley)]
        if plain and volley.saves and not volley.weapon.has("devastating-wounds"):
            faces = event_of(lines, wound.step)["faces"]
            faces[faces.index(plain[0])] = 1
            return True
    return False


def _wounding(faces: tuple[int, ...], needs: int) -> list[int]:
    return [face for face in faces if face >= needs or face == 6]


@spoils("saves")
def a_save_is_turned(lines: Lines, story: Story) -> bool:
    for volley in volleys(story):
        for throw in volley.saves:
            if not throw.again and throw.first[0] < throw.about["needs"] <= 6:
                event_of(lines, throw.step)["faces"][0] = 6
                if not volley.weapon.has("devastating-wounds"):
                    return True
                event_of(lines, throw.step)["faces"][0] = throw.first[0]
    return False


@spoils("saves")
def a_save_fails_without_loss(lines: Lines, story: Story) -> bool:
    for volley in volleys(story):
        for throw in volley.saves:
            if not throw.again and throw.first[0] >= throw.about["needs"]:
                event_of(lines, throw.step)["faces"][0] = 1
                return True
    return False


@spoils("saves")
def an_easier_save(lines: Lines, story: Story) -> bool:
    for volley in volleys(story):
        for throw in volley.saves:
            if volley.melee and throw.about["needs"] > 2:
                event_of(lines, throw.step)["about"]["needs"] -= 1
                return True
    return False


@spoils("damage")
def a_wound_too_many(lines: Lines, story: Story) -> bool:
    for volley in volleys(story):
        for throw in volley.saves:
            following = [s for s in volley.entry.steps[throw.last + 1 :] if s.kind in ("wounds", "dice", "removed")]
            if following and following[0].kind == "wounds" and throw.first[0] < throw.about["needs"]:
                event_of(lines, following[0])["lost"] += 1
                return True
    return False


@spoils("wounds")
def a_dead_model_stands(lines: Lines, story: Story) -> bool:
    step = first(story, lambda s: s.kind == "wounds")
    if step is None:
        return False
    event_of(lines, step)["lost"] = 40
    return True


@spoils("who suffers first")
def a_whole_model_suffers(lines: Lines, story: Story) -> bool:
    for step in story.steps:
        if not step.rolls("save"):
            continue
        unit = step.before.units[step.about["unit"]]
        hurt = [m for m in unit.own if m.lost and m.id == step.about.get("model")]
        whole = [m for m in unit.own if not m.lost]
        if hurt and whole:
            event_of(lines, step)["about"]["model"] = whole[0].id
            return True
    return False


@spoils("who suffers first")
def the_leader_suffers(lines: Lines, story: Story) -> bool:
    for step in story.steps:
        unit = step.before.units.get(step.about.get("unit", "")) if step.rolls("save") else None
        if unit is not None and unit.own and unit.leading:
            leader = next(m for m in unit.models if unit.part_of(m.id) is not None)
            event_of(lines, step)["about"]["model"] = leader.id
            return True
    return False


@spoils("unreasoned losses")
def a_loss_by_nothing(lines: Lines, story: Story) -> bool:
    for entry in story.entries:
        if entry.type == "normal-move" and not any(s.kind == "dice" for s in entry.steps):
            unit = next((u for u in foes(entry.before) if len(u.models) > 1), None)
            if unit is not None:
                append(lines, entry.number, {"event": "removed", "unit": unit.id, "models": [unit.models[0].id]})
                line_of(lines, entry.number)  # who is gone is gone: what follows is not looked at
                cut(lines, entry.number)
                return True
    return False


def cut(lines: Lines, number: int) -> None:
    """Leave out everything after an entry."""
    lines[:] = [line for line in lines if line["line"] != "entry" or line["number"] <= number]


@spoils("healing")
def wounds_come_back(lines: Lines, story: Story) -> bool:
    step = first(story, lambda s: s.kind == "wounds" and s.event["lost"] > 0)
    if step is None:
        return False
    append(lines, step.entry, {**step.event, "lost": 0})
    cut(lines, step.entry)
    return True


# --- Stratagems


@spoils("stratagem's time")
def overwatch_in_the_own_turn(lines: Lines, story: Story) -> bool:
    for entry in in_phase(story, "movement"):
        clock = entry.clock
        enemy = foes(entry.before)[0].id
        append(lines, entry.number, *chosen(clock.player, own(entry.before)[0].id, "Fire Overwatch", "x", enemy))
        return True
    return False


@spoils("stratagem's time")
def tank_shock_among_the_shots(lines: Lines, story: Story) -> bool:
    for entry in in_phase(story, "shooting"):
        append(lines, entry.number, *chosen(entry.clock.player, own(entry.before)[0].id, "Tank Shock"))
        return True
    return False


@spoils("stratagem's cost")
def a_stratagem_for_two(lines: Lines, story: Story) -> bool:
    for entry in in_phase(story, "charge"):
        events = chosen(entry.clock.player, own(entry.before)[0].id, "Tank Shock")
        events[-1]["amount"] = -2
        append(lines, entry.number, *events)
        return True
    return False


@spoils("stratagem's cost")
def a_stratagem_for_nothing(lines: Lines, story: Story) -> bool:
    for entry in in_phase(story, "charge"):
        units = [u for u in own(entry.before) if u.ability("stratagem-discount") is None and not u.parts]
        if units:
            events = chosen(entry.clock.player, units[0].id, "Tank Shock")[:-1]
            append(lines, entry.number, *events)
            return True
    return False


@spoils("stratagem used again")
def a_stratagem_twice(lines: Lines, story: Story) -> bool:
    for entry in in_phase(story, "charge"):
        events = chosen(entry.clock.player, own(entry.before)[0].id, "Tank Shock")
        append(lines, entry.number, *events, *events)
        return True
    return False


@spoils("stratagem's unit")
def on_who_is_battle_shocked(lines: Lines, story: Story) -> bool:
    for entry in in_phase(story, "charge"):
        unit = own(entry.before)[0]
        events = chosen(entry.clock.player, unit.id, "Tank Shock")
        append(lines, entry.number, marker(unit.id, "battle-shocked", until="next-command-phase"), *events)
        return True
    return False


@spoils("stratagem's unit")
def on_an_enemy_unit(lines: Lines, story: Story) -> bool:
    for entry in in_phase(story, "charge"):
        append(lines, entry.number, *chosen(entry.clock.player, foes(entry.before)[0].id, "Tank Shock"))
        return True
    return False


def _reaction(card: str, phase: str, mine: bool, *more: Json) -> Way:
    """A Stratagem that is used at a moment that does not fit it."""

    def way(lines: Lines, story: Story) -> bool:
        for entry in in_phase(story, phase):
            table = entry.before
            units = own(table) if mine else foes(table)
            others = foes(table) if mine else own(table)
            append(lines, entry.number, *chosen(units[0].player, units[0].id, card, "x", others[0].id), *more)
            return True
        return False

    way.__name__ = card.lower().replace(" ", "_").replace("-", "_") + "_does_not_fit"
    return way


for _card, _phase, _mine in (
    ("Fire Overwatch", "movement", False),
    ("Rapid Ingress", "movement", False),
    ("Tank Shock", "charge", True),
    ("Heroic Intervention", "charge", False),
    ("Counter-Offensive", "fight", True),
    ("Grenade", "shooting", True),
    ("Smokescreen", "shooting", False),
    ("Go to Ground", "shooting", False),
    ("Epic Challenge", "fight", True),
    ("Counterfire Defence Systems", "shooting", False),
    ("Coordinate to Engage", "shooting", True),
    ("Focused Fire", "shooting", True),
    ("Pulse Onslaught", "shooting", True),
    ("Pinpoint Counter-Offensive", "shooting", True),
):
    spoils("stratagem's rule")(_reaction(_card, _phase, _mine))


@spoils("stratagem's rule")
def counter_offensive_before_a_consolidation(lines: Lines, story: Story) -> bool:
    for one, then, third in zip(story.entries, story.entries[1:], story.entries[2:], strict=False):
        if (one.type, then.type) == ("fight", "consolidate") and third.type in ("pile-in", "fight"):
            unit = one.after.units[third.unit]
            if unit.player != one.before.units[one.unit].player:
                append(lines, one.number, *chosen(unit.player, unit.id, "Counter-Offensive", "", one.unit))
                return True
    return False


def _after_the_act(card: str, act: tuple[str, ...]) -> Way:
    """A Stratagem on a unit that has acted already."""

    def way(lines: Lines, story: Story) -> bool:
        for entry in story.entries:
            if entry.type in act and any(s.kind in ("moved", "dice") for s in entry.steps):
                unit = entry.before.units[entry.unit]
                command = {"type": "stratagem", "name": card, "unit": unit.id}
                enter(lines, entry.number + 1, command, *chosen(unit.player, unit.id, card))
                return True
        return False

    way.__name__ = card.lower().replace(" ", "_").replace("-", "_") + "_too_late"
    return way


spoils("stratagem's rule")(_after_the_act("A Tempting Trap", ("shoot",)))
spoils("stratagem's rule")(_after_the_act("Point-Blank Ambush", ("shoot",)))
spoils("stratagem's rule")(_after_the_act("Aggressive Mobility", ("normal-move",)))


@spoils("stratagem's rule")
def a_battle_shock_test_is_rolled_again(lines: Lines, story: Story) -> bool:
    for step in story.steps:
        if step.rolls("battle-shock"):
            unit = step.before.units[step.about["unit"]]
            about = {**step.about, "again": True}
            again = {**step.event, "about": about}
            line_of(lines, step.entry)["events"][step.place + 1 : step.place + 1] = [
                *chosen(unit.player, unit.id, "Command Re-roll"),
                again,
            ]
            return True
    return False


@spoils("stratagem's rule")
def bravery_and_a_test(lines: Lines, story: Story) -> bool:
    for step in story.steps:
        if step.rolls("battle-shock"):
            unit = step.before.units[step.about["unit"]]
            insert(lines, step, *chosen(unit.player, unit.id, "Insane Bravery"))
            return True
    return False


# --- what is due by itself


@spoils("desperate escape")
def no_escape_test(lines: Lines, story: Story) -> bool:
    for entry in story.entries:
        if entry.type == "fall-back":
            unit = entry.before.units[entry.unit]
            insert(lines, entry.steps[0], marker(unit.id, "battle-shocked", until="next-command-phase"))
            moved = line_of(lines, entry.number)["events"].pop(0)
            line = line_of(lines, entry.number - 1)
            line.setdefault("events", []).append(moved)
            return not any(s.rolls("desperate-escape") for s in entry.steps)
    return False


@spoils("hazardous")
def no_hazardous_test(lines: Lines, story: Story) -> bool:
    entries = {e.number for e in story.entries if e.type in ("shoot", "fight") and e.after.units[e.unit].on_table}
    step = first(story, lambda s: s.rolls("hazardous") and s.entry in entries)
    if step is None:
        return False
    event_of(lines, step)["about"]["kind"] = "something"
    return True


@spoils("barred")
def who_rolled_for_an_advance_makes_a_normal_move(lines: Lines, story: Story) -> bool:
    for entry in story.entries:
        if entry.type == "advance" and any(s.rolls("advance") for s in entry.steps):
            enter(lines, entry.number + 1, {**entry.command, "type": "normal-move"})
            return True
    return False


@spoils("stratagem's rule")
def overwatch_out_of_range(lines: Lines, story: Story) -> bool:
    for volley in volleys(story):
        if volley.overwatch and volley.hit is not None and min(s.far for s in shots(volley)) > 12.1:
            event_of(lines, volley.hit.step)["about"] |= {"weapon": "t'au flamer", "profile": ""}
            return True
    return False


@spoils("hazardous overwatch")
def overwatch_without_a_test(lines: Lines, story: Story) -> bool:
    for volley in volleys(story):
        fits = volley.overwatch and volley.entry.before.clock.phase == "movement" and volley.hit is not None
        if fits and not any(s.rolls("hazardous") for s in volley.entry.steps):
            for event in line_of(lines, volley.entry.number)["events"]:
                about = event.get("about", {})
                if about.get("weapon") == volley.weapon.name and about.get("unit") == volley.unit.id:
                    about |= {"weapon": "ion rifle", "profile": "overcharge"}
            return True
    return False


@spoils("deadly demise")
def a_silent_death(lines: Lines, story: Story) -> bool:
    step = first(story, lambda s: s.rolls("deadly-demise"))
    if step is None:
        return False
    event_of(lines, step)["about"]["kind"] = "something"
    return True


@spoils("mortal wounds")
def a_shock_with_too_many_dice(lines: Lines, story: Story) -> bool:
    for entry in in_phase(story, "charge"):
        unit, foe = own(entry.before)[0], foes(entry.before)[0]
        about = {"kind": "tank-shock", "unit": unit.id, "against": foe.id, "needs": 5}
        dice = {"event": "dice", "purpose": "", "sides": 6, "faces": [1] * 20, "about": about}
        append(lines, entry.number, dice)
        return True
    return False


@spoils("deadly demise")
def a_six_that_hurts_nobody(lines: Lines, story: Story) -> bool:
    for step in story.steps:
        if not step.rolls("deadly-demise") or step.event["faces"] == [6]:
            continue
        unit = step.before.units[step.about["unit"]]
        near = [u for u in step.before.units.values() if u.on_table and u.id != unit.id]
        if any(ground.units_apart(unit, u) < 5.0 for u in near):
            event_of(lines, step)["faces"] = [6]
            return True
    return False


@spoils("mortal wounds")
def a_shock_that_hurts_nobody(lines: Lines, story: Story) -> bool:
    for entry in in_phase(story, "charge"):
        unit, foe = own(entry.before)[0], foes(entry.before)[0]
        about = {"kind": "tank-shock", "unit": unit.id, "against": foe.id, "needs": 5}
        faces = [6] * int(unit.number(unit.models[0], "T"))
        append(lines, entry.number, {"event": "dice", "purpose": "", "sides": 6, "faces": faces, "about": about})
        return True
    return False


@spoils("coherency at the end of the turn")
def a_straggler_stays(lines: Lines, story: Story) -> bool:
    for entry in story.entries:
        if entry.type != "end-step" or entry.after.turn == entry.before.turn:
            continue
        unit = next((u for u in entry.before.units.values() if u.on_table and len(u.models) > 2), None)
        if unit is not None:
            insert(lines, entry.steps[0], placed(unit.id, unit.models[0].id, 0.7, 0.7))
            cut(lines, entry.number)
            return True
    return False
