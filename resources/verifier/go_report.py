"""Reads what `go test -json` prints, prints it as `go test -v` would, and writes a JUnit report.

Usage: go_report.py OUTPUT JUNIT

A package that does not compile, or that vet refuses, is an error named `[build failed]`. Suites of
check.v1 are told test by test where they run with -check.v.
"""

import json
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from junit_report import write_junit

ENDS = {"pass": "passed", "fail": "failed", "skip": "skipped"}
NO_BUILD = re.compile(r"FAIL\t(\S+) \[(?:build|setup) failed\]")
SUITE = re.compile(r"(PASS|FAIL|SKIP|MISS|PANIC|FAIL EXPECTED): \S+:\d+: (\S+)")
SUITE_ENDS = {"PASS": "passed", "FAIL EXPECTED": "passed", "SKIP": "skipped", "MISS": "skipped"}


class Report:
    def __init__(self):
        self.tests = {}  # (package, test): [status, output]
        self.packages = {}  # package: [status, output]
        self.not_built = {}  # package: import path of what does not build
        self.compiler = {}  # import path: lines
        self.section = None

    def line(self, line):
        event = read_event(line)
        if event is None:
            self.plain(line)
        else:
            self.event(event)

    def plain(self, line):
        """Go before 1.24 tells of builds in plain text: `# PACKAGE` and the compiler's lines."""
        sys.stdout.write(line)
        heading = re.match(r"# ([^\[\s]\S*)", line)
        missing = NO_BUILD.match(line)
        if heading:
            self.section = self.compiler.setdefault(heading[1], [])
        elif missing:
            self.not_built[missing[1]] = missing[1]
        elif self.section is not None:
            self.section.append(line)

    def event(self, event):
        action, package, test = (event.get(key) or "" for key in ("Action", "Package", "Test"))
        output = event.get("Output") or ""
        sys.stdout.write(output)
        if action == "build-output":
            if not output.startswith("# "):
                self.compiler.setdefault(event.get("ImportPath") or "", []).append(output)
            return
        if package == "":
            return
        known = self.tests if test else self.packages
        entry = known.setdefault((package, test) if test else package, ["", []])
        if action == "output":
            entry[1].append(output)
            if NO_BUILD.match(output):
                self.not_built.setdefault(package, package)
        elif action in ENDS:
            entry[0] = ENDS[action]
            if event.get("FailedBuild"):
                self.not_built[package] = event["FailedBuild"]

    def cases(self):
        for (package, test), (told, output) in self.tests.items():
            ended, more = self.packages.get(package, ["", []])
            status = told or end_within(test, output) or ended
            if told == "" and status != "passed":
                output = output + more
            suite = suite_tests(output)
            # What a suite prints is its tests'.
            yield package, test, status or "failed", "" if suite else told_by(output)
            for name, end, lines in suite:
                yield package, f"{test}/{name}", end, lines
        for package, path in self.not_built.items():
            lines = self.compiler.get(path) or self.compiler.get(package) or sum(self.compiler.values(), [])
            yield package, "[build failed]", "build", "".join(lines)
        for package, (status, output) in self.packages.items():
            ends = {end for (owner, _), (end, _) in self.tests.items() if owner == package}
            if status == "failed" and package not in self.not_built and not ends & {"failed", ""}:
                yield package, "[package]", "error", "".join(output)


def read_event(line):
    if not line.startswith("{"):
        return None
    try:
        event = json.loads(line)
    except ValueError:
        return None
    return event if isinstance(event, dict) and isinstance(event.get("Action"), str) else None


def end_within(test, output):
    """Go before 1.20 misses the end of a test that printed no line end before it."""
    match = re.search(rf"--- (PASS|FAIL|SKIP): {re.escape(test)} \(", "".join(output))
    return ENDS[match[1].lower()] if match else ""


def told_by(output):
    """Values of an example begin on the line of their word."""
    return re.sub(r"^(got|want):\n", r"\1: ", "".join(output), flags=re.M)


def suite_tests(output):
    """Tests of check.v1 within the output of the one that runs them."""
    found = []
    lines = None
    for line in "".join(output).splitlines(keepends=True):
        match = SUITE.match(line)
        if match:
            lines = []
            found.append((match[2], SUITE_ENDS.get(match[1], "failed"), lines))
        elif lines is not None and not re.match(r"-{10,}|OOPS: |OK: |--- ", line):
            lines.append(line)
        else:
            lines = None
    return [(name, end, "".join(told)) for name, end, told in found]


def main(output, junit):
    report = Report()
    with open(output, encoding="utf-8", errors="replace") as file:
        for line in file:
            report.line(line)
    cases = list(report.cases())
    if cases:
        write_junit(junit, cases)


if __name__ == "__main__":
    main(*sys.argv[1:3])
