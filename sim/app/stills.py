"""Pictures of battles: a scene from a file, and its PNG or SVG."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from sim.app.common import InputError, ends_in, write_bytes
from sim.battle import DiceRolled, Unit
from sim.view import Caption, Label, Ruler

if TYPE_CHECKING:
    from sim.rules import Play
    from sim.scenario import Case
    from sim.view import Scene


def write_still(scene: Scene, output: str, theme: str, size: tuple[int, int]) -> None:
    """Write a scene as .png or .svg by the ending of the file (- is SVG on standard output)."""
    from sim.view.theme import theme as theme_called

    look = theme_called(theme)
    if output == "-" or ends_in(output, ".svg"):
        from sim.render.svg import svg

        write_bytes(output, svg(scene, look).encode())
        return
    if not ends_in(output, ".png"):
        raise InputError(f"{output}: file: expected a name ending in .png or .svg")
    from sim.render.headless import ensure_headless

    ensure_headless()
    import io

    import pygame

    from sim.render.picture import picture

    png = io.BytesIO()
    pygame.image.save(picture(scene, look, size), png, "picture.png")
    write_bytes(output, png.getvalue())


def case_scene(case: Case) -> Scene:
    """A case as a picture: its table, its command with the verdict, and with its dice what came of it."""
    from sim.engine import judge
    from sim.view import compose, overlay

    command = case.command
    unit_id = getattr(command, "unit", None)
    if command is None or unit_id is None or not case.battle.has_unit(unit_id):
        return compose.table_scene(case.battle, case.ruleset, assumed=case.assumed)
    play = case.ruleset.play(command)
    unit = case.battle.unit(unit_id)
    verdict = judge(case.ruleset, case.battle, command, readings=True)
    paths = getattr(command, "paths", ())
    poses = getattr(command, "models", ()) or tuple(path.end for path in paths)
    if play.stands is not None:
        poses = play.stands(case.battle, command)
    caption = compose.verdict_caption(case.battle, unit, play, verdict)
    if verdict.legal and case.dice and play.outcome is not None:
        return _afterwards(case, play, caption)
    if len(poses) != len(unit.models) or play.rules is None:
        return compose.table_scene(case.battle, case.ruleset, (), caption, assumed=case.assumed)
    items = [
        *overlay.of_command(case.battle, play, command, unit, poses).items,
        *compose.trails(paths),
        *compose.held(case.battle, unit, poses, verdict),
    ]
    return compose.table_scene(case.battle, case.ruleset, items, caption, assumed=case.assumed)


def _afterwards(case: Case, play: Play, caption: Caption) -> Scene:
    """What came of a command with the dice of its case: the table after it, how far things went, and words."""
    from sim.app.expectations import outcome
    from sim.view import Item, compose, overlay
    from sim.view.story import face_words

    result, found = outcome(case)
    unit = case.battle.unit(case.command.unit)  # type: ignore[union-attr]
    items: list[Item] = list(_ways(unit, found))
    if case.command is not None and unit.on_table:
        standing = [model.placed.pose for model in unit.models]
        items = [*overlay.of_command(case.battle, play, case.command, unit, standing).items, *items]
    rolled = [e for e in result.events if isinstance(e, DiceRolled)]
    lines = [(f"{e.purpose}: {', '.join(map(face_words, e.faces))}", "plain") for e in rolled]
    told = {name: value for name, value in found.items() if name != "outcome" and value is not None}
    lines += [(f"{name.replace('_', ' ')}: {_value(value)}", "note") for name, value in told.items()]
    headline = str(found.get("outcome") or caption.headline).replace("-", " ")
    words = Caption(f"{unit.name}: {headline}", caption.tone, (*caption.lines, *lines))  # type: ignore[arg-type]
    return compose.table_scene(result.battle, case.ruleset, items, words, assumed=case.assumed)


def _ways(before: Unit, found: Mapping[str, Any]) -> Iterator[Ruler | Label]:
    """How far a marker drifted, or a unit ran; where nothing moved, what came of it at the spot."""
    at = found.get("at")
    starts = [marker.at for marker in before.markers if marker.at is not None]
    starts += [model.pose.at for model in before.models[:1] if model.pose is not None]
    if at is not None and starts and math.dist(starts[0], at) > 0.01:
        yield Ruler(starts[0], (float(at[0]), float(at[1])), f'{math.dist(starts[0], at):.2f}"', "note")
    elif at is not None and found.get("outcome"):
        yield Label((float(at[0]), float(at[1]) + 1.2), str(found["outcome"]).replace("-", " "))


def _value(value: Any) -> str:
    if isinstance(value, (tuple, list)):
        return ", ".join(_value(v) for v in value)
    return f"{value:.2f}" if isinstance(value, float) else str(value)
