import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Scaffold } from '../../src-main/agent/index.ts';
import { createLeafScaffold, loadScaffold } from '../../src-main/agent/index.ts';
import { openLeaf } from './open-leaf.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

const transcript = z.object({
  about: z.string(),
  files: z.record(z.string(), z.string()),
  steps: z
    .array(
      z.object({
        name: z.string(),
        arguments: z.record(z.string(), z.unknown()),
        observation: z.string(),
      }),
    )
    .min(10),
});

const SCAFFOLDS: Record<string, () => Promise<Scaffold>> = {
  leaf: async () => createLeafScaffold(),
  bare: async () => createLeafScaffold({ help: false }),
  tadpole: () => loadScaffold('tadpole', path.join(ROOT, 'resources/scaffolds')),
};

describe('every observation is the one the original tools gave, byte for byte', () => {
  it.each(Object.keys(SCAFFOLDS))('%s', async (name) => {
    const file = path.join(ROOT, 'test/fixtures/leaf-golden', `${name}.json`);
    const { files, steps } = transcript.parse(JSON.parse(await readFile(file, 'utf8')));
    const scaffold = await SCAFFOLDS[name]?.();
    const leaf = await openLeaf(
      Object.entries(files).map(([file, content]) => ({
        path: file,
        mode: '100644',
        content: Buffer.from(content),
      })),
    );
    try {
      for (const step of steps) {
        const { text } = await leaf.call(step.name, step.arguments, scaffold);
        expect({ ...step, observation: text }).toEqual(step);
      }
    } finally {
      await leaf.close();
    }
  });
});
