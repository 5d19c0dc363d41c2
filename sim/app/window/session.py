"""One battle being played by a person: what is held over the table, judged at every move, and what has been done.

No pixels here. The window, its tests and a script all take this path.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import shapely
from msgspec import structs

from sim.analysis import Margin, Pocket, margins, nearest_command, nearest_legal, pockets
from sim.app.window import pointing
from sim.app.window.asking import Answers, KeptDice, Question, TakenBack, Waiting
from sim.app.window.held import Held
from sim.battle import Battle, BattleError, CodecError, Ranked, Unit
from sim.chance import Dice
from sim.engine import ChoiceError, Entry, Game, Refused
from sim.geometry import Path as Way
from sim.geometry import Placed, PlacedSet, Point, Pose
from sim.geometry.lengths import plain
from sim.motion import rank_and_file, ranks
from sim.players import Player
from sim.players.match import next_command
from sim.record import Journal, Record, decode_command, rebuild, record_of, write_record
from sim.rules import Command, EndStep, Going, NeedChoice, Offer, Ruleset, Verdict
from sim.view import Caption, Item, Scene, compose, overlay
from sim.view.story import story

NOTHING = NeedChoice("", "", ())  # is needed yet
PLACING = frozenset({"unit", "models", "paths", "facing", "at"})  # what holding a unit over the table says by itself
SHARES, HALVINGS = 16, 12  # of a way on which a legal end is looked for
TURN = 15.0  # degrees of one step of turning what is held


class Session:
    """A game, its journal, and what the person holds; a refused drop changes nothing."""

    def __init__(
        self,
        ruleset: Ruleset,
        start: Battle,
        dice: Dice,
        journal: Path | None = None,
        assumed: frozenset[str] = frozenset(),
    ) -> None:
        self.ruleset, self.dice, self.assumed = ruleset, dice, assumed
        self.journal = None
        if journal is not None:
            self.journal = Journal.create(journal, ruleset.id, ruleset.version, start, assumed)
        self.game = Game(ruleset, start, self._write)
        self.held: Held | None = None
        self.question: Question | None = None
        self._taken_back = TakenBack()
        self.asks_re_rolls = False  # whether a person is asked after every roll that could be bought anew
        self.computers: dict[str, Player] = {}  # who plays by itself, by the player that it plays for
        self._told_from = 0  # the first entry that the panel still tells of
        self._computer_is_at_it = False  # whether the last entry was a computer's
        self._led: tuple[Held, Command] | None = None  # what is held, with the ways that were found for it
        self._laid = compose.Laid(start, ruleset, assumed)

    @classmethod
    def of_record(cls, ruleset: Ruleset, record: Record, dice: Dice, journal: Path | None = None) -> Session:
        """Go on from the end of a record; a new journal begins with all of it."""
        session = cls(ruleset, record.header.start, dice, journal, frozenset(record.header.assumed))
        session.game = rebuild(record, ruleset, session._write)
        for entry, after in session.game.history:
            session._write(entry, after)
        return session

    @property
    def battle(self) -> Battle:
        """The battle as it stands now."""
        return self.game.battle

    @property
    def place(self) -> str:
        """Where what is done is written."""
        return "nowhere" if self.journal is None else str(self.journal.path)

    @property
    def offers(self) -> tuple[Offer, ...]:
        """What a person can do now."""
        offers = self.ruleset.available(self.battle)
        return tuple(offer for offer in offers if self.whose(offer) not in self.computers) if self.computers else offers

    def whose(self, offer: Offer) -> str:
        """The player to whom something is offered."""
        return self.battle.unit(offer.unit).player if offer.unit else self.battle.clock.player

    def offers_for(self, unit_id: str) -> tuple[Offer, ...]:
        """What one unit can do now."""
        return tuple(offer for offer in self.offers if offer.unit == unit_id)

    def open_with(self, offer: Offer) -> Verdict | None:
        """Do what comes before the unit is led, such as a roll; None where nothing does.

        Where a person has to choose on the way, it is not done yet; what is offered stays on offer.
        """
        opening = self.ruleset.play(offer.command).opening
        command = None if opening is None else opening(self.battle, self.battle.unit(offer.unit))
        return None if command is None else self.do(command)

    def pick(self, offer: Offer, at: Point) -> Held:
        """Take a unit in hand for what is offered, gripped at a point of the table."""
        play = self.ruleset.play(offer.command)
        unit = self.battle.unit(offer.unit)
        if pointing.leads(play):
            self.held = self._with_zones(pointing.taken(play, self.battle, unit, at))
            return self.held
        template = None
        if set(play.command.__struct_fields__) - PLACING:
            template = next(iter(self.ruleset.proposals(self.battle, offer, True)), None)
        standing = tuple(m.pose for m in unit.models if m.pose is not None)
        if len(standing) == len(unit.models):
            poses = standing
        elif play.block is not None:
            poses = play.block(self.battle, unit, at)
        else:
            facing = self._facing(unit)
            bases = [m.base for m in unit.models]
            if isinstance(unit.formation, Ranked):
                block = rank_and_file(bases, unit.formation.files, facing)
            else:
                block = ranks(bases, facing)
            poses = tuple(Pose(at[0] + p.x, at[1] + p.y, p.facing) for p in block)
        self.held = self._with_zones(Held(play, unit, self.battle, poses, at, template=template))
        return self.held

    def middle_of(self, unit_id: str) -> Point | None:
        """The middle of a unit that stands on the table, None for one that does not."""
        if not self._standing(unit_id):
            return None
        bases = self.battle.index.of_unit(unit_id).bases
        return float(bases.x.mean()), float(bases.y.mean())

    def _facing(self, unit: Unit) -> float:
        """Towards the enemies, in quarter turns; along +x when there are none."""
        enemies = self.battle.index.enemies_of(unit.player).bases
        if not len(enemies):
            return 0.0
        up = float(enemies.y.mean()) > self.battle.battlefield.depth / 2
        return 90.0 if up else 270.0

    def _with_zones(self, held: Held) -> Held:
        if not held.shows_ground:
            return replace(held, zones=overlay.Overlay())
        command, poses = self.command_held(held), self.poses_held(held)
        zones = overlay.of_command(self.battle, held.play, command, held.unit, poses, held.model)
        return replace(held, zones=zones)

    def hold_at(self, at: Point, snap: bool = True) -> None:
        """The cursor moved: what is held goes with it, unless it was laid down to be put right.

        Near what it should touch it snaps into contact and slides round it, and where it stood it stands again, unless
        that is not wanted.
        """
        if self.held is not None and (not self.held.pinned or self.held.model is not None):
            moved = self.held.shifted(at)
            self.held = moved.snapped() if snap else moved

    def turn(self, steps: int) -> None:
        """Turn what is held by steps of fifteen degrees."""
        if self.held is not None:
            self.held = self._with_zones(self.held.turned(steps * TURN))

    def widen(self, more: int) -> str:
        """Put what is held in so many more files, or fewer; says what came of it."""
        if self.held is None:
            return "Nothing is in hand."
        other = self.held.widened(more)
        if other is None:
            return f"{self.held.play.title}: the ranks stay as they are."
        same = other.poses == self.held.poses
        self.held = self._with_zones(other)
        return "It gets no wider or narrower than that." if same else ""

    def raise_by_one(self, up: bool) -> str:
        """Put what is held on the next surface above or below, of those under the cursor; says where it is then."""
        held = self.held
        if held is None:
            return "Nothing is in hand."
        spot = shapely.Point(held.grip)
        heights = {0.0}
        for piece in self.battle.battlefield.terrain:
            surfaces = [(floor.z, floor.outline) for floor in piece.floors]
            if piece.height > 0:
                surfaces.append((piece.height, piece.outline))
            heights.update(z for z, outline in surfaces if shapely.covers(shapely.Polygon(outline), spot))
        self.held = self._with_zones(held.raised(sorted(heights), up))
        highest = max(pose.z for pose in self.held.poses)
        return f'Standing {plain(highest)}" up.' if highest > 0 else "Standing on the ground."

    def grab_model(self, at: Point) -> bool:
        """While the unit is laid down: take the one model under a point in hand; False when there is none."""
        if self.held is None or not self.held.pinned:
            return False
        for k, (model, pose) in enumerate(zip(self.held.unit.models, self.held.poses, strict=True)):
            if math.dist(pose.at, at) <= Placed(model.base, pose).radius:
                self.held = self._with_zones(replace(self.held, model=k, grip=at, loose=None))
                return True
        return False

    def release_model(self) -> None:
        """Let the one model go where it is."""
        if self.held is not None and self.held.model is not None:
            self.held = self._with_zones(replace(self.held, model=None, loose=None))

    def regrip(self, at: Point) -> None:
        """Take the whole unit that was laid down back in hand, its middle at a point."""
        if self.held is not None:
            count = len(self.held.poses)
            middle = (math.fsum(p.x for p in self.held.poses) / count, math.fsum(p.y for p in self.held.poses) / count)
            self.held = replace(self.held, pinned=False, model=None, grip=middle, loose=None).shifted(at)

    def pin(self) -> None:
        """Lay the unit down where it is, to be put right model by model; one that is pointed stays in hand."""
        if self.held is not None and not isinstance(self.held, pointing.Pointed):
            self.held = replace(self.held, poses=self.poses_held(self.held), pinned=True, model=None, loose=None)

    def let_go(self) -> None:
        """Put back what is held; nothing has happened."""
        self.held = None

    @property
    def verdict(self) -> Verdict | None:
        """The judge's answer for what is held, None when nothing is."""
        if self.held is None:
            return None
        return self.game.judge(self.command_held(self.held))

    def command_held(self, held: Held) -> Command:
        """The command that setting down would be: straight, or round what is in the way where that helps."""
        if self._led is not None and self._led[0] is held:
            return self._led[1]
        command = self._told(held)
        self._led = held, command
        return command

    def _told(self, held: Held) -> Command:
        command = self._settled(held)
        if held.moves and not self.game.judge(command).legal:
            routed = self.ruleset.routed(self.battle, command)
            command = routed if routed is not None and self.game.judge(routed).legal else command
        return command

    def _settled(self, held: Held) -> Command:
        """The command that setting down would be, where it belongs exactly."""
        command = held.command
        return command if held.play.settle is None else held.play.settle(self.battle, command)

    def poses_held(self, held: Held) -> tuple[Pose, ...]:
        """Where the held models are shown: where the command would have them, if that says so."""
        if held.play.settle is None:
            return held.poses
        command = self.command_held(held)
        poses: tuple[Pose, ...] = getattr(command, "models", ())
        return poses or tuple(way.end for way in getattr(command, "paths", ())) or held.poses

    def ways_held(self, held: Held) -> tuple[Way, ...]:
        """The ways that the held models would go; none for what is set up."""
        ways: tuple[Way, ...] = getattr(self.command_held(held), "paths", ())
        return ways

    def margins(self) -> tuple[Margin, ...]:
        """How much room each held model has."""
        held = self.held
        if held is None or held.play.rules is None or isinstance(held, pointing.Pointed):
            return ()
        rules = held.play.rules(self.battle, self.command_held(held))
        bases = zip(held.unit.models, self.poses_held(held), strict=True)
        return margins(rules, PlacedSet.of(Placed(model.base, pose) for model, pose in bases))

    def goings(self) -> tuple[Going, ...]:
        """How far each held model would go and may go, as the verdict counts it; nothing for what is set up."""
        held = self.held
        if held is None or held.play.goes is None or isinstance(held, pointing.Pointed):
            return ()
        return held.play.goes(self.battle, self.command_held(held))

    def better(self) -> Callable[[], Held | None] | None:
        """What finds the legal spot nearest to where the unit is held, to be called when there is time for it.

        A placed unit is shifted; one that moves stops short on its way; one that is pointed somewhere goes to the
        nearest ground; failing that, any goes where the game proposes. None when nothing is held or it is legal where
        it is.
        """
        held = self.held
        if held is None or self.game.judge(self.command_held(held)).legal:
            return None
        if isinstance(held, pointing.Pointed):
            return lambda: self._on_its_ground(held)
        if held.moves:
            return lambda: self._stops_short(held) or self._proposed(held)
        return lambda: self._shifted(held) or self._proposed(held)

    def _shifted(self, held: Held) -> Held | None:
        """The whole of what is placed at the nearest spot for it as it is held."""
        found = nearest_legal(self.ruleset, self.battle, self._settled(held))
        return None if found is None else replace(held, poses=found)

    def _on_its_ground(self, held: pointing.Pointed) -> Held | None:
        """What is pointed to a spot, at the nearest that is legal; None while its point is chosen, or without one."""
        found = nearest_command(self.ruleset, self.battle, held.command) if held.spot_matters and held.chosen else None
        return None if found is None else held.as_told(found)

    def _stops_short(self, held: Held) -> Held | None:
        """Where a unit that goes towards the cursor can stand last; None where no stretch of the way is legal."""

        def fine(share: float) -> bool:
            return self.game.judge(self._settled(held.shortened(share))).legal

        least = 0 if held.wheels else 1
        step = next((k for k in range(SHARES - 1, least - 1, -1) if fine(k / SHARES)), None)
        if step is None:
            return None
        low, high = step / SHARES, (step + 1) / SHARES
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            low, high = (middle, high) if fine(middle) else (low, middle)
        return held.shortened(low)

    def _proposed(self, held: Held) -> Held | None:
        """The nearest of the spots that the game proposes for such a command; None where it proposes nothing legal."""
        offer = Offer(held.play.name, held.unit.id, held.play.title)
        found = []
        for command in self.ruleset.proposals(self.battle, offer, True):
            poses = getattr(command, "models", ()) or tuple(path.end for path in getattr(command, "paths", ()))
            there = replace(held, poses=poses, wheels=(), loose=None)
            if len(poses) == len(held.unit.models) and self.game.judge(self._told(there)).legal:
                found.append(there)
        return min(found, key=lambda there: math.dist(there.poses[0].at, held.poses[0].at), default=None)

    def pockets(self) -> tuple[Pocket, ...]:
        """The pockets in which the held unit's bases could be set down, with how many of them fit at least."""
        held = self.held
        if held is None or not held.chooses_ground or held.play.rules is None:
            return ()
        field = self.battle.battlefield
        table = shapely.box(0, 0, field.width, field.depth)
        rules = held.play.rules(self.battle, held.command)
        base, facing = held.unit.models[0].base, held.poses[0].facing
        if held.play.figure is not None:
            base, facing = held.play.figure(self.battle, held.command)
        return pockets(rules.standing, base, facing, table, z=held.poses[0].z, member=0)

    def snap(self, found: Held) -> None:
        """Put the unit that is held at a spot that was found for it: laid down, or pointed there."""
        if self.held is not None:
            self.held = found
            self.pin()

    def drop(self) -> Verdict | None:
        """Set down what is held: done when it is legal, laid down to be put right when it is not."""
        if self.held is None:
            return None
        if isinstance(self.held, pointing.Pointed) and not self.held.chosen:
            self.held = self._with_zones(self.held.with_point())
            return None
        verdict = self.do(self.command_held(self.held))
        if not verdict.legal:
            self.pin()
            return verdict
        self.held = None
        return verdict

    def end_step(self) -> Verdict:
        """Nothing more in this step."""
        self.held = None
        return self.do(EndStep())

    def computers_turn(self) -> Callable[[], Command | None] | None:
        """What finds the next thing that a computer does, for when there is time; None while a person is at it."""
        if not self.computers or self.question is not None or self.held is not None:
            return None
        if self.waited_for:
            return None
        ruleset, battle, computers = self.ruleset, self.battle, self.computers
        if not ruleset.available(battle):
            return None
        return lambda: next_command(ruleset, battle, computers)

    @property
    def waited_for(self) -> tuple[Offer, ...]:
        """What a person does now or not at all: it is gone when a computer goes on."""
        return tuple(offer for offer in self.offers if offer.lapses)

    @property
    def may_answer_the_end(self) -> bool:
        """Whether a person may answer what a computer has ended, or let it go on by ending it too."""
        return any(offer.reaction for offer in self.waited_for)

    def do_for_computer(self, command: Command) -> Entry | None:
        """Do what a computer has decided; None where a person has to answer first."""
        before = len(self.game.entries)
        told_from = self._told_from if self._computer_is_at_it else before
        if not self.do(command).legal or len(self.game.entries) == before:
            return None
        self._told_from, self._computer_is_at_it = told_from, True
        return self.game.entries[-1]

    # ---- doing, and answering in the middle of it

    def options(self, offer: Offer) -> tuple[Command, ...]:
        """Everything legal that the game proposes for an offer that names no spot."""
        found = []
        for command in self.ruleset.proposals(self.battle, offer, True):
            if command not in found and self.game.judge(command).legal:
                found.append(command)
        return tuple(found)

    def aims(self, commands: Sequence[Command]) -> tuple[Item, ...]:
        """A ruler from a unit to every unit that some commands aim at, from base to base."""
        return compose.aims(self.battle, commands)

    def _standing(self, unit: str) -> bool:
        return self.battle.has_unit(unit) and len(self.battle.index.of_unit(unit)) > 0

    def chooses(self, offer: Offer) -> bool:
        """Whether an offer is one of options rather than of spots on the table.

        Of a command that may leave the spots out, what the game proposes says whether it is time for them.
        """
        kind = self.ruleset.play(offer.command).command
        if not {"models", "paths", "at", "facing"} & set(kind.__struct_fields__):
            return True
        if not any(field.name == "models" and field.default == () for field in structs.fields(kind)):
            return False
        first = next(iter(self.ruleset.proposals(self.battle, offer, True)), None)
        return first is not None and not (getattr(first, "models", ()) or getattr(first, "at", None))

    @property
    def left_behind(self) -> tuple[str, ...]:
        """What ending the step now would leave undone, in sentences; nothing while it may not end."""
        return self.ruleset.left_behind(self.battle) if self.game.judge(EndStep()).legal else ()

    def do(self, command: Command) -> Verdict:
        """Do it; where a person has to choose on the way, nothing has happened yet and ``question`` says what."""
        seen = self._taken_back.faces_of(self.battle, command)
        return self._try(Question(command, NOTHING, ahead=seen, re_rolls=self.asks_re_rolls))

    def ask_again(self, record: Record) -> str:
        """Ask what was open when a record was written, with the dice that were seen; why not, where that cannot be."""
        asked = record.asked
        if asked is None:
            return ""
        try:
            command = decode_command(self.ruleset, asked)
            verdict = self._try(Question(command, NOTHING, asked.choices, ahead=asked.faces, re_rolls=asked.re_rolls))
        except (BattleError, ChoiceError, CodecError) as error:
            return str(error)
        self.asks_re_rolls = self.question is not None and asked.re_rolls
        return "; ".join(violation.message for violation in verdict.violations)

    def answer(self, option: str) -> Verdict:
        """Answer what is asked, and go on."""
        if self.question is None or option not in self.question.need.options:
            return Verdict()
        return self._try(replace(self.question, answers=(*self.question.answers, option)))

    def _try(self, question: Question) -> Verdict:
        dice = KeptDice(self.dice, question.seen)

        def decides(need: NeedChoice) -> str | None:
            """What is answered without asking: by a computer, and no re-rolls for who does not ask for them."""
            if need.player in self.computers:
                return self.computers[need.player].choose(self.battle, need)
            return None if question.re_rolls or need.when != "after-roll" else need.options[0]

        try:
            self.game.play(question.command, dice, Answers(question.answers, decides))
        except Waiting as waiting:
            asked = replace(question, need=waiting.need, faces=tuple(dice.rolled), ahead=dice.left)
            if self.journal is not None:
                self.journal.ask(asked.line)
            self.question = asked
            return Verdict()
        except Refused as refused:
            return refused.verdict
        self.question = None
        self._told_from, self._computer_is_at_it = len(self.game.entries) - 1, False
        return Verdict()

    @property
    def happened(self) -> tuple[str, ...]:
        """What came of the last act, in sentences; of all that a computer has done since a person acted."""
        told: list[str] = []
        done = list(self.game.history)
        for k in range(min(self._told_from, max(len(done) - 1, 0)), len(done)):
            before = self.game.start if k == 0 else done[k - 1][1]
            told.extend(story(self.ruleset, before, done[k][0].command, done[k][0].events))
        return tuple(told)

    def undo(self) -> bool:
        """Put back what is held, or step out of a question, or over what was done last; False for nothing."""
        if self.held is not None:
            self.held = None
            return True
        if self.question is not None:
            if self.journal is not None:
                self.journal.rewind(len(self.game.entries))
            self._taken_back.keep(self.battle, self.question)
            self.question = None
            return True
        if not self.game.can_undo:
            return False
        self._step_back()
        # What a computer did after it goes as well: it would only do it again.
        while (
            self.computers
            and self.game.can_undo
            and not self.waited_for
            and next_command(self.ruleset, self.battle, self.computers)
        ):
            self._step_back()
        return True

    def _step_back(self) -> None:
        if self.journal is not None:
            self.journal.rewind(len(self.game.entries) - 1)
        self.game.undo()

    @property
    def can_undo(self) -> bool:
        """Whether there is something to put back, or to step out of or over."""
        return self.held is not None or self.question is not None or self.game.can_undo

    @property
    def can_redo(self) -> bool:
        """Whether something was undone or stepped out of, and can be had again."""
        stepped_out = self.question is None and self._taken_back.last(self.battle) is not None
        return stepped_out or self.game.can_redo

    def redo(self) -> bool:
        """Do again what was undone last, or ask again what was stepped out of; False when there is nothing."""
        self.held = None
        again = self._taken_back.last(self.battle) if self.question is None else None
        if again is not None:
            return self._try(replace(again, need=NeedChoice("", "", ()))).legal
        self.question = None
        if not self.game.can_redo:
            return False
        entry = self.game.redo()
        try:
            self._write(entry, self.game.battle)
        except OSError:
            self.game.undo()
            raise
        return True

    def record(self) -> Record:
        """Everything done so far as a record, with what is being asked."""
        record = record_of(self.game, self.assumed)
        if self.question is None:
            return record
        return structs.replace(record, asked=self.question.line)

    def save(self, path: Path) -> None:
        """Write everything done so far as a record, in one step."""
        write_record(path, self.record())

    def scene(self, verdict: Verdict | None, extra: tuple[Item, ...] = (), caption: Caption | None = None) -> Scene:
        """The table with what is held over it."""
        held = self.held
        if self._laid.battle is not self.battle:
            self._laid = self._laid.after(self.battle)
        if held is None:
            return self._laid.scene((*self._in_question(), *extra), caption)
        assert verdict is not None
        items: list[Item] = [*held.zones.items]
        if held.moves:
            items.extend(compose.trails(self.ways_held(held)))
        items.extend(compose.held(self.battle, held.unit, self.poses_held(held), verdict))
        items.extend(held.marks)
        items.extend(extra)
        return self._laid.scene(items, caption or compose.verdict_caption(self.battle, held.unit, held.play, verdict))

    def _in_question(self) -> tuple[Item, ...]:
        """Where a move goes that stops for a question, and whom a command aims at."""
        if self.question is None:
            return ()
        command = self.question.command
        paths, name = getattr(command, "paths", ()), getattr(command, "unit", "")
        items: list[Item] = list(self.aims((command,)))
        if paths and self.battle.has_unit(name):
            unit = self.battle.unit(name)
            items.extend(compose.trails(paths))
            items.extend(compose.held(self.battle, unit, [path.end for path in paths], Verdict()))
        return tuple(items)

    def _write(self, entry: Entry, after: Battle) -> None:
        if self.journal is not None:
            self.journal.append(entry, after)

    def close(self) -> None:
        """Close the journal; everything shown is in it."""
        if self.journal is not None:
            self.journal.close()
