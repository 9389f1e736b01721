import { describe, expect, it } from 'vitest';
import { carriesFiles, droppedFolder } from './dropped.ts';

function transfer(kind: 'file' | 'folder' | 'unknown' | 'text') {
  const entry = kind === 'unknown' ? null : { isFile: kind === 'file' };
  const isText = kind === 'text';
  return {
    types: [isText ? 'text/plain' : 'Files'],
    files: isText ? [] : [{ name: 'x' }],
    items: isText ? [] : [{ webkitGetAsEntry: () => entry }],
  } as unknown as DataTransfer;
}

describe('what is dropped', () => {
  const shell = { pathOfFile: () => '/home/me/repo' };
  const odd = { pathOfFile: () => null };
  it.each([
    ['folder', shell, { kind: 'folder', path: '/home/me/repo' }],
    ['unknown', shell, { kind: 'folder', path: '/home/me/repo' }],
    ['file', shell, { kind: 'file' }],
    ['folder', {}, { kind: 'no path' }],
    ['folder', odd, { kind: 'no path' }],
    ['file', {}, { kind: 'file' }],
    ['text', shell, null],
  ] as const)('%s, in %j: %j', (kind, platform, wanted) => {
    expect(droppedFolder(transfer(kind), platform)).toEqual(wanted);
    expect(carriesFiles(transfer(kind))).toBe(kind !== 'text');
  });
  it('nothing', () => {
    expect([droppedFolder(null, shell), carriesFiles(null)]).toEqual([null, false]);
  });
});
