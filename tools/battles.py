"""Play many battles to their end and hold what must be true of every one of them.

``python tools/battles.py SCENARIO [--count N] [--players random,random] [--seed N] [--jobs N]``: no exception, no
stall, no broken invariant (wounds, coherency, overlaps, points, counts), and the record of each verifies.

``python tools/battles.py --referee [--count N] [--seed N] [--jobs N] [--keep FOLDER]``: over every shipped scenario of
Warhammer 40,000, with and without detachments and leaders, players mixed; the referee of our own reads each record.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback

import joblib

from sim.app.games import rulesets
from sim.battle import Battle, ModelsMoved, ModelsPlaced
from sim.chance import SeededDice
from sim.engine import Entry, Game
from sim.geometry import PlacedSet, judge
from sim.players import GreedyPlayer, Player, RandomPlayer, play_out
from sim.record import record_of, verify
from sim.rulesets.wh40k10 import losses, measuring
from sim.scenario import load_case


def faults(before: Battle, entry: Entry, after: Battle) -> list[str]:
    """What must not be, after an entry."""
    found = []
    for unit in after.units:
        earlier = before.unit(unit.id)
        if len(unit.models) > len(earlier.models):
            found.append(f"{unit.id} has grown")
        for model in unit.models:
            if not 0 <= model.wounds_lost < losses.wounds_of(unit, model):
                found.append(f"{model.id} has lost {model.wounds_lost} wounds")
            if (model.pose is not None) != unit.on_table:
                found.append(f"{model.id} stands nowhere, or where its unit is not")
        if sum(model.wounds_lost > 0 for model in unit.own_models) > 1:
            found.append(f"{unit.id} has several wounded models")
    if sum(1 for _, resource, n in after.resources if resource == "cp" and n < 0):
        found.append("command points below nothing")
    moved = {e.unit for e in entry.events if isinstance(e, (ModelsPlaced, ModelsMoved))}
    for name in moved:
        unit = after.unit(name)
        if not unit.on_table or not unit.models:
            continue
        members = PlacedSet.of(m.placed for m in unit.models)
        rules = (measuring.on_table(after.battlefield), measuring.clear_of_others(after, unit), measuring.apart())
        found += [f"{unit.id}: {breach.code} {breach.measured:.4f}" for breach in judge(rules, members)]
        if len(unit.models) == len(before.unit(name).models):
            group = measuring.coherency(len(members))
            found += [f"{unit.id} is out of coherency"] * any(True for _ in group.judge(members))
    return found


def play(scenario: str, kinds: tuple[str, ...], seed: int) -> tuple[int, str, dict[str, int], float]:
    """One battle: its seed, what is wrong with it, its score, and the seconds it took."""
    case = load_case(scenario, rulesets())
    players: dict[str, Player] = {}
    for place, (name, kind) in enumerate(zip(case.battle.players, kinds, strict=True)):
        players[name] = GreedyPlayer(name) if kind == "greedy" else RandomPlayer(1000 * seed + place, name)
    game = Game(case.ruleset, case.battle)
    begun = time.perf_counter()
    try:
        for _ in play_out(game, players, SeededDice(seed)):
            pass
    except Exception:
        clock = game.battle.clock
        return seed, f"{clock}\n{traceback.format_exc()}", {}, time.perf_counter() - begun
    taken = time.perf_counter() - begun
    before = game.start
    for entry, after in game.history:
        wrong = faults(before, entry, after)
        if wrong:
            return seed, f"entry {entry.number} {type(entry.command).__name__}: {'; '.join(wrong[:5])}", {}, taken
        before = after
    different = verify(record_of(game), case.ruleset)
    if different is not None:
        return seed, f"entry {different.number} differs: {different.what}", {}, taken
    return seed, "", dict(game.battle.score), taken


def main() -> None:
    """Play them and tell what is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenario", nargs="?")
    parser.add_argument("--referee", action="store_true", help="let the referee of our own read each record")
    parser.add_argument("--keep", default="", help="a folder for the records of battles with reports")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--players", default="random,random")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    if given.referee:
        from refereed import run  # slow: only here

        sys.exit(run(range(given.seed, given.seed + given.count), given.jobs, given.keep))
    if given.scenario is None:
        parser.error("a scenario, or --referee")
    kinds = tuple(given.players.split(","))
    jobs = joblib.Parallel(n_jobs=given.jobs, return_as="generator_unordered")
    seeds = range(given.seed, given.seed + given.count)
    wrong, seconds = 0, list[float]()
    wins: dict[str, int] = {}
    for seed, what, score, taken in jobs(joblib.delayed(play)(given.scenario, kinds, seed) for seed in seeds):
        seconds.append(taken)
        if what:
            wrong += 1
            print(f"seed {seed}: {what}", flush=True)
        best = [p for p, n in score.items() if n == max(score.values())]
        name = best[0] if len(best) == 1 else "draw"
        wins[name] = wins.get(name, 0) + 1
    seconds.sort()
    print(f"{given.count} battles, {wrong} with faults; median {seconds[len(seconds) // 2]:.2f} s; {wins}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
