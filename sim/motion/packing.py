"""Proposals for where the models of a unit could stand around a point."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pymunk

from sim.geometry import Base, Placed, Pose

STEP = 0.1  # seconds of pymunk's time; large steps settle quickly
ROUNDS = 40  # steps in which the models are drawn together
SETTLING = 40  # steps in which they may come apart again
PADDING = 0.005  # inches kept between bases, so that rounding never makes an overlap
PULL = 6.0  # how strongly models are drawn to their point


def ranks(bases: Sequence[Base], facing: float = 0.0, spacing: float = 0.25) -> tuple[Pose, ...]:
    """A tidy block about the origin: ranks of up to five, every neighbour ``spacing`` inches away or a little more."""
    if not bases:
        return ()
    radius = max(Placed(base, Pose(0, 0, facing)).radius for base in bases)
    pitch = 2 * radius + spacing
    files = min(5, max(1, math.ceil(math.sqrt(len(bases) * 1.6))))
    rows = math.ceil(len(bases) / files)
    poses = []
    for k in range(len(bases)):
        row, file = divmod(k, files)
        here = min(files, len(bases) - row * files)
        x = (file - (here - 1) / 2) * pitch
        y = ((rows - 1) / 2 - row) * pitch
        poses.append(Pose(x, y, facing))
    return tuple(poses)


def rank_and_file(bases: Sequence[Base], files: int, facing: float = 0.0) -> tuple[Pose, ...]:
    """A block of ranks in contact about the middle of its boundary, as ranked games set units up; front rank first."""
    if not bases:
        return ()
    files = max(1, min(files, len(bases)))
    depth = max(_extent(base)[0] for base in bases)
    width = max(_extent(base)[1] for base in bases)
    rows = math.ceil(len(bases) / files)
    cos, sin = math.cos(math.radians(facing)), math.sin(math.radians(facing))
    poses = []
    for k in range(len(bases)):
        row, file = divmod(k, files)
        u, v = ((rows - 1) / 2 - row) * depth, ((files - 1) / 2 - file) * width
        poses.append(Pose(cos * u - sin * v, sin * u + cos * v, facing))
    return tuple(poses)


def _extent(base: Base) -> tuple[float, float]:
    """A base's length along its facing and its width across it, in inches."""
    x0, y0, x1, y1 = Placed(base, Pose(0, 0)).bounds
    return (x1 - x0, y1 - y0)


def pack(bases: Sequence[Base], at: tuple[float, float], keep_off: Sequence[Placed] = ()) -> tuple[Pose, ...]:
    """Poses near a point so that the bases gather round it and touch neither one another nor what is to be kept off.

    Bases are taken as the discs around them. The result is a proposal: physics settles it, the judge must look at it.
    """
    space = pymunk.Space(threaded=False)
    space.iterations = 30
    space.damping = 0.1
    space.collision_slop = 0.0
    bodies = [
        _body(space, Placed(base, pose).radius, (at[0] + pose.x, at[1] + pose.y))
        for base, pose in zip(bases, ranks(bases), strict=True)
    ]
    for obstacle in keep_off:
        _still(space, obstacle)
    for _ in range(ROUNDS):
        for body in bodies:
            dx, dy = at[0] - body.position.x, at[1] - body.position.y
            body.velocity = (dx * PULL * STEP, dy * PULL * STEP)
        space.step(STEP)
    for _ in range(SETTLING):  # without the pull, what was pressed together comes apart
        for body in bodies:
            body.velocity = (0.0, 0.0)
        space.step(STEP)
    return tuple(Pose(float(body.position.x), float(body.position.y)) for body in bodies)


def _body(space: pymunk.Space, radius: float, at: tuple[float, float]) -> pymunk.Body:
    body = pymunk.Body(1.0, float("inf"))
    body.position = at
    shape = pymunk.Circle(body, radius + PADDING)
    shape.elasticity, shape.friction = 0.0, 0.0
    space.add(body, shape)
    return body


def _still(space: pymunk.Space, obstacle: Placed) -> None:
    if obstacle.kind == "polygon":
        shape: pymunk.Shape = pymunk.Poly(space.static_body, list(obstacle.corners), radius=PADDING)
    else:
        shape = pymunk.Circle(space.static_body, obstacle.radius + PADDING, obstacle.pose.at)
    shape.elasticity, shape.friction = 0.0, 0.0
    space.add(shape)
