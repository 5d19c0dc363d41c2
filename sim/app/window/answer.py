"""The words of the panel, in the order of the questions: may I? which models, by how much? which rule? what now?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from sim.analysis import Margin
from sim.app.regions import base_name
from sim.app.window.asking import Question
from sim.app.window.held import Held
from sim.app.window.pointing import Pointed
from sim.app.window.session import Session
from sim.battle import Battle, DiceRolled
from sim.geometry.lengths import plain as plain_inches
from sim.rules import Command, EndStep, Going, NeedChoice, Option, Verdict
from sim.rules.sequence import OVER
from sim.view import Scene, compose

Kind = Literal[
    "title", "sub", "turn", "yes", "no", "model", "section", "text", "reason", "hint", "fine", "instead", "dice"
]
MOST_ROLLS = 6  # rows of dice
MOST_OPTIONS = 3  # of which the needed numbers are told
MOST_SENTENCES = 9  # of what happened; the last are shown
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
    options: Sequence[Command] = (),
) -> tuple[Row, ...]:
    """Everything that the panel says now; ``instead`` is how far away the nearest legal spot is, once it is known."""
    if session.question is not None:
        return tuple(_asked(session, session.question))
    if options:
        return tuple(_options(session, options))
    if session.held is None or verdict is None:
        return tuple(_nothing_held(session, note))
    return tuple(_held(session, session.held, verdict, room, instead, note))


def watching(scene: Scene, where: str) -> tuple[Row, ...]:
    """What the panel says while a battle is played back."""
    rows = [Row("title", "Replay"), Row("sub", scene.heading), Row("fine", where)]
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


def _acting(session: Session) -> str:
    """Who has to act now: whose turn it is, or, as in a fight, whose units alone can."""
    offers = session.ruleset.available(session.battle)
    units = (session.battle.unit(offer.unit) for offer in offers if offer.unit and not offer.reaction)
    players = list(dict.fromkeys(unit.player for unit in units))
    if session.computers and session.waited_for:
        return session.whose(session.waited_for[0])
    player = session.battle.clock.player
    return player if not players or player in players else players[0]


def _nothing_held(session: Session, note: str) -> Iterator[Row]:
    yield Row("title", session.battle.title or session.ruleset.title)
    yield Row("sub", compose.heading(session.battle, session.ruleset))
    clock = session.battle.clock
    if clock.phase == OVER:
        yield Row("yes", compose.outcome(session.battle) or "The battle is over", good=True)
    elif clock.player:
        setup = any(phase.setup and phase.name == clock.phase for phase in session.ruleset.phases)
        what = "sets up a unit" if setup else "is to act"
        acting = _acting(session)
        who = f"{acting.capitalize()} (the computer)" if acting in session.computers else acting.capitalize()
        yield Row("turn", f"{who} {what}", mark=compose.side(session.battle, acting))
    if score := compose.standings(session.battle):
        yield Row("text", score)
    if note:
        yield Row("text", note)
    yield from _happened(session)
    if clock.phase == OVER:
        yield Row("hint", "Replay shows the battle, Clip films it, Undo goes back into it.")
        return
    yield Row("section", "what now?")
    waiting = sum(bool(offer.unit) for offer in session.offers)
    end = session.game.judge(EndStep())
    if not end.legal:
        yield Row("text", f"The step cannot end yet: {end.violations[0].message}.")
    if waiting:
        yield Row(
            "text",
            "Take a unit from the list below, or press on one of the table, and hold it over the spot.",
        )
    elif end.legal:
        yield Row("text", "Nothing is left to choose in this step: End step goes on.")
    for offer in session.waited_for:
        name = session.battle.unit(offer.unit).name
        if offer.reaction:
            ended = f"{clock.player}'s {clock.phase.capitalize()} phase"
            yield Row("text", f"{ended} is at its end: {name} may answer that now. End the step to go on without.")
        else:
            yield Row("text", f"{name} has fought. It may consolidate now; set down where it is, it stays.")
    yield Row("hint", "Wheel: zoom · right button: pan · Q E: turn · M: measure · F: whole table")


def _asked(session: Session, question: Question) -> Iterator[Row]:
    """In the middle of a command: who has to choose what, and what has been rolled so far."""
    need = question.need
    yield Row("title", session.ruleset.play(question.command).title)
    unit = getattr(question.command, "unit", "")
    if session.battle.has_unit(unit):
        yield Row("sub", session.battle.unit(unit).name)
    yield Row("turn", f"{need.player.capitalize()} chooses", mark=compose.side(session.battle, need.player))
    asked = need.words or _moment(need)
    yield Row("text", asked)
    if need.chance:
        yield Row("text", need.chance)
    for option in (option for option in need.about if option.why or option.cost):
        why = f" {_sentence(option.why)}" if option.why and option.why != asked else ""
        yield Row("reason", f"{answer_words(session.battle, option.name, option)}.{why}")
    if need.when == "after-roll":
        yield from _needed(session, question)
    if question.faces:
        yield Row("section", "rolled so far")
        for faces in question.faces[-MOST_ROLLS:]:
            yield Row("dice", "", mark=" ".join(f"{face:g}" for face in faces))
    yield Row("hint", "Press an answer below; Undo takes the whole command back.")


def _moment(need: NeedChoice) -> str:
    """What a question is about, where nothing more has happened."""
    if need.about and need.when:
        return need.when.replace("-", " ").capitalize()
    return need.purpose[:1].upper() + need.purpose[1:]


def answer_words(battle: Battle, name: str, option: Option | None) -> str:
    """An answer on its button: what it is, what it costs, and by whom or on whom."""
    if option is None or not option.title:
        return compose.option_words(battle, name)
    who = compose.name_of(battle, option.subjects[0]) if option.subjects else ""
    price = f" ({option.cost} CP)" if option.cost else ""
    return f"{option.title}{price}: {who}" if who else f"{option.title}{price}"


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def _needed(session: Session, question: Question) -> Iterator[Row]:
    """What the roll of a command has to be, with its chance, where the odds of it are those of one roll."""
    tell = session.ruleset.odds
    if tell is None or hasattr(question.command, "attacks"):
        return
    for odds in tell(session.battle, question.command):
        for line in odds.lines:
            yield Row("text", line)


def _options(session: Session, options: Sequence[Command]) -> Iterator[Row]:
    """What an offer could be, each with its needed numbers and their reasons."""
    play = session.ruleset.play(options[0])
    unit = getattr(options[0], "unit", "")
    yield Row("title", play.title)
    if session.battle.has_unit(unit):
        yield Row("sub", session.battle.unit(unit).name)
    if isinstance(options[0], EndStep):
        yield Row("section", "if the step ends now")
        for sentence in session.left_behind:
            yield Row("reason", sentence)
    tell = session.ruleset.odds
    notes: dict[str, None] = {}  # in the order in which they come
    for command in options[:MOST_OPTIONS]:
        for odds in () if tell is None else tell(session.battle, command):
            yield Row("section", odds.title)
            for line in odds.lines:
                yield Row("text", line)
            notes.update(dict.fromkeys(odds.notes))
    for note in notes:
        yield Row("fine", note)
    if play.summary:
        yield Row("section", "rule")
        yield Row("text", play.summary)
    yield Row("hint", "Press one of the options below; Esc: back")


def _happened(session: Session) -> Iterator[Row]:
    """What came of what was done last, in sentences, and its dice."""
    told = session.happened
    if not told:
        return
    yield Row("section", "what happened")
    if len(told) > MOST_SENTENCES:
        yield Row("fine", f"{len(told) - MOST_SENTENCES} lines before")
    for sentence in told[-MOST_SENTENCES:]:
        yield Row("text", sentence)
    rolls = [e for e in session.game.entries[-1].events if isinstance(e, DiceRolled)]
    for roll in rolls[-1:]:
        yield Row("fine", roll.purpose)
        yield Row("dice", "", mark=" ".join(f"{face:g}" for face in roll.faces))


def _held(
    session: Session, held: Held, verdict: Verdict, room: Sequence[Margin], instead: float | None, note: str
) -> Iterator[Row]:
    unit = held.unit
    yield Row("title", held.play.title)
    yield Row("sub", f"{unit.name} · {len(unit.models)} × {base_name(unit.models[0].base)}")
    caption = compose.verdict_caption(session.battle, unit, held.play, verdict)
    yield Row("yes" if verdict.legal else "no", caption.headline, good=verdict.legal)
    if note:
        yield Row("text", note)
    bad = {subject for v in verdict.violations for subject in v.subjects[:1]}
    goings = session.goings()
    yield from _ways(held, goings, bad) if goings else _models(held, room, bad)
    if verdict.violations:
        yield Row("section", "why")
        for text in compose.grouped(session.battle, verdict.violations):
            yield Row("reason", text, good=False)
    yield Row("section", "rule")
    yield Row("text", held.play.summary or held.play.title)
    yield Row("fine", f'{session.ruleset.id} · {held.play.title} · exact to 0.000001"')
    if instead is not None:
        yield Row("instead", f'Press Alt to snap: legal {instead:.2f}" away')
    if isinstance(held, Pointed):
        yield Row("hint", _how_to_point(held))
    elif held.pinned:
        yield Row("hint", "Laid down: drag single models right, Enter to set down, press beside them to take all up")
    else:
        yield Row("hint", _how_to_hold(held))


def _how_to_hold(held: Held) -> str:
    """What the mouse and the keys do with a unit in hand."""
    ranks = "" if held.play.other_ranks is None else " · W N: wider, narrower"
    pockets = " · P: pockets" if held.chooses_ground else ""
    return f"Click: set down · Q E: turn{ranks} · PgUp PgDn: floors{pockets} · Space: lay down · Esc: back"


def _how_to_point(held: Pointed) -> str:
    """What the next click does with a unit that is pointed somewhere."""
    if not held.spot_matters:
        return "Point in a direction and click: the dice fall · Q E: turn · Esc: back"
    if held.chosen:
        return "Click: the unit arrives here · Q E: turn · Esc: back"
    return "Click: choose the point; the next click sets the unit down · Esc: back"


def _ways(held: Held, goings: Sequence[Going], bad: set[str]) -> Iterator[Row]:
    """How far each model goes of what it may: those at fault, and the farthest; the rest are counted."""
    ranked = sorted(enumerate(goings, 1), key=lambda row: (row[1].model not in bad, -row[1].gone))
    for number, going in sorted(ranked[:MOST_MODELS]):
        most, fine = f'of {plain_inches(going.most)}"', going.model not in bad
        if going.too_far:
            text = f'{most}: {going.gone - going.most:.2f}" too far'
        else:
            text = most if fine else f"{most}, but see why"
        yield Row("model", text, str(number), f'{going.gone:.2f}"', fine)
    if len(goings) > MOST_MODELS:
        yield Row("fine", f"and {len(goings) - MOST_MODELS} more models")


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
