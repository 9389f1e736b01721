"""Writes a JUnit report of the JSON that jest writes.

Usage: jest_report.py JSON JUNIT
"""

import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from junit_report import write_junit

STATUSES = {"passed": "passed", "failed": "failed"}


def cases_of(results):
    for file in results["testResults"]:
        path = os.path.relpath(file["name"])
        tests = file["assertionResults"]
        if file["status"] == "failed" and not any(test["status"] == "failed" for test in tests):
            message = file.get("message") or ""
            yield path, "[file]", "build" if "SyntaxError" in message else "error", message
        for test in tests:
            name = " > ".join([*test["ancestorTitles"], test["title"]])
            status = STATUSES.get(test["status"], "skipped")
            yield path, name, status, "\n".join(test.get("failureMessages") or [])


def main(results, junit):
    with open(results, encoding="utf-8") as file:
        cases = list(cases_of(json.load(file)))
    if cases:
        write_junit(junit, cases)


if __name__ == "__main__":
    main(*sys.argv[1:3])
