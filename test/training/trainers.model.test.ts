import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { openChatTokenizer, type ChatTokenizer } from '../../src-main/models/index.ts';
import { checkRow, cutPairs } from '../../src-main/training/export/check-row.ts';
import { readTrl } from '../../src-main/training/export/read-trl.ts';
import { trainRows } from '../../src-main/training/export/rows.ts';
import { sha256 } from '../../src-main/lib/index.ts';
import type { RowFormat } from '../../src-main/training/index.ts';
import {
  ODD_ROWS,
  TADPOLE,
  TRAINER_CUTOFF,
  TRAINER_EXPORTS,
  trainerRun,
} from '../support/trainer-rows.ts';

/**
 * The dry run against what the trainers themselves made of the same rows, by their own code; see
 * `scripts/trainers.sh`, which makes the fixtures.
 */
interface Read {
  verdict: 'whole' | 'cut' | 'skipped' | 'failed';
  tokens?: number;
  learned?: number;
  masked?: number;
  cut?: number;
  /** LLaMA-Factory: tokens of each prompt and its reply. */
  pairs?: [number, number][];
}

interface Fixture {
  made: string;
  versions: Record<string, string>;
  cutoff: number;
  trained_steps?: number;
  files: Record<
    string,
    { rows: Read[]; lengths?: number[]; same?: boolean[]; unmarked?: string; digests?: string[] }
  >;
}

const readFixture = (name: string) =>
  JSON.parse(
    readFileSync(path.join(import.meta.dirname, '../fixtures/trainers', `${name}.json`), 'utf8'),
  ) as Fixture;
const FACTORY = readFixture('llamafactory');
const TRL = readFixture('trl');
const cutoff = TRAINER_CUTOFF;

/**
 * Writes tools, calls and results as LLaMA-Factory's templates for Qwen do, but for a line end before
 * calls and what it says of tools, in fewer words.
 */
const QWEN_LIKE = path.join(import.meta.dirname, '../../scripts/vllm/hermes.jinja');

/** Tokens of LLaMA-Factory's words on tools, less those of {@link QWEN_LIKE}. */
const TOOL_WORDS = 66;

let tokenizer: ChatTokenizer;
let qwenLike: ChatTokenizer;
const values = new Map<string, Record<string, unknown>[]>(
  Object.entries(ODD_ROWS).map(([name, rows]) => [`odd-${name}`, rows]),
);
beforeAll(async () => {
  tokenizer = await openChatTokenizer(TADPOLE, null);
  qwenLike = await openChatTokenizer(TADPOLE, QWEN_LIKE);
  const run = trainerRun();
  for (const [name, { ids, ...request }] of Object.entries(TRAINER_EXPORTS)) {
    const more = ids === true ? { tokenizer } : {};
    const rows = trainRows([run.source()], { ...request, ...more }, new Map());
    values.set(
      name,
      Array.from(rows, ({ value }) => value),
    );
  }
  run.close();
});
afterAll(async () => {
  await tokenizer.close();
  await qwenLike.close();
});

/** The rows of a file, each with what we say of it and what its trainer made of it. */
function compared(name: string, fixture: Fixture) {
  const form = name.replace('-nothink', '');
  const rows = values.get(form) ?? [];
  const read = fixture.files[name]?.rows ?? [];
  expect(rows.length).toBe(read.length);
  const format = (TRAINER_EXPORTS[form]?.format ?? form.replace('odd-', '')) as RowFormat;
  return rows.map((value, at) => ({
    ours: checkRow(format, value, {
      ...{ cutoff, tokenizer: fixture === FACTORY ? qwenLike : tokenizer },
    }),
    theirs: read[at] ?? { verdict: 'failed' as const },
  }));
}

const verdictOf = ({ verdict }: Read) => (verdict === 'failed' ? 'skipped' : verdict);

test('the fixtures are of the versions that the documents name, with the same cut', () => {
  expect(FACTORY.versions['llamafactory']).toBe('0.9.5');
  expect(TRL.versions['trl']).toBe('1.16.0');
  expect([FACTORY.cutoff, TRL.cutoff]).toEqual([cutoff, cutoff]);
  expect(FACTORY.trained_steps).toBe(1);
});

describe('LLaMA-Factory', () => {
  test.each(['sharegpt', 'openai', 'openai-text', 'odd-sharegpt', 'odd-openai'])(
    '%s: verdicts',
    (name) => {
      const rows = compared(name, FACTORY);
      expect(rows.map(({ ours }) => ours.verdict)).toEqual(
        rows.map(({ theirs }) => verdictOf(theirs)),
      );
    },
  );

  test('a row is the same by itself and in its file, but for tools that are no text', () => {
    const differing = (name: string) => {
      const { rows = [], lengths = [] } = FACTORY.files[name] ?? {};
      const kept = rows.filter(({ verdict }) => verdict !== 'failed');
      expect(lengths).toHaveLength(kept.length);
      return kept.filter(({ tokens = 0 }, at) => lengths[at] !== Math.min(tokens, cutoff)).length;
    };
    expect(FACTORY.files['sharegpt']?.lengths).toHaveLength(8);
    expect(['sharegpt', 'openai-text', 'openai'].map(differing)).toEqual([0, 0, 2]);
    const notes = compared('openai', FACTORY).filter(({ ours }) =>
      ours.notes.some((note) => note.includes('--tools-json')),
    );
    expect(notes).toHaveLength(6);
  });

  test.each(['sharegpt-nothink', 'openai-text-nothink'])('%s: tokens', (name) => {
    for (const { ours, theirs } of compared(name, FACTORY)) {
      if (theirs.pairs === undefined) continue;
      const replies = theirs.pairs.length;
      // Calls in the text: the same to the token. Else all but the last reply call something.
      const isText = replies === 3;
      const others = isText ? 0 : TOOL_WORDS - (replies - 1);
      expect(ours.tokens + others).toBe(theirs.tokens);
      if (theirs.verdict === 'whole') {
        expect(ours.learned - (isText ? 0 : replies - 1)).toBe(theirs.learned);
      }
    }
  });

  test.each(['sharegpt', 'openai', 'odd-sharegpt', 'odd-openai'])('%s: the cut', (name) => {
    for (const { theirs } of compared(name, FACTORY)) {
      if (theirs.pairs === undefined) continue;
      const parts = theirs.pairs.flatMap(([source, target]) => [
        { learned: false, tokens: source },
        { learned: true, tokens: target },
      ]);
      const { learned, masked } = theirs;
      expect(cutPairs(parts, cutoff)).toEqual({ learned, masked });
    }
  });
});

describe('TRL', () => {
  test.each(['trl', 'trl-ids', 'preference', 'unpaired'])('%s: the same to the token', (name) => {
    for (const { ours, theirs } of compared(name, TRL)) {
      expect(ours).toMatchObject({ ...theirs, isEstimate: false });
    }
  });

  test('trl: the same tokens as those of Python’s tokenizers and chat template', () => {
    const rows = values.get('trl') ?? [];
    const digests = rows.map((value) => {
      const [reading] = readTrl(value);
      const messages = reading?.turns.map(({ message }) => message) ?? [];
      const encoded = tokenizer.encode(messages, reading?.tools ?? [], { marks: 'token' });
      if ('why' in encoded) throw new Error(encoded.why);
      return sha256(encoded.runs.flatMap(({ ids }) => ids).join(' '));
    });
    expect(digests).toEqual(TRL.files['trl']?.digests);
  });

  test('a chat template without generation marks teaches by tokens alone', () => {
    expect(TRL.files['trl']?.unmarked).toMatch('not training-compatible');
  });

  test('rows as others write them: verdicts', () => {
    const rows = compared('odd-trl', TRL);
    expect(rows.map(({ ours }) => ours.verdict)).toEqual(
      rows.map(({ theirs }) => verdictOf(theirs)),
    );
  });

  test('tokens that a row brings are learned as they are', () => {
    expect(TRL.files['trl-ids']?.same).toEqual(values.get('trl-ids')?.map(() => true));
  });
});
