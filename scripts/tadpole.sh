#!/usr/bin/env bash
# Makes the demonstration model again from nothing, in under three hours on two quiet cores: corpus,
# bugs, lessons, training, lessons on its own mistakes, training on these, the mean of its stages, GGUF.
# Then the circle that a user's own model goes through (calibrate on fresh tasks, export what it
# solved, train on that too), and what both solve.
# Needs Docker with the base image.
#
#   scripts/tadpole.sh [--scale X] [--minutes N] [--own N] [--tasks N]
#
# --scale: share of the corpus (1); --minutes: of the first training (48), the others in proportion;
# --own: fresh tasks of the circle (120), 0 for none; --tasks: of each set that is evaluated (200),
# 0 for none.
# What is there is not made again. It lies in .cache/tadpole/SCALE; the model is its tadpole.gguf.
set -euo pipefail
scale=1 minutes=48 own_tasks=120 tasks=200
while [ $# -gt 1 ]; do
  case "$1" in
    --scale) scale="$2" ;;
    --minutes) minutes="$2" ;;
    --own) own_tasks="$2" ;;
    --tasks) tasks="$2" ;;
    *) break ;;
  esac
  shift 2
done
if [ $# -gt 0 ]; then echo "unknown option, or one without a value: $1" >&2; exit 2; fi

root="$(cd "$(dirname "$0")/.." && pwd)"
own="$root/scripts/tadpole"
cache="$root/.cache/tadpole"
work="$cache/$scale"
python="$cache/venv/bin/python"
export PATH="$root/node_modules/.bin:$PATH" PYTHONDONTWRITEBYTECODE=1 PYTHONHASHSEED=0
# A record of its own: nothing here belongs among the user's sessions.
export VIVARIUM_HOME="$work/home"
mkdir -p "$work"

step() { echo "== $1 ($((SECONDS / 60)) min)"; }
vivarium() { node "$root/scripts/vivarium.mjs" "$@"; }
scaled() { python3 -c "import sys; print(max(1, round(float(sys.argv[1]) * float(sys.argv[2]))))" "$1" "$scale"; }

# Runs a command whose last argument is what it makes, unless that is there.
made() {
  local file="${*: -1}"
  if [ -e "$file" ]; then return; fi
  rm -rf "$file.part"
  "${@:1:$#-1}" "$file.part"
  mv "$file.part" "$file"
}

buggy() { # NAME WHAT SEED COUNT
  made python3 "$own/make_corpus.py" "$3" "$4" "$2" "$work/$1.corpus.jsonl"
  made node "$own/bugs.ts" "$3" python3 "$work/$1.corpus.jsonl" "$work/$1.bugs.jsonl"
}
# More than needed: not every repository gets a bug that its tests notice, and none comes twice.
task_set() { # NAME WHAT SEED COUNT
  buggy "$1" "$2" "$3" "$(($4 * 2))"
  made node "$own/tasks.ts" "$4" "$work/$1.bugs.jsonl" "$work/$1-tasks"
}
# Memory given back to the system is fetched again page by page: without these, 1.4 times as slow.
torch() {
  GLIBC_TUNABLES=glibc.malloc.hugetlb=1 MALLOC_ARENA_MAX=1 MALLOC_MMAP_MAX_=0 \
    MALLOC_TRIM_THRESHOLD_=34359738368 MALLOC_TOP_PAD_=268435456 "$python" "$@"
}
train() { # OUT MINUTES MORE...
  local out="$1" spent="$2"
  shift 2
  if [ -e "$out.gguf" ]; then return; fi
  torch "$own/train.py" --out "$out" --minutes "$spent" --tokenizer "$work/tokenizer.json" "$@"
  made "$python" "$own/to_gguf.py" "$out/checkpoint.pt" "$work/tokenizer.json" "$out.gguf"
}
evaluate() { # NAME MODEL SEEDS
  for what in known held-out; do
    vivarium eval run --tasks "$work/$what-tasks" --scaffold tadpole --model "gguf:$2" --seeds "$3" --name "$1 $what"
  done
}

step environment
if ! "$python" -c 'import gguf, tokenizers, torch, transformers' 2>/dev/null; then
  python3 -m venv "$cache/venv"
  "$python" -m pip install --quiet --requirement "$own/requirements.txt"
fi
"$own/warm_image.sh" vivarium-base:latest vivarium-tadpole:latest

step kinds
python3 "$own/kinds.py"
python3 "$own/composed.py"

step "bugs and lessons"
for lessons in "copy copy 102 10000" "known known 101 24000" "more known 106 24000" "composed composed 105 9000"; do
  read -r name what seed count <<< "$lessons"
  buggy "$name" "$what" "$seed" "$(scaled "$count")"
  made node "$own/teach.ts" "$seed" "$work/$name.bugs.jsonl" "$work/$name.lessons.jsonl"
done
early=("$work/known.lessons.jsonl" "$work/composed.lessons.jsonl" "$work/copy.lessons.jsonl")

step training
made "$python" "$own/tokenizer.py" 2048 "${early[@]}" "$work/tokenizer.json"
train "$work/first" "$minutes" --data "${early[@]}"

# On repositories that it was not trained on: what it has seen it knows better.
step "lessons on its own mistakes"
made torch "$own/own_edits.py" "$work/first/checkpoint.pt" "$work/tokenizer.json" "$work/more.bugs.jsonl" \
  "$work/more.lessons.jsonl" "$work/mistakes.edits.jsonl"
made node "$own/teach.ts" 104 "$work/more.bugs.jsonl" "$work/mistakes.edits.jsonl" "$work/mistakes.lessons.jsonl"
mistakes="$work/mistakes.lessons.jsonl"
fresh=("$work/more.lessons.jsonl" "$work/composed.lessons.jsonl" "$work/copy.lessons.jsonl" "$mistakes" "$mistakes")
lessons=("${early[@]}" "$work/more.lessons.jsonl" "$mistakes")
train "$work/second" "$(python3 -c "print($minutes * 0.7)")" --from "$work/first/checkpoint.pt" --rate 0.5 --data "${fresh[@]}"
train "$work/third" "$(python3 -c "print($minutes * 0.3)")" --from "$work/second/checkpoint.pt" --rate 0.5 --seed 3 \
  --data "${lessons[@]}" "$mistakes"

step "mean of the three"
made torch "$own/average.py" "$work"/{first,second,third}/checkpoint.pt "$work/mean.pt"
made "$python" "$own/to_gguf.py" "$work/mean.pt" "$work/tokenizer.json" "$work/tadpole.gguf"

if [ "$own_tasks" -gt 0 ]; then
  step "calibration, export and training on what it solved"
  task_set own known 103 "$own_tasks"
  vivarium tasks calibrate "$work/own-tasks" --model "gguf:$work/tadpole.gguf" --scaffold tadpole --max-probes 6 --page "$work/frontier.html"
  if [ ! -e "$work/own" ]; then
    runs="$(vivarium eval list --json | node -p 'JSON.parse(require("fs").readFileSync(0, "utf8")).map((run) => run.runId).join(" ")')"
    # shellcheck disable=SC2086 -- one word for each run
    vivarium train export $runs --format openai --cap 4 --out "$work/own"
  fi
  solved="$work/own/train.jsonl"
  train "$work/fourth" "$(python3 -c "print($minutes / 8)")" --from "$work/mean.pt" --rate 0.2 \
    --data "${lessons[@]}" "$solved" "$solved" "$solved" "$solved"
fi

if [ "$tasks" -gt 0 ]; then
  step evaluation
  task_set known known 202 "$tasks"
  task_set held-out held-out 301 "$tasks"
  python3 "$own/overlap.py" "$work/held-out.bugs.jsonl" "${lessons[@]}"
  evaluate tadpole "$work/tadpole.gguf" 4
  if [ "$own_tasks" -gt 0 ]; then evaluate circle "$work/fourth.gguf" 1; fi
fi
step "done: $work/tadpole.gguf"
