"""The answer to "may I?": every fault with its rule, what was measured, what was required, and geometry to draw."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from sim.geometry import Breach, Limit, Pose, Witness


class Violation(Struct, frozen=True):
    """One broken rule; ``code`` is kebab-case and never reused, lengths are inches."""

    code: str
    rule: str
    message: str
    subjects: tuple[str, ...] = ()
    measured: float | None = None
    required: Limit | None = None
    witness: Witness | None = None

    @property
    def shortfall(self) -> float | None:
        """By how many inches the limit is missed; None where nothing is measured."""
        if self.measured is None or self.required is None:
            return None
        return self.required.shortfall(self.measured)


class Verdict(Struct, frozen=True):
    """Legal or not, with all violations; ``nearest`` is the closest legal spot when it was asked for."""

    violations: tuple[Violation, ...] = ()
    notes: tuple[str, ...] = ()
    nearest: tuple[Pose, ...] | None = None

    @property
    def legal(self) -> bool:
        """Whether nothing is wrong."""
        return not self.violations

    @property
    def codes(self) -> tuple[str, ...]:
        """The kinds of fault, each once, sorted."""
        return tuple(sorted({v.code for v in self.violations}))


def from_breach(breach: Breach, subject: str, message: str, other: str | None = None) -> Violation:
    """The violation that a geometric breach amounts to; ``other`` names the second subject, if there is one."""
    subjects = (subject,) if other is None else (subject, other)
    return Violation(breach.code, breach.rule, message, subjects, breach.measured, breach.required, breach.witness)


def verdict_json(verdict: Verdict) -> dict[str, Any]:
    """The verdict in the form that ``--json`` prints."""
    return {
        "legal": verdict.legal,
        "violations": [_violation_json(v) for v in verdict.violations],
        "nearest": None if verdict.nearest is None else [list(_spot(p)) for p in verdict.nearest],
        "notes": list(verdict.notes),
    }


def _spot(pose: Pose) -> tuple[float, ...]:
    """A pose as numbers, its height where it is not that of the ground."""
    return (pose.x, pose.y, pose.facing, pose.z) if pose.z else (pose.x, pose.y, pose.facing)


def _violation_json(violation: Violation) -> dict[str, Any]:
    witness: dict[str, Any] = {}
    if violation.witness is not None:
        if violation.witness.line is not None:
            witness["line"] = [list(point) for point in violation.witness.line]
        if violation.witness.outlines:
            witness["outlines"] = [[list(p) for p in outline] for outline in violation.witness.outlines]
    required = violation.required
    return {
        "code": violation.code,
        "rule": violation.rule,
        "message": violation.message,
        "subjects": list(violation.subjects),
        "measured": violation.measured,
        "required": None if required is None else {required.kind: required.value},
        "witness": witness,
    }
