import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { logParsers, parseLog } from './index.ts';

/**
 * Second opinion of SWE-bench 5.0.2 itself, installed by `scripts/swebench.sh`: each of its parsers
 * on every log, and on mixed ones that no runner wrote.
 */
const ROOT = path.resolve(import.meta.dirname, '../../../..');
const PYTHON = path.join(ROOT, '.cache/swebench/venv/bin/python');
const HELPER = path.join(ROOT, 'test/support/swebench_maps.py');
const LOGS = path.join(ROOT, 'test/fixtures/test-logs');
const STATUSES = new Set(['PASSED', 'FAILED', 'SKIPPED', 'ERROR', 'XFAIL']);

const missing = existsSync(PYTHON) ? '' : ' (skipped: run scripts/swebench.sh)';

interface Answer {
  parsers: string[];
  maps: (Record<string, string> | null)[];
  reports: { found: boolean; resolved: boolean }[];
}

function ask(maps: unknown[], reports: unknown[]): Answer {
  const input = JSON.stringify({ maps, reports });
  const output = execFileSync(PYTHON, [HELPER], { input, maxBuffer: 1 << 28 });
  return JSON.parse(output.toString()) as Answer;
}

const names = readdirSync(LOGS).filter((name) => name.endsWith('.log'));
const logs = new Map(names.map((name) => [name, readFileSync(path.join(LOGS, name), 'utf8')]));

/** Lines of all logs in an order of chance. */
function mixed(seed: number): string {
  const lines = [...logs.values()].flatMap((log) => log.split('\n'));
  let state = seed;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return Array.from({ length: 150 }, () => lines[next(lines.length)] ?? '').join('\n');
}

/** As Python reads a log file. */
const asPython = (log: string): string => log.replace(/\r\n?/g, '\n');

const FACTS = [
  { instanceId: 'jekyll__jekyll-8047', version: '1.27' },
  { instanceId: 'jekyll__jekyll-8761', version: '9.5' },
  { instanceId: 'immutable-js__immutable-js-2006', version: '3.0' },
  { instanceId: 'immutable-js__immutable-js-2005', version: '2.4' },
] as const;

const BY_FACTS = new Set(['jekyll', 'immutable_js', 'next', 'lighthouse']);

interface Case {
  name: string;
  parser: string;
  facts: (typeof FACTS)[number];
  log: string;
}

function casesOf(name: string, log: string): Case[] {
  return logParsers().flatMap((parser) => {
    const facts = BY_FACTS.has(parser.slice('parse_log_'.length)) ? FACTS : FACTS.slice(0, 1);
    return facts.map((one) => ({ name, parser, facts: one, log: asPython(log) }));
  });
}

describe.skipIf(missing !== '')(`log parsers against SWE-bench 5.0.2${missing}`, () => {
  const mixes = Array.from({ length: 30 }, (_, at): [string, string] => [`mix ${at}`, mixed(at)]);
  const cases = [...logs, ...mixes].flatMap(([name, log]) => casesOf(name, log));
  let answer: Answer = { parsers: [], maps: [], reports: [] };
  beforeAll(() => {
    answer = ask(
      cases.map(({ parser, log, facts }) => [parser, log, facts]),
      [],
    );
  }, 120_000);

  test('the same parsers are known', () => {
    expect(logParsers()).toEqual(answer.parsers);
  });

  test('every parser gives the same results on every log', () => {
    let compared = 0;
    let results = 0;
    const differences: unknown[] = [];
    for (const [at, { name, parser, facts, log }] of cases.entries()) {
      const theirs = answer.maps[at];
      // The original fails itself on what its runner does not write.
      if (theirs === null || theirs === undefined) continue;
      compared += 1;
      const known = Object.entries(theirs).filter(([, status]) => STATUSES.has(status));
      const ours = parseLog(parser, log, facts);
      results += ours.size;
      const same =
        known.length === ours.size && known.every(([test, status]) => ours.get(test) === status);
      if (!same) differences.push([name, parser, facts.version, Object.fromEntries(ours), theirs]);
    }
    expect(differences).toEqual([]);
    expect(compared).toBeGreaterThan(4_500);
    expect(results).toBeGreaterThan(5_000);
  });
});
