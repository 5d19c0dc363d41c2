"""What should a person know about an imported army? Lines for a terminal."""

from __future__ import annotations

from sim.scenario.importers.army import ImportedArmy

LONGEST_QUOTE = 100  # letters of an unread line that are shown
LONGEST_NAME = 40  # letters to which names are lined up


def report(army: ImportedArmy) -> list[str]:
    """The army in lines: its size, its units, which bases are assumed, who has no datasheet, what is odd or unread."""
    width = min(max((len(unit.name) for unit in army.units), default=0), LONGEST_NAME)
    lines = [headline(army)]
    for unit in army.units:
        count = _counted(len(unit.models), "model")
        honours = [*(["warlord"] if unit.warlord else []), *unit.enhancements]
        base = f"{unit.base}{' (assumed)' if unit.assumed else ''}"
        extra = f"; {', '.join(honours)}" if honours else ""
        lines.append(f"  {unit.name:<{width}}  {count:>9}  {unit.points:>4} points  {base}{extra}")
    return [*lines, *base_lines(army), *datasheet_lines(army), *note_lines(army), *unread_lines(army)]


def headline(army: ImportedArmy) -> str:
    """The army on one line: title, faction, units, models, points."""
    name = army.title or "an army without a title"
    faction = f" ({army.faction})" if army.faction and army.faction != army.title else ""
    units, models = _counted(len(army.units), "unit"), _counted(army.model_count, "model")
    return f"{name}{faction}: {units}, {models}, {army.points} points"


def base_lines(army: ImportedArmy) -> list[str]:
    """Which units stand on a base that is assumed."""
    assumed = [f"{unit.id} ({unit.base})" for unit in army.units if unit.assumed]
    return [f"bases assumed: {', '.join(assumed)}"] if assumed else ["bases assumed: none"]


def datasheet_lines(army: ImportedArmy) -> list[str]:
    """Which units have no datasheet in the game, and so no weapons; nothing where nobody asked the game."""
    if army.unbound is None:
        return []
    return [f"units without a datasheet: {', '.join(army.unbound) or 'none'}"]


def note_lines(army: ImportedArmy) -> list[str]:
    """What is odd about the list, one line each."""
    return [f"note: {note}" for note in dict.fromkeys(army.notes)]


def unread_lines(army: ImportedArmy) -> list[str]:
    """Which lines of the list were not understood, and why."""
    if not army.unread:
        return ["lines not read: none"]
    lines = [f"lines not read: {len(army.unread)}"]
    for unread in army.unread:
        text = unread.text
        quote = text if len(text) <= LONGEST_QUOTE else f"{text[:LONGEST_QUOTE]}…"
        lines.append(f"  line {unread.line}: {quote!r}: {unread.why}")
    return lines


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
