"""Battles and events as JSON and back, validated, and the digest that tells two battles apart."""

from __future__ import annotations

import hashlib
from typing import Any, TypeVar

import msgspec

from sim.battle.state import Battle
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

    They are taken of the battle as a file would give it back, so that 60 and 60.0 make no difference.
    """
    return hashlib.sha256(encode(decode(encode(battle), Battle))).hexdigest()[:16]
