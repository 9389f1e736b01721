import { copyFileSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TADPOLE } from '../engines/llamacpp/testing.ts';
import { temporaryService } from './testing.ts';

test('an empty library: the machine, and each engine where it usually is', async () => {
  const { service } = temporaryService();
  const { machine, engines, incomplete } = await service.survey();
  expect(machine.cores).toBeGreaterThan(0);
  expect(incomplete).toEqual([]);
  expect(engines.map(({ engine, models }) => [engine, models])).toEqual([
    ['llamacpp', []],
    ['vllm', []],
    ['sglang', []],
    ['llama-server', []],
  ]);
  const [ours, vllm] = engines;
  expect(ours?.found).toMatch(/^node-llama-cpp /);
  expect(vllm).toMatchObject({
    found: null,
    problem: { message: expect.any(String) as string, next: expect.any(String) as string },
  });
});

test('places that profiles name are looked at once, for all that name them', async () => {
  const { service } = temporaryService();
  for (const name of ['frog', 'newt', 'toad']) await service.add(TADPOLE, { name });
  const source = { venv: '/nowhere/venv' };
  for (const name of ['frog', 'newt']) await service.profiles.set(name, { engine: 'vllm', source });
  const { engines } = await service.survey();
  expect(engines).toHaveLength(5);
  expect(engines[4]).toMatchObject({
    engine: 'vllm',
    models: ['frog', 'newt'],
    found: null,
    problem: { message: expect.stringContaining('/nowhere/venv') as string },
  });
});

test('S07 files that are gone or cut are named', async () => {
  const { service, config } = temporaryService();
  const files = ['gone.gguf', 'cut.gguf'].map((name) => join(config.home, name));
  for (const file of files) {
    copyFileSync(TADPOLE, file);
    await service.add(file, { name: file.endsWith('cut.gguf') ? 'cut' : 'gone' });
  }
  await service.add(TADPOLE, { name: 'whole' });
  rmSync(files[0] ?? '');
  truncateSync(files[1] ?? '', 1000);
  expect((await service.survey()).incomplete).toEqual([
    { name: 'cut', missing: ['cut.gguf'] },
    { name: 'gone', missing: ['gone.gguf'] },
  ]);
});
