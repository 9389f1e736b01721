"""Writes the reward of two exit codes.

Usage: exit_codes.py CODES REWARD

CODES holds {"exploit": N, "unit_tests": N or null}; 0 is good, and null means that there are none.
"""

import json
import sys


def main(codes, reward):
    with open(codes, encoding="utf-8") as file:
        found = json.load(file)
    exploit = found["exploit"] == 0
    units = found["unit_tests"] in (0, None)
    with open(reward, "w", encoding="utf-8") as file:
        json.dump({"reward": int(exploit and units), "exploit": int(exploit), "unit_tests": int(units)}, file)


if __name__ == "__main__":
    main(*sys.argv[1:3])
