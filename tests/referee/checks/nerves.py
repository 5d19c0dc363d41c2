"""Battle-shock: which tests are due, what they need, what comes of them, and when it ends."""

from __future__ import annotations

from collections.abc import Iterator

from tests.referee.report import Finding, check
from tests.referee.sheets import wounds
from tests.referee.story import Step, Story
from tests.referee.table import Table, Unit


def strengths(story: Story) -> dict[str, int]:
    """How many models each unit began with, its leaders left out, and each leader."""
    found = {}
    for unit in story.start.units.values():
        found[unit.id] = len(unit.own)
        for part in unit.parts:
            found[part.id] = len(part.models)
    return found


def starting(unit: Unit, began: dict[str, int]) -> int:
    """The Starting Strength: of an Attached unit all, of what is left alone its own."""
    own = began.get(unit.id, len(unit.models)) if unit.own else 0
    return own + sum(began.get(part.id, 0) for part in unit.leading)


def below_half(unit: Unit, began: dict[str, int]) -> bool:
    """Whether a unit is Below Half-strength: by models, a single model by its wounds."""
    strength = starting(unit, began)
    if strength == 1:
        whole = wounds(unit, unit.models[0])
        return 2 * (whole - unit.models[0].lost) < whole
    return 2 * len(unit.models) < strength


@check("battle-shock tests")
def tests(story: Story) -> Iterator[Finding]:
    """In the own Battle-shock step each unit on the table Below Half-strength tests, and nobody else."""
    began = strengths(story)
    for number, player, table, steps in _shock_steps(story):
        due = {u.id for u in table.friends(player) if below_half(u, began)}
        tested: set[str] = set()
        for k, step in enumerate(steps):
            unit = step.about.get("unit", "")
            if step.kind == "choice" and step.event["choice"] == "Insane Bravery":
                tested.add(step.event.get("subject", ""))
            if not step.rolls("battle-shock") or step.about.get("again"):
                continue
            tested.add(unit)
            if unit not in due:
                yield number, f"{unit} takes a Battle-shock test", "it is not Below Half-strength"
                continue
            yield from _result(number, step, steps[k + 1 :])
        for name in sorted(due - tested):
            if table.units[name].models:
                yield number, f"{name} takes no Battle-shock test", "it is Below Half-strength"


def _result(number: int, step: Step, later: list[Step]) -> Iterator[Finding]:
    unit = step.before.units[step.about["unit"]]
    best = int(min(unit.number(m, "LD") for m in unit.models))
    if step.about.get("needs") != best or len(step.event["faces"]) != 2:
        seen = f"{unit.id} tests with {len(step.event['faces'])} dice on {step.about.get('needs')}+"
        yield number, seen, f"two dice on {best}+"
    follow = []
    for other in later:
        if other.rolls("battle-shock"):
            break
        follow.append(other)
    shocked = any(s.sets("battle-shocked") and s.event["unit"] == unit.id for s in follow)
    saved = any(
        s.kind == "choice" and s.event["choice"] == "Insane Bravery" and s.event.get("subject") == unit.id
        for s in follow
    )
    failed = sum(step.event["faces"]) < best
    if shocked != (failed and not saved):
        seen = f"{unit.id} rolled {sum(step.event['faces'])} and is {'' if shocked else 'not '}Battle-shocked"
        yield number, seen, f"{best} or more passes"


def _shock_steps(story: Story) -> Iterator[tuple[int, str, Table, list[Step]]]:
    """Each Battle-shock step: where it begins, whose it is, the table then, and what happens in it."""
    open_: tuple[int, str, Table, list[Step]] | None = None
    for step in story.steps:
        if step.kind == "clock":
            if open_ is not None:
                yield open_
            open_ = None
            if step.after.clock.step == "battle-shock":
                open_ = (step.entry, step.after.clock.player, step.after, [])
        elif open_ is not None:
            open_[3].append(step)


@check("battle-shock ends")
def ends(story: Story) -> Iterator[Finding]:
    """It lasts until the start of the own next Command phase: not longer, not shorter."""
    for step in story.steps:
        clock = step.after.clock
        if step.kind == "clock" and clock.step == "battle-shock":
            for unit in step.after.units.values():
                old = [m for m in unit.markers if m.kind == "battle-shocked" and m.turn < step.after.turn]
                if unit.player == clock.player and old and unit.models:
                    yield step.entry, f"{unit.id} is Battle-shocked still", "until the own next Command phase"
        if step.kind == "marker-cleared" and step.event["kind"] == "battle-shocked":
            unit = step.before.units[step.event["unit"]]
            begins = _begins(story, step)
            if unit.models and unit.where != "destroyed" and begins != unit.player:
                seen = f"{unit.id} is no longer Battle-shocked in {step.before.clock}"
                yield step.entry, seen, "at the start of the own next Command phase"


def _begins(story: Story, step: Step) -> str:
    """The player whose Command phase begins about an event: the clock's, or the one that the entry leads to."""
    clock = step.before.clock
    if clock.phase == "command" and clock.step == "command":
        return clock.player
    entry = story.entries[step.entry - 1]
    clock = entry.after.clock
    return clock.player if clock.phase == "command" and clock.step == "command" else ""
