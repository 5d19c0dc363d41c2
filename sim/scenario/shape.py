"""Is a table of a file what its kind of table should be? Every fault of it, and what is left when those are taken out.

msgspec stops at the first fault and words it for programmers; this goes through the same types, tells all of them in
the words of people who write files, and hands on what is right, so that the rest can be looked at as well.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from msgspec import inspect

from sim.battle import did_you_mean, meant_by
from sim.reading import Steps, quoted

GONE: Any = object()  # stands for a value that is wrong
Reader = Callable[[Any, Steps], Any]  # what a value stands for; raises ``ValueError`` that says what was expected
Names = Callable[[str, str], str | None]  # of a kind of name and a name: what is wrong with it


@dataclass
class Shape:
    """Goes through a value by its type; ``faults`` are what is wrong with it, by place.

    ``readers`` are for what people write otherwise than the type has it, ``names`` for text that names something.
    """

    readers: Mapping[type, Reader] = field(default_factory=dict)
    names: Names | None = None
    faults: list[tuple[Steps, str]] = field(default_factory=list)
    spoiled: list[tuple[Steps, Any]] = field(default_factory=list)  # what was left out of the outermost table

    def table(self, value: Any, kind: type, steps: Steps = ()) -> Any:
        """The value without what is wrong with it; ``GONE`` when nothing is left that could be used."""
        return self._of(value, _type_of(kind), steps)

    def _wrong(self, steps: Steps, what: str) -> Any:
        self.faults.append((steps, what))
        return GONE

    def _of(self, value: Any, kind: inspect.Type, steps: Steps) -> Any:
        match kind:
            case inspect.Metadata(type=inner, extra=extra):
                return self._named(value, inner, (extra or {}).get("names", ""), steps)
            case inspect.UnionType(types=types):
                return self._one_of(value, types, steps)
            case inspect.DataclassType(cls=cls) | inspect.StructType(cls=cls) if cls in self.readers:
                return self._read(value, self.readers[cls], steps)
            case inspect.StructType():
                return self._struct(value, kind, steps)
            case inspect.DictType(value_type=inner) if isinstance(value, dict):
                return self._all({key: self._of(each, inner, (*steps, key)) for key, each in value.items()})
            case inspect.ListType(item_type=inner) | inspect.VarTupleType(item_type=inner) if isinstance(value, list):
                return self._list(value, inner, steps)
            case inspect.TupleType(item_types=types) if isinstance(value, list) and len(value) == len(types):
                found = [self._of(each, inner, steps) for each, inner in zip(value, types, strict=True)]
                return GONE if any(each is GONE for each in found) else found
            case _:
                return (
                    value if _fits(value, kind) else self._wrong(steps, f"expected {_words(kind)}, got {quoted(value)}")
                )

    def _all(self, found: dict[str, Any]) -> Any:
        return GONE if any(value is GONE for value in found.values()) else found

    def _named(self, value: Any, kind: inspect.Type, what: str, steps: Steps) -> Any:
        found = self._of(value, kind, steps)
        if found is GONE or not what or not found or self.names is None:
            return found
        complaint = self.names(what, found)
        return found if complaint is None else self._wrong(steps, complaint)

    def _one_of(self, value: Any, types: tuple[inspect.Type, ...], steps: Steps) -> Any:
        for kind in types:
            if _is_made_of(value, kind):
                return self._of(value, kind, steps)
        if any(_fits(value, kind) for kind in types):
            return value
        words = " or ".join(dict.fromkeys(filter(None, map(_words, types))))
        return self._wrong(steps, f"expected {words}, got {quoted(value)}")

    def _read(self, value: Any, reader: Reader, steps: Steps) -> Any:
        try:
            return reader(value, steps)
        except (ValueError, OverflowError) as error:
            return self._wrong(steps, str(error))

    def _list(self, value: list[Any], kind: inspect.Type, steps: Steps) -> Any:
        found = [self._of(each, kind, (*steps, k)) for k, each in enumerate(value)]
        if len(steps) == 1 and isinstance(kind, inspect.StructType):  # rows of a file: the others can be looked at
            self.spoiled += [((*steps, k), value[k]) for k, each in enumerate(found) if each is GONE]
            return [each for each in found if each is not GONE]
        return GONE if any(each is GONE for each in found) else found

    def _struct(self, value: Any, kind: inspect.StructType, steps: Steps) -> Any:
        if not isinstance(value, dict):
            return self._wrong(steps, f"expected a table, got {quoted(value)}")
        fields = {each.encode_name: each for each in kind.fields}
        tag = {kind.tag_field: value[kind.tag_field]} if kind.tag_field in value else {}
        given = self._known(value, [*fields, *([kind.tag_field] if kind.tag_field else [])], steps)
        found = {}
        for name, (written, each) in given.items():
            if name in fields:
                found[name] = self._of(each, fields[name].type, (*steps, written))
        for name, each in fields.items():
            if each.required and name not in given:
                found[name] = self._wrong(steps, f"expected the key {name!r}, {_words(each.type)}")
        wrong = [name for name, each in found.items() if each is GONE]
        if wrong and steps:
            return GONE
        for name in wrong:
            self.spoiled.append(((name,), value.get(name)))
            del found[name]
        return found | tag

    def _known(self, value: dict[str, Any], names: list[str], steps: Steps) -> dict[str, tuple[str, Any]]:
        """The values by the names that they should have, each with the name that it has; others are faults."""
        given = {name: (name, value[name]) for name in names if name in value}
        for name in value:
            if name in given:
                continue
            free = [other for other in names if other not in value]
            known = ", ".join(sorted(names))
            self._wrong((*steps, name), f"unknown key {quoted(name)}{did_you_mean(name, free)}; known: {known}")
            meant = meant_by(name, free)
            if meant is not None and meant not in given:
                given[meant] = (name, value[name])
        return given


@cache
def _type_of(kind: type) -> inspect.Type:
    return inspect.type_info(kind)


def _is_made_of(value: Any, kind: inspect.Type) -> bool:
    """Whether a value is a table or a list, as the type is, so that its parts can be looked at."""
    match kind:
        case inspect.StructType() | inspect.DictType() | inspect.DataclassType():
            return isinstance(value, dict)
        case inspect.ListType() | inspect.VarTupleType() | inspect.TupleType():
            return isinstance(value, list)
        case inspect.Metadata(type=inner):
            return _is_made_of(value, inner)
        case inspect.UnionType(types=types):
            return any(_is_made_of(value, each) for each in types)
        case _:
            return False


def _fits(value: Any, kind: inspect.Type) -> bool:
    match kind:
        case inspect.AnyType():
            return True
        case inspect.StrType():
            return isinstance(value, str)
        case inspect.BoolType():
            return isinstance(value, bool)
        case inspect.IntType():
            return isinstance(value, int) and not isinstance(value, bool) and _in_range(value, kind)
        case inspect.FloatType():
            return isinstance(value, (int, float)) and not isinstance(value, bool) and _in_range(value, kind)
        case inspect.LiteralType(values=values):
            return isinstance(value, str) and value in values
        case inspect.Metadata(type=inner):
            return _fits(value, inner)
        case _:
            return False


def _in_range(value: float, kind: inspect.IntType | inspect.FloatType) -> bool:
    return (kind.ge is None or value >= kind.ge) and (kind.le is None or value <= kind.le)


def _words(kind: inspect.Type) -> str:
    """What is expected, in words; nothing for what no file can hold."""
    match kind:
        case inspect.StrType():
            return "text in quotes"
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType(ge=low, le=high):
            span = f" from {low} to {high}" if low is not None and high is not None else ""
            return f"a whole number{span}" if span or low is None else f"a whole number of at least {low}"
        case inspect.FloatType():
            return "a number"
        case inspect.LiteralType(values=values):
            return f"one of {', '.join(map(str, values))}"
        case inspect.TupleType(item_types=types):
            return f"a list of {len(types)} numbers"
        case inspect.ListType(item_type=inspect.StructType()):
            return "tables, each with its own header in [[ ]]"
        case inspect.ListType() | inspect.VarTupleType():
            return "a list"
        case inspect.StructType() | inspect.DictType() | inspect.DataclassType():
            return "a table"
        case inspect.Metadata(type=inner):
            return _words(inner)
        case inspect.UnionType(types=types):
            return " or ".join(dict.fromkeys(filter(None, map(_words, types))))
        case _:
            return ""
