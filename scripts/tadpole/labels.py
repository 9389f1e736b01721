"""Which tokens of a conversation count more than others in the training, and what its probe has to tell:
from the text alone. Which line is wrong is the hard part, and one token in four hundred."""

from __future__ import annotations

import os
import re

# As the teacher says it (teacher.ts), and how much the number counts.
WRONG_LINE = re.compile(r"[Ll]ine (?P<number>\d+)(?: is wrong| has the bug|\.)")
WEIGHT_OF_NUMBER = 8.0
NUMBERED = re.compile(r"(\d+)\. ")
# What an edit changes, among what it copies.
EDITED = re.compile(r'"old_string": "((?:[^"\\]|\\.)*)", "new_string": "((?:[^"\\]|\\.)*)"')
WEIGHT_OF_CHANGE = 4.0


def said_line(text: str) -> re.Match[str] | None:
    """Where a turn that edits says which line is wrong."""
    return WRONG_LINE.search(text.split("\n")[0]) if '"Edit"' in text else None


def spans_of(text: str) -> list[tuple[float, int, int]]:
    """What counts more in a turn: its weight, where it starts and ends."""
    said, edited = said_line(text), EDITED.search(text)
    if not said or not edited:
        return []
    old, new = edited.groups()
    same = len(os.path.commonprefix([old, new]))
    same_end = len(os.path.commonprefix([old[same:][::-1], new[same:][::-1]]))
    # One that takes something away differs in what comes next.
    change = (WEIGHT_OF_CHANGE, edited.start(2) + same, max(edited.end(2) - same_end, edited.start(2) + same + 1))
    return [(WEIGHT_OF_NUMBER, *said.span("number")), change]


def marks_of(text: str, offsets: list[tuple[int, int]], wrong: int) -> list[float]:
    """Of an observation of Read: which tokens end a line, and whether that line is the wrong one."""
    marks = [-1.0] * len(offsets)
    first, *lines = text.split("\n")
    if not lines or not lines[0].startswith("1. "):
        return marks
    token, at = 0, len(first)
    for line in lines:
        at += 1 + len(line)
        while offsets[token][1] < at:
            token += 1
        if number := NUMBERED.match(line):
            marks[token] = float(int(number[1]) == wrong)
    return marks
