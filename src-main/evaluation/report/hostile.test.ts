import { describe, expect, test } from 'vitest';
import type { ReportFormat } from '../../contract/index.ts';
import { hiddenCharacters } from '../../lib/index.ts';
import { cell } from '../statistics/testing.ts';
import { formatReport } from './format-report.ts';
import { runOf } from './sample-run.ts';
import { HOSTILE, hostileRun } from './testing.ts';

const run = hostileRun();
const other = { ...hostileRun(), summary: { ...run.summary, runId: HOSTILE } };
const text = (format: ReportFormat) => Buffer.from(formatReport(run, { format, other })).toString();

describe('P10 names that want to be more', () => {
  test('an HTML report holds no tag or attribute that is not ours', () => {
    const page = text('html');
    const tags = [...page.matchAll(/<[^>]*>/g)].map(([tag]) => tag.replace(/\s+/g, ' '));
    const names = new Set(tags.map((tag) => /^<\/?([a-z0-9!]+)/i.exec(tag)?.[1]?.toLowerCase()));
    expect(names).toEqual(
      new Set([
        ...[
          '!doctype',
          'a',
          'b',
          'body',
          'br',
          'caption',
          'circle',
          'code',
          'dd',
          'div',
          'dl',
          'dt',
        ],
        ...[
          'figure',
          'h1',
          'h2',
          'h3',
          'head',
          'header',
          'html',
          'li',
          'main',
          'meta',
          'nav',
          'ol',
        ],
        ...['p', 'path', 'section', 'style', 'svg', 'table', 'tbody', 'td', 'text', 'th', 'thead'],
        ...['title', 'tr', 'ul'],
      ]),
    );
    const values = tags.flatMap((tag) =>
      [...tag.matchAll(/ ([a-z-]+)(?:="([^"]*)")?/gi)].map(([, name = '', value = '']) => [
        name,
        value,
      ]),
    );
    const ours = [
      'aria-hidden',
      'aria-label',
      'aria-labelledby',
      'charset',
      'class',
      'colspan',
      'content',
    ];
    const more = [
      'cx',
      'cy',
      'd',
      'href',
      'http-equiv',
      'id',
      'lang',
      'name',
      'r',
      'role',
      'rowspan',
      'scope',
    ];
    const known = new Set([...ours, ...more, 'viewBox', 'x', 'y', 'html']);
    for (const [name = '', value = ''] of values) {
      expect([name, known.has(name)]).toEqual([name, true]);
      expect(value).not.toMatch(/alert|evil|someone|&/);
      if (name === 'href') expect(value).toMatch(/^#[a-z]+\d*$/);
    }
    expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
    expect(page).not.toMatch(/url\(|@import|<\/style>[^]*<style/);
    expect(hiddenCharacters(page)).toEqual([]);
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  });

  test('in Markdown everything foreign stands in code, or is escaped', () => {
    const markdown = text('md');
    expect(hiddenCharacters(markdown)).toEqual([]);
    for (const line of markdown.split('\n')) {
      const prose = line.replace(/(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)/g, '');
      expect(prose.replace(/^> ?/, '')).not.toMatch(/[<>`\u005b\]]|javascript|evil|someone|#\d/);
    }
    const rows = markdown.split('\n').filter((line) => line.startsWith('| '));
    const fields = (line: string) => line.split('|').length;
    const heads = markdown.matchAll(/^(\|.*)\n\| ---.*\n((?:\|.*\n?)+)/gm);
    for (const [, head = '', body = ''] of heads) {
      for (const row of body.trim().split('\n')) expect(fields(row)).toBe(fields(head));
    }
    expect(rows.length).toBeGreaterThan(5);
  });

  test('CSV keeps lines and fields, and no field is a formula', () => {
    const bad = ['=1+1', '+1', '-1', '@a', '\t=1', ' =1', '＝1', 'a,"b"\r\nc', '|x'];
    const cells = bad.map((task, seed) =>
      cell({ task: `t${seed}`, label: { label: task, note: task } }),
    );
    const csv = Buffer.from(formatReport(runOf(cells), { format: 'csv' })).toString();
    const lines = csv.split('\r\n');
    expect([lines.length, lines.at(-1)]).toEqual([bad.length + 2, '']);
    const at = lines[0]?.split(',').indexOf('label') ?? 0;
    const shown = lines.slice(1, -1).map((line) => fieldsOf(line)[at]);
    expect(shown).toEqual([
      ...["'=1+1", "'+1", "'-1", "'@a", '\\t=1', "' =1", "'＝1", 'a,"b"\\r\\nc', "'|x"],
    ]);
    expect(hiddenCharacters(text('csv').replaceAll('\r\n', '\n'))).toEqual([]);
  });
});

/** Fields of a line by RFC 4180. */
function fieldsOf(line: string): string[] {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
  );
}
