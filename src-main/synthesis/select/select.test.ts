import { expect, test } from 'vitest';
import type { BugClass, Candidate } from '../types.ts';
import { holdBack } from './hold-back.ts';
import { effectOf } from './effect.ts';
import { DEFAULT_SHARES, fullQuota, quotasOf } from './quotas.ts';

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

type Bug = ReturnType<typeof bug>;

function counted({ candidate: { bugClass, changes } }: Bug) {
  return { bugClass, files: changes.map(({ path }) => path) };
}

/** Which quota is full for each of them, where those before that were not above one are kept. */
function whys(items: Bug[], quotas = quotasOf(10, PATHS, FREE)) {
  const kept: Bug[] = [];
  return items.map((item) => {
    const why = fullQuota(counted(item), kept.map(counted), quotas);
    if (why === undefined) kept.push(item);
    return why ?? 'kept';
  });
}

test('near duplicates break the same tests at the same place', () => {
  const effects = [
    bug({ line: 3, failing: ['a', 'b'] }),
    bug({ line: 3, failing: ['b', 'a'] }),
    bug({ line: 3, failing: ['a'] }),
    bug({ line: 4, failing: ['a', 'b'] }),
    bug({ line: 3, failing: ['a', 'b'], path: 'src/pkg/b.py' }),
  ].map(({ candidate, failing }) => effectOf(candidate, failing));
  expect(effects.map((one) => effects.indexOf(one))).toEqual([0, 0, 2, 3, 4]);
});

test('counts by class stand in place of the share', () => {
  const quotas = quotasOf(10, PATHS, FREE, { logic: 1, copy: 2 });
  const items = (['logic', 'logic', 'copy', 'boundary'] as const).map((one) =>
    bug({ bugClass: one }),
  );
  expect(whys(items, quotas)).toEqual([
    ...['kept', 'class logic is full (1)', 'kept', 'class boundary is full (0)'],
  ]);
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

test('a repository of one module has no limit by area', () => {
  const quotas = quotasOf(3, ['src/one.py'], { ...DEFAULT_SHARES, bugClass: 1 });
  const items = [1, 2, 3].map(() => bug({ path: 'src/one.py' }));
  expect(whys(items, quotas)).toEqual(['kept', 'kept', 'kept']);
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
