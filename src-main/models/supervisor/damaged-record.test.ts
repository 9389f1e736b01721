import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { serverFiles } from './files.ts';
import { temporaryHome, testSupervisor } from './testing/home.ts';
import { standInEngine } from './testing/stand-in-engine.ts';
import { startRequest } from './testing/start-request.ts';

it.each(['', '{}', '[]', '5', '"x"', '{"state":"ready","owner":"1.1.x","proof":{"pid":1}}'])(
  'a damaged record (%j) is none: it hides no other server, and a start replaces it',
  async (text) => {
    const home = temporaryHome();
    const supervisor = testSupervisor(home);
    await supervisor.start(startRequest(standInEngine(), { name: 'frog' }));
    mkdirSync(serverFiles(home, 'toad').folder);
    writeFileSync(serverFiles(home, 'toad').state, text);
    expect((await supervisor.list()).map(({ name }) => name)).toEqual(['frog']);
    expect(await supervisor.status('toad')).toMatchObject({ name: 'toad', state: 'stopped' });
    expect(await supervisor.reap()).toEqual([]);
    const server = await supervisor.start(startRequest(standInEngine()));
    expect(server.status().state).toBe('ready');
  },
);
