"""A Stratagem as a record: when, whose, what it costs, on whom, what it does, and until when. The rules read these."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from sim.battle import Battle, Marker, MarkerSet, Until
from sim.rules import Procedure, ReactionWindow
from sim.rulesets.wh40k10.resources import opponent_of

Set = Literal["core", "boarding", "kauyon", "montka"]
Turn = Literal["own", "opponent", "either"]
Phase = Literal["command", "movement", "shooting", "charge", "fight"]
Once = Literal["phase", "turn", "battle"]
Point = Literal["start", "any", "end"]  # of the phase
Place = Literal["table", "reserves", "destroyed"]
Lasts = Literal["at-once", "end-of-phase", "end-of-turn", "end-of-opponents-next-turn", "end-of-battle"]

OWN_TIME = ReactionWindow("own-time", "", ())  # the moment of what a player does of its own accord
ARRIVAL = ReactionWindow("arrival", "", ())  # the moment of a Stratagem that sets a unit up, by a command of its own
ALL_ROUNDS = (1, 5)  # battle rounds, the first and the last


@dataclass(frozen=True)
class Use:
    """A Stratagem as a player would use it: on one of its units, and on whom or what besides."""

    player: str
    unit: str
    target: str = ""


def no_targets(battle: Battle, moment: ReactionWindow, use: Use) -> Iterator[str]:
    """A Stratagem that names nothing besides its unit."""
    yield ""


def fits(battle: Battle, moment: ReactionWindow, use: Use) -> Iterator[str]:
    """A Stratagem that asks nothing more of its unit and its target."""
    yield from ()


def is_useful(battle: Battle, moment: ReactionWindow, use: Use) -> bool:
    """A Stratagem that always changes something."""
    return True


def moment_says(battle: Battle, moment: ReactionWindow, use: Use) -> str:
    """What has happened, in the words of the moment, or of whom."""
    return moment.words or battle.unit(use.unit).name


@dataclass(frozen=True)
class Card:
    """A Stratagem of one or more sets.

    ``when`` names the moment; ``turn``, ``phases`` and ``point`` say in whose turn, in which phases (any without one),
    and at which end of the phase. ``subject`` is True for one used on the very unit that the moment is about, otherwise
    it is any unit of the player. ``keywords`` are those of which it needs one, ``without`` those that bar it.
    ``targets`` names what it could be used on besides; ``wrong`` yields in words what forbids a use, and ``useful``
    says whether a use that is allowed would change anything.
    """

    name: str
    title: str
    cost: int
    of: tuple[Set, ...]
    when: tuple[str, ...]
    turn: Turn
    effect: Callable[[Battle, ReactionWindow, Use, Lasts], Procedure]
    phases: tuple[Phase, ...] = ()
    point: Point = "any"
    once: Once = "phase"
    rounds: tuple[int, int] = ALL_ROUNDS
    subject: bool = True
    place: Place = "table"
    keywords: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    on_shocked: bool = False
    lasts: Lasts = "at-once"
    targets: Callable[[Battle, ReactionWindow, Use], Iterator[str]] = no_targets
    wrong: Callable[[Battle, ReactionWindow, Use], Iterator[str]] = fits
    useful: Callable[[Battle, ReactionWindow, Use], bool] = is_useful
    says: Callable[[Battle, ReactionWindow, Use], str] = moment_says


def lasting(battle: Battle, player: str, lasts: Lasts, kind: str, subject: str = "", amount: int = 0) -> Marker:
    """A marker that a player lays now and that lasts so long; what happens at once leaves it until the phase ends."""
    match lasts:
        case "at-once" | "end-of-phase":
            return Marker(kind, subject, amount, "end-of-phase")
        case "end-of-opponents-next-turn":
            opponent = opponent_of(battle, player)
            return Marker(kind, subject, amount, "end-of-turn", player=opponent, round=next_turn(battle, opponent))
        case "end-of-turn" | "end-of-battle":
            until: Until = lasts
            return Marker(kind, subject, amount, until)


def next_turn(battle: Battle, player: str) -> int:
    """The battle round of the next turn of a player that has not begun."""
    clock, players = battle.clock, battle.players
    comes = clock.player in players and players.index(player) > players.index(clock.player)
    return clock.round if comes else clock.round + 1


def marks(*kinds: tuple[str, str]) -> Callable[[Battle, ReactionWindow, Use, Lasts], Procedure]:
    """An effect that lays markers on the unit: the kind of each, and its subject, where ``*`` is the target."""

    def lay(battle: Battle, moment: ReactionWindow, use: Use, lasts: Lasts) -> Procedure:
        for kind, subject in kinds:
            marker = lasting(battle, use.player, lasts, kind, use.target if subject == "*" else subject)
            yield MarkerSet(use.unit, marker)

    return lay
