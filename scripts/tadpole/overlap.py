"""How much of held-out tasks occurs in training text: `overlap.py TASKS LESSONS...`.

TASKS: buggy repositories (`bugs.ts`) of one set; LESSONS: what was trained on. Each line is compared
as it stands and with its names numbered in order of appearance, since names are drawn anew for each
repository. Prints one JSON object; `n` tasks, of which so many have their buggy function, or all lines
of their fix, in some lesson.
"""

from __future__ import annotations

import builtins
import functools
import io
import json
import keyword
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import Any

KEPT = {*keyword.kwlist, *dir(builtins)}
NUMBERED = re.compile(r"^\d+\. ?(.*)$")


@functools.cache
def nameless(line: str) -> str:
    """The line with `v1`, `v2` … for its names; methods and attributes keep theirs."""
    parts: list[str] = []
    numbers: dict[str, str] = {}
    try:
        for token in tokenize.generate_tokens(io.StringIO(line.strip()).readline):
            if token.type == tokenize.NAME and token.string not in KEPT and parts[-1:] != ["."]:
                parts.append(numbers.setdefault(token.string, f"v{len(numbers) + 1}"))
            elif token.string.strip():
                parts.append(token.string)
    except (tokenize.TokenError, IndentationError):
        pass  # A part of a longer statement: what was read of it stands for it.
    return " ".join(parts)


def code_of(lesson: dict[str, Any]) -> Iterator[list[str]]:
    """Each text of a lesson with code in it, as lines: files that were read, texts that were written."""
    for message in lesson["messages"]:
        if message["role"] == "tool":
            found = [NUMBERED.match(line) for line in (message["content"] or "").split("\n")]
            yield [match[1] for match in found if match is not None]
        for each in message.get("tool_calls", []):
            arguments = json.loads(each["function"]["arguments"])
            yield from (arguments[name].split("\n") for name in ("old_string", "new_string") if name in arguments)


def body_of(text: str, function: str) -> list[str]:
    """Lines of a function at the top of a file, without its first and its doc."""
    lines = text.split("\n")
    start = next(at for at, line in enumerate(lines) if line.startswith(f"def {function}("))
    end = next((at for at in range(start + 1, len(lines)) if lines[at] and not lines[at].startswith(" ")), len(lines))
    return [line for line in lines[start + 1 : end] if line.strip() and not line.strip().startswith('"""')]


def block(lines: list[str], form: Any) -> str:
    return "\n".join(form(line) for line in lines if line.strip() and not line.strip().startswith('"""'))


def overlap(tasks: list[dict[str, Any]], lessons: Iterator[dict[str, Any]]) -> dict[str, int]:
    forms = {"as_it_stands": str.strip, "names_apart": nameless}
    lines: dict[str, set[str]] = {name: set() for name in forms}
    texts: dict[str, set[str]] = {name: set() for name in forms}
    count = 0
    for lesson in lessons:
        count += 1
        for part in code_of(lesson):
            for name, form in forms.items():
                lines[name].update(map(form, part))
                texts[name].add(block(part, form))
    found = {"n": len(tasks), "lessons": count}
    for name, form in forms.items():
        whole = "\n\n".join(texts[name])
        function = fix = 0
        for task in tasks:
            bad, good = (body_of(text, task["function"]) for text in (task["files"][task["module"]], task["good"]))
            wanted = [form(line) for line in good if line not in bad]
            function += block(bad, form) in whole
            fix += bool(wanted) and all(line in lines[name] for line in wanted)
        found |= {f"buggy_function_{name}": function, f"fix_lines_{name}": fix}
    return found


def main() -> None:
    tasks = [json.loads(line) for line in Path(sys.argv[1]).open()]
    lessons = (json.loads(line) for file in sys.argv[2:] for line in Path(file).open())
    print(json.dumps(overlap(tasks, lessons)))


if __name__ == "__main__":
    main()
