/** What tests of the app start from: the demonstration's repository, and sessions made over the door. */
import { cpSync, readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { NewFix, SessionRow } from '../../src-main/contract/index.ts';
import { createClient } from '../../src-renderer/api/create-client.ts';
import type { Client } from '../../src-renderer/api/types.ts';
import { cookieOf, nodeTransport } from '../app/node-transport.ts';
import { call, git, IMAGE, leftovers, removePlace, type Place } from '../cli/command.ts';
import type { Served } from './browser.ts';

const RESOURCES = path.resolve(import.meta.dirname, '../../resources');

export const TADPOLE = `gguf:${path.join(RESOURCES, 'models/tadpole.gguf')}`;
export const DEMO_ISSUE = readFileSync(path.join(RESOURCES, 'demo/ticket-shop.issue.txt'), 'utf8');
export const VERIFY = 'python3 -m pytest -q';

/** A fresh copy of the demonstration's package as a repository, and a place for data. */
export async function demoPlace(at?: string): Promise<Place> {
  const folder = at ?? (await mkdtemp(path.join(os.tmpdir(), 'vivarium-app-')));
  const repository = path.join(folder, 'ticket-shop');
  cpSync(path.join(RESOURCES, 'demo/ticket-shop'), repository, { recursive: true });
  await git(repository, 'init', '-q');
  await git(repository, 'add', '.');
  await git(repository, 'commit', '-q', '-m', 'The package as it is');
  return { folder, repository, home: path.join(folder, 'home') };
}

/** Removes a place; throws where containers or volumes of its sessions were left behind. */
export async function removeCleanPlace(place: Place): Promise<void> {
  const left = await leftovers(place);
  await removePlace(place);
  if (left.length > 0) throw new Error(`left behind: ${left.join(' ')}`);
}

/** The step that mends the demonstration. */
export const MEND = {
  content: 'The comparison leaves 18 itself out. I make it inclusive.',
  tool_calls: [
    call('Edit', { file_path: 'shop.py', old_string: 'age > 18', new_string: 'age >= 18' }),
  ],
};

/** A second connection to the core, to make sessions and to ask what is on record. */
export async function clientOf({ link, port }: Served): Promise<Client> {
  return createClient({ connect: nodeTransport(port, await cookieOf(link())).connect });
}

export async function startFix(
  client: Client,
  place: Place,
  model: string,
  more: Partial<NewFix> = {},
): Promise<string> {
  const fix = { repository: place.repository, issue: DEMO_ISSUE, model, image: IMAGE, ...more };
  return (await client.call('sessions/start', fix)).session;
}

/** The row of a session, once it is in a state for which this holds. */
export async function rowWhen(
  client: Client,
  session: string,
  holds: (row: SessionRow) => boolean,
): Promise<SessionRow> {
  for (;;) {
    const { rows } = await client.call('sessions/list', { limit: 500 });
    const row = rows.find(({ sessionId }) => sessionId === session);
    if (row !== undefined && holds(row)) return row;
    await delay(100);
  }
}

/** The row of a session that has ended, its containers included. */
export function ended(client: Client, session: string): Promise<SessionRow> {
  return rowWhen(client, session, ({ state, stoppable }) => state !== 'running' && !stoppable);
}
