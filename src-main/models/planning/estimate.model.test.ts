import { constants } from 'node:fs';
import { copyFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openLlamaCpp } from '../engines/llamacpp/index.ts';
import { GEMMA, SMOLLM, TADPOLE, temporaryFolder } from '../engines/llamacpp/testing.ts';
import { inspectModel } from '../library/index.ts';
import { probeMachine } from '../machine/index.ts';
import { compare, makePlan } from './index.ts';
import { MIB } from './setup.ts';
import { PROFILE } from './testing.ts';

/** Turn format of the model's instruction-tuned siblings; the base model comes without one. */
const GEMMA_TEMPLATE =
  "{{ bos_token }}{% for m in messages %}{{ '<start_of_turn>' + ('model' if m.role == 'assistant' else 'user') + '\\n' + m.content + '<end_of_turn>\\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<start_of_turn>model\\n' }}{% endif %}";

const LINE = 'The file holds entries. ';
/** Repetitions of the line that a model of few million weights answers in a second. */
const MOST_LINES = 100;

interface Case {
  file: string;
  template?: string;
  contextTokens: number;
  sequences?: number;
}

/** Plans, starts, asks once, and measures. */
async function run(wanted: Case): Promise<{ ratio: number; fits: boolean; context: number }> {
  const { contextTokens, template, sequences = 1 } = wanted;
  const home = temporaryFolder();
  // A copy of its own: pages of a file that other processes read too count for each only in part.
  const file = path.join(home, path.basename(wanted.file));
  await copyFile(wanted.file, file, constants.COPYFILE_FICLONE);
  const found = template === undefined ? {} : { template: { source: 'test', text: template } };
  const { facts } = await inspectModel(file, found);
  const plan = makePlan({
    profile: { ...PROFILE, engine: 'llamacpp', device: 'cpu', contextTokens, sequences },
    facts,
    machine: await probeMachine({ env: {} }),
    engine: 'llamacpp',
    version: null,
  });
  const handle = await openLlamaCpp(file, {
    home,
    env: process.env,
    gpu: false,
    threads: 1,
    contextTokens: plan.contextTokens,
    parallel: plan.sequences,
    ...(template === undefined ? {} : { chatTemplate: template }),
  });
  try {
    const lines = Math.min(MOST_LINES, Math.floor(contextTokens / 24));
    await handle.chat.complete({
      messages: [{ role: 'user', content: LINE.repeat(lines) }],
      tools: [],
      sampling: { temperature: 0 },
      maxTokens: 8,
    });
    const measured = await memoryOf(handle.pid ?? 0);
    const { ratio, estimatedBytes } = compare(plan, measured);
    const shown = [estimatedBytes, measured].map((bytes) => (bytes / MIB).toFixed(0)).join(' / ');
    process.stdout.write(
      `${path.basename(file)} ${contextTokens} x ${sequences}: ${shown} MiB = ${ratio.toFixed(3)}\n`,
    );
    return { ratio, fits: plan.fits, context: handle.info.contextTokens ?? 0 };
  } finally {
    await handle.close();
  }
}

/**
 * PSS, with the code of Node counted as if this test and the child alone shared it, as the app and
 * its child do: how many others run on the machine of the test is not a property of the plan.
 */
async function memoryOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
  const kib = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1]);
  const own = kib('Private_Clean') + kib('Private_Dirty');
  return (own + (kib('Shared_Clean') + kib('Shared_Dirty')) / 2) * 1024;
}

describe('the estimate against the measured memory of our llama.cpp server', () => {
  const cases: Case[] = [
    ...[1_024, 4_096, 8_192].map((contextTokens) => ({ file: SMOLLM, contextTokens })),
    { file: SMOLLM, contextTokens: 4_096, sequences: 2 },
    ...[2_048, 8_192, 32_768].map((contextTokens) => ({
      file: GEMMA,
      template: GEMMA_TEMPLATE,
      contextTokens,
    })),
    ...[512, 1_024, 2_048].map((contextTokens) => ({ file: TADPOLE, contextTokens })),
  ];

  const titled = cases.map((one) => ({ ...one, name: path.basename(one.file) }));

  it.each(titled)('is within 15 %: $name, $contextTokens tokens', async (wanted) => {
    const { ratio, fits, context } = await run(wanted);
    expect(fits).toBe(true);
    expect(context).toBe(wanted.contextTokens);
    expect(ratio).toBeGreaterThan(0.85);
    expect(ratio).toBeLessThan(1.15);
  });
});
