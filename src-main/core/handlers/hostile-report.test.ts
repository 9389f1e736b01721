import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hiddenCharacters } from '../../lib/index.ts';
import { Environment } from '../environment.ts';
import { reviewHandlers } from './review.ts';
import { recordedSession } from './testing/recorded-session.ts';
import { repositoryAt } from './testing/repository.ts';

const context = { signal: new AbortController().signal };
const at = { session: 's1', attempt: 's1.1' };

const TAG = '<script>alert(1)</script><img src=x onerror=alert(2)>';
const TICKS = '````````';
const HIDDEN = 'a\u202eb\u200bc\u0007\u001b[31m';
const LINKS = '[x](javascript:alert(3)) http://evil.example @someone #1 </pre></style>';
const HOSTILE = [TAG, TICKS, HIDDEN, LINKS, '"\'&amp; ${x}'].join('\n');

let home: string;
let environment: Environment;

beforeAll(async () => {
  home = mkdtempSync(path.join(tmpdir(), 'vivarium-hostile-'));
  const name = `${TAG.replaceAll('/', '_')}\`\`\`\n# ${HIDDEN}.md`;
  const repository = repositoryAt(path.join(home, 'repository'), { 'a.txt': 'a\n' });
  environment = new Environment({ home: path.join(home, 'data'), env: {} });
  await recordedSession(
    environment,
    repository,
    [
      {
        path: name,
        kind: 'file',
        executable: false,
        content: Buffer.concat([
          Buffer.from(`${HOSTILE}\n\`\`\`\`\`\`\`\`\`\`\`\n~~~\n`),
          Buffer.from([0xff, 0xfe, 10]),
          Buffer.alloc(5 * 1024 * 1024, '<b>`'),
        ]),
      },
      {
        path: 'late-nul',
        kind: 'file',
        executable: false,
        content: Buffer.from(`${'x\n'.repeat(5000)}\0nul\n`),
      },
    ],
    's1',
    { issue: HOSTILE, title: TAG },
  );
  const note = { path: name, line: 1, text: HOSTILE };
  await reviewHandlers(environment)['review/note']({ ...at, note }, context);
});

afterAll(async () => {
  await environment.close();
  rmSync(home, { recursive: true, force: true });
});

async function report(format: 'html' | 'markdown'): Promise<string> {
  const { base64 } = await reviewHandlers(environment)['review/download'](
    { ...at, format },
    context,
  );
  expect(base64.length).toBeLessThan(2_000_000);
  return Buffer.from(base64, 'base64').toString('utf8');
}

test('P10 an HTML report holds no tag, attribute or character that was not ours', async () => {
  const html = await report('html');
  const tags = new Set([...html.matchAll(/<[^>]*>/g)].map(([tag]) => tag));
  const plain = /^<\/?(?:[a-z0-9]+|!doctype html)>$/;
  const ours = [...tags].filter((tag) => !plain.test(tag)).map((tag) => tag.replace(/\s+/g, ' '));
  expect(ours.toSorted()).toEqual([
    '<html lang="en">',
    '<meta charset="utf-8" />',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'" />`,
    '<meta name="referrer" content="no-referrer" />',
    '<meta name="viewport" content="width=device-width, initial-scale=1" />',
    '<pre class="n">',
    '<table class="diff">',
    '<th scope="col">',
    '<th scope="row">',
    '<tr class="a">',
    '<tr class="h">',
    '<tr class="n">',
  ]);
  expect([...tags].some((tag) => /script|img|<a|<b>x|link/.test(tag))).toBe(false);
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(html).toContain('a\\u{202e}b\\u{200b}c\\x07\\x1b[31m');
  expect(html).toContain('\\xff\\xfe');
  expect(hiddenCharacters(html)).toEqual([]);
  expect(html).toMatch(/… \(\d+ more bytes\)/);
});

test('P10 a Markdown report holds everything foreign in code that nothing inside can end', async () => {
  const markdown = await report('markdown');
  expect(hiddenCharacters(markdown)).toEqual([]);
  const outside: string[] = [];
  let fence: string | undefined;
  for (const line of markdown.split('\n')) {
    const run = /^(`{3,})[^`]*$/.exec(line)?.[1];
    if (fence === undefined && run !== undefined) fence = run;
    else if (fence !== undefined && line === fence) fence = undefined;
    else if (fence === undefined) outside.push(line);
    else expect(run === undefined || run.length < fence.length).toBe(true);
  }
  expect(fence).toBeUndefined();
  // Spans: a run of backticks ends at the next run of the same length.
  const prose = outside.map((line) => line.replace(/(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)/g, ''));
  for (const line of prose) expect(line).not.toMatch(/[<>`@\u005b\]]|javascript|evil|#\d/);
  expect(markdown).toContain(TAG);
});

test('the review itself gives the text as it is, cut in front of the line of 5 MB', async () => {
  const review = await reviewHandlers(environment)['review/get'](at, context);
  const [file] = review.files;
  expect([file?.cut, file?.insertions]).toEqual([true, 9]);
  expect(file?.text).toContain(`+${HOSTILE.split('\n').join('\n+')}\n`);
  expect(file?.text.length).toBeLessThan(2000);
  expect(review.files[1]?.text).toContain('+\0nul\n');
});
