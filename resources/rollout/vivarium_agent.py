"""`vivarium rollout` for Agent Lightning's local runner, which runs agents that are Python classes.

Put this folder on the controller's PYTHONPATH and name `vivarium_agent:VivariumAgent` as
`config.local.agent_class`. VIVARIUM_COMMAND are the words that run Vivarium, if not `vivarium`.
"""

import os
import shlex
import subprocess


class VivariumAgent:
    def run(self) -> None:
        words = shlex.split(os.environ.get("VIVARIUM_COMMAND", "vivarium"))
        # An exit code other than 0 fails the rollout: it came to no verdict.
        subprocess.run([*words, "rollout"], check=True)
