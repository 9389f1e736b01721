import { expect, test } from 'vitest';
import type { Candidate, FileChange, Generator, SourceTree, WorkOnTree } from '../types.ts';
import { featAddWith } from './featadd.ts';
import { rewriteWith } from './rewrite.ts';
import { fruitful } from './worked-changes.ts';

const BOOK = `class Book:
    def total(self, parts):
        """Sum of the parts."""
        found = 0
        for part in parts:
            found += part
        return found

    def name(self):
        return 'book'


def outer(n):
    count = n
    def inner():
        return count
    return inner
`;
const TEST = 'from book import Book\n\n\ndef test_total():\n    assert Book().total([1]) == 1\n';

function fileOf(path: string, text: string) {
  return { path, mode: '100644' as const, content: Buffer.from(text) };
}

const tree: SourceTree = {
  repository: 'r',
  commit: 'c',
  files: new Map(
    [fileOf('book.py', BOOK), fileOf('tests/test_book.py', TEST)].map((file) => [file.path, file]),
  ),
};

type Job = Parameters<WorkOnTree>[0];

/** Puts another text into book.py, and one into the test. */
function worker(jobs: Job[], change: (source: string) => string): WorkOnTree {
  return (job) => {
    jobs.push(job);
    const before = job.files.get('book.py') ?? null;
    const source = Buffer.from(before?.content ?? []).toString();
    const changes: FileChange[] = [
      { path: 'book.py', before, after: fileOf('book.py', change(source)) },
      { path: 'tests/test_book.py', before: null, after: fileOf('tests/test_book.py', '') },
    ];
    return Promise.resolve({ changes, sessionId: 's', steps: 3, ending: 'agent' });
  };
}

async function all(
  generator: Generator,
  coverage = new Map([['book.py', new Set([4, 5])]]),
  tried: string[] = [],
) {
  const found: Candidate[] = [];
  const signal = new AbortController().signal;
  for await (const one of generator({ tree, coverage, seed: 1, signal, tried: new Set(tried) }))
    found.push(one);
  return found;
}

const text = (file: { content: Uint8Array } | null | undefined) =>
  Buffer.from(file?.content ?? []).toString();

test('rewrite: a body is taken out, without tests; what comes back is the change of the good tree', async () => {
  const jobs: Job[] = [];
  const work = worker(jobs, (source) => source.replace('raise NotImplementedError', 'return 0'));
  const found = await all(rewriteWith({ work }));
  expect(found.map(({ places }) => places)).toEqual([
    [{ path: 'book.py', line: 2, symbol: 'Book.total' }],
    [{ path: 'book.py', line: 13, symbol: 'outer' }],
  ]);
  expect([...(jobs[0]?.files.keys() ?? [])]).toEqual(['book.py']);
  const stub = '        """Sum of the parts."""\n        raise NotImplementedError\n\n    def name';
  expect(text(jobs[0]?.files.get('book.py'))).toContain(stub);
  expect(text(jobs[1]?.files.get('book.py'))).toContain(
    'def outer(n):\n    raise NotImplementedError\n',
  );
  const [change, ...more] = found[0]?.changes ?? [];
  expect(more).toEqual([]);
  expect(text(change?.before)).toBe(BOOK);
  expect(text(change?.after)).toContain('"""Sum of the parts."""\n        return 0\n\n');
});

const NOTHING = { changes: [], sessionId: 's', steps: 9, ending: 'max_turns' };

test('rewrite: the same body again, or nothing, changes nothing; what was tried is not made again', async () => {
  const same = await all(rewriteWith({ work: worker([], () => BOOK) }));
  expect(same.map(({ changes }) => changes)).toEqual([[], []]);
  const beside = worker([], (source) => source.replace("'book'", "'other'"));
  expect(await all(rewriteWith({ work: beside }))).toMatchObject([
    { changes: [] },
    { changes: [] },
  ]);
  const rewrite = rewriteWith({ work: () => Promise.resolve(NOTHING) });
  expect(await all(rewrite)).toMatchObject([
    { changes: [], origin: 'rewrite 1 book.py:2', provenance: { ending: 'max_turns', steps: 9 } },
    { changes: [], origin: 'rewrite 1 book.py:13' },
  ]);
  expect(await all(rewrite, new Map(), ['rewrite 1 book.py:2'])).toMatchObject([
    { origin: 'rewrite 1 book.py:13' },
  ]);
});

test('ten attempts in a row that lead to nothing end a generator', async () => {
  const job = (): Promise<Candidate> =>
    Promise.resolve({
      ...{ generator: 'rewrite', method: 'm', bugClass: 'logic', changes: [], places: [] },
      ...{ tests: {}, provenance: {} },
    });
  const found = [];
  const signal = new AbortController().signal;
  for await (const one of fruitful(
    Array.from({ length: 30 }, () => job),
    signal,
  ))
    found.push(one);
  expect(found).toHaveLength(10);
});

test('featadd: a proposed feature is built on the whole tree; changes of tests are dropped', async () => {
  const jobs: Job[] = [];
  const work = worker(jobs, (source) => source.replace('found = 0', 'found = 1'));
  const ask = () => Promise.resolve('<think>x</think>\nCount from a start value.');
  const [found, ...more] = await all(featAddWith({ work, ask }));
  expect(more).toEqual([]);
  expect(jobs[0]?.instruction).toBe(
    'Add this feature to the project:\n\nCount from a start value.',
  );
  expect(jobs[0]?.files).toBe(tree.files);
  expect(found).toMatchObject({
    generator: 'featadd',
    places: [{ path: 'book.py', line: 4, symbol: null }],
    provenance: { feature: 'Count from a start value.', session: 's', steps: 3 },
  });
  expect(found?.changes.map(({ path }) => path)).toEqual(['book.py']);
  expect(await all(featAddWith({ work, ask: () => Promise.resolve(' ') }))).toMatchObject([
    { changes: [], origin: 'featadd 1 book.py', provenance: { ending: 'no_proposal' } },
  ]);
});
