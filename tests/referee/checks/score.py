"""Objective markers and the score: who controls what at the end of the own Command phase, and at the end."""

from __future__ import annotations

from collections.abc import Iterator

from tests.referee import ground
from tests.referee.report import Finding, check
from tests.referee.story import Story
from tests.referee.table import Json, Table

EACH, MOST, FROM = 5, 15, 2


def level(table: Table, player: str, objective: Json) -> float:
    """The Objective Control of a player's models within range, none of who is Battle-shocked."""
    return sum(
        unit.number(model, "OC")
        for unit in table.friends(player)
        if not unit.marked("battle-shocked")
        for model in ground.standing(unit)
        if ground.in_range(model, objective, 1e-6)
    )


def controller(table: Table, objective: Json) -> str:
    """Who controls a marker: the greater level, else who keeps it."""
    levels = {player: level(table, player, objective) for player in table.players}
    best = max(levels.values())
    ahead = [player for player, value in levels.items() if value == best]
    if len(ahead) == 1 and best > 0:
        return ahead[0]
    for unit in table.units.values():
        if unit.marked(f"kept:{objective['id']}"):
            return unit.player
    return ""


def worth(table: Table, player: str) -> int:
    """What a player scores as the table is."""
    held = sum(controller(table, o) == player for o in table.field.get("objectives", ()))
    return min(MOST, EACH * held)


@check("score")
def score(story: Story) -> Iterator[Finding]:
    """Five points a marker, fifteen at most: after the own Command phase from round two, for both at the end."""
    for entry in story.entries:
        before, after = entry.before, entry.after
        moved = {p: after.purse.get((p, "points"), 0) - before.purse.get((p, "points"), 0) for p in story.start.players}
        due = dict.fromkeys(story.start.players, 0)
        if entry.type == "end-step" and after.clock != before.clock:
            if before.clock.step == "battle-shock" and before.clock.round >= FROM:
                due[before.clock.player] = worth(before, before.clock.player)
            if after.clock.phase == "over":
                standing = _when_scored(entry.steps, after)
                due = {player: worth(standing, player) for player in story.start.players}
        for player, points in moved.items():
            if points != due[player]:
                yield entry.number, f"{player} scores {points} in {before.clock}", f"{due[player]}"


def _when_scored(steps: tuple, after: Table) -> Table:  # type: ignore[type-arg]
    """The table at the end of the battle: after who was out of coherency is gone, before anything else goes."""
    table = after
    for step in reversed(steps):
        if step.kind in ("clock", "score") or (
            step.kind == "removed" and not step.before.units[step.event["unit"]].on_table
        ):
            table = step.before
        else:
            break
    return table
