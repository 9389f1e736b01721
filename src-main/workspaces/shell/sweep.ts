import type { ExecStream, SandboxPort } from './exec-stream.ts';

/**
 * Kills every process that is not in the list of known ones, until two scans in a row find none.
 * It forks nothing, so it works at the process limit too. A process that clears its environment,
 * changes its session and has lost its parent is found like any other. Zombies count as gone.
 * Arguments: known pids; shells whose children stay (file work in progress); then
 * `-e VIVARIUM_RUN=ID` for earlier runs whose processes may stay.
 */
const SWEEP = String.raw`
known=" $1 $$ "
parents=" $2 "
shift 2
if [ $# -gt 0 ]; then
  for p in $(grep -l -a -F "$@" /proc/[0-9]*/environ); do
    p=@{p#/proc/}
    known="$known@{p%/environ} "
  done
fi
n=0 clean=0
while [ $n -lt 300 ]; do
  n=$((n + 1)) v=
  for p in /proc/[0-9]*; do
    p=@{p#/proc/}
    case $known in *" $p "*) continue ;; esac
    l=
    read -r l <"/proc/$p/stat" || continue
    case $l in *') Z '*) continue ;; esac
    l=@{l##*') '}
    l=@{l#* }
    case $parents in *" @{l%% *} "*) continue ;; esac
    v="$v $p"
  done
  if [ -n "$v" ]; then clean=0; kill -9 $v; continue; fi
  clean=$((clean + 1))
  [ $clean -lt 2 ] || exit 0
done
exit 1
`.replaceAll('@{', '${');

const ROUND_PAUSE_MS = 20;
const EXEC_TIMEOUT_MS = 3_000;
const KILL_TRIES = 3;

export interface SweepPlan {
  /** Processes that stay. */
  known: () => readonly number[];
  /** Processes whose children stay. */
  parents: () => readonly number[];
  /** Runs whose processes may stay. */
  earlierRuns: readonly string[];
  deadlineMs: number;
}

/** Whether nothing but what the plan spares is left. */
export async function sweep(port: SandboxPort, plan: SweepPlan): Promise<boolean> {
  const end = performance.now() + plan.deadlineMs;
  do {
    const argv = [
      ...['sh', '-c', `exec 2>/dev/null\n${SWEEP}`, 'sh'],
      plan.known().join(' '),
      plan.parents().join(' '),
      ...plan.earlierRuns.flatMap((id) => ['-e', `VIVARIUM_RUN=${id}`]),
    ];
    if ((await runToEnd(await port.exec(argv))) === 0) return true;
    await new Promise((resolve) => setTimeout(resolve, ROUND_PAUSE_MS));
  } while (performance.now() < end);
  return false;
}

/**
 * Ends every process of the workspace's user, our own shells included.
 *
 * A process of the same user can stop whatever is started before it comes to its order. Then only
 * the end of the sandbox is left: anything that came later would wait in vain.
 * @throws Error after the sandbox was killed for that reason.
 */
export async function killEverything(port: SandboxPort): Promise<void> {
  for (let tries = 0; tries < KILL_TRIES; tries += 1) {
    // The kernel signals them all under one lock, so that a fork bomb cannot outrun it.
    const code = await runToEnd(await port.exec(['sh', '-c', 'kill -9 -1; exit 0']));
    if (code !== null) return;
  }
  await port.kill();
  throw new Error('The processes of the workspace could not be ended.');
}

/** Ends one of our own shells that was given up, in case it was only stopped. Never rejects. */
export async function endShell(port: SandboxPort, pid: number): Promise<void> {
  const isOurs = `grep -q vv_hello /proc/${pid}/cmdline`;
  const ending = port.exec(['sh', '-c', `exec 2>/dev/null; ${isOurs} && kill -9 ${pid}`]);
  await ending.then(runToEnd).catch(() => undefined);
}

async function runToEnd(stream: ExecStream): Promise<number | null> {
  stream.onOutput(() => undefined);
  const timer = setTimeout(() => stream.destroy(), EXEC_TIMEOUT_MS);
  await stream.ended;
  clearTimeout(timer);
  return stream.exitCode();
}
