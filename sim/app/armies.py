"""How do one or two army lists become a battle that can be opened? For the verb ``import`` and for the window alike."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sim.app.common import InputError, found_file

if TYPE_CHECKING:
    from sim.rules import Listing
    from sim.scenario.importers import ImportedArmy

LISTED = "wh40k10"  # the game of every army list that can be read


def listing(name: str) -> Listing | None:
    """What the game of the army lists knows of a datasheet, by its name."""
    from sim.app.games import rulesets

    known = rulesets()[LISTED].listing
    return None if known is None else known(name)


def battle_of(armies: Sequence[ImportedArmy], player: str, field: str, output: str | None) -> str:
    """A battle on a map with one or two armies in reserves, at the beginning of deployment.

    Raises ``ScenarioError`` where it could not be opened from its output: on a map of another game, say.
    """
    from sim.app.games import rulesets
    from sim.scenario import case_of, read_document
    from sim.scenario.importers import to_toml

    document = read_document(found_file(field))
    if document.table is None:
        raise InputError(f"{field}: table: expected a map with a [table]")
    owners = sorted({zone.player for zone in document.zone if zone.player})
    if owners and player not in owners:
        raise InputError(f"--player: {field} has deployment zones for {' and '.join(owners)}, got {player!r}")
    opponent = next((owner for owner in owners if owner != player), "blue" if player != "blue" else "red")
    head = [
        f"title = {_quoted(' against '.join(army.title for army in armies))}",
        f"ruleset = {_quoted(LISTED)}",
        f"map = {_quoted(_seen_from(output, field))}",
        f"players = [{_quoted(player)}, {_quoted(opponent)}]",
        "",
        "[clock]",
        "round = 1",
        f"player = {_quoted(player)}",
        'phase = "deployment"',
        'step = "deploy-armies"',
        "",
    ]
    texts = [to_toml(armies[0], player)]
    if len(armies) > 1:
        texts.append(to_toml(armies[1], opponent, prefix=f"{opponent}-"))
    text = "\n".join(head) + "\n" + "\n".join(texts)
    case_of(output or "battle.toml", text, rulesets())
    return text


def _seen_from(output: str | None, field: str) -> str:
    """The name of a map for a file that is written to another folder: what is shipped is found from everywhere."""
    import os

    from sim.resources import data_path

    found = found_file(field).resolve()
    try:
        if data_path(field).resolve() == found:
            return field
    except FileNotFoundError:
        pass
    folder = Path() if output in (None, "-") else Path(output).parent
    try:
        return Path(os.path.relpath(found, folder.resolve())).as_posix()
    except ValueError:  # on another drive
        return found.as_posix()


def _quoted(text: str) -> str:
    import json

    return json.dumps(text, ensure_ascii=False)
