"""Time per command of mini-swe-agent's Docker environment, as JSON on the last line."""

import json
import os
import sys
import time

os.environ["MSWEA_SILENT_STARTUP"] = "1"
from minisweagent.environments.docker import DockerEnvironment  # noqa: E402

CALLS = 100

environment = DockerEnvironment(image=sys.argv[1], run_args=["--rm", "--network", "none"])
try:
    times = []
    for call in range(CALLS + 3):
        started = time.perf_counter()
        result = environment.execute({"command": "echo hello"})
        elapsed = (time.perf_counter() - started) * 1000
        assert result["output"] == "hello\n", result
        if call >= 3:
            times.append(elapsed)
finally:
    environment.cleanup()
print(json.dumps([{"what": "Docker environment: echo", "ms": times}]))
