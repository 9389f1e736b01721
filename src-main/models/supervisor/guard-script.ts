import { NONCE_VARIABLE } from './process-finder.ts';

/**
 * The guard: reads its standard input to the end, which comes when the app is gone, however it went,
 * and then ends the server: asks the process group that the last line named and every process with
 * the nonce to end, and kills what is left after some 1.5 s. The line `done` sends it home instead.
 * Arguments: the nonce; the name of the server's container and the program that removes it, or empty.
 *
 * Plain `sh`, since it waits as long as the server runs and a shell takes a tenth of the memory of
 * anything else. It does not carry the nonce itself, and signals do not end it.
 */
export const GUARD_SCRIPT = `
trap '' HUP INT QUIT TERM
nonce=$1 container=$2 remover=$3 group=
while IFS= read -r line; do
  [ "$line" = done ] && exit 0
  group=$line
done
carriers() {
  # shellcheck disable=SC2013
  for file in $(grep -lsF '${NONCE_VARIABLE}='"$nonce" /proc/[0-9]*/environ); do
    file=\${file#/proc/}
    echo "\${file%/environ}"
  done
}
end() {
  found=
  for pid in $(carriers); do
    kill -s "$1" "$pid" 2>/dev/null && found=1
  done
  # Where there is no process table to read, and for what has hidden its environment.
  if [ -n "$group" ] && [ "$1 $found" != 'TERM 1' ]; then
    kill -s "$1" -- "-$group" 2>/dev/null && found=1
  fi
}
end TERM
remove() {
  [ -n "$container" ] && "$remover" rm -f "$container" >/dev/null 2>&1
}
remove &
turn=0
while [ -n "$found" ] && [ $turn -lt 10 ]; do
  sleep 0.1
  turn=$((turn + 1))
  end 0
done
turn=0
while [ -n "$found" ] && [ $turn -lt 50 ]; do
  end KILL
  sleep 0.05
  turn=$((turn + 1))
done
wait
# A client that was just making the container may have been faster than the first removal.
remove
`;
