"""What must every game offer? The contract between the engine and the rulesets; it knows no game itself."""

from sim.rules import alternating, blocks, lasting
from sim.rules.commands import Command, Deploy, EndStep, command_name
from sim.rules.going import Going
from sim.rules.listing import Listing
from sim.rules.procedure import (
    Ledger,
    Modifier,
    NeedChoice,
    NeedRoll,
    Option,
    Procedure,
    Reaction,
    ReactionWindow,
    Told,
)
from sim.rules.rows import RowError, RuleRow, read_rows
from sim.rules.ruleset import Answer, Holding, Odds, Offer, Play, QuestionError, Ruleset
from sim.rules.sequence import Phase, next_clock
from sim.rules.verdict import Verdict, Violation, from_breach, verdict_json

__all__ = [
    "Answer",
    "Command",
    "Deploy",
    "EndStep",
    "Going",
    "Holding",
    "Ledger",
    "Listing",
    "Modifier",
    "NeedChoice",
    "NeedRoll",
    "Odds",
    "Offer",
    "Option",
    "Phase",
    "Play",
    "Procedure",
    "QuestionError",
    "Reaction",
    "ReactionWindow",
    "RowError",
    "RuleRow",
    "Ruleset",
    "Told",
    "Verdict",
    "Violation",
    "alternating",
    "blocks",
    "command_name",
    "from_breach",
    "lasting",
    "next_clock",
    "read_rows",
    "verdict_json",
]
