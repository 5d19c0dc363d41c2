"""Pictures of battles: a scene from a file, and its PNG or SVG."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.app.common import InputError, write_bytes

if TYPE_CHECKING:
    from sim.scenario import Case
    from sim.view import Scene


def write_still(scene: Scene, output: str, theme: str, size: tuple[int, int]) -> None:
    """Write a scene as .png or .svg by the ending of the file (- is SVG on standard output)."""
    from sim.view.theme import theme as theme_called

    look = theme_called(theme)
    if output == "-" or output.endswith(".svg"):
        from sim.render.svg import svg

        write_bytes(output, svg(scene, look).encode())
        return
    if not output.endswith(".png"):
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
    """A case as a picture: its table, and its command with the verdict if it has one."""
    from sim.engine import judge
    from sim.view import compose

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
    caption = compose.verdict_caption(case.battle, unit, play.title, verdict)
    if len(poses) != len(unit.models) or play.rules is None:
        return compose.table_scene(case.battle, case.ruleset, (), caption, assumed=case.assumed)
    rules = play.rules(case.battle, command)
    base, facing = (unit.models[0].base, poses[0].facing) if play.figure is None else play.figure(case.battle, command)
    items = [
        *compose.overlay(case.battle, rules, base, facing, paths[0].start.at if paths else None).items,
        *compose.trails(paths),
        *compose.held(case.battle, unit, poses, verdict),
    ]
    return compose.table_scene(case.battle, case.ruleset, items, caption, assumed=case.assumed)
