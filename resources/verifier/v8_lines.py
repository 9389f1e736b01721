"""Writes which lines the coverage of Node's processes has as run: {"path": [line, ...]}.

Usage: v8_lines.py FOLDER LINES

FOLDER is what NODE_V8_COVERAGE named; paths are those below the folder in which it is started.
"""

import json
import os
import sys
from urllib.parse import unquote, urlsplit

ROOT = os.getcwd() + os.sep


def path_of(url):
    """Path in the tree; None for all that lies elsewhere."""
    parts = urlsplit(url)
    name = os.path.relpath(unquote(parts.path), ROOT)
    foreign = parts.scheme != "file" or name.startswith("..") or "node_modules" in name.split(os.sep)
    return None if foreign else name


def lines_run(source, functions):
    """1-based. Ranges within another one, which say more of their part, come after it."""
    ran = bytearray(len(source))
    for function in functions:
        for part in function["ranges"]:
            start, end = part["startOffset"], min(part["endOffset"], len(source))
            ran[start:end] = (b"\1" if part["count"] > 0 else b"\0") * max(0, end - start)
    found, at = set(), 0
    for number, line in enumerate(source.split("\n"), 1):
        bare = len(line) - len(line.lstrip())
        if line.strip() and 1 in ran[at + bare : at + len(line.rstrip())]:
            found.add(number)
        at += len(line) + 1
    return found


def main(folder, lines):
    found = {}
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            results = json.load(file).get("result", [])
        for script in results:
            path = path_of(script["url"])
            if path is None or not os.path.isfile(path):
                continue
            with open(path, encoding="utf-8", errors="replace", newline="") as file:
                found.setdefault(path, set()).update(lines_run(file.read(), script["functions"]))
    with open(lines, "w", encoding="utf-8") as file:
        json.dump({path: sorted(numbers) for path, numbers in sorted(found.items())}, file)


if __name__ == "__main__":
    main(*sys.argv[1:3])
