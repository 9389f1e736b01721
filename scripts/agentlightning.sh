#!/usr/bin/env bash
# Makes the Python environment with Agent Lightning, numpy, which its trainer's side needs, and
# Kubernetes' schemas, which
# test/real/agent-lightning.real.test.ts runs; without it that test skips. Needs Python 3.12 or newer.
# Does nothing when it is there (210 MB).
set -euo pipefail
agentlightning=1.0.2
kubernetes_validate=1.37.0
numpy=2.5.5
venv="$(cd "$(dirname "$0")/.." && pwd)/.cache/agentlightning"
if "$venv/bin/python" -c "import importlib.metadata as m; assert [m.version(name) for name in ('agentlightning', 'kubernetes-validate', 'numpy')] == ['$agentlightning', '$kubernetes_validate', '$numpy']" 2>/dev/null; then
  exit 0
fi
for python in python3.14 python3.13 python3.12 python3 "$HOME"/.pyenv/versions/3.1[2-9]*/bin/python; do
  if "$python" -c 'import sys; sys.exit(sys.version_info < (3, 12))' 2>/dev/null; then
    "$python" -m venv "$venv"
    "$venv/bin/pip" install --quiet "agentlightning==$agentlightning" \
      "kubernetes-validate==$kubernetes_validate" "numpy==$numpy"
    exit 0
  fi
done
echo "Agent Lightning needs Python 3.12 or newer, and there is none here." >&2
exit 1
