"""Compares a JUnit report of pytest with the tests that are expected, and writes the reward.

Usage: reward.py JUNIT EXPECTED REWARD

EXPECTED holds {"fail_to_pass": [...], "pass_to_pass": [...]}. A test that left no result counts as
failed. Without a report no reward is written: nothing is known then.
"""

import json
import re
import sys
import xml.etree.ElementTree as ElementTree

MAX_NAME = 500


def name_of(case):
    """The test's node id, as pytest's `xunit1` report tells it."""
    name, class_name, file = (case.get(key) or "" for key in ("name", "classname", "file"))
    module = re.sub(r"\.py$", "", file).replace("/", ".")
    if file.endswith(".py") and (class_name + ".").startswith(module + "."):
        classes = class_name[len(module) + 1 :]
        return "::".join([file, *(classes.split(".") if classes else []), name])
    if class_name == "" and name == module:
        return file
    return name if class_name == "" else class_name + "::" + name


def on_one_line(name):
    line = re.sub(r"[\r\n\t]+", " ", name).strip()
    return line[:MAX_NAME] + "\u2026" if len(line) > MAX_NAME else line


def status_of(case):
    if case.find("error") is not None or case.find("failure") is not None:
        return "failed"
    skipped = case.find("skipped")
    if skipped is None:
        return "passed"
    return "xfailed" if skipped.get("type") == "pytest.xfail" else "skipped"


def read_report(path):
    """Status by name; of a test that is told of twice, the worse one."""
    order = ["passed", "xfailed", "skipped", "failed"]
    found = {}
    for case in ElementTree.parse(path).getroot().iter("testcase"):
        name, status = on_one_line(name_of(case)), status_of(case)
        found[name] = max(found.get(name, "passed"), status, key=order.index)
    return found


def main(report, expected, reward):
    with open(expected, encoding="utf-8") as file:
        lists = json.load(file)
    found = read_report(report)
    good = {"fail_to_pass": {"passed", "xfailed"}, "pass_to_pass": {"passed", "xfailed", "skipped"}}
    shares = {}
    for key, statuses in good.items():
        names = lists[key]
        met = [name for name in names if found.get(on_one_line(name)) in statuses]
        shares[key] = len(met) / len(names) if names else 1
        for name in sorted(set(names) - set(met)):
            print(f"{key}: {name}: {found.get(on_one_line(name), 'missing')}")
    solved = all(share == 1 for share in shares.values())
    with open(reward, "w", encoding="utf-8") as file:
        json.dump({"reward": int(solved), **shares}, file)


if __name__ == "__main__":
    main(*sys.argv[1:4])
