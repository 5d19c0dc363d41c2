"""What a player may ask for: one class a kind of command, named on disk by its kebab-case name."""

from __future__ import annotations

import re
from typing import Annotated

from msgspec import Meta, Struct

from sim.geometry import Pose

# What a text of a command names; a file whose command names what is not there is refused. A game says in ``names`` what
# bears a name of a kind of its own.
UnitId = Annotated[str, Meta(extra={"names": "unit"})]
ModelId = Annotated[str, Meta(extra={"names": "model"})]
Subjects = Annotated[str, Meta(extra={"names": "subjects"})]  # units, models and markers, with blanks between them


def _kebab(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", name).lower()


class Command(Struct, frozen=True, tag_field="type", tag=_kebab, forbid_unknown_fields=True):
    """The common form of all commands; a ruleset adds its own kinds."""


class Deploy(Command, frozen=True, tag=_kebab):
    """Set a unit up in its deployment zone: one pose a model, in model order."""

    unit: UnitId
    models: tuple[Pose, ...]


class EndStep(Command, frozen=True, tag=_kebab):
    """Nothing more is done in this step: the clock moves on."""


def command_name(kind: type[Command]) -> str:
    """The name of a kind of command in files, such as ``deep-strike``."""
    return _kebab(kind.__name__)
