import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { notAppliedEvidence, verdictOf } from '../verdict.ts';
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

/** Blocks of one to nine lines of all logs in an order of chance. */
function mixed(seed: number): string {
  const lines = [...logs.values()].flatMap((log) => log.split('\n'));
  let state = seed;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const blocks = Array.from({ length: 40 }, () => {
    const start = next(lines.length);
    return lines.slice(start, start + 1 + next(9)).join('\n');
  });
  return blocks.join('\n');
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

/** Logs and lists of expected tests, graded by both. */
const START = '>>>>> Start Test Output';
const END = '>>>>> End Test Output';
const INSIDE = [
  ['PASSED t::a', 'PASSED t::b'],
  ['PASSED t::a', 'FAILED t::b - x'],
  ['XFAIL t::a', 'SKIPPED t::b x'],
  ['SKIPPED t::a x', 'PASSED t::b'],
  ['ERROR t::a', 'PASSED t::b'],
  ['PASSED t::p[log(x_1]', 'PASSED t::p[log(x_2]', 'PASSED t::a'],
  ['PASSED t::p[log(x_1]', 'FAILED t::p[log(x_2]', 'PASSED t::a'],
  ['PASSED t::p[log(x_1]', 'XFAIL t::p[log(x_2]', 'PASSED t::a'],
  ['1) t::a', '2) t::c'],
  ['Executed 0 of 0'],
  ['Executed 3 of 3'],
  ['Tests:       3 passed, 3 total', 'Test Suites: 1 passed, 1 total'],
  ['10 specs, 0 failures'],
  ['ModuleNotFoundError: x'],
  [],
];
const LISTS: [string[], string[]][] = [
  [['t::a'], ['t::b']],
  [['t::a', 't::p[log(x'], []],
  [['t::missing'], ['t::a']],
  [[], ['t::a']],
  [['t::a'], []],
];

function gradings() {
  const frames = (text: string): string[] => [
    `${START}\n${text}\n${END}\n`,
    `${START}\n${text}\n${END}\n>>>>> Test Exit Code: 0\n`,
    `x\r\n${START}\r\n${text.replaceAll('\n', '\r\n')}\r\n${END}\n>>>>> Test Exit Code: 1\n`,
    `${text}\n${START}\n${END}\n`,
    `${START}\n${text}\n`,
    `${START}\n${text}\n${START}\nFAILED t::a\n${END}\n`,
    `${START}\n${text}\n${END}\n>>>>> Tests Timed Out`,
  ];
  return INSIDE.flatMap((lines) =>
    frames(lines.join('\n')).flatMap((log) =>
      LISTS.flatMap(([failToPass, passToPass]) =>
        (['parse_log_pytest', 'parse_log_marked'] as const).flatMap((parser) =>
          [false, true].map((failOnly) => ({ log, failToPass, passToPass, parser, failOnly })),
        ),
      ),
    ),
  );
}

describe.skipIf(missing !== '')(`log parsers against SWE-bench 5.0.2${missing}`, () => {
  const mixes = Array.from({ length: 30 }, (_, at): [string, string] => [`mix ${at}`, mixed(at)]);
  const cases = [...logs, ...mixes].flatMap(([name, log]) => casesOf(name, log));
  const graded = gradings();
  let answer: Answer = { parsers: [], maps: [], reports: [] };
  beforeAll(() => {
    answer = ask(
      cases.map(({ parser, log, facts }) => [parser, log, facts]),
      graded.map(({ log, failToPass, passToPass, parser, failOnly }) => [
        {
          ...{ instance_id: 'x__x-1', version: '1', log_parser: parser },
          ...{ FAIL_TO_PASS: failToPass, PASS_TO_PASS: passToPass },
          eval_type: failOnly ? 'fail_only' : 'pass_and_fail',
        },
        log,
      ]),
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

  test('every log is graded alike: what it finds no results in is not graded here', () => {
    const differences: unknown[] = [];
    for (const [at, { log, failToPass, passToPass, parser, failOnly }] of graded.entries()) {
      const theirs = answer.reports[at];
      const reader = { kind: 'swe-bench', parser, failOnly } as const;
      const verifier = { on: 'patch', timeoutMs: 1, env: {}, protect: [], reader } as const;
      const { state, resolved } = verdictOf(
        { name: 'x__x-1', verifier, expected: { failToPass, passToPass }, metadata: {} },
        { ...notAppliedEvidence(), applied: true, log: Buffer.from(log) },
      );
      const same = theirs?.found === (state === 'graded') && theirs.resolved === resolved;
      if (!same) differences.push([log, failToPass, passToPass, parser, failOnly, state, theirs]);
    }
    expect(differences).toEqual([]);
    expect(answer.reports.filter((one) => one.resolved).length).toBeGreaterThan(100);
    expect(answer.reports.filter((one) => !one.found).length).toBeGreaterThan(100);
  });
});
