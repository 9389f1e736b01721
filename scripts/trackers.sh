#!/usr/bin/env bash
# Makes the Python environment with MLflow's server and W&B, which tests of the exports write to.
# Without it they skip with a line. Does nothing when it is there.
set -euo pipefail
mlflow=3.17.2
wandb=0.31.0
venv="$(cd "$(dirname "$0")/.." && pwd)/.cache/trackers"
if "$venv/bin/python" -c "import importlib.metadata as m; assert (m.version('mlflow'), m.version('wandb')) == ('$mlflow', '$wandb')" 2>/dev/null; then
  exit 0
fi
python3 -m venv "$venv"
"$venv/bin/pip" install --quiet "mlflow==$mlflow" "wandb==$wandb"
