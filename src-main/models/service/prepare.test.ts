import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TADPOLE } from '../engines/llamacpp/testing.ts';
import { gguf, GGUF_METADATA } from '../library/testing.ts';
import { checkPrepared, prepare } from './prepare.ts';
import { temporaryService } from './testing.ts';
import type { ModelService } from './types.ts';

/** One that fits nowhere. */
async function addHuge(service: ModelService, home: string): Promise<void> {
  const file = join(home, 'huge.gguf');
  const metadata = {
    ...GGUF_METADATA,
    'general.name': 'Huge',
    'qwen3.block_count': 1000,
    'qwen3.attention.head_count': 64,
    'qwen3.attention.head_count_kv': 64,
    'qwen3.attention.key_length': 4096,
    'qwen3.attention.value_length': 4096,
  };
  writeFileSync(file, gguf({ metadata }));
  await service.add(file);
}

test('what would be started: the profile as overridden for once, the plan, the program', async () => {
  const { service } = temporaryService();
  await service.add(TADPOLE);
  const report = await service.plan('tadpole', { overrides: { contextTokens: 512 } });
  expect(report).toMatchObject({
    profile: { contextTokens: 512 },
    plan: { engine: 'llamacpp', device: 'cpu', contextTokens: 512, fits: true },
    installation: expect.stringMatching(/^node-llama-cpp /) as string,
    faults: [],
  });
  expect((await service.profiles.get('tadpole')).contextTokens).toBe(2048);
});

test('S03 a missing engine is a fault of the plan, and the error of a start', async () => {
  const { service } = temporaryService();
  await service.add(TADPOLE);
  const overrides = { engine: 'sglang', source: { venv: '/nowhere/venv' } };
  const report = await service.plan('tadpole', { overrides });
  expect([report.installation, report.version, report.faults.length]).toEqual([null, null, 1]);
  for (const start of [service.use, service.startInBackground, service.keep, service.restart]) {
    await expect(start('tadpole', { overrides })).rejects.toMatchObject({
      code: 'engine_missing',
      message: report.faults[0],
    });
  }
  expect((await service.status('tadpole')).state).toBe('stopped');
});

test('S03 faults of the profile: the first is told, the others counted', async () => {
  const { service } = temporaryService();
  await service.add(TADPOLE);
  const overrides = { contextTokens: 4096, 'flags.--no-such-flag': true };
  const { faults } = await service.plan('tadpole', { overrides });
  expect(faults.length).toBeGreaterThan(1);
  await expect(service.use('tadpole', { overrides })).rejects.toMatchObject({
    code: 'profile_invalid',
    message: `tadpole would not start: ${faults[0]} (and ${faults.length - 1} more)`,
    next: 'Correct the profile with `vivarium models profile set tadpole`; `vivarium models plan tadpole` shows all faults.',
  });
});

test('S03 what does not fit is refused with sizes and advice, unless it is forced', async () => {
  const { service, config } = temporaryService();
  await addHuge(service, config.home);
  await expect(service.startInBackground('huge')).rejects.toMatchObject({
    code: 'does_not_fit',
    message: expect.stringMatching(
      /^huge needs about 3\.9 TiB \(estimate\) and [\d.]+ [MG]iB are free$/,
    ) as string,
    next: 'Use a smaller model, or add about 3.9 TiB of memory; --force starts it all the same.',
  });
  const prepared = await prepare(config, service.library, 'huge', {});
  expect(prepared.plan.fits).toBe(false);
  expect(() => checkPrepared(prepared, { force: true })).not.toThrow();
});

test('overrides that the profile cannot have, and a name that is not there', async () => {
  const { service } = temporaryService();
  await service.add(TADPOLE);
  await expect(service.plan('tadpole', { overrides: { sequences: 0 } })).rejects.toMatchObject({
    code: 'profile_invalid',
  });
  await expect(service.plan('tadpol')).rejects.toMatchObject({
    code: 'model_not_found',
    next: 'Did you mean tadpole? `vivarium models list` shows all.',
  });
});
