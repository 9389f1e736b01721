import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { logParsers, parseLog } from './index.ts';

const LOGS = path.resolve(import.meta.dirname, '../../../../test/fixtures/test-logs');
const FACTS = { instanceId: 'x__x-1', version: '1.0' };

interface Row {
  log: string;
  parser: string;
  instanceId: string;
  version: string;
  results: Record<string, string>;
}

const rows = JSON.parse(readFileSync(path.join(LOGS, 'expected.json'), 'utf8')) as Row[];

test.each(rows)('$parser reads $log', ({ log, parser, results, ...facts }) => {
  const text = readFileSync(path.join(LOGS, `${log}.log`), 'utf8');
  expect(Object.fromEntries(parseLog(parser, text, facts))).toEqual(results);
});

test('57 names are known, and another one is refused', () => {
  expect(logParsers()).toHaveLength(57);
  for (const name of ['parse_log_nothing', '', 'pytest', 'constructor', '__proto__']) {
    expect(() => parseLog(name, '', FACTS)).toThrow(
      expect.objectContaining({ code: 'task_invalid' }) as Error,
    );
  }
});

test('a runner that cannot be told from the facts is refused', () => {
  const of = (parser: string, facts: typeof FACTS) => () => parseLog(parser, 'x', facts);
  const refused = expect.objectContaining({ code: 'task_invalid' }) as Error;
  expect(of('parse_log_jekyll', FACTS)).toThrow(refused);
  expect(of('parse_log_immutable_js', FACTS)).toThrow(refused);
  expect(of('parse_log_lighthouse', { ...FACTS, version: '' })).toThrow(refused);
});

test('logs that were made to take for ever do not', () => {
  const piece = "[ OK ] x (  1) a: Error <a> ✓ /tmp/x FAILED. = 'ok ... Chrome 1 (Linux x) ";
  const wide = `${piece.repeat(5_000)}\n`;
  const deep = '  1) <b>\n \n({[\n'.repeat(5_000);
  for (const parser of logParsers()) {
    if (['parse_log_jekyll', 'parse_log_immutable_js'].includes(parser)) continue;
    const began = performance.now();
    parseLog(parser, wide + deep, FACTS);
    expect([parser, performance.now() - began < 5_000]).toEqual([parser, true]);
  }
});
