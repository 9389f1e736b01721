import type { Task } from '../tasks/types.ts';
import { kept, mended, notFailed } from './expectation.ts';
import { parseLog, type LogFacts } from './parsers/index.ts';
import type { Reading } from './readings.ts';
import type { Evidence } from './types.ts';

/** Lines by which SWE-bench's scripts mark what its parsers read, and how it went. */
const START = '>>>>> Start Test Output';
const END = '>>>>> End Test Output';
const EXIT_CODE = />>>>> Test Exit Code:\s*(-?\d+)/;
const BROKEN = [
  '>>>>> Patch Apply Failed',
  '>>>>> Reset Failed',
  '>>>>> Tests Errored',
  '>>>>> Tests Timed Out',
] as const;

/**
 * Signs that a suite ran though no result could be read: a runner that names only failures. A zero
 * is none: a runner that lost its browser counts to 0, too.
 */
const SUITE_RAN = [
  /Executed [1-9]\d* of \d+/,
  /TOTAL: [1-9]\d* (?:SUCCESS|FAILED)/,
  /[1-9]\d* passing/,
  /Tests:\s+[1-9]\d*/,
  /Test Suites:\s+(?:\d+ \w+, )*[1-9]\d* total/,
  /^# tests [1-9]\d*/m,
  /[1-9]\d* specs?, \d+ failures?/,
  /': ok$/m,
] as const;

interface SweBench {
  parser: string;
  failOnly: boolean;
  facts: LogFacts;
}

/**
 * A log of SWE-bench's evaluation script, graded as version 5 grades it: what lies between the
 * markers is read by the named parser, the whole log where that gives nothing, and the exit code of
 * the test command must not contradict what was read.
 * @throws VivariumError `task_invalid` for a parser that is not known.
 */
export function readSweBench(evidence: Pick<Evidence, 'log'>, how: SweBench): Reading {
  // Python, for which these logs were defined, reads every line end as a line feed.
  const log = Buffer.from(evidence.log).toString('utf8').replace(/\r\n?/g, '\n');
  const broken = BROKEN.find((mark) => log.includes(mark));
  if (broken !== undefined) return { kind: 'nothing', detail: `the log says ${broken.slice(6)}` };
  const start = log.indexOf(START);
  if (start < 0 || !log.includes(END)) {
    return { kind: 'nothing', detail: 'the log lacks the markers around the test output' };
  }
  const inside = between(log, start + START.length);
  let tests = parseLog(how.parser, inside, how.facts);
  if (tests.size === 0) tests = parseLog(how.parser, log, how.facts);
  if (tests.size === 0 && !SUITE_RAN.some((sign) => sign.test(log))) {
    const detail = 'the log has neither results nor a sign that the tests ran';
    return { kind: 'nothing', detail };
  }
  const code = Number(EXIT_CODE.exec(log)?.[1] ?? 0);
  const failures = [...tests.values()].some((status) => status === 'FAILED' || status === 'ERROR');
  if (code !== 0 && tests.size > 0 && !failures) {
    const detail = `the test command ended with code ${code}, but the log shows no failure`;
    return { kind: 'nothing', detail };
  }
  const [failToPass, passToPass] = how.failOnly ? [notFailed, notFailed] : [mended, kept];
  return { kind: 'tests', tests, failToPass, passToPass };
}

/**
 * Tells before a long run of tests that nothing could read them.
 * @throws VivariumError `task_invalid`
 */
export function checkReader(task: Pick<Task, 'name' | 'metadata' | 'verifier'>): void {
  const { reader } = task.verifier;
  if (reader.kind === 'swe-bench') parseLog(reader.parser, '', logFactsOf(task));
}

/** Up to the next marker of either kind. */
function between(log: string, from: number): string {
  const ends = [log.indexOf(START, from), log.indexOf(END, from)].filter((at) => at >= 0);
  return log.slice(from, ends.length === 0 ? undefined : Math.min(...ends));
}

/** What some parsers go by besides the log. */
export function logFactsOf(task: Pick<Task, 'name' | 'metadata'>): LogFacts {
  const own: unknown = task.metadata['vivarium'];
  const member = (name: string): string | undefined => {
    const value = (own as Record<string, unknown> | null | undefined)?.[name];
    return typeof value === 'string' ? value : undefined;
  };
  return { instanceId: member('instance_id') ?? task.name, version: member('version') ?? '' };
}
