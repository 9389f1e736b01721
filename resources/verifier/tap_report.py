"""Reads what a runner prints in the Test Anything Protocol, prints it, and writes a JUnit report.

Usage: tap_report.py OUTPUT JUNIT

Results within a subtest are named `subtest > test`. Where there are no subtests, results below a
comment (`# title`) are one test of that title, as tape means it.
"""

import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from junit_report import write_junit

RESULT = re.compile(r"( *)(not )?ok\b(?: +\d+)?(?: +- +| +)?(.*?)(?: +# *(skip|todo|time)\b.*)?$", re.I)
COMMENT = re.compile(r"( *)# +(.*?) *$")
# How tape and others close.
TOTALS = re.compile(r"(?:tests|pass|fail|skip|todo|suites|cancelled|skipped|duration_ms|ok)\b[ \d.]*$")
# Values of a diagnosis that begin on the next line.
VALUE = re.compile(r"^( *(?:expected|wanted|actual|found): )\|-?\n +", re.M)
DIRECTIVES = {"skip": "skipped", "todo": "skipped"}


def read_tap(text):
    """(name, status, output) of each result, in order."""
    lines = text.splitlines()
    subtests = any(re.match(r" *# Subtest: ", line) for line in lines)
    path = []
    title = None
    found = []
    within = False
    for line in lines:
        mark = line.strip()
        within = mark == "---" or (within and mark != "...")
        if within:
            if found and mark != "---":
                found[-1][2].append(line)
            continue
        comment = COMMENT.match(line)
        result = RESULT.match(line)
        if comment and comment[2].startswith("Subtest: "):
            depth = len(comment[1]) // 4
            path[depth:] = [comment[2][len("Subtest: ") :]]
        elif comment and comment[1] == "" and not subtests and not TOTALS.match(comment[2]):
            title = comment[2]
        elif result:
            depth = len(result[1]) // 4
            name = result[3] or "test"
            full = [*path[:depth], name] if subtests or title is None else [title]
            status = DIRECTIVES.get((result[4] or "").lower(), "failed" if result[2] else "passed")
            found.append((" > ".join(full), status, []))
        elif line.startswith("Bail out!"):
            found.append(("[bail out]", "error", [line]))
    return found


def diagnosis(lines):
    return VALUE.sub(r"\1", "\n".join(lines))


def broke_off(text):
    """Whether there are fewer results than planned, or there is no plan."""
    plan = re.search(r"^1\.\.(\d+)", text, re.M)
    return plan is None or len(re.findall(r"^(?:not )?ok\b", text, re.M)) < int(plan[1])


def main(output, junit):
    with open(output, encoding="utf-8", errors="replace") as file:
        text = file.read()
    sys.stdout.write(text)
    found = read_tap(text)
    if found and broke_off(text):
        # What ran last has no good end.
        name, _, told = found[-1]
        found[-1] = (name, "failed", told)
    if found:
        write_junit(junit, [("", name, status, diagnosis(told)) for name, status, told in found])


if __name__ == "__main__":
    main(*sys.argv[1:3])
