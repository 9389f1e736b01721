"""Says what tests of a small repository would say, in about a millisecond, without starting pytest.

Reads one JSON object a line ({files, module, cases}) and answers each with one line: a list with
`null` for each case that holds and what the call gives instead for each that does not. The code is that
of our own kinds with one bug; it runs in this process with a time limit, for the choice of bugs only.
What a trajectory shows is always the output of a real pytest run in a sandbox.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
import types
from typing import Any

from kinds import call


def modules_of(files: dict[str, str], module: str) -> dict[str, Any]:
    """The namespace of `module`, with the modules beside it importable while it is read."""
    names = [path.removesuffix(".py") for path in files if "/" not in path and not path.startswith(("test_", "conftest"))]
    own = module.removesuffix(".py")
    made: dict[str, types.ModuleType] = {}
    before = {name: sys.modules.get(name) for name in names}
    try:
        for name in [name for name in names if name != own] + [own]:
            made[name] = types.ModuleType(name)
            sys.modules[name] = made[name]
            exec(compile(files[f"{name}.py"], f"{name}.py", "exec"), made[name].__dict__)
    finally:
        for name, old in before.items():
            sys.modules.pop(name, None)
            if old is not None:
                sys.modules[name] = old
    return made[own].__dict__


def judged(job: dict[str, Any]) -> list[str | None]:
    read: tuple[str, str] = ("value", "")
    scope: dict[str, Any] = {}

    def load_all() -> None:
        scope.update(modules_of(job["files"], job["module"]))

    read = call(load_all, ())
    if read[0] != "value":
        return [f"raises {read[1] or 'nothing in time'}"] * len(job["cases"])
    verdicts: list[str | None] = []
    for shown, expected in job["cases"]:
        how, got = call(lambda shown=shown: eval(shown, dict(scope)), ())
        same = how == "value" and got == expected
        verdicts.append(None if same else "hangs" if how == "hangs" else f"returns {got}" if how == "value" else f"raises {got}")
        if how == "hangs":
            verdicts += ["hangs"] * (len(job["cases"]) - len(verdicts))
            break
    return verdicts


def main() -> None:
    for line in sys.stdin:
        with contextlib.redirect_stdout(io.StringIO()):
            verdicts = judged(json.loads(line))
        print(json.dumps(verdicts), flush=True)


if __name__ == "__main__":
    main()
