import { XMLParser } from 'fast-xml-parser';
import { lineName, MAX_TESTS, type TestResult } from './test-results.ts';

/** A report above this size is not parsed. */
export const MAX_REPORT_BYTES = 32 * 1024 * 1024;

const MAX_DEPTH = 64;

const NAMED = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** Undoes XML's five names and character numbers, once; anything else stays as written. */
function decode(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{2,4}));/gi, (whole, dec, hex, name) => {
    if (typeof name === 'string') return NAMED.get(name) ?? whole;
    const code = typeof dec === 'string' ? Number(dec) : Number.parseInt(String(hex), 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

type Element = Record<string, unknown>;

function elements(value: unknown): Element[] {
  const list = Array.isArray(value) ? value : [value];
  return list.filter((item): item is Element => typeof item === 'object' && item !== null);
}

function attribute(element: Element, name: string): string {
  const value = element[`@${name}`];
  return typeof value === 'string' ? decode(value) : '';
}

/** A result with pytest's expected failures told apart from skipped tests. */
export interface JunitCase {
  /** On one line and bounded, see {@link lineName}. */
  name: string;
  status: TestResult['status'] | 'xfailed';
  /** Of its failure or error, as the report has it; empty where there is none. */
  type: string;
  /** Message and text of its failure or error; empty where there is none. */
  output: string;
}

function statusOf(testcase: Element): JunitCase['status'] {
  if ('error' in testcase) return 'error';
  if ('failure' in testcase) return 'failed';
  if (!('skipped' in testcase)) return 'passed';
  const [skipped] = elements(testcase['skipped']);
  return skipped !== undefined && attribute(skipped, 'type') === 'pytest.xfail'
    ? 'xfailed'
    : 'skipped';
}

function failureOf(testcase: Element): Pick<JunitCase, 'type' | 'output'> {
  const value = testcase['failure'] ?? testcase['error'];
  const first: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof first === 'string') return { type: '', output: decode(first) };
  const [found = {}] = elements(first);
  const text = typeof found['#text'] === 'string' ? decode(found['#text']) : '';
  const message = attribute(found, 'message');
  const output = text.includes(message) ? text : `${message}\n${text}`;
  return { type: attribute(found, 'type'), output };
}

/**
 * A test's name as its runner's command line takes it: `tests/test_a.py::Class::test_b` where the
 * report names the file (pytest's `xunit1` form does), else class and name joined by `::`.
 */
function nameOf(testcase: Element): string {
  const name = attribute(testcase, 'name');
  const className = attribute(testcase, 'classname');
  const file = attribute(testcase, 'file');
  const module = file.replace(/\.py$/, '').replaceAll('/', '.');
  if (file.endsWith('.py') && `${className}.`.startsWith(`${module}.`)) {
    const classes = className.slice(module.length + 1);
    return [file, ...(classes === '' ? [] : classes.split('.')), name].join('::');
  }
  // A file that could not be collected.
  if (className === '' && name === module) return file;
  return className === '' ? name : `${className}::${name}`;
}

/**
 * Reads a JUnit report as hostile data: bounded, no document type, no entities, no link followed.
 *
 * @returns the results in the report's order, or `undefined` when it is no report that we read
 */
export function parseJunit(bytes: Uint8Array): TestResult[] | undefined {
  return junitCases(bytes)?.map(({ name, status }) => ({
    name,
    status: status === 'xfailed' ? 'skipped' : status,
  }));
}

/** As {@link parseJunit}, with expected failures told apart. */
export function junitCases(bytes: Uint8Array): JunitCase[] | undefined {
  if (bytes.length > MAX_REPORT_BYTES) return undefined;
  const text = new TextDecoder().decode(bytes);
  if (/<!(DOCTYPE|ENTITY)/i.test(text)) return undefined;
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    processEntities: false,
    parseTagValue: false,
    parseAttributeValue: false,
    maxNestedTags: MAX_DEPTH,
  });
  let root: unknown;
  try {
    // `true`: a cut or malformed report is refused instead of read in part.
    root = parser.parse(text, true);
  } catch {
    return undefined;
  }
  return collect(elements(root)[0]);
}

function collect(root: Element | undefined): JunitCase[] | undefined {
  if (root === undefined || !('testsuites' in root || 'testsuite' in root)) return undefined;
  const results: JunitCase[] = [];
  const waiting = [root];
  for (let suite = waiting.pop(); suite !== undefined; suite = waiting.pop()) {
    for (const testcase of elements(suite['testcase'])) {
      if (results.length >= MAX_TESTS) return undefined;
      const name = lineName(nameOf(testcase));
      results.push({ name, status: statusOf(testcase), ...failureOf(testcase) });
    }
    const inner = [...elements(suite['testsuites']), ...elements(suite['testsuite'])];
    // One by one: a hostile report can hold more suites than a call takes arguments.
    for (const nested of inner.toReversed()) waiting.push(nested);
  }
  return results;
}
