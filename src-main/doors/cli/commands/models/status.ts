import { setTimeout as sleep } from 'node:timers/promises';
import type { Core, ServerSample, ServerStatus } from '../../../../core/index.ts';
import { messageOf } from '../../../../lib/index.ts';
import type { Console } from '../../console.ts';
import { createLiveBlock } from '../../progress/live-block.ts';
import { jsonText, oneLine } from '../../render/safe-text.ts';
import { renderServer } from '../../render/server-status.ts';
import { withCore } from '../../with-core.ts';

/** What the trend of a server is shown over. */
const RECENT_MS = 60_000;
const DRAW_EVERY_MS = 1_000;

interface Looked {
  status: ServerStatus;
  recent: ServerSample[];
}

/** Of one server, or of all that are not simply stopped. */
async function look(
  core: Core,
  name: string | undefined,
  onFault: (text: string) => void,
): Promise<Looked[]> {
  const statuses =
    name === undefined
      ? (await core.models.statuses()).filter(({ state }) => state !== 'stopped')
      : [await core.models.status(name)];
  const since = Date.now() - RECENT_MS;
  return statuses.map((status) => ({
    status,
    recent: recentOf(core, status.name, since, onFault),
  }));
}

/** Whether a server runs is known without the record; on a full disk that is what matters. */
function recentOf(
  core: Core,
  server: string,
  since: number,
  onFault: (text: string) => void,
): ServerSample[] {
  try {
    return core.serverSamples(server, { since });
  } catch (error) {
    onFault(`note: no figures of ${oneLine(server)}: ${oneLine(messageOf(error))}\n`);
    return [];
  }
}

function render(looked: readonly Looked[], columns: number | null): string {
  const now = Date.now();
  return looked
    .map(({ status, recent }) =>
      renderServer({ status, sample: recent.at(-1) ?? null, recent, now, columns }),
    )
    .join('\n');
}

/** `vivarium models status`. */
export async function serverStatus(
  console: Console,
  name: string | undefined,
  { watch, json }: { watch?: boolean; json?: boolean },
): Promise<number> {
  if (watch) return watchStatus(console, name);
  const looked = await withCore(console, ({ core }) => look(core, name, console.err));
  if (json) {
    const rows = looked.map(({ status, recent }) => ({ status, sample: recent.at(-1) ?? null }));
    console.out(jsonText(name === undefined ? rows : rows[0]));
  } else if (looked.length === 0) {
    console.err('No server runs. Start one with `vivarium models start NAME`.\n');
  } else console.out(render(looked, console.outColumns()));
  return 0;
}

async function watchStatus(console: Console, name: string | undefined): Promise<number> {
  const block = createLiveBlock(console);
  const columns = console.errSize()?.columns ?? null;
  await withCore(
    console,
    async ({ core, signal: stop }) => {
      const signal = AbortSignal.any([stop, console.outGone]);
      while (!signal.aborted) {
        const looked = await look(core, name, () => undefined);
        const text = looked.length === 0 ? 'No server runs.\n' : render(looked, columns);
        if (columns === null) console.out(text);
        else block.draw(text.trimEnd().split('\n'));
        await sleep(DRAW_EVERY_MS, undefined, { signal }).catch(() => undefined);
      }
      block.end();
    },
    // Ctrl-C is how watching ends.
    { onStop: () => undefined, onKill: () => block.end() },
  );
  return 0;
}
