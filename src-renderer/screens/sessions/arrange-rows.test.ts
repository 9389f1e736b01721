import { describe, expect, it } from 'vitest';
import type { SessionRow } from '../../../src-main/contract/index.ts';
import { arrangeRows, type ListLine, pagesFor } from './arrange-rows.ts';

const NOW = new Date(2026, 10, 29, 12).getTime();
const DAY = 86_400_000;

function row(sessionId: string, more: Partial<SessionRow> = {}): SessionRow {
  return {
    ...{ sessionId, title: sessionId, repository: '/r', model: 'm', scaffold: 'leaf' },
    ...{ state: 'verified', createdAt: NOW - 1000, updatedAt: NOW - 1000, attempts: 1, steps: 1 },
    ...{ insertions: 0, deletions: 0, files: 0, verified: true },
    ...{ pinned: false, archived: false, unseen: false, stoppable: false },
    ...more,
  };
}

function told(lines: ListLine[]): string[] {
  return lines.map((line) => {
    if (line.kind === 'row') return line.row.sessionId;
    return line.kind === 'gap' ? `gap ${line.index}` : `# ${line.group}`;
  });
}

describe('rows of the list', () => {
  it('stand in groups: running above all, then pinned, then by age', () => {
    const running = row('run', { state: 'running', createdAt: NOW - 9 * DAY });
    const rows = [
      row('pin', { pinned: true, createdAt: NOW - 3 * DAY }),
      row('new'),
      row('day', { createdAt: NOW - DAY }),
      row('week', { createdAt: NOW - 3 * DAY }),
      row('old', { createdAt: NOW - 8 * DAY }),
      running,
    ];
    expect(told(arrangeRows({ rows, running: [running], sort: 'newest', now: NOW }))).toEqual([
      ...['# running', 'run', '# pinned', 'pin', '# today', 'new', '# yesterday', 'day'],
      ...['# week', 'week', '# older', 'old'],
    ]);
  });

  it('are grouped by what they are ordered by', () => {
    const rows = [row('a', { createdAt: NOW - 8 * DAY, updatedAt: NOW })];
    const lines = (sort: 'updated' | 'title') =>
      told(arrangeRows({ rows, running: [], sort, now: NOW }));
    expect(lines('updated')).toEqual(['# today', 'a']);
    expect(lines('title')).toEqual(['# rest', 'a']);
  });

  it('keep the places of rows that are not read yet', () => {
    const rows = [row('a'), undefined, undefined, row('b', { createdAt: NOW - 8 * DAY })];
    expect(told(arrangeRows({ rows, running: [], sort: 'newest', now: NOW }))).toEqual([
      ...['# today', 'a', 'gap 1', 'gap 2', '# older', 'b'],
    ]);
  });
});

describe('pages that are read', () => {
  it.each([
    [0, 30, 10_000, [0]],
    [190, 215, 10_000, [0, 1]],
    [9_980, 10_004, 10_000, [49]],
    [0, 30, 0, [0]],
    [700, 720, 100, [0]],
  ])('for rows %i to %i of %i', (first, last, total, pages) => {
    expect(pagesFor(first, last, 200, total)).toEqual(pages);
  });
});
