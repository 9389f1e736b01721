"""A plug-in of pytest that writes which lines of the tree ran: {"path": [line, ...]}.

LINE_COVERAGE names the file; paths are relative to the folder in which pytest is started.
"""

import json
import os
import sys
import threading

ROOT = os.getcwd() + os.sep
LINES = {}
NAMES = {}


def name_of(filename):
    """Path in the tree; None for all that lies elsewhere."""
    if filename not in NAMES:
        full = os.path.realpath(os.path.join(ROOT, filename))
        inside = not filename.startswith("<") and full.startswith(os.path.realpath(ROOT) + os.sep)
        NAMES[filename] = full[len(os.path.realpath(ROOT)) + 1 :] if inside else None
    return NAMES[filename]


def trace(frame, event, argument):
    name = name_of(frame.f_code.co_filename)
    if name is None:
        return None
    lines = LINES.setdefault(name, set())
    lines.add(frame.f_lineno)

    def local(inner, what, value):
        if what == "line":
            lines.add(inner.f_lineno)
        return local

    return local


def pytest_runtest_logstart(nodeid, location):
    # From here on: what runs at import alone is told by no test.
    threading.settrace(trace)
    sys.settrace(trace)


def pytest_sessionfinish(session, exitstatus):
    sys.settrace(None)
    threading.settrace(None)
    with open(os.environ["LINE_COVERAGE"], "w", encoding="utf-8") as file:
        json.dump({name: sorted(lines) for name, lines in sorted(LINES.items())}, file)
