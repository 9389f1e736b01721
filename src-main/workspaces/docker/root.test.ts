import { expect, test } from 'vitest';
import { checkedRoot, checkedScratch } from './root.ts';

test.each([
  '/workspace',
  '/testbed',
  '/app',
  '/go/src/x.y',
  '/usr/src/app',
  '/root/work',
  '/opt/a-b_c',
])('a repository may lie at %s', (root) => expect(checkedRoot(root)).toBe(root));

test('without a word it lies at /workspace', () =>
  expect(checkedRoot(undefined)).toBe('/workspace'));

test.each([
  ...[
    '/',
    '',
    'app',
    '/app/',
    '/a/../etc',
    '/..',
    '/.git',
    '/a b',
    '/a,b',
    '/a\nb',
    '/proc',
    '/proc/1',
  ],
  ...[
    '/sys/x',
    '/dev/shm',
    '/etc',
    '/usr',
    '/usr/bin',
    '/lib64/x',
    '/tmp/x',
    '/home/agent',
    '/home/agent/x',
  ],
])('a repository may not lie at %j', (root) =>
  expect(() => checkedRoot(root)).toThrow(
    expect.objectContaining({ code: 'workspace_path' }) as Error,
  ),
);

test('scratch folders are folders of their own', () => {
  expect(checkedScratch(undefined, '/app')).toEqual([]);
  expect(checkedScratch(['/logs', '/tests'], '/app')).toEqual(['/logs', '/tests']);
});

test.each([
  [['/app']],
  [['/app/logs']],
  [['/']],
  [['/etc']],
  [['/tmp/x']],
  [['/home/agent']],
  [['/logs', '/logs/verifier']],
  [['/logs', '/logs']],
  [['/a', '/b', '/c', '/d', '/e', '/f', '/g', '/h', '/i']],
])('scratch folders may not be %j', (folders) =>
  expect(() => checkedScratch(folders, '/app')).toThrow(
    expect.objectContaining({ code: 'workspace_path' }) as Error,
  ),
);
