import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCacheWatch } from '../../src-main/fix/cache-watch.ts';
import {
  openModel,
  parseModelSpec,
  type ChatMessage,
  type ModelHandle,
} from '../../src-main/models/index.ts';

const MODEL = fileURLToPath(new URL('../../resources/models/tadpole.gguf', import.meta.url));
const TURNS = 4;

let home: string;
let model: ModelHandle;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'vivarium-cache-watch-'));
  model = await openModel(parseModelSpec(`gguf:${MODEL}`), { home, env: process.env });
});
afterAll(async () => {
  await model.close();
  rmSync(home, { recursive: true, force: true });
});

const file = (name: string, lines: number): string =>
  Array.from({ length: lines }, (_, line) => `${name}_${line} = ${line * line}\n`).join('');

/**
 * Turns of a growing history on the real server, as the loop makes them; `rewrite` changes the history
 * before the last one. Returns what the session was told and how much was cached in each turn.
 */
async function converse(
  title: string,
  rewrite: (history: ChatMessage[]) => ChatMessage[],
): Promise<{ told: string[]; cached: number[]; prompts: number[] }> {
  const watch = createCacheWatch({
    store: { events: () => [] },
    sessionId: 's',
    glimpse: () => null,
  });
  const told: string[] = [];
  const cached: number[] = [];
  const prompts: number[] = [];
  let history: ChatMessage[] = [{ role: 'user', content: `${title}\n${file('first', 40)}` }];
  for (let step = 1; step <= TURNS; step += 1) {
    if (step === TURNS) history = rewrite(history);
    const reply = await model.chat.complete({
      messages: history,
      tools: [],
      sampling: { temperature: 0 },
      maxTokens: 8,
    });
    const { usage, finish, retries } = reply;
    cached.push(usage.cachedTokens ?? Number.NaN);
    prompts.push(usage.promptTokens ?? Number.NaN);
    const messages: ChatMessage[] = [
      { role: 'assistant', content: reply.content },
      { role: 'tool', toolCallId: `c${step}`, name: 'Read', content: file(`turn${step}`, 32) },
    ];
    history = [...history, ...messages];
    const timings = { modelMs: 1, firstTokenMs: 1, toolsMs: 0, ownMs: 0 };
    const record = { step, messages, calls: [], observations: [], notes: [], timings };
    const text = watch.afterStep({ ...record, finish, usage, retries });
    if (text !== null) told.push(`${step}: ${text}`);
  }
  return { told, cached, prompts };
}

it('an append-only history on the real server raises no warning', async () => {
  const { told, cached, prompts } = await converse('Keep it.', (history) => history);
  expect(told).toEqual([]);
  for (let turn = 1; turn < TURNS; turn += 1)
    expect(cached[turn]).toBeGreaterThanOrEqual(0.9 * (prompts[turn - 1] ?? 0));
});

it('a history that was rewritten after its opening raises one, which names that', async () => {
  const { told, cached, prompts } = await converse('Change it.', ([opening, first, ...rest]) => {
    if (opening === undefined || first === undefined) throw new Error('too short');
    return [opening, { ...first, content: 'It was something else.' }, ...rest];
  });
  expect(told).toHaveLength(1);
  expect(told[0]).toContain(
    `${TURNS}: the prompt was computed anew: the history is not rendered as it was a step before ` +
      `(its template probably changes earlier turns). Step ${TURNS} reused ${cached.at(-1)} of `,
  );
  expect(cached.at(-1)).toBeLessThan(0.5 * (prompts.at(-2) ?? 0));
});

it('a history of which not even the beginning is left raises one without a made-up cause', async () => {
  const { told } = await converse('Drop it.', (history) => [
    { role: 'user', content: `Nothing of before.\n${file('other', 40)}` },
    ...history.slice(1),
  ]);
  expect(told).toHaveLength(1);
  expect(told[0]).toContain(': the server dropped what it had, and no cause was found. Step 4 ');
});
