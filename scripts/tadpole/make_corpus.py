"""Makes small repositories: `make_corpus.py SEED COUNT {known|held-out|composed|copy} OUT`, one JSON object a line.

known, held-out, composed: a module of 1 to 5 functions with a test file; one of them will get the bug.
copy: a function of Python's standard library with lines no kind has, without tests; it teaches the
model to copy lines it never saw instead of reciting known ones.
"""

from __future__ import annotations

import ast
import json
import random
import re
import sys
import sysconfig
import textwrap
import warnings
from pathlib import Path
from typing import Any

from composed import composed
from kinds import PREFIXES, POOL, Function, Kind, arguments_of, call, defined, instantiate, load

MODULES = "calc stats text utils helpers tools mathx shop strings lists parser dates core main app convert checks basics misc common money orders inventory game scoring".split()
HELPER_MODULES = "base shared small extra support".split()
CONFTEST = "import sys\nfrom pathlib import Path\n\nsys.path.insert(0, str(Path(__file__).parent.parent))\n"


def module_name(rng: random.Random) -> str:
    name = rng.choice(MODULES)
    return f"{rng.choice(PREFIXES)}_{name}" if rng.random() < 0.15 else name


def text_of(functions: list[Function], head: str = "") -> str:
    return head + "\n\n\n".join("\n".join(function.lines) for function in functions) + "\n"


def repository(rng: random.Random, target: Kind, others: list[Kind]) -> dict[str, Any]:
    function = instantiate(rng, target)
    functions = [function]
    for _ in range(rng.choices([0, 1, 2, 3, 4], [40, 28, 18, 9, 5])[0]):
        other = instantiate(rng, rng.choice(others))
        if other.name not in {each.name for each in functions} and other.kind.id != target.id:
            functions.append(other)
    rng.shuffle(functions)
    module = module_name(rng)
    files: dict[str, str] = {}
    head = ""
    if rng.random() < 0.2:
        head = f'"""{rng.choice(["Small helpers.", "Helpers for the app.", "Utility functions.", "Shared functions."])}"""\n\n\n'
    helpers = [each for each in functions if each is not function]
    if helpers and rng.random() < 0.25:
        # The other functions move to a module of their own, which this one imports from.
        helper_module = rng.choice(HELPER_MODULES)
        files[f"{helper_module}.py"] = text_of(helpers)
        head += f"from {helper_module} import {helpers[0].name}\n\n\n"
        functions = [function]
    files[f"{module}.py"] = text_of(functions, head)
    cases = cases_of(rng, function)
    tests = tests_of(rng, module, function, cases)
    place = rng.choices(["beside", "folder", "conftest"], [70, 15, 15])[0]
    if place == "beside":
        test = f"test_{module}.py"
    else:
        test = f"tests/test_{module}.py"
        # Without either of these, pytest does not find the module from the folder of the tests.
        files["conftest.py" if place == "conftest" else "tests/conftest.py"] = "" if place == "conftest" else CONFTEST
    files[test] = tests
    return dict(kind=target.id, files=files, module=f"{module}.py", function=function.name, test=test, doc=function.doc,
                cases=[list(case) for case in cases])


def cases_of(rng: random.Random, function: Function) -> list[tuple[str, str]]:
    """(call, expected), both as Python text; up to five, as many different results as there are."""
    own = defined(function)
    found: dict[str, list[tuple[str, str]]] = {}
    for arguments in arguments_of(rng, function.kind):
        how, result = call(own, arguments)
        if how == "value" and len(repr(arguments)) < 120:
            shown = ", ".join(map(repr, arguments))
            found.setdefault(result, []).append((f"{function.name}({shown})", result))
    first = [cases[0] for cases in found.values()]
    rest = [case for cases in found.values() for case in cases[1:]]
    rng.shuffle(first)
    rng.shuffle(rest)
    return (first + rest)[: rng.randint(3, 5)]


def tests_of(rng: random.Random, module: str, function: Function, cases: list[tuple[str, str]]) -> str:
    def line(case: tuple[str, str]) -> str:
        shown, expected = case
        if expected == "True" and rng.random() < 0.5:
            return f"    assert {shown}"
        if expected == "False" and rng.random() < 0.4:
            return f"    assert not {shown}"
        return f"    assert {shown} {'is' if expected == 'None' else '=='} {expected}"

    lines = [line(case) for case in cases]
    head = f"from {module} import {function.name}\n"
    if len(lines) > 3 and rng.random() < 0.3:
        parts = [("", lines[:2]), ("_more", lines[2:])]
    else:
        parts = [("", lines)]
    return head + "".join(f"\n\ndef test_{function.name}{end}():\n" + "\n".join(part) + "\n" for end, part in parts)


def library_functions() -> list[tuple[str, str, list[str]]]:
    """(name, text, local names) of short functions of the standard library."""
    warnings.simplefilter("ignore")
    found: dict[str, tuple[str, str, list[str]]] = {}
    for file in sorted(Path(sysconfig.get_paths()["stdlib"]).rglob("*.py")):
        if {"site-packages", "lib2to3", "test"} & set(file.parts):
            continue
        try:
            source = file.read_text()
            tree = ast.parse(source)
        except (SyntaxError, UnicodeDecodeError, ValueError):
            continue
        lines = source.split("\n")
        for node in ast.walk(tree):
            if not isinstance(node, ast.FunctionDef) or node.decorator_list:
                continue
            own = lines[node.lineno - 1 : node.end_lineno]
            text = textwrap.dedent("\n".join(own))
            if not 3 <= len(own) <= 9 or len(text) > 380 or max(map(len, own)) > 79 or not text.isascii() or "\t" in text:
                continue
            names = {each.arg for each in ast.walk(node) if isinstance(each, ast.arg)}
            names |= {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
            found[text] = (node.name, text, sorted(names - {"self", "cls", "_"}))
    return list(found.values())


ALL_NAMES = [name for names in POOL.values() for name in names]


def library_repository(rng: random.Random, functions: list[tuple[str, str, list[str]]]) -> dict[str, Any]:
    name, text, names = rng.choice(functions)
    if rng.random() < 0.6:
        # Other names for half of the locals: more lines to copy that never occurred before.
        other = {each: rng.choice(ALL_NAMES) for each in names if rng.random() < 0.6}
        if len(set(other.values()) | set(names)) == len(other) + len(names):
            text = re.sub(r"(?<![\w.\"'])[A-Za-z_]\w*", lambda found: other.get(found[0], found[0]), text)
    module = module_name(rng)
    return dict(kind="copy", files={f"{module}.py": text + "\n"}, module=f"{module}.py", function=name, test=None, doc=None, cases=[])


def main() -> None:
    seed, count, what, out = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], Path(sys.argv[4])
    rng = random.Random(seed)
    kinds = load()
    training = [kind for kind in kinds if not kind.held_out]
    targets = [kind for kind in kinds if kind.held_out] if what == "held-out" else training
    if what == "composed":
        targets = training = composed()
    library = library_functions() if what == "copy" else []
    with out.open("w") as file:
        for number in range(count):
            if what == "copy":
                made = library_repository(rng, library)
            else:
                # In turn, so that a small set has every kind too.
                made = repository(rng, targets[number % len(targets)], training)
            file.write(json.dumps(dict(id=f"{what}-{seed}-{number:05d}", **made)) + "\n")


if __name__ == "__main__":
    main()
