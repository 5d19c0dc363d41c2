"""Battles under the eyes of the referee of our own: every shipped scenario, with and without detachments and leaders.

Battle number N is always the same one: its scenario, its armies, its players and its dice follow from the number. The
referee (``tests/referee``) reads the record alone; ``python tools/battles.py --referee --count 300``.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
import traceback
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import joblib

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from sim.app.games import rulesets  # noqa: E402
from sim.battle import encode  # noqa: E402
from sim.chance import SeededDice  # noqa: E402
from sim.engine import Game  # noqa: E402
from sim.players import GreedyPlayer, Player, RandomPlayer, play_out  # noqa: E402
from sim.record import Record, record_of, write_record  # noqa: E402
from sim.scenario import load_case  # noqa: E402
from tests.referee import Story, referee  # noqa: E402
from tests.referee.story import story_of  # noqa: E402

SCENARIOS = ROOT / "assets" / "scenarios"
PLAIN, LED = "plain", "led"
DETACHMENTS = ("kauyon", "montka")
LEADERS = {"captain": "intercessors", "commander": "sunforge"}
DETACHED = "blue"  # whose units bear the detachment: T'au Empire in the shipped scenarios
MIXES = (("greedy", "random"), ("random", "greedy"), ("random", "random"), ("greedy", "greedy"))


@dataclass(frozen=True)
class Battle:
    """One battle to be played: which scenario, with what in the armies, by whom, with which dice."""

    seed: int
    scenario: str
    armies: str
    players: tuple[str, str]

    @property
    def title(self) -> str:
        """How a line about it begins."""
        return f"seed {self.seed} ({self.scenario}, {self.armies}, {','.join(self.players)})"


def battle_of(seed: int) -> Battle:
    """The battle with a number."""
    tables = [(path.stem, armies) for path in sorted(SCENARIOS.glob("wh40k10-*.toml")) for armies in _armies(path)]
    scenario, armies = tables[seed % len(tables)]
    return Battle(seed, scenario, armies, MIXES[seed // len(tables) % len(MIXES)])


def _armies(path: Path) -> tuple[str, ...]:
    """What a scenario can be played with: detachments where units have datasheets, leaders where there are some."""
    text = path.read_text(encoding="utf-8")
    if "datasheet =" not in text:
        return (PLAIN,)
    led = all(f'id = "{name}"' in text for pair in LEADERS.items() for name in pair)
    return (PLAIN, *DETACHMENTS, *((LED,) if led else ()))


def scenario_text(battle: Battle) -> str:
    """The scenario with what the armies have besides."""
    text = (SCENARIOS / f"{battle.scenario}.toml").read_text(encoding="utf-8")
    if battle.armies in DETACHMENTS:
        mine = f'player = "{DETACHED}"\n'
        return text.replace(f"\n{mine}", f'\n{mine}abilities = ["detachment {battle.armies}"]\n').replace(
            f'[clock]\nround = 1\n{mine}abilities = ["detachment {battle.armies}"]\n', f"[clock]\nround = 1\n{mine}"
        )
    if battle.armies == LED:
        for leader, unit in LEADERS.items():
            text = text.replace(f'id = "{leader}"\n', f'id = "{leader}"\nleads = "{unit}"\n')
    return text


def play(battle: Battle) -> Record:
    """The record of a battle played to its end."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"{battle.scenario}.toml"
        file.write_text(scenario_text(battle), encoding="utf-8")
        case = load_case(file, rulesets())
    players: dict[str, Player] = {}
    for place, (name, kind) in enumerate(zip(case.battle.players, battle.players, strict=True)):
        players[name] = GreedyPlayer(name) if kind == "greedy" else RandomPlayer(1000 * battle.seed + place, name)
    game = Game(case.ruleset, case.battle)
    for _ in play_out(game, players, SeededDice(battle.seed)):
        pass
    return record_of(game)


def story(record: Record) -> Story:
    """A record as the referee reads it: through the text of its lines, and nothing else."""
    return story_of(json.loads(encode(line)) for line in (record.header, *record.entries))


def watched(seed: int, keep: str) -> tuple[Battle, list[str], list[str], float]:
    """Play a battle and let the referee read it: the battle, its reports, their checks, and the seconds it took."""
    battle = battle_of(seed)
    begun = time.perf_counter()
    try:
        record = play(battle)
        found = referee(story(record))
    except Exception:
        return battle, [traceback.format_exc()], ["error"], time.perf_counter() - begun
    if found and keep:
        Path(keep).mkdir(parents=True, exist_ok=True)
        write_record(Path(keep) / f"{seed}-{battle.scenario}-{battle.armies}.jsonl", record)
    return battle, [str(r) for r in found], [r.check for r in found], time.perf_counter() - begun


def run(seeds: range, jobs: int, keep: str) -> int:
    """Play and watch battles, tell what is wrong with them; 1 when something is."""
    kinds, bad, seconds = Counter[str](), 0, list[float]()
    parallel = joblib.Parallel(n_jobs=jobs, return_as="generator_unordered")
    for battle, reports, checks, taken in parallel(joblib.delayed(watched)(seed, keep) for seed in seeds):
        seconds.append(taken)
        bad += bool(reports)
        kinds.update(checks)
        for report in reports:
            print(f"{battle.title}: {report}", flush=True)
    for kind, count in kinds.most_common():
        print(f"{count:6} {kind}")
    seconds.sort()
    print(f"{len(seeds)} battles, {bad} with reports; median {seconds[len(seconds) // 2]:.2f} s")
    return 1 if bad else 0
