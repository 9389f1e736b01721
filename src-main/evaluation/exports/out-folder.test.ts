import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exportRun } from './export-run.ts';
import { inOutFolder } from './out-folder.ts';
import { addCell, bashTurn, testRun } from './testing.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'vivarium-out-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const bytes = Buffer.from('x');

describe('folder of an export', () => {
  it('must be new or empty; nothing of others is touched', async () => {
    writeFileSync(path.join(folder, 'mine'), 'x');
    await expect(inOutFolder(folder, (out) => out.write(['a'], bytes))).rejects.toMatchObject({
      ...{ code: 'out_unwritable', message: `${folder} is not empty` },
    });
    expect(readdirSync(folder)).toEqual(['mine']);
    const fresh = path.join(folder, 'fresh');
    mkdirSync(fresh);
    await inOutFolder(fresh, (out) => out.write(['a', 'b'], bytes));
    expect(readdirSync(fresh)).toEqual(['a']);
    expect(readdirSync(path.join(fresh, 'a'))).toEqual(['b']);
  });

  it.each(['..', '.', '', '../x', 'a/b', '/etc', 'a..b', '-x', '.hidden', 'a\0', 'ä', 'a b'])(
    'refuses the name %j, and leaves nothing',
    async (name) => {
      const out = path.join(folder, 'out');
      const write = (parts: string[]) =>
        inOutFolder(out, async (opened) => {
          await opened.write(['first', 'whole'], bytes);
          await opened.write(parts, bytes);
        });
      await expect(write(['below', name])).rejects.toMatchObject({ code: 'task_invalid' });
      await expect(write([name, 'below'])).rejects.toMatchObject({ code: 'task_invalid' });
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  it('a name that is taken meanwhile is not overwritten, a link not followed', async () => {
    const out = path.join(folder, 'out');
    const target = path.join(folder, 'target');
    writeFileSync(target, 'mine');
    const work = inOutFolder(out, async (opened) => {
      symlinkSync(target, path.join(out, 'a'));
      await opened.write(['a'], bytes);
    });
    await expect(work).rejects.toMatchObject({ code: 'out_unwritable' });
    expect(readdirSync(out)).toEqual(['a']);
  });

  it('appended files have their names only when all is done', async () => {
    const out = path.join(folder, 'out');
    await inOutFolder(out, async (opened) => {
      const file = await opened.append(['lines']);
      await file.write('one\n');
      expect(readdirSync(out).some((name) => name === 'lines')).toBe(false);
    });
    expect(readdirSync(out)).toEqual(['lines']);
    const failing = inOutFolder(path.join(folder, 'gone'), async (opened) => {
      const file = await opened.append(['lines']);
      await file.write('one\n');
      throw new Error('stop');
    });
    await expect(failing).rejects.toThrow('stop');
    expect(readdirSync(folder)).toEqual(['out']);
  });

  it('a place that cannot be written', async () => {
    writeFileSync(path.join(folder, 'file'), '');
    const write = (out: string) => inOutFolder(out, (opened) => opened.write(['a'], bytes));
    await expect(write(path.join(folder, 'file'))).rejects.toMatchObject({
      code: 'out_unwritable',
    });
    await expect(write('/proc/none')).rejects.toMatchObject({ code: 'out_unwritable' });
  });
});

it('a task whose name would leave the folder is refused', async () => {
  const test = testRun({ tasks: [{ name: '../../x', hash: 'h' }] });
  try {
    addCell(test, { task: '../../x' });
    for (const format of ['results', 'mini-swe-agent', 'swe-bench', 'atif', 'otlp'] as const) {
      const out = path.join(folder, 'out');
      const work = exportRun(test.source(), { format, out });
      await expect(work).rejects.toMatchObject({ code: 'task_invalid' });
    }
    expect(readdirSync(folder)).toEqual([]);
  } finally {
    test.close();
  }
});

it('the record is read one attempt at a time', async () => {
  const tasks = Array.from({ length: 20 }, (_, at) => ({ name: `t${at}`, hash: 'h' }));
  const test = testRun({ tasks });
  try {
    for (const { name } of tasks) addCell(test, { task: name, turns: [bashTurn('ls', 'x')] });
    const source = test.source();
    const asked: (string | undefined)[] = [];
    const store = {
      blob: source.store.blob,
      events: (filter: Parameters<typeof source.store.events>[0]) => {
        asked.push(filter.attemptId);
        const events = source.store.events(filter);
        expect(events.length).toBeLessThan(10);
        return events;
      },
    };
    for (const format of ['results', 'mini-swe-agent', 'swe-bench', 'atif', 'otlp'] as const) {
      asked.length = 0;
      await exportRun({ ...source, store }, { format, out: path.join(folder, format) });
      const attempts = asked.filter((attempt) => attempt !== undefined);
      expect(attempts).toEqual([...new Set(attempts)]);
      expect(attempts.length).toBe(20);
    }
  } finally {
    test.close();
  }
});

it('a stop in between leaves nothing', async () => {
  const test = testRun();
  const stop = new AbortController();
  try {
    addCell(test, { task: 'one' });
    stop.abort(new Error('stopped'));
    const request = { format: 'results', out: path.join(folder, 'out') } as const;
    const work = exportRun(test.source(), { ...request, signal: stop.signal });
    await expect(work).rejects.toThrow('stopped');
    expect(readdirSync(folder)).toEqual([]);
  } finally {
    test.close();
  }
});
