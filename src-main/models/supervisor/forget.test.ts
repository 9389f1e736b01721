import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { processIdentity } from '../../lib/index.ts';
import { makeServerFolder, serverFiles, writeRecord, type ServerFiles } from './files.ts';
import { forgetServer, serverFolders } from './forget.ts';
import { takeLock } from './lock.ts';
import { NO_SERVER } from './status-board.ts';
import { temporaryHome } from './testing/home.ts';
import { takeLease } from './users.ts';

function server(home: string, change: { state: 'stopped' | 'ready'; owner: string | null }) {
  const files: ServerFiles = serverFiles(home, 'toad');
  makeServerFolder(files);
  writeRecord(files, { ...NO_SERVER, name: 'toad', proof: null, ...change });
  return files;
}

it('a stopped server is forgotten, and only what is one is listed', async () => {
  const home = temporaryHome();
  expect(await serverFolders(home)).toEqual([]);
  const files = server(home, { state: 'stopped', owner: null });
  mkdirSync(join(home, 'servers', 'gpu-1.lock'));
  mkdirSync(join(home, 'servers', 'newt'));
  writeFileSync(join(home, 'servers', 'a-file'), '');
  expect(await serverFolders(home)).toEqual(['newt', 'toad']);
  expect([forgetServer(home, 'toad'), forgetServer(home, 'newt')]).toEqual([true, true]);
  expect(existsSync(files.folder)).toBe(false);
  expect(await serverFolders(home)).toEqual([]);
});

it('one that has an owner, a user, or something left to end is not', () => {
  const home = temporaryHome();
  const files = server(home, { state: 'ready', owner: '1.1.x' });
  expect(forgetServer(home, 'toad')).toBe(false);
  server(home, { state: 'stopped', owner: null });
  const lease = takeLease(files.users);
  expect(forgetServer(home, 'toad')).toBe(false);
  lease.release();
  const { lock } = takeLock(files.lock, 'test');
  server(home, { state: 'ready', owner: processIdentity() });
  expect(forgetServer(home, 'toad')).toBe(false);
  lock?.release();
  server(home, { state: 'stopped', owner: null });
  expect(forgetServer(home, 'toad')).toBe(true);
});
