"""Nothing lasts past the point of the clock that it names, and nothing ends before."""

from __future__ import annotations

from collections.abc import Iterator

from tests.referee.report import Finding, check
from tests.referee.story import Entry, Story
from tests.referee.table import Marker, Unit

TURN_LONG = ("moved", "advanced", "fell-back", "charged", "charge-bonus", "disembarked", "arrived", "cannot-charge")
SHAKEN = "shaken"


@check("lasts too long")
def too_long(story: Story) -> Iterator[Finding]:
    """After the clock has moved on no marker is left whose time is over."""
    for entry in story.entries:
        if entry.after.phase == entry.before.phase:
            continue
        ended = entry.before.clock
        reached = {"end-of-phase", "end-of-turn"} if entry.after.turn != entry.before.turn else {"end-of-phase"}
        for unit in entry.after.units.values():
            for marker in unit.markers:
                mine = marker.player in ("", ended.player) and ended.round >= marker.round
                if mine and marker.until in reached and 0 <= marker.phase < entry.after.phase:
                    yield (
                        entry.number,
                        f"{marker.kind} of {unit.id} lies there still",
                        f"it lasts to the {marker.until}",
                    )


@check("ends too soon")
def too_soon(story: Story) -> Iterator[Finding]:
    """What is known of a unit until the end of the turn is not forgotten within it."""
    for entry in story.entries:
        if entry.after.turn != entry.before.turn or entry.after.clock.phase == "over":
            continue
        for step in entry.steps:
            if step.kind == "marker-cleared" and step.event["kind"] in TURN_LONG:
                unit = step.before.units[step.event["unit"]]
                if unit.models and unit.marked(step.event["kind"]):
                    yield (
                        entry.number,
                        f"{step.event['kind']} of {unit.id} is cleared",
                        "it lasts to the end of the turn",
                    )


@check("pulse onslaught lasts")
def shaken(story: Story) -> Iterator[Finding]:
    """Who is shaken stays so until the end of its own next turn."""
    under: dict[str, Marker] = {}
    for entry in story.entries:
        for step in entry.steps:
            if step.sets(SHAKEN):
                found = step.after.units[step.event["unit"]].marker(SHAKEN)
                if found is not None:
                    under[step.event["unit"]] = found
        for name in list(under):
            unit = entry.after.units[name]
            lies, due = unit.marked(SHAKEN), _due(entry, unit, under[name])
            if not unit.models:
                del under[name]
            elif lies != due:
                seen = f"{name} is {'still' if lies else 'no longer'} shaken in {entry.after.clock}"
                yield entry.number, seen, "until the end of its next turn"
                del under[name]
            elif not due:
                del under[name]


def _due(entry: Entry, unit: Unit, marker: Marker) -> bool:
    """Whether a unit is shaken: from the opponent's turn in which it was laid to the end of the turn after."""
    return entry.after.turn <= marker.turn + 1 and entry.after.clock.phase != "over"
