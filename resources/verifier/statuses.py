"""Compares statuses of tests with the tests that are expected, and writes the reward.

Usage: statuses.py STATUSES EXPECTED REWARD

STATUSES holds {"tests": [{"name": ..., "status": ...}]}, EXPECTED holds {"fail_to_pass": [...],
"pass_to_pass": [...]}. All of the expected ones have to be PASSED.
"""

import json
import sys


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def main(statuses, expected, reward):
    passed = {test["name"] for test in read(statuses)["tests"] if test["status"] == "PASSED"}
    lists = read(expected)
    shares = {}
    for key in ("fail_to_pass", "pass_to_pass"):
        names = lists[key]
        shares[key] = sum(name in passed for name in names) / len(names) if names else 1
        for name in sorted(set(names) - passed):
            print(f"{key}: {name}: not passed")
    solved = all(share == 1 for share in shares.values())
    with open(reward, "w", encoding="utf-8") as file:
        json.dump({"reward": int(solved), **shares}, file)


if __name__ == "__main__":
    main(*sys.argv[1:4])
