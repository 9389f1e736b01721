"""The model's own first edits: `own_edits.py CHECKPOINT TOKENIZER BUGS LESSONS OUT`.

LESSONS: conversations of repositories in BUGS; each is taken up to its first edit, and the model goes
on, twice, sampled as the scaffold does. OUT gets the edits that are not the
fix, an object for each repository with some: `id`, `edits` (`text`, `old`, `new`), for the teacher to go
on from. Prints how many first edits were the fix.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer

from model import load
from render import prompt_of
from sample import replies

A_BATCH = 96
# Of an opening; the longer ones, with the tests' output in them, take most of the time.
MOST_BEFORE = 400
MOST_NEW = 160
SAMPLES = 2
CALL = re.compile(r"^(.*?)\n?<tool_call>\n(.*)\n</tool_call>$", re.DOTALL)


def opening(row: dict[str, Any]) -> str | None:
    """What the model has before it when its first edit is due; `None` = a wrong one came first."""
    messages = row["messages"]
    for at, message in enumerate(messages):
        if any(call["function"]["name"] == "Edit" for call in message.get("tool_calls", [])):
            return prompt_of(messages[:at]) if message.get("weight", 1) else None
    return None


def edit_of(reply: str) -> dict[str, str] | None:
    found = CALL.match(reply)
    try:
        called = json.loads(found[2]) if found else {}
    except json.JSONDecodeError:
        return None
    arguments = called.get("arguments", {})
    if called.get("name") != "Edit" or not {"old_string", "new_string"} <= arguments.keys():
        return None
    return dict(text=found[1], old=arguments["old_string"], new=arguments["new_string"])


def is_fix(edit: dict[str, str] | None, task: dict[str, Any]) -> bool:
    bad = task["files"][task["module"]]
    return edit is not None and bad.count(edit["old"]) == 1 and bad.replace(edit["old"], edit["new"]) == task["good"]


def main() -> None:
    checkpoint, tokenizer_file, bugs, lessons, out = sys.argv[1:]
    torch.manual_seed(1)
    torch.set_num_threads(2)
    tokenizer = Tokenizer.from_file(tokenizer_file)
    model = load(checkpoint)
    tasks = {task["id"]: task for task in map(json.loads, Path(bugs).open())}
    rows = map(json.loads, Path(lessons).open())
    due = [(tokenizer.encode(text).ids, row["id"]) for row in rows if (text := opening(row))]
    due = [each for each in due if len(each[0]) <= MOST_BEFORE]
    due.sort(key=lambda each: len(each[0]))
    right = 0
    found: list[dict[str, Any]] = []
    for start in range(0, len(due), A_BATCH):
        part = due[start : start + A_BATCH]
        made = replies(model, [ids for ids, _ in part], SAMPLES, MOST_NEW)
        for (_, name), own in zip(part, made):
            edits = [edit_of(tokenizer.decode(reply, skip_special_tokens=False)) for reply in own]
            right += is_fix(edits[0], tasks[name])
            wrong = [edit for edit in edits if edit is not None and not is_fix(edit, tasks[name])]
            if wrong:
                # Twice the same is one mistake.
                found.append(dict(id=name, edits=[edit for at, edit in enumerate(wrong) if edit not in wrong[:at]]))
    found.sort(key=lambda each: each["id"])
    Path(out).write_text("".join(json.dumps(each) + "\n" for each in found))
    print(f"own edits: {right} of {len(due)} first ones are the fix", flush=True)


if __name__ == "__main__":
    main()
