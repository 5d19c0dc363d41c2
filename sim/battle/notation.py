"""A position on one line, short enough for a chat message and exact enough to open again.

``TT1 60x44 toy | red: a r32 12.5,3.2 13.8,3.2 | blue: b o120x92 30,20@90 | t2.red.movement``

Bases are written in millimetres, ``r`` round, ``o`` oval, ``q`` rectangle (width, depth), ``h`` a hull in inches; a
pose is ``x,y``, ``x,y@facing`` and ``^z`` where it stands above the ground. A unit that is not on the table is written
with its whereabouts and the number of its models (``s r32 =reserves*5``); an id that could be read as something else
stands in quotes. Terrain, profiles and scores are not part of the line: it tells where everybody stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from sim.battle.state import ON_TABLE, Battle, Battlefield, Clock, Model, Unit
from sim.geometry import MM_PER_INCH, Base, Hull, Oval, Pose, Rect, Round, ShapeError

_HEAD = re.compile(r"TT1 (?P<width>[\d.e+-]+)x(?P<depth>[\d.e+-]+) (?P<ruleset>\S+)$")
_POSE = re.compile(r"(?P<x>[^,@^]+),(?P<y>[^,@^]+)(@(?P<facing>[^,@^]+))?(\^(?P<z>[^,@^]+))?$")
_AWAY = re.compile(r"=(?P<where>[^*\s|]+)\*(?P<count>\d+)$")


class NotationError(ValueError):
    """A line that is no position; says which word was not understood."""


def to_line(battle: Battle) -> str:
    """The position of a battle on one line; ``from_line`` gives back the same poses, bases, owners and clock."""
    field = battle.battlefield
    parts = [f"TT1 {_number(field.width)}x{_number(field.depth)} {battle.ruleset}"]
    for player in battle.players:
        units = [word for unit in battle.units if unit.player == player for word in _unit_words(unit) if unit.models]
        parts.append(f"{player}: {' '.join(units)}".rstrip())
    clock = battle.clock
    parts.append(".".join([f"t{clock.round}", clock.player, clock.phase, clock.step]).rstrip("."))
    return " | ".join(parts)


def from_line(line: str) -> Battle:
    """The battle that a line describes; raises ``NotationError``."""
    head, *rest = [part.strip() for part in line.strip().split("|")]
    match = _HEAD.match(head)
    if match is None or not rest:
        raise NotationError(f"expected 'TT1 WIDTHxDEPTH RULESET | PLAYER: … | tROUND…', got {head!r}")
    units: list[Unit] = []
    players: list[str] = []
    for part in rest[:-1]:
        player, colon, words = part.partition(":")
        if not colon:
            raise NotationError(f"expected 'PLAYER: units', got {part!r}")
        players.append(player.strip())
        for unit in _units(player.strip(), words.split()):
            if any(unit.id == other.id for other in units):
                raise NotationError(f"a second unit is called {unit.id!r}")
            units.append(unit)
    try:
        width, depth = float(match["width"]), float(match["depth"])
    except ValueError:
        raise NotationError(f"expected a table such as 60x44, got {head!r}") from None
    return Battle(
        ruleset=match["ruleset"],
        battlefield=Battlefield(width, depth),
        clock=_clock(rest[-1]),
        units=tuple(units),
        players=tuple(players),
    )


def _number(value: float) -> str:
    return repr(int(value)) if value == int(value) else repr(value)


def _mm(value: float) -> str:
    """Millimetres that read back to the very same inches."""
    millimetres = round(value * MM_PER_INCH, 9)
    if millimetres / MM_PER_INCH == value:
        return _number(millimetres)
    return _number(value) + "in"


def _inches(word: str) -> float:
    return float(word[:-2]) if word.endswith("in") else float(word) / MM_PER_INCH


def _base_word(base: Base) -> str:
    match base:
        case Round(d):
            return f"r{_mm(d)}"
        case Oval(length, width):
            return f"o{_mm(length)}x{_mm(width)}"
        case Rect(width, depth):
            return f"q{_mm(width)}x{_mm(depth)}"
        case Hull(outline):
            return "h" + ";".join(f"{_number(x)},{_number(y)}" for x, y in outline)
        case _:
            pass
    raise NotationError(f"no word for a base of type {type(base).__name__}")


def _base(word: str) -> Base:
    kind, numbers = word[:1], word[1:]
    try:
        match kind:
            case "r":
                return Round(_inches(numbers))
            case "o":
                return Oval(*map(_inches, numbers.split("x")))
            case "q":
                return Rect(*map(_inches, numbers.split("x")))
            case "h":
                corners = (corner.split(",") for corner in numbers.split(";"))
                return Hull(tuple((float(x), float(y)) for x, y in corners))
            case _:
                pass
    except (ValueError, TypeError, ShapeError) as error:
        raise NotationError(f"{word!r} is no base: {error}") from None
    raise NotationError(f"expected a base (r32, o120x92, q25x50 or h…), got {word!r}")


def _pose_word(pose: Pose) -> str:
    word = f"{_number(pose.x)},{_number(pose.y)}"
    if pose.facing:
        word += f"@{_number(pose.facing)}"
    return word + (f"^{_number(pose.z)}" if pose.z else "")


def _unit_words(unit: Unit) -> Iterator[str]:
    taken = _is_base(unit.id) or _POSE.match(unit.id) or _AWAY.match(unit.id)
    yield f'"{unit.id}"' if taken else unit.id
    base: Base | None = None
    for (own, away), run in groupby(unit.models, key=lambda model: (model.base, model.pose is None)):
        if own != base:
            base = own
            yield _base_word(own)
        models = list(run)
        if away:
            yield f"={unit.whereabouts}*{len(models)}"
        else:
            yield from (_pose_word(model.pose) for model in models if model.pose is not None)


def _is_base(word: str) -> bool:
    return re.match(r"[roqh]-?[\d.]", word) is not None


def _units(player: str, words: list[str]) -> Iterator[Unit]:
    at = 0
    while at < len(words):
        unit_id = words[at].strip('"')
        at += 1
        base: Base | None = None
        poses: list[tuple[Base, Pose | None]] = []
        where = ON_TABLE
        while at < len(words):
            word = words[at]
            if _is_base(word):
                base = _base(word)
            elif away := _AWAY.match(word):
                where = away["where"]
                poses.extend((_needed(base, word), None) for _ in range(int(away["count"])))
            elif pose := _POSE.match(word):
                poses.append((_needed(base, word), _pose(word, pose)))
            else:
                break
            at += 1
        if not poses:
            raise NotationError(f"unit {unit_id!r} has no models")
        models = tuple(
            Model(f"{unit_id}-{i}", unit_id, model_base, pose) for i, (model_base, pose) in enumerate(poses, 1)
        )
        on_table = any(model.pose is not None for model in models)
        yield Unit(unit_id, player, models, whereabouts=ON_TABLE if on_table else where)


def _needed(base: Base | None, word: str) -> Base:
    if base is None:
        raise NotationError(f"expected a base before {word!r}")
    return base


def _pose(word: str, match: re.Match[str]) -> Pose:
    try:
        x, y = float(match["x"]), float(match["y"])
        return Pose(x, y, float(match["facing"] or 0), float(match["z"] or 0))
    except ValueError:
        raise NotationError(f"expected a pose such as 12.5,3.2@90, got {word!r}") from None


def _clock(word: str) -> Clock:
    names = word.split(".")
    if not re.fullmatch(r"t\d+", names[0]) or len(names) > 4:
        raise NotationError(f"expected a clock such as t2.red.movement, got {word!r}")
    return Clock(int(names[0][1:]), *names[1:])
