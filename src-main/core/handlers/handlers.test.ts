import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { CONTRACT, settingsSchema } from '../../contract/index.ts';
import { sha256 } from '../../lib/index.ts';
import { RESOURCES } from '../environment.ts';
import { readBlob } from './blob.ts';
import { openHandlers } from './testing/open.ts';

test('there is a handler for every name of the contract, and none besides', () => {
  const { handlers } = openHandlers();
  expect(Object.keys(handlers).toSorted()).toEqual(Object.keys(CONTRACT).toSorted());
});

test('settings: changes are kept, the rest stays; what cannot be read falls back member by member', async () => {
  const { handlers, environment, context } = openHandlers();
  const defaults = settingsSchema.parse({});
  expect(await handlers['settings/get']({}, context)).toEqual(defaults);
  await handlers['settings/set']({ theme: 'dark', shortcuts: { 'go.back': 'Alt+Left' } }, context);
  const changed = await handlers['settings/set']({ zoom: 120, theme: undefined }, context);
  const expected = { ...defaults, theme: 'dark', zoom: 120, shortcuts: { 'go.back': 'Alt+Left' } };
  expect(changed).toEqual(expected);
  expect(await handlers['settings/get']({}, context)).toEqual(expected);
  environment.store.kept.set('settings', 'app', { zoom: 9999, theme: 'light', future: 1 });
  expect(await handlers['settings/get']({}, context)).toEqual({ ...defaults, theme: 'light' });
  environment.store.kept.set('settings', 'app', 'nonsense');
  expect(await handlers['settings/get']({}, context)).toEqual(defaults);
});

test('drafts come back as they were typed, and go', async () => {
  const { handlers, context } = openHandlers();
  const get = () => handlers['drafts/get']({ key: 'new-fix' }, context);
  expect(await get()).toEqual({ text: null });
  await handlers['drafts/set']({ key: 'new-fix', text: '# \u202e\n' }, context);
  expect(await get()).toEqual({ text: '# \u202e\n' });
  await handlers['drafts/set']({ key: 'new-fix', text: null }, context);
  expect(await get()).toEqual({ text: null });
});

test('pieces of a content make the whole, no character cut; binary is told', () => {
  const content = Buffer.from('aä漢😀'.repeat(50));
  const store = { blob: () => content };
  for (const maxBytes of [1, 2, 3, 5, 64]) {
    let text = '';
    for (let offset = 0; offset < content.length; offset += maxBytes) {
      text += readBlob(store, { sha256: sha256(content), offset, maxBytes }).text;
    }
    expect(text).toBe(content.toString());
  }
  const noise = Buffer.from([0x80, 0x80, 0x80, 0x80, 0x80, 0, 255]);
  expect(readBlob({ blob: () => noise }, { sha256: '', offset: 0, maxBytes: 99 })).toMatchObject({
    size: 7,
    binary: true,
  });
});

test('what a fix needs is told row by row, whatever is missing; nothing is started', async () => {
  const { handlers, folder, context } = openHandlers();
  const rows = async (fix: Parameters<(typeof handlers)['sessions/check']>[0]) => {
    const { rows: all, ready } = await handlers['sessions/check'](fix, context);
    const states: Record<string, unknown> = { ready };
    for (const { name, state } of all) states[name] = state;
    return states;
  };
  const nothing = {
    ...{ ready: false, repository: 'missing', issue: 'missing', model: 'missing' },
    ...{
      scaffold: 'ok',
      docker: 'missing',
      image: 'unknown',
      limits: 'unknown',
      verify: 'warning',
    },
  };
  expect(await rows({})).toEqual(nothing);
  const gguf = path.join(folder, 'a.gguf');
  writeFileSync(gguf, 'GGUFxxxx');
  const script = path.join(folder, 'b.jsonl');
  writeFileSync(script, '{}\n');
  const model = async (spec: string) => (await rows({ model: spec }))['model'];
  expect(await model(`gguf:${path.join(RESOURCES, 'models', 'tadpole.gguf')}`)).toBe('ok');
  // It begins as one; what an engine would stumble over is found all the same.
  expect(await model(`gguf:${gguf}`)).toBe('missing');
  expect(await model(`gguf:${script}`)).toBe('missing');
  expect(await model(`script:${script}`)).toBe('ok');
  expect(await model(`script:${folder}/none.jsonl`)).toBe('missing');
  expect(await model('not-in-the-library')).toBe('missing');
  expect(await model('http://127.0.0.1:9/v1#x')).toBe('missing');
  const more = await rows({ issue: 'x', verify: 'pytest', scaffold: 'none', limits: { pids: 1 } });
  expect(more).toMatchObject({ issue: 'ok', verify: 'ok', scaffold: 'missing', limits: 'missing' });
});

test('disk use is by what the folders are for; without an engine it says that it is not complete', async () => {
  const { handlers, environment, context } = openHandlers();
  const { home } = environment.config;
  environment.store.kept.set('a', 'b', 1);
  for (const name of [
    'snapshots/a.git/x',
    'cache/x',
    'servers/frog/logs/server.log',
    'servers/frog/cache/y',
  ]) {
    const file = path.join(home, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, Buffer.alloc(10_000, 1));
  }
  const use = await handlers['environment/disk']({}, context);
  const bytes = Object.fromEntries(use.parts.map((part) => [part.name, part.bytes]));
  expect(Object.keys(bytes).toSorted()).toEqual(['cache', 'logs', 'record', 'snapshots']);
  expect(bytes['cache']).toBe(2 * (bytes['logs'] ?? 0));
  expect(bytes['snapshots']).toBeGreaterThanOrEqual(10_000);
  expect(use).toMatchObject({ home, complete: false, freeBytes: expect.any(Number) });
});

test('about names the version, and the licence of every library that comes with the app', async () => {
  const { handlers, context } = openHandlers();
  const about = await handlers.about({}, context);
  expect(about.licences).toContainEqual(expect.objectContaining({ name: 'zod', licence: 'MIT' }));
  expect(about.licences).toContainEqual(expect.objectContaining({ name: 'react', licence: 'MIT' }));
  expect(about.licences.filter(({ licence }) => licence === 'not stated')).toEqual([]);
  expect(about.licences.filter(({ name }) => name === 'vitest')).toEqual([]);
  expect(about.memoryBytes).toBeGreaterThan(1_000_000);
  const zod = about.licences.find(({ name }) => name === 'zod');
  const { text } = await handlers['about/licence'](
    { name: 'zod', version: zod?.version ?? '' },
    context,
  );
  expect(text).toMatch(/MIT License[^]*Permission is hereby granted/);
  expect(await handlers['about/licence']({ name: 'zod', version: '0' }, context)).toEqual({
    text: null,
  });
});
