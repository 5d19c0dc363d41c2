"""The words of the panel, in the order of the questions: may I? which models, by how much? which rule? what now?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from sim.analysis import Margin
from sim.app.regions import base_name
from sim.app.window.session import Held, Session
from sim.rules import Verdict
from sim.view import Scene, compose

Kind = Literal["title", "sub", "turn", "yes", "no", "model", "section", "text", "reason", "hint", "fine", "instead"]
MOST_MODELS = 6  # rows; the worst are shown, the rest are counted


@dataclass(frozen=True)
class Row:
    """One row of the panel: what kind of row, its words, and for a model its mark, measure and whether it is fine."""

    kind: Kind
    text: str
    mark: str = ""
    measure: str = ""
    good: bool = True


def answer(
    session: Session,
    verdict: Verdict | None,
    room: Sequence[Margin],
    note: str = "",
    instead: float | None = None,
) -> tuple[Row, ...]:
    """Everything that the panel says now; ``instead`` is how far away the nearest legal spot is, once it is known."""
    if session.held is None or verdict is None:
        return tuple(_nothing_held(session, note))
    return tuple(_held(session, session.held, verdict, room, instead))


def watching(scene: Scene, entry: int, entries: int) -> tuple[Row, ...]:
    """What the panel says while a battle is played back."""
    rows = [Row("title", "Replay"), Row("sub", scene.heading), Row("fine", f"entry {entry} of {entries}")]
    caption = scene.caption
    if caption.headline:
        rows.append(Row("section", "what happens"))
        rows.append(Row("text", caption.headline))
    rows.extend(Row("text", text) for text, _ in caption.lines)
    rows.append(Row("hint", "Space: stop and go · pull the handle · Esc: close"))
    return tuple(rows)


def plain(rows: Sequence[Row]) -> str:
    """The panel as plain text, one line a row."""
    return "\n".join(" ".join(filter(None, (row.mark, row.measure, row.text))) for row in rows)


def _nothing_held(session: Session, note: str) -> Iterator[Row]:
    yield Row("title", session.battle.title or session.ruleset.title)
    yield Row("sub", compose.heading(session.battle, session.ruleset))
    clock = session.battle.clock
    if clock.player:
        setup = any(phase.setup and phase.name == clock.phase for phase in session.ruleset.phases)
        what = "sets up a unit" if setup else "is to act"
        yield Row("turn", f"{clock.player.capitalize()} {what}", mark=compose.side(session.battle, clock.player))
    if note:
        yield Row("text", note)
    yield Row("section", "what now?")
    if len(session.offers) > 1:
        yield Row(
            "text",
            "Take a unit from the list below, or press on one of the table, and hold it over the spot.",
        )
    else:
        yield Row("text", "Nothing is left to do in this step.")
    yield Row("hint", "Wheel: zoom · right button: pan · Q E: turn · M: measure · F: whole table")


def _held(
    session: Session, held: Held, verdict: Verdict, room: Sequence[Margin], instead: float | None
) -> Iterator[Row]:
    unit = held.unit
    yield Row("title", held.play.title)
    yield Row("sub", f"{unit.name} · {len(unit.models)} × {base_name(unit.models[0].base)}")
    caption = compose.verdict_caption(session.battle, unit, held.play, verdict)
    yield Row("yes" if verdict.legal else "no", caption.headline, good=verdict.legal)
    bad = {subject for v in verdict.violations for subject in v.subjects[:1]}
    yield from _models(held, room, bad)
    if verdict.violations:
        yield Row("section", "why")
        for text in compose.grouped(session.battle, verdict.violations):
            yield Row("reason", text, good=False)
    yield Row("section", "rule")
    yield Row("text", held.play.summary or held.play.title)
    yield Row("fine", f'{session.ruleset.id} · {held.play.title} · exact to 0.000001"')
    if instead is not None:
        yield Row("instead", f'Press Alt to snap: legal {instead:.2f}" away')
    if held.pinned:
        yield Row("hint", "Laid down: drag single models right, Enter to set down, press beside them to take all up")
    else:
        yield Row("hint", "Click: set down · Q E: turn · P: pockets · Space: lay down · Esc: put back")


def _models(held: Held, room: Sequence[Margin], bad: set[str]) -> Iterator[Row]:
    ranked = sorted(room, key=lambda m: (held.unit.models[m.member].id not in bad, -m.short))
    shown = sorted(ranked[:MOST_MODELS], key=lambda m: m.member)
    for margin in shown:
        model = held.unit.models[margin.member]
        fine = model.id not in bad
        if margin.short > -1e-6:
            text = f'{max(margin.short, 0.0):.2f}" short of {margin.required}'
        else:
            text = "from the nearest enemy base" if fine else "clear of enemies, but see why"
        yield Row("model", text, str(margin.member + 1), f'{margin.measured:.2f}"', fine)
    if len(room) > len(shown):
        yield Row("fine", f"and {len(room) - len(shown)} more models")
