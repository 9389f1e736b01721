/** A reporter of Node's test runner: a JUnit report in which a test has the path of its file. */
import path from 'node:path';
import process from 'node:process';
import { inspect } from 'node:util';

const MOST = 8192;

const escaped = (text) =>
  text
    .replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`);

export default async function* junit(source) {
  const paths = new Map();
  const printed = new Map();
  const seen = [];
  for await (const { type, data } of source) {
    if (type === 'test:start') follow(paths, data);
    if (type === 'test:stderr') {
      const file = path.resolve(data.file);
      printed.set(file, ((printed.get(file) ?? '') + data.message).slice(0, MOST));
    }
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    seen.push({
      ...data,
      names: (paths.get(data.file) ?? []).slice(0, data.nesting),
      failed: type === 'test:fail',
    });
  }
  yield '<?xml version="1.0" encoding="utf-8"?>\n<testsuites><testsuite name="node">\n';
  for (const test of seen) if (test.details.type !== 'suite') yield caseOf(test, printed);
  yield '</testsuite></testsuites>\n';
}

/** Keeps the names around a test, by its file. */
function follow(paths, { file, nesting, name }) {
  const names = paths.get(file) ?? [];
  names.splice(nesting, names.length, name);
  paths.set(file, names);
}

function caseOf({ file, names, name, failed, skip, todo, details }, printed) {
  // Older releases name no file of one that could not be run: its name is the path.
  const place = file ?? (path.isAbsolute(name) ? name : undefined);
  const own = place === undefined ? '' : path.relative(process.cwd(), place);
  const isFile = names.length === 0 && path.resolve(name) === place;
  const full = isFile ? '[file]' : [...names, name].join(' > ');
  const head = `<testcase classname="${escaped(own)}" name="${escaped(full)}"`;
  if (skip !== undefined || todo !== undefined) return `${head}><skipped/></testcase>\n`;
  if (!failed) return `${head}/>\n`;
  if (!isFile)
    return `${head}><failure type="failed">${told(details.error)}</failure></testcase>\n`;
  const text = printed.get(place) ?? '';
  const type = /\bSyntaxError\b/.test(text) ? 'build' : 'error';
  return `${head}><error type="${type}">${escaped(text)}</error></testcase>\n`;
}

function told(error) {
  return escaped(inspect(error?.cause ?? error, { colors: false }).slice(0, MOST));
}
