import { expect, test } from 'vitest';
import { checkedRoot } from './root.ts';

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
