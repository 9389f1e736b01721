/** `npm run package -- --dir` as a whole: what is in the package, what is not, and that it runs. */
import { existsSync, mkdtempSync, readFileSync, statSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fuseConfig } from '../../scripts/packaging/fuses.mjs';
import { quoteWord, runLonely, type Lonely } from '../security/lonely-network.ts';
import { fabricateElectron, readArchive } from '../support/fabricated-electron.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const OWN = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
  version: string;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
};

interface ListedLicence {
  name: string;
  version: string;
  text: string;
}

/** Electron of other platforms is laid out differently; what is asserted is the same. */
describe.skipIf(process.platform !== 'linux')('the package', () => {
  let place: string;
  let app: string;
  let built: Lonely;
  let archive: ReturnType<typeof readArchive>;
  let beside: string[];
  const resource = (...names: string[]): string => path.join(app, 'resources', ...names);

  beforeAll(async () => {
    place = mkdtempSync(path.join(os.tmpdir(), 'vivarium-package-'));
    app = path.join(place, 'dist', 'linux-unpacked');
    await fabricateElectron(path.join(place, 'electron'), OWN.devDependencies['electron'] ?? '');
    const words = [process.execPath, 'scripts/package.mjs', '--dir'];
    const out = `--config.directories.output=${path.join(place, 'dist')}`;
    built = await runLonely([[...words, out].map(quoteWord).join(' ')], place, {
      cwd: ROOT,
      env: { ...process.env, ELECTRON_OVERRIDE_DIST_PATH: path.join(place, 'electron') },
      read: (file) => readFile(file, 'utf8'),
    });
    if (built.codes[0] !== 0) throw new Error(`${built.stdout.join()}${built.stderr.join()}`);
    archive = readArchive(await readFile(resource('app.asar')));
    const names = await readdir(resource('app.asar.unpacked'), {
      recursive: true,
      withFileTypes: true,
    });
    beside = names
      .filter((entry) => entry.isFile())
      .map((entry) =>
        path.relative(resource('app.asar.unpacked'), path.join(entry.parentPath, entry.name)),
      );
  });
  afterAll(() => rm(place, { recursive: true, force: true }));

  it('is made without a try at the network', () => {
    const { refusedByRouting, datagrams } = built.traffic;
    expect({ refusedByRouting, datagrams }).toEqual({ refusedByRouting: 0, datagrams: 0 });
  });

  it('19 has its fuses set in the program itself', async () => {
    const program = path.join(app, 'vivarium-app');
    expect(statSync(program).mode & 0o111).toBe(0o111);
    const asked = fuseConfig('linux') as unknown as Record<string, boolean>;
    const wire = (await getCurrentFuseWire(program)) as unknown as Record<string, number>;
    const names = Object.keys(asked).filter((name) => /^\d+$/.test(name));
    expect(names.length).toBe(7);
    for (const name of names) {
      const wanted = asked[name] ? FuseState.ENABLE : FuseState.DISABLE;
      expect([FuseV1Options[Number(name)], wire[name]]).toEqual([
        FuseV1Options[Number(name)],
        wanted,
      ]);
    }
  });

  it('has the app in its archive, and of the checkout nothing else', () => {
    const tops = new Set(archive.files.map((file) => file.split('/')[0]));
    expect(tops).toEqual(new Set(['node_modules', 'out', 'package.json', 'resources']));
    for (const file of [
      'out/main/electron.js',
      'out/preload/preload.cjs',
      'out/renderer/index.html',
    ])
      expect(archive.files).toContain(file);
    const manifest = JSON.parse(archive.text('package.json')) as Record<string, unknown>;
    expect(manifest).toMatchObject({ name: 'vivarium', main: 'out/main/electron.js' });
    expect(Object.keys(manifest)).not.toContain('devDependencies');
    expect(existsSync(resource('default_app.asar'))).toBe(false);
  });

  it('has no tests, sources, maps, secrets or tools of developers in it', () => {
    const all = [...new Set([...archive.files, ...beside])];
    expect(all.length).toBeGreaterThan(2_000);
    const unwanted =
      /\.(map|[cm]?ts|tsx|pem|key|p12)$|\.test\.|(^|\/)(\.env|\.npmrc|\.netrc|id_\w+)|(^|\/)(tests?|__tests__|\.cache|\.git)\//;
    // The tests of the demonstration tasks are what these tasks are made of, not tests of ours.
    const ours = all.filter((file) => !file.startsWith('resources/tasks/'));
    expect(ours.filter((file) => unwanted.test(file))).toEqual([]);
    expect(all).toContain('resources/tasks/demo/slug-words/tests/test.sh');
    const packages = new Set(
      all.flatMap((file) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []),
    );
    const tools = Object.keys(OWN.devDependencies).filter((name) => !name.startsWith('@types/'));
    expect(tools.filter((name) => packages.has(name))).toEqual([]);
    for (const name of Object.keys(OWN.dependencies)) expect(packages).toContain(name);
  });

  it('has native files of this platform alone, outside of the archive', () => {
    const native = beside.filter((file) => /\.(node|so)([.\d]*)$/.test(file));
    const here = `${process.platform}-${process.arch}`;
    expect(native).toContain(`node_modules/better-sqlite3/prebuilds/${here}.node`);
    expect(native.some((file) => file.startsWith(`node_modules/@node-llama-cpp/${here}/`))).toBe(
      true,
    );
    const foreign = /darwin|win32|\bwin-|\bmac-|musl|armv7l/;
    const other = process.arch === 'x64' ? /arm64/ : /x64/;
    expect(native.filter((file) => foreign.test(file) || other.test(file))).toEqual([]);
    expect(archive.files.filter((file) => file.endsWith('.node')).length).toBeGreaterThan(0);
  });

  it('has an entry, with its words, for each package in it and each the pages are made of', async () => {
    const text = await readFile(path.join(app, 'THIRD_PARTY_LICENSES.txt'), 'utf8');
    const list = JSON.parse(
      await readFile(resource('app.asar.unpacked', 'out', 'licences.json'), 'utf8'),
    ) as ListedLicence[];
    const listed = new Map(list.map((one) => [`${one.name}@${one.version}`, one]));
    const manifests = beside.filter((file) =>
      /^(.*\/)?node_modules\/(@[^/]+\/)?[^/]+\/package\.json$/.test(file),
    );
    expect(manifests.length).toBeGreaterThan(100);
    const missing: string[] = [];
    for (const file of manifests) {
      const { name, version } = JSON.parse(
        await readFile(resource('app.asar.unpacked', file), 'utf8'),
      ) as { name: string; version: string };
      if (!listed.has(`${name}@${version}`) || !text.includes(`\n${name} ${version} (`))
        missing.push(`${name}@${version}`);
    }
    expect(missing).toEqual([]);
    const names = new Set(list.map(({ name }) => name));
    for (const name of await importedByPages()) expect(names).toContain(name);
    for (const name of ['electron', 'react-aria', 'highlight.js', `node-linux-${process.arch}`])
      expect(names).toContain(name);
    // Their packages come without; THIRD_PARTY_LICENSES says so.
    expect(list.filter((one) => one.text === '').length).toBeLessThanOrEqual(6);
  });

  it('runs its command line on the Node that comes along, store and engine included', async () => {
    const home = path.join(place, 'home');
    const program = [resource('node', 'node'), resource('app.asar.unpacked', 'out/main/cli.js')];
    const commands = ['--version', 'sessions', 'doctor'].map((word) =>
      [...program, word].map(quoteWord).join(' '),
    );
    const ran = await runLonely(commands, place, {
      cwd: place,
      env: { PATH: process.env['PATH'], VIVARIUM_HOME: home },
      read: (file) => readFile(file, 'utf8'),
    });
    expect(ran.stdout[0]).toBe(`${OWN.version}\n`);
    expect(ran.codes.slice(0, 2)).toEqual([0, 0]);
    expect(existsSync(path.join(home, 'vivarium.db'))).toBe(true);
    // What `serve` shows.
    expect(existsSync(resource('app.asar.unpacked', 'out/renderer/index.html'))).toBe(true);
    expect(ran.stdout[2]).toMatch(/ok +engine llamacpp +node-llama-cpp \d/);
  });
});

/** Packages that sources of the pages name, whatever the build made of them; types are none. */
async function importedByPages(): Promise<Set<string>> {
  const folder = path.join(ROOT, 'src-renderer');
  const files = (await readdir(folder, { recursive: true })).filter(
    (file) => /\.tsx?$/.test(file) && !/\.test\.|testing/.test(file),
  );
  const names = new Set<string>();
  for (const file of files) {
    const text = await readFile(path.join(folder, file), 'utf8');
    for (const [, name = ''] of text.matchAll(
      /^import (?!type )[^;]*?from '((?:@[^/']+\/)?[a-z][^/']*)/gm,
    ))
      names.add(name);
  }
  expect(names.size).toBeGreaterThan(5);
  return names;
}
