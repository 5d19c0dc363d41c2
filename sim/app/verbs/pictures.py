"""Verbs that draw: render, record."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from sim.app.common import InputError, ends_in, is_record, load, load_record, one_line, progress, size_option

if TYPE_CHECKING:
    from sim.view import Scene

theme_option = click.option("--theme", default="table", show_default=True, help="table, night, parchment or print.")


@click.command()
@click.argument("source")
@click.option("-o", "--output", required=True, help="The picture: .png or .svg (- for SVG on standard output).")
@click.option("--at", type=float, default=None, help="Seconds into a record (default: its end).")
@click.option("--close", is_flag=True, help="Show what it is about from near, not the whole table.")
@theme_option
@size_option("1600x1000")
@one_line
def render(source: str, output: str, at: float | None, close: bool, theme: str, size: tuple[int, int]) -> int:
    """Draw SOURCE: a scenario, a case with its verdict, or a record at a moment.

    Example: inchwise render deep-strike.toml -o why-not.png
    """
    from sim.app.stills import case_scene, write_still

    if at is not None and not is_record(source):
        raise InputError(f"{source}: --at: only a record has a moment to be drawn; this is none")
    scene = _record_scene(source, at) if is_record(source) else case_scene(load(source))
    if close:
        from sim.view.compose import close_up

        scene = close_up(scene)
    write_still(scene, output, theme, size)
    if output != "-":
        click.echo(f"{output} written")
    return 0


def _record_scene(source: str, at: float | None) -> Scene:
    from sim.app.films import timeline_of

    timeline = timeline_of(load_record(source))
    seconds = timeline.duration if at is None else at
    if not 0 <= seconds <= timeline.duration:
        raise InputError(f"{source}: --at: expected seconds from 0 to {timeline.duration:.2f}, got {seconds:g}")
    return timeline.scene_at(seconds)


@click.command()
@click.argument("source")
@click.option("-o", "--output", required=True, help="The clip: .mp4, .webm, .gif, .webp or .apng.")
@click.option("--fps", type=click.IntRange(1, 120), default=None, help="Frames a second (default: 30; gif 20).")
@click.option("--from", "start", type=float, default=0.0, help="Seconds at which the clip begins.")
@click.option("--to", "end", type=float, default=None, help="Seconds at which the clip ends.")
@theme_option
@size_option("1280x720")
@one_line
def record(
    source: str,
    output: str,
    fps: int | None,
    start: float,
    end: float | None,
    theme: str,
    size: tuple[int, int],
) -> int:
    """Film SOURCE: a record, or a storyboard.

    Example: inchwise record battle.jsonl -o battle.mp4 --size 1920x1080 --fps 60
    """
    from sim.app.films import Film, film, film_of

    whole: Film = film_of(source)
    stop = whole.duration if end is None else end
    if not 0 <= start < stop <= whole.duration + 1e-9:
        what = f"expected 0 <= --from < --to <= {whole.duration:.2f} seconds, got {start:g} and {stop:g}"
        raise InputError(f"{source}: time: {what}")
    rate = fps if fps is not None else (20 if ends_in(output, ".gif") else 30)
    with progress("filming") as report:
        frames = film(whole, output, size, rate, theme, start, stop, report)
    click.echo(f"{output} written: {frames} frames, {frames / rate:.2f} s, {size[0]}x{size[1]} at {rate} a second")
    return 0


VERBS = {"render": render, "record": record}
