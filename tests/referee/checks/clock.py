"""The clock goes through the phases in their order, player after player, five rounds."""

from __future__ import annotations

from collections.abc import Iterator

from tests.referee.report import Finding, check
from tests.referee.story import Story
from tests.referee.table import Clock

STEPS = (
    ("command", "command"),
    ("command", "battle-shock"),
    ("movement", "move-units"),
    ("movement", "reinforcements"),
    ("shooting", "shoot"),
    ("charge", "charge"),
    ("fight", "fights-first"),
    ("fight", "remaining-combats"),
)
ROUNDS = 5


@check("clock")
def order(story: Story) -> Iterator[Finding]:
    """Each step is followed by the next one of the same player, the last by the other player's first."""
    for step in story.steps:
        if step.kind != "clock" or step.before.clock.phase in ("deployment", ""):
            continue
        expected = following(step.before.clock, story.start.players)
        if step.after.clock != expected:
            yield step.entry, f"after {step.before.clock} comes {step.after.clock}", str(expected)


def following(clock: Clock, players: tuple[str, ...]) -> Clock:
    """The clock after a step."""
    here = STEPS.index((clock.phase, clock.step))
    if here + 1 < len(STEPS):
        return Clock(clock.round, clock.player, *STEPS[here + 1])
    if clock.player != players[-1]:
        return Clock(clock.round, players[players.index(clock.player) + 1], *STEPS[0])
    if clock.round == ROUNDS:
        return Clock(clock.round, clock.player, "over", "over")
    return Clock(clock.round + 1, players[0], *STEPS[0])
