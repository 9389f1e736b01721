import type { Core, ServerOptions } from '../../../../core/index.ts';
import type { Console } from '../../console.ts';
import { stoppedError } from '../../failure.ts';
import { watchServer } from '../../progress/server.ts';
import { withCore } from '../../with-core.ts';
import { readOverrides, type OverrideOptions } from './overrides.ts';

export interface StartOptions extends OverrideOptions {
  force?: boolean;
  foreground?: boolean;
  /** Of `keep`: it ends when nobody uses it any more. */
  whileUsed?: boolean;
  json?: boolean;
}

const STOPPED = 'What was started for it is stopped too; run the command again to start over.';

/** Runs something that starts a server, with its progress on stderr; Ctrl-C stops the start. */
export async function starting<T>(
  console: Console,
  options: StartOptions,
  run: (
    core: Core,
    options: ServerOptions & { signal: AbortSignal },
    doing: (text: string) => void,
  ) => Promise<T>,
): Promise<T> {
  const overrides = readOverrides(options);
  const shown = watchServer(console);
  try {
    return await withCore(
      console,
      async ({ core, signal }) => {
        const start = { overrides, force: options.force, signal, onStatus: shown.onStatus };
        try {
          return await run(core, start, shown.doing);
        } catch (error) {
          throw signal.aborted ? stoppedError(STOPPED, error) : error;
        }
      },
      { onStop: () => shown.say('stopping'), onKill: shown.end },
    );
  } finally {
    shown.end();
  }
}
