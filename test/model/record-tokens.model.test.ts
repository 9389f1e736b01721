import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { getLlama, type Token } from 'node-llama-cpp';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TADPOLE } from '../../src-main/models/engines/llamacpp/testing.ts';
import { openEvalPlace, type EvalPlace } from '../support/eval-place.ts';
import { makePlace, removePlace, run, type Place } from '../cli/command.ts';

interface Step {
  source: string;
  message: string;
  tool_calls?: { function_name: string }[];
  metrics?: {
    prompt_tokens: number;
    prompt_token_ids?: number[];
    completion_token_ids?: number[];
    logprobs?: number[];
  };
}

let place: Place;
let tasks: EvalPlace;
beforeEach(async () => {
  place = await makePlace();
  tasks = await openEvalPlace();
  await tasks.addTask('one', { instruction: 'Bug in a.txt: it says broken.' });
});
afterEach(async () => {
  await tasks.dispose();
  await removePlace(place);
});

/** Turns of the model in the ATIF of an evaluation with these words. */
async function turnsOf(...words: string[]): Promise<Step[]> {
  const set = ['--tasks', tasks.tasks, '--model', `gguf:${TADPOLE}`, '--scaffold', 'tadpole'];
  const ran = await run(place, 'eval', 'run', ...set, '--max-steps', '3', '--json', ...words);
  expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining('1 of 1 done')]);
  const { runId } = (JSON.parse(ran.stdout) as { run: { runId: string } }).run;
  const out = path.join(place.folder, runId);
  await run(place, 'eval', 'export', runId, '--format', 'atif', '--out', out);
  const text = await readFile(path.join(out, 'one/seed-0/trajectory.json'), 'utf8');
  const { steps } = JSON.parse(text) as { steps: Step[] };
  return steps.filter(({ source }) => source === 'agent');
}

test('eval run --record-tokens: what the model read and said, token by token, is in its ATIF', async () => {
  const llama = await getLlama({ gpu: false, build: 'never', skipDownload: true });
  const model = await llama.loadModel({ modelPath: TADPOLE, vocabOnly: true });
  const turns = await turnsOf('--record-tokens');
  expect(turns.length).toBeGreaterThan(1);
  for (const { message, metrics, tool_calls: calls = [] } of turns) {
    const ids = metrics?.completion_token_ids ?? [];
    const said = model.detokenize(ids as Token[], true);
    expect(said).toContain(message);
    for (const { function_name: name } of calls) expect(said).toContain(`"name": "${name}"`);
    expect(ids.length).toBeGreaterThan(0);
    expect(metrics?.logprobs).toHaveLength(ids.length);
    expect(metrics?.prompt_token_ids).toHaveLength(metrics?.prompt_tokens ?? 0);
  }
  await llama.dispose();
  const plain = await turnsOf();
  expect(Object.keys(plain[0]?.metrics ?? {})).not.toContain('completion_token_ids');
});
