"""How is an imported army written as a roster? TOML with one ``[[unit]]`` a unit.

What the roster's own keys cannot say stands in the comment on top: the list's title and settings, what was
assumed, and every line that was not understood.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from sim.scenario.importers.army import ImportedArmy, ImportedModel, ImportedUnit
from sim.scenario.importers.bases import BaseSize
from sim.scenario.importers.report import base_lines, datasheet_lines, headline, note_lines, unread_lines

_ESCAPES = {"\\": "\\\\", '"': '\\"', "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}
_UNSAFE = re.compile(r'[\\"\x00-\x1f\x7f\ud800-\udfff]')
_UNSAFE_IN_COMMENT = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def to_toml(army: ImportedArmy, player: str, where: str = "reserves", prefix: str = "") -> str:
    """The roster of an army for one player, all units at the same whereabouts.

    ``prefix`` is put before every id, so that two armies with the same units can meet.
    """
    unbound = army.unbound or ()
    blocks = ["\n".join(_comment(army))]
    blocks += ["\n".join(_unit(unit, player, where, prefix, unit.id not in unbound)) for unit in army.units]
    return "\n\n".join(blocks) + "\n"


def quoted(text: str) -> str:
    """A text as a basic string of TOML; half a surrogate pair, which no file can hold, becomes U+FFFD."""
    return f'"{_UNSAFE.sub(_escape, text)}"'


def _escape(found: re.Match[str]) -> str:
    letter = found[0]
    if "\ud800" <= letter <= "\udfff":
        return "\ufffd"
    return _ESCAPES.get(letter) or f"\\u{ord(letter):04x}"


def _comment(army: ImportedArmy) -> Iterator[str]:
    lines = [f"{headline(army)}; read from {army.source} ({army.style})"]
    lines += [f"{name}: {value}" for name, value in army.settings]
    lines += [*base_lines(army), *datasheet_lines(army), *note_lines(army), *unread_lines(army)]
    for line in lines:
        yield f"# {_UNSAFE_IN_COMMENT.sub(_escape, line)}"


def _unit(unit: ImportedUnit, player: str, where: str, prefix: str, bound: bool) -> Iterator[str]:
    yield "[[unit]]"
    yield f"id = {quoted(prefix + unit.id)}"
    yield f"name = {quoted(unit.name)}"
    if unit.datasheet:
        yield f"datasheet = {quoted(unit.datasheet)}" if bound else "# no datasheet of this name is known"
    yield f"player = {quoted(player)}"
    yield f"where = {quoted(where)}"
    yield f"points = {unit.points}"
    if unit.keywords:
        yield f"keywords = {_strings(unit.keywords)}"
    abilities = (*unit.abilities, *(f"enhancement: {name}" for name in unit.enhancements))
    if abilities:
        yield f"abilities = {_strings(abilities)}"
    if unit.profile:
        numbers = ", ".join(f"{_key(name)} = {_number(value)}" for name, value in unit.profile)
        yield f"profile = {{ {numbers} }}"
    yield f"base = {_base(unit.base, unit.assumed)}"
    yield "models = ["
    for number, model in enumerate(unit.models, 1):
        yield f"    {_model(model, f'{prefix}{unit.id}-{number}')},"
    yield "]"


def _model(model: ImportedModel, model_id: str) -> str:
    parts = [f"id = {quoted(model_id)}", f"name = {quoted(model.name)}"]
    if model.base is not None:
        parts.append(f"base = {_base(model.base, False)}")
    if model.loadout:
        parts.append(f"loadout = {_strings(model.loadout)}")
    return f"{{ {', '.join(parts)} }}"


def _base(base: BaseSize, assumed: bool) -> str:
    if base.round is not None:
        size = f"round = {_number(base.round)}"
    elif base.oval is not None:
        size = f"oval = {_numbers(base.oval)}"
    elif base.rect is not None:
        size = f"rect = {_numbers(base.rect)}"
    else:
        size = f"hull = [{', '.join(_numbers(corner) for corner in base.hull or ())}]"
    return f"{{ {size}{', assumed = true' if assumed else ''} }}"


def _strings(texts: Iterable[str]) -> str:
    return f"[{', '.join(quoted(text) for text in texts)}]"


def _numbers(values: Iterable[float]) -> str:
    return f"[{', '.join(_number(value) for value in values)}]"


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(value)


def _key(name: str) -> str:
    return name if _BARE_KEY.fullmatch(name) else quoted(name)
