"""Tasks for the test of the model through the real loop: `fixture.py SEED COUNT BUGS OUT`.

COUNT of BUGS, drawn by chance, each with `hidden`: Python that calls its function with inputs that the
tests need not have, and fails on a wrong result.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import Any

from judge import modules_of
from kinds import Kind, arguments_of, call, load


def hidden_of(rng: random.Random, task: dict[str, Any], kind: Kind) -> str:
    module, name = task["module"].removesuffix(".py"), task["function"]
    function = modules_of({**task["files"], task["module"]: task["good"]}, task["module"])[name]
    results = [(arguments, call(function, arguments)) for arguments in arguments_of(rng, kind)]
    cases = ", ".join(f"({list(arguments)!r}, {value})" for arguments, (how, value) in results if how == "value")
    return f"from {module} import {name}\nfor args, expected in [{cases}]:\n    assert repr({name}(*args)) == repr(expected)\n"


def main() -> None:
    seed, count, bugs, out = sys.argv[1:]
    rng = random.Random(int(seed))
    kinds = {kind.id: kind for kind in load()}
    tasks = [task for task in map(json.loads, Path(bugs).open()) if task["test"] is not None]
    made = [
        dict(kind=task["kind"], mutation=task["method"], files=task["files"], issue=task["issue"], hidden=hidden_of(rng, task, kinds[task["kind"]]))
        for task in rng.sample(tasks, int(count))
    ]
    source = "Tasks of the kinds tadpole was trained on, made by scripts/tadpole with this seed and not selected."
    Path(out).write_text(json.dumps(dict(seed=int(seed), source=source, tasks=made), indent=2) + "\n")


if __name__ == "__main__":
    main()
