"""A referee of its own: reads battle records alone and checks what a person at the table would check.

It shares nothing with the judge: it replays the events by itself, measures by itself, and takes numbers from the record
and from the datasheets as data. ``referee(story)`` gives a list of plain reports.
"""

from tests.referee.report import CHECKS, Report, referee
from tests.referee.story import Story, read_story

__all__ = ["CHECKS", "Report", "Story", "read_story", "referee"]
