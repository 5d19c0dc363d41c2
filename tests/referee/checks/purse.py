"""Command points: one each at the start of every Command phase, spent on Stratagems alone, never below nothing."""

from __future__ import annotations

from collections.abc import Iterator

from tests.referee.report import Finding, check
from tests.referee.story import Step, Story


@check("command points gained")
def gained(story: Story) -> Iterator[Finding]:
    """Both players gain one point in every Command phase before the tests, and nothing else."""
    got: dict[str, int] = {}
    last = 0
    inside = story.start.clock.phase == "command" and story.start.clock.step == "command"
    for step in story.steps:
        last = step.entry
        if step.kind == "score" and step.event.get("resource") == "cp" and step.event["amount"] > 0:
            player = step.event["player"]
            if not inside:
                yield step.entry, f"{player} gains command points in {step.before.clock}", "in the Command phase"
            got[player] = got.get(player, 0) + step.event["amount"]
        if step.kind != "clock":
            continue
        if step.after.clock.step == "command":
            got, inside = {}, True
        elif inside:
            inside = False
            for player in story.start.players:
                if got.get(player, 0) != 1:
                    yield last, f"{player} gained {got.get(player, 0)} in a Command phase", "one command point"
            got = {}


@check("command points spent")
def spent(story: Story) -> Iterator[Finding]:
    """Nobody spends what it does not have, and nothing but a Stratagem costs any."""
    for entry in story.entries:
        paid: Step | None = None
        for step in entry.steps:
            if step.kind == "choice" and step.event.get("when") == "stratagem":
                paid = step
            if step.kind != "score" or step.event.get("resource") != "cp":
                continue
            player = step.event["player"]
            if step.after.cp(player) < 0:
                yield entry.number, f"{player} has {step.after.cp(player)} command points", "never below nothing"
            if step.event["amount"] < 0:
                if paid is None or paid.event["player"] != player:
                    yield entry.number, f"{player} loses command points for no Stratagem", "points are spent on those"
                paid = None
