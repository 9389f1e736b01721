import path from 'node:path';
import { expect, test } from 'vitest';
import { inspectModel } from '../library/index.ts';
import { createProfile } from './create.ts';
import { recognise } from './recognise.ts';
import { modelFor } from './testing.ts';

const TADPOLE = path.resolve(import.meta.dirname, '../../../resources/models/tadpole.gguf');

test('the demonstration model is recognised from its file and served within its window', async () => {
  const { facts } = await inspectModel(TADPOLE);
  expect(recognise(facts)).toBe('tadpole');
  expect(createProfile(modelFor(facts, 'tadpole'))).toMatchObject({
    ...{ preset: 'tadpole', engine: 'llamacpp', device: 'cpu', contextTokens: 2_048, threads: 1 },
  });
});
