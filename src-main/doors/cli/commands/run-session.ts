import type { SessionResult } from '../../../contract/index.ts';
import type { Core, FixOptions } from '../../../core/index.ts';
import { VivariumError } from '../../../lib/index.ts';
import type { Console } from '../console.ts';
import { watch } from '../progress/watch.ts';
import { renderResult } from '../render/result.ts';
import { jsonText } from '../render/safe-text.ts';
import { withCore } from '../with-core.ts';

/** 0: a patch was exported and, where it was asked for, verified; else 1. */
export function exitCodeOf({ outcome, patch }: SessionResult): number {
  const good = outcome === 'verified' || outcome === 'patched';
  return good && patch !== null && patch.file !== null ? 0 : 1;
}

function stopped(cause: unknown): VivariumError {
  return new VivariumError(
    'nothing_to_export',
    'stopped before there was anything to export',
    'Run the command again to start over.',
    cause,
  );
}

/** What was worked out is on record; only the files could not be written. */
function notWritten(thrown: unknown, sessionId: string | null): unknown {
  if (!(thrown instanceof VivariumError) || thrown.code !== 'out_unwritable') return thrown;
  if (sessionId === null) return thrown;
  const next = `The patch is on record: \`vivarium export ${sessionId} --out DIR\` writes it elsewhere.`;
  return new VivariumError(thrown.code, thrown.message, next, thrown);
}

/** Runs a session with its progress on stderr and its result on stdout; returns the exit code. */
export async function runSession(
  console: Console,
  { json = false }: { json?: boolean },
  run: (core: Core, options: FixOptions) => Promise<SessionResult>,
): Promise<number> {
  const shown = watch(console);
  let sessionId: string | null = null;
  const stopping = 'stopping: what there is will be exported; Ctrl-C again ends at once';
  try {
    const result = await withCore(
      console,
      async ({ core, signal }) => {
        try {
          return await run(core, {
            signal,
            onProgress: shown.onProgress,
            onEvent: (event) => {
              sessionId = event.sessionId;
              shown.onEvent(event);
            },
          });
        } catch (thrown) {
          // An abort is no fault of the environment, whatever it made fail.
          throw signal.aborted ? stopped(thrown) : notWritten(thrown, sessionId);
        }
      },
      {
        onStop: () => shown.say(stopping),
        onKill: () => {
          if (sessionId !== null) shown.say(`ended; go on with: vivarium resume ${sessionId}`);
          shown.end();
        },
      },
    );
    shown.end();
    console.out(json ? jsonText(result) : renderResult(result, console.outColumns()));
    return exitCodeOf(result);
  } finally {
    shown.end();
  }
}
