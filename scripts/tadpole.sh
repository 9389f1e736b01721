#!/usr/bin/env bash
# Makes the demonstration model again from nothing: corpus, bugs, trajectories, training, GGUF, and what
# it solves. Needs Docker with the base image. Steps whose output is there are not done again; remove
# .cache/tadpole/work for a fresh start.
#
#   scripts/tadpole.sh [--minutes N] [--scale X] [--tasks N] [--no-eval]
#
# --minutes: of training (90); --scale: share of the corpus (1); --tasks: of each set (200).
set -euo pipefail
minutes=90 scale=1 tasks=200 evaluate=yes
while [ $# -gt 0 ]; do
  case "$1" in
    --minutes) minutes="$2"; shift 2 ;;
    --scale) scale="$2"; shift 2 ;;
    --tasks) tasks="$2"; shift 2 ;;
    --no-eval) evaluate=no; shift ;;
    *) echo "unknown option: $1" >&2; exit 2 ;;
  esac
done

root="$(cd "$(dirname "$0")/.." && pwd)"
own="$root/scripts/tadpole"
cache="$root/.cache/tadpole"
work="$cache/work"
python="$cache/venv/bin/python"
export PATH="$root/node_modules/.bin:$PATH" PYTHONDONTWRITEBYTECODE=1 PYTHONHASHSEED=0
mkdir -p "$work"

# Numbers of repositories at full scale; seeds below keep training, known and held-out tasks apart.
scaled() { python3 -c "import sys; print(max(1, round(float(sys.argv[1]) * float(sys.argv[2]))))" "$1" "$scale"; }

# Runs a command whose last argument is the file it makes, unless that is there.
made() {
  local file="${*: -1}"
  if [ -e "$file" ]; then return; fi
  "${@:1:$#-1}" "$file.part"
  mv "$file.part" "$file"
}

echo "== environment"
if ! "$python" -c 'import gguf, tokenizers, torch, transformers' 2>/dev/null; then
  python3 -m venv "$cache/venv"
  "$python" -m pip install --quiet --requirement "$own/requirements.txt"
fi

echo "== kinds"
python3 "$own/kinds.py"

echo "== corpus, bugs, trajectories"
lessons() { # WHAT SEED COUNT
  made python3 "$own/make_corpus.py" "$2" "$3" "$1" "$work/$1.corpus.jsonl"
  made node "$own/bugs.ts" "$2" python3 "$work/$1.corpus.jsonl" "$work/$1.bugs.jsonl"
  made node "$own/teach.ts" "$2" "$work/$1.bugs.jsonl" "$work/$1.lessons.jsonl"
}
lessons known 101 "$(scaled 14000)"
lessons copy 102 "$(scaled 24000)"

echo "== training"
if [ ! -e "$work/tokenizer.json" ]; then
  "$python" "$own/tokenizer.py" 2048 "$work/tokenizer.json" "$work/known.lessons.jsonl" "$work/copy.lessons.jsonl"
fi
"$python" "$own/train.py" --minutes "$minutes" --tokenizer "$work/tokenizer.json" --out "$work/run" \
  --data "$work/known.lessons.jsonl" "$work/copy.lessons.jsonl"
"$python" "$own/to_gguf.py" "$work/run/checkpoint.pt" "$work/tokenizer.json" "$cache/tadpole.gguf"

if [ "$evaluate" = no ]; then exit 0; fi
echo "== evaluation"
task_set() { # WHAT SEED
  # More than needed: not every repository gets a bug that its tests notice.
  made python3 "$own/make_corpus.py" "$2" "$((tasks * 2))" "$1" "$work/$1-tasks.corpus.jsonl"
  made node "$own/bugs.ts" "$2" python3 "$work/$1-tasks.corpus.jsonl" "$work/$1-tasks.bugs.jsonl"
  made node "$own/tasks.ts" "$tasks" "$work/$1-tasks.bugs.jsonl" "$work/$1-tasks"
}
for what in known held-out; do
  seed=$([ "$what" = known ] && echo 201 || echo 202)
  task_set "$what" "$seed"
  node "$root/scripts/vivarium.mjs" eval run --tasks "$work/$what-tasks" --scaffold tadpole \
    --model "gguf:$cache/tadpole.gguf" --seeds 4 --name "tadpole $what"
done
