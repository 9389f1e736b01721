import path from 'node:path';
import type Docker from 'dockerode';
import { loadScaffold, type Scaffold } from '../../../src-main/agent/index.ts';
import type { Workspace } from '../../../src-main/workspaces/index.ts';
import { measurePeers } from '../peers/peers.ts';
import { entries, ROOT, withPlace } from '../place.ts';
import { series, timed, type Row, type Skipped } from '../row.ts';

const ROUNDS = 10;
const CALLS_PER_ROUND = 30;
const REACH = { p50: 6, p95: 15, text: 'p50 < 6 ms, p95 < 15 ms' };

const MEGABYTE_LINES = `${'x'.repeat(63)}\n`.repeat(16_384);
const SOURCE = Array.from({ length: 500 }, (_, line) => `value_${line} = ${line}\n`).join('');

async function call(
  scaffold: Scaffold,
  workspace: Workspace,
  name: string,
  args: Record<string, unknown>,
): Promise<void> {
  const ready = { id: 'bench', name, arguments: args };
  const seen = await scaffold.execute(ready, workspace, new AbortController().signal);
  if (seen.isError) throw new Error(`${name}: ${seen.text}`);
}

/** What a tool without a channel does: a new exec for each call. */
async function execOnce(container: Docker.Container): Promise<void> {
  const exec = await container.exec({
    Cmd: ['bash', '-lc', 'echo hello'],
    AttachStdout: true,
    AttachStderr: true,
  });
  const stream = await exec.start({ hijack: true });
  let output = '';
  for await (const chunk of stream) output += String(chunk);
  const { ExitCode: code } = await exec.inspect();
  if (code !== 0 || !output.includes('hello')) throw new Error(`docker exec gave ${code}`);
}

/** Tool calls as the loop makes them, in turn with one `docker exec` per call and the peers. */
export async function measure(): Promise<(Row | Skipped)[]> {
  return withPlace(async ({ engine, open }) => {
    const scaffold = await loadScaffold('leaf', path.join(ROOT, 'resources', 'scaffolds'));
    const workspace = await open(entries({ 'big.txt': MEGABYTE_LINES, 'source.py': SOURCE }));
    const [found] = await engine.docker.listContainers({
      filters: { label: [`vivarium.workspace=${workspace.id}`] },
    });
    if (found === undefined) throw new Error('the container of the workspace was not found');
    const container = engine.docker.getContainer(found.Id);
    let number = 250;
    const edit = (): Promise<void> => {
      const old = `value_250 = ${number}\n`;
      number += 1;
      const args = {
        file_path: 'source.py',
        old_string: old,
        new_string: `value_250 = ${number}\n`,
      };
      return call(scaffold, workspace, 'Edit', args);
    };
    const kinds = {
      bash: () => call(scaffold, workspace, 'Bash', { command: 'echo hello' }),
      read: () => call(scaffold, workspace, 'Read', { file_path: 'big.txt' }),
      edit,
      exec: () => execOnce(container),
    };
    const times = { bash: [], read: [], edit: [], exec: [] } as Record<
      keyof typeof kinds,
      number[]
    >;
    for (const work of Object.values(kinds)) await work();
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const kind of ['bash', 'read', 'edit', 'exec'] as const) {
        for (let n = 0; n < CALLS_PER_ROUND; n += 1) times[kind].push(await timed(kinds[kind]));
      }
    }
    const bash = series('tool call: Bash echo', 'ms', times.bash, REACH);
    const exec = series('one docker exec per call (dockerode): echo', 'ms', times.exec, {
      text: 'at least 8 times ours',
    });
    const compared = [exec, ...(await measurePeers())];
    for (const row of compared) if (!('skipped' in row)) row.timesOurs = row.p50 / bash.p50;
    return [
      bash,
      series('tool call: Read 1 MB', 'ms', times.read, REACH),
      series('tool call: Edit', 'ms', times.edit, REACH),
      ...compared,
    ];
  });
}
