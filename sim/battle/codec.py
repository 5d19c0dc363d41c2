"""Battles and events as JSON and back, validated, and the digest that tells two battles apart."""

from __future__ import annotations

import hashlib
from typing import Any, TypeVar

import msgspec
from msgspec import structs

from sim.battle.state import Battle, Battlefield, Unit
from sim.geometry import Base, Hull, Oval, Rect, Round

T = TypeVar("T")


class CodecError(ValueError):
    """Text that is no value of the expected type; says where and what was expected."""


# Poses and paths are plain dataclasses, which msgspec writes and reads itself. A base is one of several; the names of
# its numbers tell which.
_BASES: dict[frozenset[str], type[Base]] = {
    frozenset({"d"}): Round,
    frozenset({"length", "width"}): Oval,
    frozenset({"width", "depth"}): Rect,
    frozenset({"outline"}): Hull,
}


def decode_hook(kind: type, value: Any) -> Any:
    """How msgspec reads a base; for decoders of types that hold battles."""
    if kind is not Base:
        raise NotImplementedError(f"no way to read a {kind}")
    found = _BASES.get(frozenset(value)) if isinstance(value, dict) else None
    if found is None:
        raise ValueError(f"expected a base with d, length and width, width and depth, or outline, got {value!r}")
    return msgspec.convert(value, found)


_ENCODER = msgspec.json.Encoder(order="deterministic")


def encode(value: Any) -> bytes:
    """A battle, event, command or a sequence of them as one line of JSON; equal values give equal bytes."""
    return _ENCODER.encode(value)


def decode(text: bytes | str, kind: type[T]) -> T:
    """The value of a type from JSON; raises ``CodecError`` that says what was expected where."""
    try:
        return msgspec.json.decode(text, type=kind, dec_hook=decode_hook)
    except msgspec.ValidationError as error:
        raise CodecError(str(error)) from error
    except RecursionError:
        raise CodecError("nested too deeply") from None
    except msgspec.DecodeError as error:
        raise CodecError(f"no JSON: {error}") from error


def digest(battle: Battle) -> str:
    """Sixteen hexadecimal digits that differ when two battles differ in anything.

    They are taken of the battle as a file would give it back, so that 60 and 60.0 make no difference. Units and tables
    are frozen: what was written of one is kept for the next battle in which it has not changed.
    """
    rest = structs.asdict(_as_read(structs.replace(battle, battlefield=_NOWHERE, units=()), Battle))
    rest["battlefield"] = _written(battle.battlefield)
    rest["units"] = tuple(_written(unit) for unit in battle.units)
    return hashlib.sha256(encode(_Written(**rest))).hexdigest()[:16]


_NOWHERE = Battlefield(0.0, 0.0)
_Written = msgspec.defstruct(
    "_Written",
    [(f.name, Any) if f.required else (f.name, Any, f.default) for f in structs.fields(Battle)],
    omit_defaults=True,
)
_MOST_WRITTEN = 4096  # units and tables of which the text is kept
_kept: dict[int, tuple[Any, msgspec.Raw]] = {}


def _as_read(value: T, kind: type[T]) -> T:
    return decode(encode(value), kind)


def _written(value: Unit | Battlefield) -> msgspec.Raw:
    """The text of a value as a file would give it back."""
    known = _kept.get(id(value))
    if known is not None and known[0] is value:
        return known[1]
    text = msgspec.Raw(encode(_as_read(value, type(value))))
    if len(_kept) >= _MOST_WRITTEN:
        _kept.clear()
    _kept[id(value)] = (value, text)
    return text
