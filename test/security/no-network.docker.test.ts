import { mkdtemp, readFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  COMMAND,
  DONE,
  FIX,
  fixWords,
  makePlace,
  removePlace,
  script,
  type Place,
} from '../cli/command.ts';
import { quoteWord, runLonely } from './lonely-network.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const TADPOLE = path.join(ROOT, 'resources/models/tadpole.gguf');
const VERIFY = ['--verify', 'python3 -m pytest -q'];

let place: Place;
beforeEach(async () => {
  place = await makePlace();
});
afterEach(() => removePlace(place));

/** Of a user who starts the app for the first time: an empty home folder, no setting of ours. */
async function firstStart(): Promise<NodeJS.ProcessEnv> {
  const home = await mkdtemp(path.join(place.folder, 'user-'));
  const ours = new Set(['XDG_DATA_HOME', 'XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'VIVARIUM_HOME']);
  const others = Object.entries(process.env).filter(([name]) => !ours.has(name));
  return { ...Object.fromEntries(others), HOME: home };
}

const vivarium = (...words: string[]): string =>
  [process.execPath, COMMAND, ...words].map(quoteWord).join(' ');

async function lonely(...commands: string[]) {
  const folder = await mkdtemp(path.join(place.folder, 'results-'));
  const read = (file: string) => readFile(file, 'utf8');
  return runLonely(commands, folder, { cwd: place.folder, env: await firstStart(), read });
}

test('from the first start to an exported patch nothing is sent anywhere but to loopback', async () => {
  const out = path.join(place.folder, 'out');
  const scripted = fixWords(place, await script(place, FIX, DONE), ...VERIFY, '--out', out);
  // The list has the newest first.
  const first = `$(${vivarium('sessions', '--json')} | sed -n 's/.*"sessionId": *"\\([^"]*\\)".*/\\1/p' | tail -n 1)`;
  const { codes, stdout, stderr, traffic } = await lonely(
    vivarium('doctor', '--json'),
    vivarium(...scripted),
    // The model is far from knowing this function; its engine, its loop and its record are meant.
    vivarium(...fixWords(place, `gguf:${TADPOLE}`, '--scaffold', 'tadpole', '--max-steps', '2')),
    `${vivarium('show')} ${first} --steps`,
    `${vivarium('export')} ${first} --out ${quoteWord(path.join(place.folder, 'again'))}`,
    vivarium('clean'),
  );
  expect(codes.toSpliced(2, 1), `they said:\n${stderr.join('\n')}`).toEqual([0, 0, 0, 0, 0]);
  expect(stdout[1]?.split('\n')[0]).toBe('Fixed and verified.');
  expect(stderr[2]).toMatch(/\[1\] step 1: .* tokens/);
  expect(stdout[3]).toContain('I take the 1 away.');
  expect(stdout[4]).toContain(path.join(place.folder, 'again'));
  expect(traffic).toEqual({
    refusedByRouting: 0,
    datagrams: 0,
    // Each model was reached over HTTP: had nothing been counted, nothing would have been proven.
    connections: expect.toSatisfy((count: number) => count >= 2),
    interfaces: ['lo'],
  });
});

test('whatever leaves is counted: an address, a name, and a model server that the user named', async () => {
  const node = (code: string) => `${quoteWord(process.execPath)} -e ${quoteWord(code)}`;
  const address = await lonely(
    node(`require('net').connect(9, '192.0.2.1').on('error', () => {})`),
  );
  expect(address.traffic).toMatchObject({ refusedByRouting: 1, datagrams: 0 });
  const name = await lonely(node(`require('dns').lookup('example.invalid', () => {})`));
  expect(name.traffic.refusedByRouting + name.traffic.datagrams).toBeGreaterThan(0);
  const named = await lonely(vivarium(...fixWords(place, 'http://192.0.2.1:9/v1#m')));
  expect(named.codes).toEqual([3]);
  expect(named.stderr[0]).toMatch(/^error: .*192\.0\.2\.1/m);
  expect(named.traffic.refusedByRouting).toBeGreaterThan(0);
});
