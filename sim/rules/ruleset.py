"""A game as a value that is handed to the engine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from numpy.random import Generator

from sim.battle import Battle, Event, Unit, Weapon
from sim.chance import Pmf
from sim.geometry import Base, PlacedSet, Point, Pose, Rules
from sim.rules.commands import Command, command_name
from sim.rules.going import Going
from sim.rules.listing import Listing
from sim.rules.procedure import Procedure, Reaction, ReactionWindow
from sim.rules.rows import RuleRow
from sim.rules.sequence import Phase
from sim.rules.verdict import Violation

Answer = float | bool | str | tuple[Any, ...]


class QuestionError(ValueError):
    """A question that a ruleset cannot answer; says what was expected."""


@dataclass(frozen=True)
class Play:
    """A kind of command: how it is judged, how it is resolved, and the constraints that its geometry obeys.

    ``judge`` yields every violation and changes nothing. ``rules`` gives the same constraints for drawing and for the
    region of legal spots; None for a command that places and moves nothing. ``figure`` names the base and the facing
    whose centre that region is about, where it is not the first model's: that of the unit as one, or of one more model
    beside the first (``figure_is``); ``stands`` where each model would stand, for a
    command that names no poses; ``touches`` what its models should come into contact with. ``point`` is the chosen
    point that is allowed nearest to one that is pointed at, ``block`` how the models stand when a unit is taken in hand
    at a point, where plain ranks would not do, and ``settle`` puts a command that a hand holds near where it belongs
    exactly there. ``turns_about`` is the point about which a unit in hand turns as one, from where its models are held
    and by how many degrees, to the left where they are more than 0: the corner of a wheel, say. Without it, or with
    None from it, a unit that moves turns model by model on the spot, and one that is set up as one about the hand.
    ``other_ranks`` is where the models of a unit in hand stand with so many more files, or fewer below 0; None where it
    keeps the ranks that it has.
    ``goes`` is how far each model goes by a command that moves, and may go, as the verdict counts it; of
    models without a limit it says nothing. ``opening`` is what a unit does before it is led anywhere, such as the roll
    for how far it goes.
    ``outcome`` says in words and numbers what came of the command (``outcome``, ``at``, ``distance``,
    ``target``, ``side``, ``needs``), from the battle before, the command, the events, and the battle after.
    """

    command: type[Command]
    title: str
    judge: Callable[[Battle, Any], Iterable[Violation]]
    resolve: Callable[[Battle, Any], Procedure]
    rules: Callable[[Battle, Any], Rules] | None = None
    summary: str = ""  # the rule in one sentence of our own
    readings: tuple[str, ...] = ()  # options whose other values may turn the verdict
    outcome: Callable[[Battle, Any, tuple[Event, ...], Battle], Mapping[str, Any]] | None = None
    figure: Callable[[Battle, Any], tuple[Base, float]] | None = None
    figure_is: Literal["whole unit", "further model"] = "whole unit"
    on_the_spot: bool = False  # the unit stays about where it stands: no ground is chosen
    stands: Callable[[Battle, Any], tuple[Pose, ...]] | None = None
    touches: Callable[[Battle, Any], PlacedSet] | None = None
    point: Callable[[Battle, Unit, Point], Point] | None = None
    block: Callable[[Battle, Unit, Point], tuple[Pose, ...]] | None = None
    settle: Callable[[Battle, Any], Command] | None = None
    turns_about: Callable[[Battle, Unit, tuple[Pose, ...], float], Point | None] | None = None
    other_ranks: Callable[[Battle, Unit, tuple[Pose, ...], int], tuple[Pose, ...]] | None = None
    goes: Callable[[Battle, Any], tuple[Going, ...]] | None = None
    opening: Callable[[Battle, Unit], Command | None] | None = None

    @property
    def name(self) -> str:
        """The name of the command in files."""
        return command_name(self.command)


@dataclass(frozen=True)
class Odds:
    """What may come of a command, exactly: its needed numbers in words, and named distributions of whole numbers.

    ``numbers`` are the needed numbers and chances for programs to read: plain values, lists and tables of them.
    ``notes`` say what the odds do not count.
    """

    title: str
    lines: tuple[str, ...]
    distributions: tuple[tuple[str, Pmf], ...]
    numbers: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The form that ``--json`` prints: each distribution as pairs of value and chance."""
        found = {name: {"mean": pmf.mean, "chances": pmf.items()} for name, pmf in self.distributions}
        return {
            "title": self.title,
            "lines": [*self.lines, *self.notes],
            "numbers": dict(self.numbers),
            "distributions": found,
        }


@dataclass(frozen=True)
class Holding:
    """How an objective marker is held: by whom (nobody: ""), and how strongly each player would hold it now."""

    objective: str
    owner: str
    levels: tuple[tuple[str, float], ...]  # each player with its level, in the battle's order of players


@dataclass(frozen=True)
class Offer:
    """Something that can be done now: which kind of command, by which unit, in words for a button."""

    command: str
    unit: str
    title: str
    reaction: bool = False  # for the player whose turn it is not
    lapses: bool = False  # gone as soon as anybody does anything else, so that a computer waits for it


def no_reactions(battle: Battle, window: ReactionWindow, player: str) -> tuple[Reaction, ...]:
    """A game, or a moment, without reactions."""
    return ()


def no_way_round(battle: Battle, command: Command) -> None:
    """A game that looks for no ways round what is in the way."""
    return


def nothing_lacks(battle: Battle, command: Command) -> tuple[Violation, ...]:
    """For games whose commands need no numbers."""
    return ()


def nobody_holds(battle: Battle) -> tuple[Holding, ...]:
    """A game in which objective markers have no owner."""
    return ()


def nothing_left(battle: Battle) -> tuple[str, ...]:
    """A game in which a step never leaves anything undone."""
    return ()


def plainly(battle: Battle, command: Command) -> str:
    """A command by its name."""
    return command_name(type(command)).replace("-", " ")


class Proposing(Protocol):
    """Ready-made commands for an offer, to be judged before they are given."""

    def __call__(
        self, battle: Battle, offer: Offer, wild: bool = False, chance: Generator | None = None
    ) -> Iterable[Command]:
        """The best first; when ``wild`` also what no sensible player would do; with a chance anything, drawn by it."""
        ...


def no_proposals(
    battle: Battle, offer: Offer, wild: bool = False, chance: Generator | None = None
) -> tuple[Command, ...]:
    """A game that proposes nothing."""
    return ()


@dataclass(frozen=True)
class Ruleset:
    """Everything that the engine, the window and the command line need to know of a game.

    ``bind`` gives a unit what its datasheet says and the unit itself does not; a unit whose datasheet the game does not
    know stays as it is. ``datasheet_base`` is the base of a datasheet by its name and whether that is an estimate, None
    for a name that the game does not know. Both are None in a game without datasheets.

    ``ability`` gives an ability that a file names in the form in which the game keeps it, or raises ``AbilityError``.

    ``joined`` gives a unit the models of a second one that leads it, or says in words why that cannot be. ``crowded``
    says in words why a unit cannot hold all those that are embarked in it.

    ``plays_itself`` says whether players that need no person can play whole battles of the game.

    ``left_behind`` says in sentences what ending the step now would leave undone, or do by itself.

    ``proposals`` are ready-made commands for an offer, best first, to be judged before they are given: what a sensible
    player would consider, or, when ``wild``, anything that looks legal, or anything drawn by a chance. ``odds`` are
    the exact chances of what a command may do, ``describe`` says a command in a few words for a button, and ``routed``
    gives a move the same ends by ways round what is in the way.
    """

    id: str
    title: str
    edition: str
    version: str
    phases: tuple[Phase, ...]
    rounds: int
    plays: tuple[Play, ...]
    available: Callable[[Battle], tuple[Offer, ...]]
    questions: Mapping[str, Callable[[Battle, tuple[str, ...], Mapping[str, Any]], Answer]]
    counts: str = "Round"  # what the clock counts, in words
    options: Mapping[str, tuple[str | bool | float, ...]] = field(default_factory=dict)
    terrain_kinds: frozenset[str] = frozenset()
    reactions: Callable[[Battle, ReactionWindow, str], tuple[Reaction, ...]] = no_reactions
    proposals: Proposing = no_proposals
    plays_itself: bool = False
    flat: bool = False  # played on the plan: nobody stands above the table
    odds: Callable[[Battle, Any], tuple[Odds, ...]] | None = None
    describe: Callable[[Battle, Any], str] = plainly
    routed: Callable[[Battle, Any], Command | None] = no_way_round
    left_behind: Callable[[Battle], tuple[str, ...]] = nothing_left
    holdings: Callable[[Battle], tuple[Holding, ...]] = nobody_holds  # of every objective marker, now
    lacking: Callable[[Battle, Any], tuple[Violation, ...]] = nothing_lacks  # numbers without which nothing is rolled
    keyword: Callable[[str], str | None] | None = None  # what was meant by a keyword that is misspelt, None for none
    rows: Callable[[], tuple[RuleRow, ...]] = tuple
    bind: Callable[[Unit], Unit] | None = None
    joined: Callable[[Unit, Unit], Unit | str] | None = None
    crowded: Callable[[Unit, Sequence[Unit]], str | None] | None = None
    datasheet_base: Callable[[str], tuple[Base, bool] | None] | None = None
    listing: Callable[[str], Listing | None] | None = None  # a datasheet as army lists speak of it, by its name
    ability: Callable[[str], str] | None = None
    abilities: tuple[str, ...] = ()  # the names of all that change something, as files write them
    weapon: Callable[[Weapon], Weapon] | None = None  # one that a file describes, as it is kept, or a ``ValueError``
    own_rolls: bool = False  # whether files may give a unit re-rolls and modifiers of its own
    profile: tuple[str, ...] = ()  # the numbers of a profile; none where any will do
    datasheets: Callable[[], tuple[str, ...]] | None = None  # the names of all that are known
    names: Mapping[str, Callable[[Battle], Iterable[str]]] = field(
        default_factory=dict
    )  # of what commands name, by kind

    def play(self, command: Command | str) -> Play:
        """The play for a command or a command's name; raises ``KeyError`` when the game has none."""
        name = command if isinstance(command, str) else command_name(type(command))
        for play in self.plays:
            if play.name == name:
                return play
        raise KeyError(name)

    @property
    def commands(self) -> tuple[type[Command], ...]:
        """All kinds of command that the game knows."""
        return tuple(play.command for play in self.plays)

    def ask(self, battle: Battle, question: str, of: tuple[str, ...], **details: Any) -> Answer:
        """The answer to a named question about models or units; raises ``QuestionError``."""
        if question not in self.questions:
            known = ", ".join(sorted(self.questions))
            raise QuestionError(f"no question is called {question!r}; {self.id} answers {known}")
        return self.questions[question](battle, of, details)
