"""Time per command of swe-rex in a container, as JSON on the last line.

The image has no swe-rex and containers have no network to fetch it: this virtual environment is
mounted into the container, and the host's network is shared, since there may be no bridge.
"""

import asyncio
import json
import logging
import sys
import sysconfig
import tempfile
import time
from pathlib import Path

from swerex.deployment.docker import DockerDeployment
from swerex.runtime.abstract import BashAction, Command, CreateBashSessionRequest
from swerex.utils.free_port import find_free_port

CALLS = 100
logging.disable(logging.CRITICAL)


async def series(work):
    times = []
    for call in range(CALLS + 3):
        started = time.perf_counter()
        output = await work()
        elapsed = (time.perf_counter() - started) * 1000
        assert output.strip() == "hello", output
        if call >= 3:
            times.append(elapsed)
    return times


async def measure(image: str, launcher: Path):
    port = find_free_port()
    packages = sysconfig.get_paths()["purelib"]
    launcher.write_text(
        "#!/usr/bin/python3\n"
        "import sys\n"
        "sys.path.insert(0, '/opt/peer')\n"
        f"sys.argv += ['--host', '127.0.0.1', '--port', '{port}']\n"
        "from swerex.server import main\n"
        "main()\n"
    )
    launcher.chmod(0o755)
    mounts = [f"{packages}:/opt/peer:ro", f"{launcher}:/usr/local/bin/swerex-remote:ro"]
    arguments = ["--network", "host", *(part for mount in mounts for part in ("-v", mount))]
    deployment = DockerDeployment(
        image=image, port=port, docker_args=arguments, pull="never", startup_timeout=60
    )
    await deployment.start()
    try:
        runtime = deployment.runtime
        await runtime.create_session(CreateBashSessionRequest())

        async def in_session():
            return (await runtime.run_in_session(BashAction(command="echo hello"))).output

        async def execute():
            return (await runtime.execute(Command(command=["echo", "hello"]))).stdout

        return [
            {"what": "bash session: echo", "ms": await series(in_session)},
            {"what": "execute: echo", "ms": await series(execute)},
        ]
    finally:
        await deployment.stop()


with tempfile.TemporaryDirectory() as folder:
    result = asyncio.run(measure(sys.argv[1], Path(folder) / "swerex-remote"))
print(json.dumps(result))
