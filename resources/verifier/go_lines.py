"""Writes which lines a coverage profile of Go has as run: {"path": [line, ...]}.

Usage: go_lines.py PROFILE LINES

Paths are those below the folder in which it is started, the module's own.
"""

import json
import re
import sys

BLOCK = re.compile(r"(.+):(\d+)\.\d+,(\d+)\.\d+ \d+ (\d+)$")


def module_of(path):
    with open(path, encoding="utf-8") as file:
        match = re.search(r'^module\s+"?([^\s"]+)', file.read(), re.M)
    return match[1] + "/" if match else ""


def main(profile, lines):
    module = module_of("go.mod")
    found = {}
    with open(profile, encoding="utf-8") as file:
        for line in file:
            block = BLOCK.match(line.strip())
            if block and block[4] != "0" and block[1].startswith(module):
                ran = range(int(block[2]), int(block[3]) + 1)
                found.setdefault(block[1][len(module) :], set()).update(ran)
    with open(lines, "w", encoding="utf-8") as file:
        json.dump({name: sorted(numbers) for name, numbers in sorted(found.items())}, file)


if __name__ == "__main__":
    main(*sys.argv[1:3])
