import { isUtf8 } from 'node:buffer';
import path from 'node:path';
import { VivariumError } from '../../lib/index.ts';
import type { SandboxPort } from '../shell/exec-stream.ts';
import { shellWord } from '../shell/quote.ts';
import type { SeedEntry } from '../types.ts';

/** The kernel takes at most 128 KiB in one argument. */
const MAX_SCRIPT_BYTES = 64_000;
const TIMEOUT_MS = 30_000;

/**
 * The engine refuses a whole archive for one link that leads out of the folder it is put into. Such
 * links are put aside, and only their folders are left among the others.
 */
export async function* asideOutward(
  seed: AsyncIterable<SeedEntry>,
  outward: SeedEntry[],
): AsyncGenerator<SeedEntry> {
  for await (const entry of seed) {
    if (entry.mode !== '120000' || !leadsOut(entry)) {
      yield entry;
      continue;
    }
    outward.push(entry);
    const folder = path.posix.dirname(entry.path);
    if (folder !== '.') yield { path: folder, mode: '40000', content: new Uint8Array() };
  }
}

/** As the engine reckons: it takes an absolute target for one below the folder of the link. */
function leadsOut({ path: at, content }: SeedEntry): boolean {
  const target = Buffer.from(content).toString('latin1');
  const joined = path.posix.join(path.posix.dirname(at), target);
  return joined === '..' || joined.startsWith('../');
}

/** Makes the links inside, where they can lead nowhere but to what is inside. */
export async function makeLinks(
  port: SandboxPort,
  folder: string,
  links: readonly SeedEntry[],
): Promise<void> {
  let script = '';
  for (const link of links) {
    if (!isUtf8(link.content)) throw failure(link.path);
    const target = Buffer.from(link.content).toString('utf8');
    script += `ln -sfn -- ${shellWord(target)} ${shellWord(`./${link.path}`)} || exit 3\n`;
    if (script.length < MAX_SCRIPT_BYTES) continue;
    await execute(port, folder, script, link.path);
    script = '';
  }
  if (script !== '') await execute(port, folder, script, links.at(-1)?.path ?? '');
}

async function execute(
  port: SandboxPort,
  folder: string,
  script: string,
  last: string,
): Promise<void> {
  const stream = await port.exec(['sh', '-c', `cd ${shellWord(folder)} || exit 3\n${script}`]);
  stream.onOutput(() => undefined);
  const timer = setTimeout(() => stream.destroy(), TIMEOUT_MS);
  await stream.ended;
  clearTimeout(timer);
  if ((await stream.exitCode()) !== 0) throw failure(last);
}

function failure(link: string): VivariumError {
  return new VivariumError(
    'workspace_failed',
    `A link of the snapshot cannot be placed in a workspace: ${JSON.stringify(link)}.`,
    'Change or remove that link in the repository.',
  );
}
