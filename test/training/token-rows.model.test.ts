import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SMOLLM, TADPOLE } from '../../src-main/models/engines/llamacpp/testing.ts';
import { openChatTokenizer, type ChatTokenizer } from '../../src-main/models/index.ts';
import { exportTraining, type TrainRequest } from '../../src-main/training/index.ts';
import { trainerRun } from '../support/trainer-rows.ts';

const END = '<|im_end|>';
const folder = mkdtempSync(path.join(tmpdir(), 'vivarium-tokens-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Message {
  role: string;
  content: string;
  tool_calls?: { function: { name: string; arguments: string } }[];
}

interface Row {
  messages: Message[];
  input_ids: number[];
  labels?: number[];
  assistant_masks?: number[];
}

/** A reply as both templates write it; neither shows thoughts. */
function replyText({ content, tool_calls: calls = [] }: Message): string {
  const called = calls.map(
    ({ function: fn }) =>
      `<tool_call>\n{"name": "${fn.name}", "arguments": ${fn.arguments}}\n</tool_call>`,
  );
  return [...(content === '' ? [] : [content]), ...called].join('\n') + END;
}

describe.each([
  ['tadpole', TADPOLE],
  ['SmolLM2', SMOLLM],
])('rows with tokens of %s', (name, file) => {
  let tokenizer: ChatTokenizer;
  let openai: Row[];
  let trl: Row[];
  beforeAll(async () => {
    tokenizer = await openChatTokenizer(file, null);
    openai = await exported('openai');
    trl = await exported('trl');
  });
  afterAll(() => tokenizer.close());

  async function exported(format: TrainRequest['format']): Promise<Row[]> {
    const run = trainerRun();
    const out = path.join(folder, `${name}-${format}`);
    await exportTraining([run.source()], { format, out, tokenizer });
    run.close();
    const text = readFileSync(path.join(out, 'train.jsonl'), 'utf8');
    return text.split('\n', 8).map((line) => JSON.parse(line) as Row);
  }

  test('what is learned is what the model said, to the end of each turn', () => {
    expect(openai).toHaveLength(8);
    for (const { messages, input_ids: ids, labels = [] } of openai) {
      expect(labels).toHaveLength(ids.length);
      const learned = ids.filter((id, at) => labels[at] === id);
      const replies = messages.filter(({ role }) => role === 'assistant');
      expect(tokenizer.decode(learned)).toBe(replies.map(replyText).join(''));
      expect(labels.filter((label) => label === -100)).toHaveLength(ids.length - learned.length);
    }
  });

  test('the tokens say all that was read and said, in order', () => {
    for (const { messages, input_ids: ids } of openai) {
      const text = tokenizer.decode(ids);
      let at = 0;
      for (const message of messages) {
        const said = message.role === 'assistant' ? replyText(message) : message.content + END;
        at = text.indexOf(said, at);
        expect(at).not.toBe(-1);
        at += said.length;
      }
      expect(text.slice(at)).toBe('\n');
    }
  });

  test('trl: the same tokens, with a mask', () => {
    const masks = openai.map(({ labels = [] }) => labels.map((label) => (label === -100 ? 0 : 1)));
    expect(trl.map((row) => row.input_ids)).toEqual(openai.map((row) => row.input_ids));
    expect(trl.map((row) => row.assistant_masks)).toEqual(masks);
  });
});
