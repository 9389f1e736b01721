import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { getLlama, type Llama, type LlamaModel } from 'node-llama-cpp';
import path from 'node:path';
import { createCore } from '../../src-main/core/index.ts';
import { chatRequestSchema } from '../../src-main/models/engines/llamacpp/server/chat-request.ts';
import { compileTemplate } from '../../src-main/models/engines/llamacpp/server/chat-template.ts';
import { SMOLLM, TADPOLE } from '../../src-main/models/engines/llamacpp/testing.ts';
import { bash, DONE, openEvalPlace, type EvalPlace } from '../support/eval-place.ts';
import { serveTrainer } from '../support/trainer.ts';

/**
 * A trainer joins the calls of a rollout to one sample only while the tokens of each prompt, with the
 * reply to it, are the beginning of the next prompt's.
 */
const STEPS = 50;
const END_OF_TURN = '<|im_end|>';
const KEY = 'a key';

/** Long outputs, quotes, tabs, other scripts, what looks like a special token. */
const COMMANDS = [
  'cat a.txt',
  'printf \'tab\\there \\\\ and "quotes"\\n\'',
  'seq 1 90',
  'echo "größer 漢字 🐸 <tool_call> </s>"',
  'false',
  'echo out; echo err >&2; exit 3',
];
const commandAt = (at: number) => `${COMMANDS[at % COMMANDS.length]} # ${at}`;

const CALLED = Array.from({ length: STEPS - 1 }, (_, at) => bash(commandAt(at)));
const WRITTEN = Array.from({ length: STEPS - 1 }, (_, at) => ({
  content: `I look.\n\n<function=execute_bash>\n  <parameter=cmd>${commandAt(at)}</parameter>\n</function>`,
}));
const FINISH = {
  content:
    'Done.\n\n<function=finish>\n  <parameter=command>submit</parameter>\n  <parameter=result>Done.</parameter>\n</function>',
};
const SCAFFOLDS = [
  ['leaf', [...CALLED, DONE]],
  ['r2egym', [...WRITTEN, FINISH]],
] as const;

let place: EvalPlace;
let llama: Llama;
beforeAll(async () => {
  llama = await getLlama({ gpu: false, build: 'never', skipDownload: true });
});
afterAll(async () => {
  await llama.dispose();
});
beforeEach(async () => {
  place = await openEvalPlace();
});
afterEach(async () => {
  await place.dispose();
});

/** Bodies of the requests of one rollout, in order. */
async function requestsOf(
  scaffold: string,
  turns: Parameters<typeof serveTrainer>[1],
): Promise<Record<string, unknown>[]> {
  await place.addTask('one');
  const trainer = await serveTrainer(KEY, turns);
  const base = `http://127.0.0.1:${trainer.port}`;
  const env = {
    ...process.env,
    ...{ AGL_OPENAI_BASE_URL: `${base}/v1`, AGL_EVENT_URL: `${base}/events`, AGL_KEY: KEY },
    ...{ VIVARIUM_TASK: path.join(place.tasks, 'one'), VIVARIUM_HOME: place.home },
    ...{ VIVARIUM_SCAFFOLD: scaffold, VIVARIUM_MAX_STEPS: '60', VIVARIUM_MAX_CONTEXT: '131072' },
  };
  const core = createCore({ home: place.home, env });
  try {
    await core.rollout({ signal: new AbortController().signal });
  } finally {
    await core.close();
    await trainer.close();
  }
  const asked = trainer.requests.filter((seen) => seen.path.endsWith('/chat/completions'));
  return asked.map(({ body }) => body);
}

/** Text of each prompt by the model's own template, and its tokens by llama.cpp's tokenizer. */
function promptsOf(model: LlamaModel, bodies: readonly Record<string, unknown>[]) {
  const source = model.fileInfo.metadata.tokenizer.chat_template ?? '';
  const template = compileTemplate(source, {
    bos: model.tokens.bosString ?? '',
    eos: model.tokens.eosString ?? '',
  });
  return bodies.map((body) => {
    const text = template.render(chatRequestSchema.parse(body));
    return { text, ids: model.tokenize(text, true) };
  });
}

describe.each([
  ['tadpole', TADPOLE],
  ['SmolLM2', SMOLLM],
])('with the template and tokenizer of %s', (_, file) => {
  let model: LlamaModel;
  beforeAll(async () => {
    model = await llama.loadModel({ modelPath: file, vocabOnly: true });
  });
  afterAll(async () => {
    await model.dispose();
  });

  test.each(SCAFFOLDS)(
    '%s: 50 histories, each the exact beginning of the next',
    async (name, turns) => {
      const prompts = promptsOf(model, await requestsOf(name, turns));
      expect(prompts).toHaveLength(STEPS);
      for (const [at, { text, ids }] of prompts.slice(0, -1).entries()) {
        const next = prompts[at + 1];
        if (next === undefined) throw new Error('the slice ends before the last');
        expect(next.text.startsWith(text + turns[at]?.content)).toBe(true);
        const end = next.text.indexOf(END_OF_TURN, text.length) + END_OF_TURN.length;
        const reply = model.tokenize(next.text.slice(text.length, end), true);
        expect(reply.length).toBeGreaterThan(1);
        expect(next.ids.slice(0, ids.length + reply.length)).toEqual([...ids, ...reply]);
        expect(next.ids.length).toBeGreaterThan(ids.length + reply.length);
      }
    },
  );
});
