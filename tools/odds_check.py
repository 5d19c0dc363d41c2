"""Are the exact odds those of the procedure that is played?

    python tools/odds_check.py [--plays 1000000] [--seed 1] [--jobs 1] [--set-up WORDS]

Each of three dozen attacks is played again and again by the procedure of a battle, with dice from a seed, and what
came of it is held against the exact odds: how many models are destroyed, how many wounds are lost, and both on the
average. A share that is off by more than four standard errors is told; exit status 1 then. The plays are shared out
among the attacks; a million of them take about half an hour.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import joblib
import numpy as np

from sim.battle import Battle
from sim.chance import Pmf
from sim.chance.dice import Faces, Kind
from sim.engine import resolve
from sim.rules import NeedChoice
from sim.rulesets.wh40k10 import RULESET, losses
from sim.rulesets.wh40k10.volleys import AS_EVER
from tests.rulesets.wh40k10.odds_setups import SET_UPS, SetUp

ERRORS = 4.0  # standard errors
FEWEST = 25.0  # expected plays either way, below which a share is not held by itself: it is no bell curve then
AHEAD = 4096  # faces that are drawn at once


class PlainDice:
    """Fair plain dice from a seed, drawn many at a time."""

    def __init__(self, seed: int) -> None:
        self._random = np.random.Generator(np.random.PCG64(seed))
        self._drawn: dict[int, list[int]] = {}

    def roll(self, count: int, sides: int, purpose: str, kind: Kind = "plain") -> Faces:
        """``count`` faces from 1 to ``sides``."""
        drawn = self._drawn.setdefault(sides, [])
        if len(drawn) < count:
            drawn.extend(self._random.integers(1, sides + 1, size=AHEAD + count).tolist())
        faces = tuple(drawn[-count:]) if count else ()
        del drawn[len(drawn) - count :]
        return faces


@dataclass(frozen=True)
class Picks:
    """Picks out a Character with Precision, or never does; else the first option."""

    precision: bool

    def choose(self, battle: Battle, need: NeedChoice) -> str:
        """One of the options."""
        if AS_EVER in need.options:
            return next(o for o in need.options if (o != AS_EVER) is self.precision)
        return need.options[0]


@dataclass(frozen=True)
class Held:
    """One share that was held against its odds, and by how many standard errors it is off."""

    what: str
    expected: float
    found: float
    errors: float

    def __str__(self) -> str:
        return f"{self.what}: {self.found:.5f} for {self.expected:.5f}, {self.errors:+.1f} standard errors"


def outcome(before: Battle, after: Battle, names: Sequence[str]) -> tuple[int, int]:
    """How many models of a unit were destroyed, and how many wounds its models lost."""
    fallen = lost = 0
    for name in names:
        old = before.model(name)
        left = losses.wounds_of(before.unit(old.unit), old) - old.wounds_lost
        if not after.has_model(name):
            fallen, lost = fallen + 1, lost + left
        else:
            lost += after.model(name).wounds_lost - old.wounds_lost
    return fallen, lost


def played(set_up: SetUp, plays: int, seed: int, precision: bool) -> Counter[tuple[int, int]]:
    """What came of so many plays: models destroyed and wounds lost."""
    battle, command = set_up.battle, set_up.command
    play = RULESET.play(command)
    dice, chooser = PlainDice(seed), Picks(precision)
    names = [model.id for model in battle.unit(set_up.suffers).models]
    found: Counter[tuple[int, int]] = Counter()
    for _ in range(plays):
        run = resolve(RULESET, battle, play.resolve(battle, command), dice, chooser)
        found[outcome(battle, run.battle, names)] += 1
    return found


def held(found: Counter[tuple[int, int]], exact: Mapping[str, Pmf]) -> Iterator[Held]:
    """Each share of an outcome, and the averages, against the exact odds."""
    plays = sum(found.values())
    for k, name in enumerate(("models destroyed", "wounds lost")):
        pmf = exact[name]
        counts: Counter[int] = Counter()
        for pair, count in found.items():
            counts[pair[k]] += count
        mean = sum(value * count for value, count in counts.items()) / plays
        spread = math.sqrt(sum(p * (value - pmf.mean) ** 2 for value, p in pmf.items()) / plays)
        yield Held(f"{name} on the average", pmf.mean, mean, _errors(mean - pmf.mean, spread))
        chances = dict(pmf.items())
        for value in sorted({*chances, *counts}):
            p, share = chances.get(value, 0.0), counts[value] / plays
            if p == 0.0 or plays * p * (1 - p) >= FEWEST:
                error = _errors(share - p, math.sqrt(p * (1 - p) / plays))
                yield Held(f"{value} {name}", p, share, error)


def _errors(off: float, spread: float) -> float:
    if spread > 0.0:
        return off / spread
    return 0.0 if abs(off) < 1e-9 else math.inf


def checked(set_up: SetUp, plays: int, seed: int) -> list[tuple[str, int, list[Held]]]:
    """The titles, plays and shares of a set-up; of Precision once with and once without."""
    assert RULESET.odds is not None
    rows = RULESET.odds(set_up.battle, set_up.command)
    suffered = [row for row in rows if row.numbers["target"] == set_up.suffers]
    most = max(row.numbers.get("volleys", 0) for row in suffered)
    together = [row for row in suffered if row.numbers.get("volleys", 0) == most]
    done = []
    for row, precision in zip(together, (True, False), strict=False):
        found = played(set_up, plays // len(together), seed, precision)
        title = set_up.title + (row.title.partition(",")[2] and f",{row.title.partition(',')[2]}")
        done.append((title, sum(found.values()), list(held(found, dict(row.distributions)))))
    return done


def main(arguments: Sequence[str] | None = None) -> int:
    """Play and compare; 1 when something is off."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plays", type=int, default=1_000_000, help="of all attacks together; %(default)s by default")
    parser.add_argument("--seed", type=int, default=1, help="of the dice; %(default)s by default")
    parser.add_argument("--jobs", type=int, default=1, help="attacks side by side; %(default)s by default")
    parser.add_argument("--set-up", default="", metavar="WORDS", help="only attacks whose title holds these words")
    given = parser.parse_args(arguments)
    chosen = [set_up for set_up in SET_UPS if given.set_up in set_up.title]
    if not chosen:
        parser.error(f"no attack is called so; there are: {'; '.join(s.title for s in SET_UPS)}")
    begun, each = time.perf_counter(), max(1, given.plays // len(chosen))
    jobs = joblib.Parallel(n_jobs=given.jobs, return_as="generator")
    off = total = shares = 0
    for done in jobs(joblib.delayed(checked)(set_up, each, given.seed) for set_up in chosen):
        for title, plays, compared in done:
            total, shares = total + plays, shares + len(compared)
            worst = max(compared, key=lambda share: abs(share.errors))
            print(f"{title}: {plays} plays, {len(compared)} shares, farthest off {worst}", flush=True)
            for share in compared:
                if abs(share.errors) > ERRORS:
                    off += 1
                    print(f"  OFF  {share}", flush=True)
    seconds = time.perf_counter() - begun
    print(f"{len(chosen)} attacks, {total} plays, {shares} shares: {off} off by more than {ERRORS:g}; {seconds:.0f} s")
    return 1 if off else 0


if __name__ == "__main__":
    raise SystemExit(main())
