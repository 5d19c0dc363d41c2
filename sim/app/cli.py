"""The command line: what people type. Every verb lives in ``sim.app.verbs`` and is imported when it is called."""

from __future__ import annotations

import importlib
import sys

import click

from sim import __version__
from sim.app.shown import Shown

VERBS = {
    "play": ("window", "Open the table: a scenario, a record, a storyboard, an army list, or the demo."),
    "check": ("judging", "Judge the command of a case: yes, or every reason why not."),
    "do": ("doing", "Carry out the command of a case and say what came of it."),
    "ask": ("judging", "Answer the questions of a case: gap, engaged, coherent."),
    "cases": ("judging", "Run every case file under the paths against what it expects."),
    "where": ("judging", "Show the whole region in which a unit may be put."),
    "render": ("pictures", "Draw a scenario, a case with its verdict, or a record as a picture."),
    "record": ("pictures", "Film a record or a storyboard: mp4, webm, gif, webp, apng."),
    "replay": ("window", "Play a record back in the window."),
    "verify": ("files", "Judge and resolve a record anew and name the first entry that differs."),
    "odds": ("battles", "Give the exact odds of an attack or a charge."),
    "simulate": ("battles", "Let two players play a scenario to its end and write the record."),
    "import": ("files", "Turn an army list into a roster; every line that was not read is reported."),
    "new": ("beginning", "Print a file to begin with: a case of any command, a map, scenario, roster, storyboard."),
    "list": ("listing", "Name what files may name: maps, scenarios, datasheets, terrain, commands and their keys."),
    "rules": ("files", "List the rules that a game knows, with their status."),
}


class _Verbs(click.Group):
    """A group whose verbs are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in VERBS:
            return None
        module = importlib.import_module(f"sim.app.verbs.{VERBS[cmd_name][0]}")
        command: click.Command = module.VERBS[cmd_name]
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Verbs"):
            formatter.write_dl([(name, text) for name, (_, text) in VERBS.items()])


@click.group(cls=_Verbs, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="inchwise")
def cli() -> None:
    """Inchwise judges, plays and films miniature battles to the inch.

    Exit status: 0 yes or done, 1 no (illegal, missed, differs), 2 the input is wrong.

    Example: inchwise check my-case.toml
    """


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and leave with its exit status; each fault of the input is one line on standard error."""
    sys.stdout, sys.stderr = Shown(sys.stdout), Shown(sys.stderr)
    try:
        status = cli.main(args=arguments, prog_name="inchwise", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        status = 0
    except click.ClickException as error:
        for line in error.format_message().split("\n"):
            click.echo(f"inchwise: {line}", err=True)
        status = 2
    except (click.Abort, KeyboardInterrupt):
        click.echo("inchwise: stopped", err=True)
        status = 130
    except BrokenPipeError:
        sys.stderr.close()
        status = 0
    except OSError as error:
        click.echo(f"inchwise: standard output: {error.strerror or error}", err=True)
        status = 2
    sys.exit(status if isinstance(status, int) else 0)
