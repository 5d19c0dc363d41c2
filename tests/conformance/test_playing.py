"""Does every game play, undo, branch, write down and play back as the contract says?"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, Union

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import Raw
from msgspec.structs import replace

from sim.battle import Battle, Event, Marker, ScoreChanged, decode, digest, encode, evolve_all
from sim.chance import ScriptedDice, SeededDice
from sim.engine import Game, Refused, ScriptedChoices, judge
from sim.geometry import Path, Pose
from sim.record import LoggedEntry, Record, rebuild, verify
from sim.rules import EndStep, Ruleset
from sim.rules.sequence import OVER
from tests.conformance.kit import (
    GAMES,
    Playthrough,
    clocks_to_the_end,
    commands,
    playthrough,
    playthroughs,
    subject,
)


def every(game: str) -> st.SearchStrategy[tuple[Playthrough, int]]:
    """Every entry of every playthrough."""
    return st.sampled_from([(p, k) for p in playthroughs(game) for k in range(len(p.entries))])


@pytest.mark.parametrize("game", GAMES)
def test_a_random_battle_goes_somewhere(game: str) -> None:
    for played in playthroughs(game):
        names = {type(entry.command).__name__ for entry in played.entries}
        assert len(names) >= 2
        assert len(played.entries) >= 15, "more than the steps alone"
        assert [entry.number for entry in played.entries] == list(range(1, len(played.entries) + 1))


@pytest.mark.parametrize("game", GAMES)
def test_the_same_seed_plays_the_same_battle(game: str) -> None:
    first = playthrough(game, 0, 3)
    assert playthrough.__wrapped__(game, 0, 3) == first
    assert playthrough(game, 0, 4).entries != first.entries


@pytest.mark.parametrize("game", GAMES)
def test_undo_and_redo_go_back_and_forth_over_equal_battles(game: str) -> None:
    for played in playthroughs(game):
        table = rebuild(played.record, played.ruleset)
        assert table.battle == played.battles[-1]
        for k in range(len(played.entries), 0, -1):
            assert table.undo().number == k
            assert table.battle == played.battles[k - 1]
        assert table.battle == table.start
        for k in range(1, len(played.entries) + 1):
            assert table.redo().number == k
            assert digest(table.battle) == played.entries[k - 1].digest
        assert not table.can_redo


@pytest.mark.parametrize("game", GAMES)
def test_playing_and_undoing_one_command_is_as_if_nothing_was_done(game: str) -> None:
    for played in playthroughs(game):
        for before, entry in zip(played.battles, played.entries, strict=False):
            table = Game(played.ruleset, before)
            faces = [face for roll in entry.faces for face in roll]
            again = table.play(entry.command, ScriptedDice(faces), ScriptedChoices(entry.choices))
            assert again.events == entry.events
            assert again.digest == entry.digest
            table.undo()
            assert table.battle == before
            assert table.entries == ()


@pytest.mark.parametrize("game", GAMES)
def test_a_refused_command_leaves_everything_equal(game: str) -> None:
    about = subject(game)
    refused = 0

    @settings(derandomize=True, deadline=None, max_examples=60, suppress_health_check=list(HealthCheck))
    @given(st.data())
    def holds(data: st.DataObject) -> None:
        nonlocal refused
        start = data.draw(st.sampled_from(about.starts))
        command = data.draw(commands(about.ruleset, start))
        verdict = judge(about.ruleset, start, command)
        if verdict.legal:
            return
        heard: list[object] = []
        table = Game(about.ruleset, start, lambda entry, after: heard.append(entry))
        before = digest(start)
        with pytest.raises(Refused) as caught:
            table.play(command, ScriptedDice(()))
        assert caught.value.verdict == verdict
        assert str(caught.value)
        assert table.battle is start
        assert digest(table.battle) == before
        assert (table.entries, table.can_undo, heard) == ((), False, [])
        refused += 1

    holds()
    assert refused > 20


@pytest.mark.parametrize("game", GAMES)
def test_a_branch_goes_its_own_way(game: str) -> None:
    played = playthrough(game)
    table = rebuild(played.record, played.ruleset)
    middle = len(played.entries) // 2
    other = table.branch(middle)
    assert other.battle == played.battles[middle]
    assert other.entries == table.entries[:middle]
    if judge(played.ruleset, other.battle, EndStep()).legal:
        other.play(EndStep(), SeededDice(1))
    other.undo()
    other.undo()
    assert table.battle == played.battles[-1]
    assert table.entries == played.entries
    assert not table.can_redo


@pytest.mark.parametrize("game", GAMES)
def test_what_is_written_reads_back_equal(game: str) -> None:
    for played in playthroughs(game):
        kinds: Any = Union[played.ruleset.commands]  # noqa: UP007 - the kinds are known only now
        for entry in played.entries:
            assert decode(encode(entry.command), kinds) == entry.command
            for event in entry.events:
                again: Event = decode(encode(event), Event)  # type: ignore[arg-type]
                assert again == event
                assert type(again) is type(event)
        for battle in played.battles:
            again_battle = decode(encode(battle), Battle)
            assert again_battle == battle
            assert digest(again_battle) == digest(battle)


@pytest.mark.parametrize("game", GAMES)
def test_any_command_reads_back_equal(game: str) -> None:
    about = subject(game)
    kinds: Any = Union[about.ruleset.commands]  # noqa: UP007

    @settings(derandomize=True, deadline=None, max_examples=60, suppress_health_check=list(HealthCheck))
    @given(commands(about.ruleset, about.starts[0]))
    def holds(command: Any) -> None:
        assert decode(encode(command), kinds) == command

    holds()


@pytest.mark.parametrize("game", GAMES)
def test_events_alone_play_the_battle_back(game: str) -> None:
    for played in playthroughs(game):
        record = played.record
        battle = played.battles[0]
        for k, entry in enumerate(played.entries, 1):
            battle = evolve_all(battle, entry.events)
            assert battle == played.battles[k]
            assert record.battle_at(k) == battle


def after_the_end(ruleset: Ruleset, battle: Battle) -> tuple[str, ...]:
    """What is wrong with ending one step more when the last one of the battle has ended."""
    table = Game(ruleset, battle)
    if judge(ruleset, battle, EndStep()).legal:  # a game with something to do at the end
        table.play(EndStep(), SeededDice(0))
        assert table.battle.clock.phase == OVER
    return judge(ruleset, table.battle, EndStep()).codes


@pytest.mark.parametrize("game", GAMES)
def test_ending_every_step_walks_the_whole_clock_to_the_end(game: str) -> None:
    about = subject(game)
    turn = [(p.name, s) for p in about.ruleset.phases if not p.setup for s in p.steps]
    for start in about.starts:
        walked = clocks_to_the_end(about.ruleset, start)
        clocks = [battle.clock for battle in walked]
        assert len(set(clocks)) == len(clocks)
        last = clocks[-1]
        assert (last.round, last.player) == (about.ruleset.rounds, start.players[-1])
        assert (last.phase, last.step) == turn[-1]
        assert after_the_end(about.ruleset, walked[-1]) == ("battle-over",)
        assert not any(
            m.until in ("end-of-phase", "end-of-turn")
            for unit in walked[-1].units
            for m in unit.markers
            if last != start.clock
        )
        for number in range(start.clock.round + 1, about.ruleset.rounds + 1):
            for player in start.players:
                mine = [(c.phase, c.step) for c in clocks if (c.round, c.player) == (number, player)]
                assert mine == turn


@pytest.mark.parametrize("game", GAMES)
def test_markers_last_as_long_as_they_say(game: str) -> None:
    about = subject(game)
    setup = {phase.name for phase in about.ruleset.phases if phase.setup}
    laid = tuple(Marker(until, until=until) for until in ("end-of-phase", "end-of-turn", "end-of-battle"))
    gone_early = set()
    for start in about.starts:
        for before, after in pairwise(clocks_to_the_end(about.ruleset, start)):
            unit = before.units[0]
            table = Game(about.ruleset, before.with_unit(replace(unit, markers=(*unit.markers, *laid))))
            table.play(EndStep(), SeededDice(0))
            left = {marker.kind for marker in table.battle.unit(unit.id).markers}
            old, new = before.clock, after.clock
            same_turn = (old.round, old.player) == (new.round, new.player)
            assert "end-of-battle" in left
            both_set_up = old.phase == new.phase and old.phase in setup  # the other player goes on in the same step
            assert ("end-of-phase" in left) == (old.phase == new.phase and (same_turn or both_set_up))
            if old.phase not in setup:
                assert ("end-of-turn" in left) == same_turn
            gone_early.add(frozenset(left))
    assert len(gone_early) >= 2


# --- a record that somebody wrote on


@pytest.mark.parametrize("game", GAMES)
def test_a_record_verifies(game: str) -> None:
    for played in playthroughs(game):
        heard: list[tuple[int, int]] = []
        assert verify(played.record, played.ruleset, lambda *done, to=heard: to.append(done)) is None
        total = len(played.entries)
        assert heard == [(k, total) for k in range(1, total + 1)]


def commands_changed(entry: LoggedEntry) -> Iterator[tuple[str, LoggedEntry]]:
    yield "command unknown", replace(entry, command=Raw(b'{"type":"teleport"}'))
    yield "command torn", replace(entry, command=Raw(b'{"type":'))
    yield (
        "command illegal",
        replace(entry, command=Raw(b'{"type":"deploy","unit":"nobody","models":[]}')),
    )


def faces_changed(entry: LoggedEntry) -> Iterator[tuple[str, LoggedEntry]]:
    yield "face added", replace(entry, faces=(*entry.faces, (1,)))
    if not entry.faces:
        return
    first, *rest = entry.faces
    yield "face other", replace(entry, faces=((first[0] % 6 + 1, *first[1:]), *rest))
    yield "face beyond the die", replace(entry, faces=((99, *first[1:]), *rest))
    yield "face dropped", replace(entry, faces=(first[1:], *rest))
    yield "roll in two", replace(entry, faces=(first[:1], first[1:], *rest))


def choices_changed(entry: LoggedEntry) -> Iterator[tuple[str, LoggedEntry]]:
    yield "choice added", replace(entry, choices=(*entry.choices, "decline"))
    if not entry.choices:
        return
    yield "choice never offered", replace(entry, choices=("fly away", *entry.choices[1:]))
    yield "choice dropped", replace(entry, choices=entry.choices[1:])


def events_changed(entry: LoggedEntry) -> Iterator[tuple[str, LoggedEntry]]:
    yield "event added", replace(entry, events=(*entry.events, ScoreChanged("nobody", 1)))
    if not entry.events:
        return
    yield "event dropped", replace(entry, events=entry.events[:-1])
    yield "event twice", replace(entry, events=(entry.events[0], *entry.events))
    yield "event other", replace(entry, events=(ScoreChanged("nobody", 1), *entry.events[1:]))


def digests_changed(entry: LoggedEntry) -> Iterator[tuple[str, LoggedEntry]]:
    yield "digest other", replace(entry, digest=entry.digest[::-1] + "0")
    yield "digest gone", replace(entry, digest="")


TAMPERINGS: tuple[Callable[[LoggedEntry], Iterator[tuple[str, LoggedEntry]]], ...] = (
    commands_changed,
    faces_changed,
    choices_changed,
    events_changed,
    digests_changed,
)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("tampering", TAMPERINGS, ids=lambda t: t.__name__)
def test_anything_changed_is_found_at_its_entry(
    game: str, tampering: Callable[[LoggedEntry], Iterator[tuple[str, LoggedEntry]]]
) -> None:
    missed = []
    tried = 0
    for played in playthroughs(game):
        record = played.record
        for k, entry in enumerate(record.entries[:25]):
            # Begun just before the entry, so that a long record need not be judged from its start every time.
            upto = Record(record.header, record.entries[: k + 2])
            for what, other in tampering(entry):
                tampered = replace(upto, entries=(*upto.entries[:k], other, *upto.entries[k + 1 :]))
                tried += 1
                found = _from(tampered, played, k)
                if found != k + 1:
                    missed.append(f"{type(played.entries[k].command).__name__} {k + 1}: {what}: {found}")
    assert tried
    assert missed == []


def _from(record: Record, played: Playthrough, k: int) -> int | None:
    """The entry that verifying names, counted from the start of the whole record."""
    start = played.battles[k]
    header = replace(record.header, start=start, digest=digest(start))
    difference = verify(Record(header, record.entries[k:]), played.ruleset)
    return None if difference is None else difference.number


@pytest.mark.parametrize("game", GAMES)
def test_a_moved_pose_in_a_command_is_found(game: str) -> None:
    tried = 0
    for played in playthroughs(game):
        for k, entry in enumerate(played.entries):
            other = _nudged(entry.command)
            if other is None or not _went(played, k):
                continue
            logged = replace(played.record.entries[k], command=Raw(encode(other)))
            record = Record(played.record.header, (*played.record.entries[:k], logged))
            assert _from(record, played, k) == k + 1
            tried += 1
    assert tried


def _went(played: Playthrough, k: int) -> bool:
    """Whether the model that is nudged went anywhere: it may be lost first, or an Advance roll fall short."""
    unit = getattr(played.entries[k].command, "unit", "")
    if not unit:
        return True
    before, after = (played.battles[n].unit(unit).models for n in (k, k + 1))
    return bool(after) and after[0].id == before[0].id and after[0].pose != before[0].pose


def _nudged(command: Any) -> Any:
    fields = type(command).__struct_fields__
    if "models" in fields and command.models:
        first, *rest = command.models
        return replace(command, models=(Pose(first.x + 1e-5, first.y, first.facing, first.z), *rest))
    if "paths" in fields and command.paths and command.paths[0].stops:
        first, *rest = command.paths
        end = first.end
        stops = (*first.stops[:-1], Pose(end.x, end.y - 1e-5, end.facing, end.z))
        if len({stop.facing for stop in (first.start, *stops)}) == 1:
            return replace(command, paths=(Path(first.start, stops), *rest))
    return None


@pytest.mark.parametrize("game", GAMES)
def test_a_tampered_start_snapshot_or_ruleset_is_found(game: str) -> None:
    played = playthrough(game)
    record = played.record
    players = record.header.start.players
    richer = replace(record.header.start, score=((players[0], 5),))
    at_start = verify(replace(record, header=replace(record.header, start=richer)), played.ruleset)
    assert at_start is not None
    assert at_start.number == 0
    other = verify(replace(record, header=replace(record.header, ruleset="other")), played.ruleset)
    assert other is not None
    assert (other.number, "other" in other.what) == (0, True)
    k = len(record.entries) // 2
    wrong = verify(replace(record, snapshots={k: richer}), played.ruleset)
    assert wrong is not None
    assert wrong.number == k


@pytest.mark.parametrize("game", GAMES)
def test_two_entries_in_the_wrong_order_are_found(game: str) -> None:
    played = playthrough(game)
    entries = list(played.record.entries)
    k = next(k for k in range(len(entries) - 1) if entries[k].events != entries[k + 1].events)
    entries[k], entries[k + 1] = (
        replace(entries[k + 1], number=entries[k].number),
        replace(entries[k], number=entries[k + 1].number),
    )
    found = verify(replace(played.record, entries=tuple(entries)), played.ruleset)
    assert found is not None
    assert found.number == k + 1


def test_the_toy_game_uses_every_kind_of_event_and_answer() -> None:
    seeds = [playthrough("toy", start, seed) for start in (0, 1) for seed in range(7, 11)]
    entries = [entry for played in seeds for entry in played.entries]
    told = {type(event) for entry in entries for event in entry.events}
    assert told == set(Event.__args__)
    assert any(entry.faces for entry in entries)
    assert any(entry.choices for entry in entries)
    assert {choice for entry in entries for choice in entry.choices} >= {"dodge", "decline"}
