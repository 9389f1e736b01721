#!/usr/bin/env bash
# The base image with a `python3` that asks warm_pytest.py where that runs: `warm_image.sh FROM TAG`.
set -euo pipefail
own="$(cd "$(dirname "$0")" && pwd)"
client="$(mktemp)"
container=""
trap 'rm -f "$client"; if [ -n "$container" ]; then docker rm "$container" > /dev/null; fi' EXIT
cat > "$client" <<'CLIENT'
#!/bin/sh
if [ "$1 $2" = "-m pytest" ] && [ -p /tmp/warm-pytest/in ]; then
  mkfifo "/tmp/warm-pytest/$$"
  shift 2
  exec 8>&1 9>&2
  request="$$$(printf '\037')$PWD"
  for argument; do request="$request$(printf '\037')$argument"; done
  printf '%s\n' "$request" > /tmp/warm-pytest/in
  read -r code < "/tmp/warm-pytest/$$"
  rm "/tmp/warm-pytest/$$"
  exit "$code"
fi
exec /usr/bin/python3 "$@"
CLIENT
chmod 755 "$client"
container="$(docker create --network none "$1" true)"
docker cp --quiet "$client" "$container:/usr/local/bin/python3"
docker cp --quiet "$own/warm_pytest.py" "$container:/usr/local/lib/warm_pytest.py"
old="$(docker image ls --quiet "$2")"
docker commit "$container" "$2" > /dev/null
# The one it replaces; Docker refuses while a container still uses it, and that is right.
if [ -n "$old" ]; then docker image rm "$old" > /dev/null 2>&1 || true; fi
