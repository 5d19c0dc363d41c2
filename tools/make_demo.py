"""Make the demo record: a scripted turn of the demo scenario, played by the same engine as any battle.

``python tools/make_demo.py`` writes ``assets/records/demo.jsonl``; the same scenario and script give the same file.
"""

from __future__ import annotations

from pathlib import Path

from sim.app.common import load
from sim.app.window.session import Session
from sim.chance import SeededDice

ROOT = Path(__file__).resolve().parent.parent
SCENARIO = "assets/scenarios/demo.toml"
RECORD = ROOT / "assets" / "records" / "demo.jsonl"

ARRIVALS = (("storm-team", (36.0, 32.0)), ("terminators", (5.0, 3.0)))  # unit, where it is set down
MOVES = (("hover-suits", 4.0, 4.0), ("pathfinders", -4.0, -3.5))  # unit, inches right, inches up


def main() -> None:
    """Play the script and write the record."""
    case = load(str(ROOT / SCENARIO))
    session = Session(case.ruleset, case.battle, SeededDice(40))

    for unit, at in ARRIVALS:
        lead(session, unit, at, at)
    while session.battle.clock.player == "red":
        session.end_step()
    while session.battle.clock.phase != "movement":
        session.end_step()
    for unit, dx, dy in MOVES:
        lead(session, unit, (0.0, 0.0), (dx, dy))
    session.end_step()
    RECORD.parent.mkdir(parents=True, exist_ok=True)
    session.save(RECORD)
    print(f"{RECORD.relative_to(ROOT)}: {len(session.game.entries)} entries")


def lead(session: Session, unit: str, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Take a unit in hand, lead it from a point to another, and set it down; raises ``SystemExit`` when it may not."""
    offer = next(o for o in session.offers_for(unit) if o.command != "strategic-reserves")
    session.pick(offer, start)
    session.hold_at(end)
    verdict = session.drop()
    if verdict is None or not verdict.legal:
        raise SystemExit(f"{unit} cannot be set down: {verdict}")


if __name__ == "__main__":
    main()
