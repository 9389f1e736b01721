#!/usr/bin/env bash
# Loads what `vivarium train export` writes with the trainers' own code and keeps what they made of
# each row as test/fixtures/trainers/*.json. Without a GPU; the first time it makes two Python
# environments of 8 GB together under .cache/trainers.
#
#   scripts/trainers.sh [--install-only]
set -euo pipefail
export HF_HUB_OFFLINE=1
llamafactory=0.9.5
trl=1.16.0
# As TRAINER_CUTOFF of test/support/trainer-rows.ts has it.
cutoff=4000
root="$(cd "$(dirname "$0")/.." && pwd)"
cache="$root/.cache/trainers"
mkdir -p "$cache"

# Each trainer has its own `transformers` and `datasets`; torch is there once for both.
site() { "$1/bin/python" -c 'import site; print(site.getsitepackages()[0])'; }
# Each time, for a checkout that was moved.
share_torch() { # NAME
  if [ "$1" != torch ]; then site "$cache/torch" >"$(site "$cache/$1")/torch.pth"; fi
}
environment() { # NAME PACKAGE...
  local venv="$cache/$1" stamp="$cache/$1/made: ${*:2}"
  if [ -e "$stamp" ]; then share_torch "$1"; return; fi
  rm -rf "$venv"
  python3 -m venv "$venv"
  share_torch "$1"
  nice -n 19 "$venv/bin/pip" install --quiet "${@:2}"
  touch "$stamp"
}
environment torch torch==2.8.0 torchvision==0.23.0 torchaudio==2.8.0
environment llamafactory "llamafactory==$llamafactory"
environment trl "trl==$trl"
if [ "${1:-}" = --install-only ]; then exit; fi

rows="$(mktemp -d)/rows"
trap 'rm -rf "$(dirname "$rows")"' EXIT
export PATH="$root/node_modules/.bin:$PATH"
node "$root/scripts/trainers/write-rows.ts" "$rows"
fixtures="$root/test/fixtures/trainers"
mkdir -p "$fixtures"
read_with() { # NAME
  PYTHONDONTWRITEBYTECODE=1 "$cache/$1/bin/python" "$root/scripts/trainers/read_$1.py" "$rows" "$cutoff" "$fixtures/$1.json"
}
read_with llamafactory
read_with trl
oxfmt "$fixtures"
