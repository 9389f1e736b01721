import { expect, test } from 'vitest';
import type { BugClass, Candidate } from '../types.ts';
import { holdBack } from './hold-back.ts';
import { DEFAULT_SHARES, quotasOf } from './quotas.ts';
import { select } from './select.ts';

interface Made {
  path?: string;
  more?: string[];
  line?: number;
  after?: string;
  bugClass?: BugClass;
  failing?: string[];
}

let count = 0;

function bug(made: Made = {}) {
  count += 1;
  const { path = 'src/pkg/a.py', more = [], line = count, after = `x = ${count}\n` } = made;
  const file = (name: string, text: string) => ({
    path: name,
    mode: '100644' as const,
    content: Buffer.from(text),
  });
  const candidate: Candidate = {
    generator: 'mutate',
    method: 'm',
    bugClass: made.bugClass ?? 'logic',
    changes: [path, ...more].map((name) => ({
      path: name,
      before: file(name, 'x = 0\n'),
      after: file(name, after),
    })),
    places: [{ path, line, symbol: null }],
    tests: {},
    provenance: {},
  };
  return { candidate, failing: made.failing ?? ['t'] };
}

const PATHS = ['src/pkg/a.py', 'src/pkg/b.py', 'src/pkg/c/d.py', 'src/pkg/e.py', 'src/pkg/f.py'];
const FREE = { bugClass: 1, files: 1, area: 1 };

function whys(items: ReturnType<typeof bug>[], quotas = quotasOf(10, PATHS, FREE)) {
  const { kept, leftOut } = select(items, quotas);
  return items.map((item) =>
    kept.includes(item) ? 'kept' : leftOut.find((one) => one.item === item)?.why,
  );
}

test('the same change but for blanks is kept once', () => {
  const items = [
    bug({ after: 'x = 1+2\n' }),
    bug({ after: 'x  =  1 + 2  \n\n' }),
    bug({ after: '  x = 1+2\n' }),
    bug({ after: 'x = 1+2\n', path: 'src/pkg/b.py' }),
  ];
  expect(whys(items)).toEqual(['kept', 'the same change', 'kept', 'kept']);
});

test('the same tests broken at the same place are kept once', () => {
  const items = [
    bug({ line: 3, failing: ['a', 'b'] }),
    bug({ line: 3, failing: ['b', 'a'] }),
    bug({ line: 3, failing: ['a'] }),
    bug({ line: 4, failing: ['a', 'b'] }),
  ];
  const same = 'the same tests broken at the same place';
  expect(whys(items)).toEqual(['kept', same, 'kept', 'kept']);
});

test('quotas by class, by count of files, by area', () => {
  const byClass = quotasOf(4, PATHS, { ...FREE, bugClass: 0.5 });
  expect(whys([bug(), bug(), bug(), bug({ bugClass: 'boundary' })], byClass)).toEqual([
    ...['kept', 'kept', 'class logic is full (2)', 'kept'],
  ]);
  const byFiles = quotasOf(4, PATHS, { ...FREE, files: 0.25 });
  expect(whys([bug(), bug(), bug({ more: ['src/pkg/b.py'] })], byFiles)).toEqual([
    ...['kept', 'bugs in one file are full (1)', 'kept'],
  ]);
  const byArea = quotasOf(5, PATHS, { ...FREE, area: 0.2 });
  const paths = ['src/pkg/c/d.py', 'src/pkg/c/g.py', 'src/pkg/c/h.py', 'src/pkg/b.py'];
  expect(
    whys(
      paths.map((path) => bug({ path })),
      byArea,
    ),
  ).toEqual([...['kept', 'kept', 'area c is full (2)', 'kept']]);
});

test('a repository of one module has no limit by area; what was left out is in its order', () => {
  const quotas = quotasOf(3, ['src/one.py'], { ...DEFAULT_SHARES, bugClass: 1 });
  const items = [1, 2, 3].map(() => bug({ path: 'src/one.py' }));
  expect(select(items, quotas)).toEqual({ kept: items, leftOut: [] });
  expect(quotas.areaOf('src/one.py')).toBe('one.py');
});

test('what is full comes behind the others, and comes', async () => {
  const bugs = (['logic', 'logic', 'copy'] as const).map((bugClass) => bug({ bugClass }).candidate);
  const waiting = [...bugs];
  const next = () => Promise.resolve(waiting.shift());
  const end = () => Promise.resolve();
  const source = holdBack({ next, end }, ({ bugClass }) => bugClass === 'logic');
  expect([await source.next(), await source.next(), await source.next()]).toEqual([
    ...[bugs[2], bugs[0], bugs[1]],
  ]);
  expect(await source.next()).toBeUndefined();
  const many = Array.from({ length: 500 }, () => bugs[0]);
  const full = holdBack({ next: () => Promise.resolve(many.pop()), end }, () => true);
  await full.next();
  expect(many).toHaveLength(300);
});
