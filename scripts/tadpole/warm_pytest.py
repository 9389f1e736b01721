"""pytest without its start: `python3 -m pytest` of a workspace for lessons is answered by a fork of this
process, which has pytest read already. What is printed is what pytest itself prints.

The image of `warm_image.sh` has the client that asks; without this process it starts Python as usual.
"""

from __future__ import annotations

import os
import signal
import sys

import _pytest.assertion.rewrite  # noqa: F401
import _pytest.config
import pytest

# Read by pytest while it starts; read here once for all.
import _pytest.cacheprovider, _pytest.doctest, _pytest.junitxml, _pytest.terminal  # noqa: E401, F401
import difflib, pdb, unittest.mock  # noqa: E401, F401

FOLDER = "/tmp/warm-pytest"
# A wrong edit may make a loop without end, and who asked is gone when its own time is up.
MOST_SECONDS = 6


def main() -> None:
    os.makedirs(FOLDER, exist_ok=True)
    os.mkfifo(f"{FOLDER}/in")
    # Ended children need no care.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    # Held open for writing too, so that it never ends between two clients.
    requests = os.fdopen(os.open(f"{FOLDER}/in", os.O_RDWR), "rb", buffering=0)
    while True:
        line = bytearray()
        while not line.endswith(b"\n"):
            line += requests.read(1) or b""
        client, folder, *arguments = line[:-1].decode().split("\x1f")
        if os.fork() == 0:
            answer(client, folder, arguments)


def answer(client: str, folder: str, arguments: list[str]) -> None:
    """Never returns."""
    code = 3
    signal.alarm(MOST_SECONDS)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    try:
        # Its 1 is the pipe of requests while it writes to that.
        for number, kept in ((1, 8), (2, 9)):
            os.dup2(os.open(f"/proc/{client}/fd/{kept}", os.O_WRONLY), number)
        os.chdir(folder)
        os.environ["PWD"] = folder
        sys.path[0] = folder
        sys.argv = [pytest.__file__.replace("__init__", "__main__"), *arguments]
        code = int(_pytest.config.console_main())
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        with open(f"{FOLDER}/{client}", "w") as out:
            out.write(f"{code}\n")
        os._exit(0)


if __name__ == "__main__":
    main()
