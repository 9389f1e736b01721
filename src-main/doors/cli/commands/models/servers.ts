import type { ServerStatus } from '../../../../core/index.ts';
import type { Console } from '../../console.ts';
import { formatCount, formatSeconds, plural } from '../../render/format.ts';
import { alignRows, renderPlan } from '../../render/model.ts';
import { watchReader } from '../../reader-gone.ts';
import { jsonText, oneLine, safeLines } from '../../render/safe-text.ts';
import { withCore } from '../../with-core.ts';
import { readOverrides, type OverrideOptions } from './overrides.ts';
import { starting, type StartOptions } from './starting.ts';

const LOG_LINES = 100;
/** How often a log is looked at again. */
const FOLLOW_EVERY_MS = 300;

/** `vivarium models plan`: 1 when it would not fit or not start. */
export async function planServer(
  console: Console,
  name: string,
  options: OverrideOptions & { json?: boolean },
): Promise<number> {
  const overrides = readOverrides(options);
  const report = await withCore(console, ({ core }) => core.models.plan(name, { overrides }));
  const { plan, installation, faults } = report;
  if (options.json) console.out(jsonText(report));
  else {
    console.out(renderPlan(plan, installation));
    const lines = faults.map((fault) => `  ${oneLine(fault)}\n`);
    if (lines.length > 0) console.out(`it would not start:\n${lines.join('')}`);
  }
  return plan.fits && faults.length === 0 ? 0 : 1;
}

/** What is said once a server is ready; `before` is its state when the command began. */
export function renderReady(status: ServerStatus, before: ServerStatus): string {
  const { timings, contextTokens, address, engine, version, owner, sequences } = status;
  const took = timings === null ? '' : ` after ${formatSeconds(timings.readyMs / 1000)}`;
  const ran = isUp(before) && before.owner === owner;
  const kept = before.ownerKind === 'app' ? ', and is kept in the background from now on' : '';
  const times = sequences === null ? '' : ` x ${plural(sequences, 'sequence')}`;
  return alignRows([
    ['ready', oneLine(status.name) + (ran ? `: it runs already${kept}` : took)],
    ['engine', oneLine(version === null ? engine : `${engine} ${version}`)],
    ['address', oneLine(address ?? '?')],
    ['context', `${formatCount(contextTokens)} tokens${times}`],
  ]);
}

const isUp = ({ state }: ServerStatus): boolean => state === 'ready' || state === 'busy';

/** `vivarium models start`: returns when it is ready; with --foreground when it has ended. */
export async function startServer(
  console: Console,
  name: string,
  options: StartOptions,
): Promise<number> {
  if (options.foreground) return keepServer(console, name, options);
  const { before, status } = await starting(console, options, async (core, start) => ({
    before: await core.models.status(name),
    status: await core.models.startInBackground(name, start),
  }));
  console.out(options.json ? jsonText(status) : renderReady(status, before));
  return 0;
}

/** `vivarium models start --foreground` and the process behind `models start`: owns the server. */
export async function keepServer(
  console: Console,
  name: string,
  options: StartOptions,
): Promise<number> {
  const { whileUsed } = options;
  const last = await starting(console, options, (core, start) =>
    core.models.keep(name, { ...start, whileUsed }),
  );
  if (options.json) console.out(jsonText(last));
  return last.state === 'failed' ? 3 : 0;
}

/** `vivarium models stop`. */
export async function stopServer(
  console: Console,
  name: string,
  { force = false, json }: { force?: boolean; json?: boolean },
): Promise<number> {
  const status = await withCore(console, ({ core }) => core.models.stop(name, { force }));
  console.out(json ? jsonText(status) : `${oneLine(name)} is stopped.\n`);
  return 0;
}

/** `vivarium models restart`: with the profile as it is now. */
export async function restartServer(
  console: Console,
  name: string,
  options: StartOptions,
): Promise<number> {
  const { before, status } = await starting(console, options, async (core, start) => ({
    before: await core.models.status(name),
    status: await core.models.restart(name, start),
  }));
  console.out(options.json ? jsonText(status) : renderReady(status, before));
  return 0;
}

/** `vivarium models logs`: the last lines; with --follow, new ones until Ctrl-C. */
export async function serverLogs(
  console: Console,
  name: string,
  { lines = LOG_LINES, follow }: { lines?: number; follow?: boolean },
): Promise<number> {
  let printed = 0;
  const print = (text: readonly string[]): void => {
    printed += text.length;
    console.out(text.map((line) => `${safeLines(line).join(' ')}\n`).join(''));
  };
  const reader = follow ? watchReader() : null;
  const gone = reader === null ? [console.outGone] : [console.outGone, reader.signal];
  await withCore(
    console,
    async ({ core, signal }) => {
      for await (const more of core.models.logs(name, {
        lines,
        follow: follow ?? false,
        signal: AbortSignal.any([signal, ...gone]),
        everyMs: FOLLOW_EVERY_MS,
      })) {
        print(more);
      }
    },
    // Ctrl-C is how following ends.
    ...(follow ? [{ onStop: () => undefined, onKill: () => reader?.end() }] : []),
  ).finally(() => reader?.end());
  if (printed === 0) console.err(`${oneLine(name)} has no log: it was never started.\n`);
  return 0;
}
