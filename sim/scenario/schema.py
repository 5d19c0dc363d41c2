"""The shape of a scenario file: what keys there are and what they hold. Millimetres where a base is named."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field

from sim.battle.own_rolls import ReRolls, RollModifier

XY = tuple[float, float]
Count = Annotated[int, Meta(ge=0, le=1_000_000)]


class _Table(Struct, frozen=True, forbid_unknown_fields=True):
    """Common form of all tables: unknown keys are refused."""


class TableTable(_Table, frozen=True):
    """``[table]``: the size of the battlefield in inches."""

    width: float
    depth: float


class FloorTable(_Table, frozen=True):
    """A floor of a piece of terrain."""

    z: float
    outline: list[XY]


class TerrainTable(_Table, frozen=True):
    """``[[terrain]]``."""

    id: str
    kind: str
    outline: list[XY]
    height: float = 0.0
    floors: list[FloorTable] = []
    traits: list[str] = []


class ObjectiveTable(_Table, frozen=True):
    """``[[objective]]``, its diameter in millimetres."""

    id: str
    at: XY
    diameter: float = 40.0


class CircleTable(_Table, frozen=True):
    """A disc in inches."""

    at: XY
    radius: float


class MinusTable(_Table, frozen=True):
    """What is cut out of a zone."""

    circle: CircleTable


class ZoneTable(_Table, frozen=True):
    """``[[zone]]``: an outline or a circle, less what ``minus`` cuts out."""

    player: str
    outline: list[XY] | None = None
    circle: CircleTable | None = None
    minus: list[MinusTable] = []
    id: str = ""


class ClockTable(_Table, frozen=True):
    """``[clock]``."""

    round: Annotated[int, Meta(ge=1, le=1_000_000)] = 1
    turn: Count | None = None
    player: str = ""
    phase: str = ""
    step: str = ""


class BaseTable(_Table, frozen=True):
    """A base: exactly one of the four kinds; ``assumed`` where the size was not known."""

    round: float | None = None
    oval: XY | None = None
    rect: XY | None = None
    hull: list[XY] | None = None
    assumed: bool = False
    estimate: bool = False


class ModelTable(_Table, frozen=True):
    """One model that needs more than a position."""

    id: str = ""
    at: XY | None = None
    facing: float = 0.0
    z: float = 0.0
    base: BaseTable | None = None
    wounds: Count = 0
    loadout: list[str] = []
    name: str = ""


class PoseTable(_Table, frozen=True):
    """Where a command puts a model, where more than a position and a facing is needed."""

    at: XY
    facing: float = 0.0
    z: float = 0.0


class FormationTable(_Table, frozen=True):
    """A ranked unit: its files, its number of models, and on the table the centre of its boundary and its facing."""

    files: Count
    models: Count
    at: XY | None = None
    facing: float = 0.0


class WeaponTable(_Table, frozen=True):
    """``[[unit.weapon]]``: a weapon of the unit's own, as a datasheet has it; dice may stand for numbers."""

    name: str
    strength: int
    range: float = 0.0
    attacks: int | str = 1
    damage: int | str = 1
    ap: int = 0
    skill: int | None = None
    profile: str = ""
    abilities: list[str] = []


class UnitTable(_Table, frozen=True):
    """``[[unit]]``."""

    id: str
    player: str = ""
    base: BaseTable | None = None
    models: Count | list[ModelTable | list[float]] = 1
    where: str = "table"
    name: str = ""
    datasheet: str = ""
    keywords: list[str] = []
    abilities: list[str] = []
    profile: dict[str, float] = {}
    weapon: list[WeaponTable] = []
    rerolls: ReRolls | None = None
    modifier: list[RollModifier] = []
    points: Count = 0
    leads: str = ""  # the unit whose models these join
    markers: list[str] = []  # what already lasts on the unit until the end of the turn, such as "moved"
    formation: FormationTable | None = None


class MarkerTable(_Table, frozen=True):
    """``[[marker]]``: something that lies on the table for a unit."""

    id: str
    unit: str
    at: XY


class AskTable(_Table, frozen=True):
    """``[[ask]]``: a question, about whom, and the right answer."""

    question: str
    of: list[str]
    answer: Any = None
    limit: float | None = None


class ExpectedOdds(_Table, frozen=True):
    """``[expect.odds]``: chances and averages of what the command's ``target`` suffers of all attacks together."""

    target: str = ""  # the only one, where it is left out
    destroyed: float | None = None  # the chance that all models are
    models: float | None = None  # destroyed on the average
    damage: float | None = None  # wounds lost on the average
    chance: float | None = None  # to arrive, of a charge
    picked_out: bool | None = None  # with Precision: whether Characters are picked out
    left_out: list[str] | None = None  # what the odds do not count
    tolerance: Annotated[float, Meta(gt=0, le=1)] = 1e-4


class ExpectTable(_Table, frozen=True):
    """``[expect]``: what the right verdict is."""

    legal: bool | None = None
    codes: list[str] | None = None
    measured: dict[str, float] = {}
    outcome: str | None = None
    at: XY | None = None
    distance: float | None = None
    target: str | None = None
    side: str | None = None
    needs: int | str | None = None
    odds: ExpectedOdds | None = None


class Document(_Table, frozen=True):
    """A whole file: scenario, case, map or roster."""

    title: str = ""
    ruleset: str = ""
    source: Literal["seed", "derived", "public", "ambiguous"] | None = None
    description: str = ""
    map: str = ""
    roster: str | list[str] = ""
    players: list[str] = []
    table: TableTable | None = None
    terrain: list[TerrainTable] = []
    objective: list[ObjectiveTable] = []
    zone: list[ZoneTable] = []
    clock: ClockTable | None = None
    unit: list[UnitTable] = []
    marker: list[MarkerTable] = []
    options: dict[str, str | bool | float] = {}
    command: dict[str, Any] | None = None
    dice: list[int | float | str] = []
    ask: list[AskTable] = []
    expect: ExpectTable = field(default_factory=ExpectTable)
