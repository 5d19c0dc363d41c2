"""How does a file become a battle? Scenarios, maps, rosters, cases, and importers of other programs' lists."""

from sim.scenario.build import Ask, Case, Expect, build_case
from sim.scenario.commands import CommandFault, build_command
from sim.scenario.errors import ScenarioError
from sim.scenario.files import case_of, find_file, load_case, parse_document, read_document

__all__ = [
    "Ask",
    "Case",
    "CommandFault",
    "Expect",
    "ScenarioError",
    "build_case",
    "build_command",
    "case_of",
    "find_file",
    "load_case",
    "parse_document",
    "read_document",
]
