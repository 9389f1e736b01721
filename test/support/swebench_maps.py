"""Second opinion: what SWE-bench's own code makes of logs.

Reads one JSON object on standard input: {"maps": [[parser, log, facts], ...], "reports": [[row,
log], ...]}. Writes {"maps": [...], "reports": [...]}: a status map or null where the original fails,
and its report on each log.
"""

import contextlib
import io
import json
import sys
import tempfile
from types import SimpleNamespace

from swebench.harness.grading import get_eval_report, get_logs_eval
from swebench.harness.log_parsers import PARSER_REGISTRY


def status_map(parser, log, facts):
    spec = SimpleNamespace(instance_id=facts["instanceId"], version=facts["version"])
    try:
        return PARSER_REGISTRY[parser](log, spec)
    except Exception:
        return None


def report(row, log):
    spec = SimpleNamespace(**row)
    with tempfile.NamedTemporaryFile("w", suffix=".log", newline="") as file:
        file.write(log)
        file.flush()
        prediction = {"instance_id": row["instance_id"], "model_patch": "x"}
        found = get_logs_eval(spec, file.name)[1]
        told = get_eval_report(spec, prediction, file.name, True)[row["instance_id"]]
    return {"found": found, "resolved": told["resolved"], "tests": told.get("tests_status")}


asked = json.load(sys.stdin)
# Its parsers print warnings.
with contextlib.redirect_stdout(io.StringIO()):
    answer = {
        "parsers": sorted(PARSER_REGISTRY),
        "maps": [status_map(*one) for one in asked["maps"]],
        "reports": [report(*one) for one in asked["reports"]],
    }
json.dump(answer, sys.stdout)
