import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { demultiplexer } from '../docker/exec-stream.ts';
import { DEFAULT_LIMITS, fitLimits, fitParallel } from '../limits.ts';
import { BoundedOutput } from './bounded-output.ts';
import { absolutePath, shellWord, splitPath } from './quote.ts';
import { decodeStatus, encodeRun } from './run-request.ts';

describe('quoting', () => {
  test('W05 a word is exactly its text for a shell', () => {
    const text = `a 'b' "c" $(id) \`id\` \\ \n * ~ ! # ${String.fromCharCode(1, 127)} ü€`;
    expect(execFileSync('sh', ['-c', `printf %s ${shellWord(text)}`]).toString()).toBe(text);
  });

  test('W05 paths are split for the kernel to resolve', () => {
    const split = (path: string) => splitPath(path, '/workspace', '/home/agent');
    expect(split('a/b')).toEqual({ folder: '/workspace/a', name: 'b' });
    expect(split('/x')).toEqual({ folder: '/', name: 'x' });
    expect(split('~/x')).toEqual({ folder: '/home/agent', name: 'x' });
    expect(split('~')).toEqual({ folder: '/home/agent', name: '.' });
    expect(split('~user/x')).toEqual({ folder: '/workspace/~user', name: 'x' });
    expect(split('a/..')).toEqual({ folder: '/workspace/a/..', name: '.' });
    expect(split('a/')).toEqual({ folder: '/workspace/a', name: '.' });
    expect(split('/')).toEqual({ folder: '/', name: '.' });
    expect(split('.')).toEqual({ folder: '/workspace/.', name: '.' });
    expect(absolutePath('/workspace', '/workspace', '/home/agent')).toBe('/workspace');
    for (const bad of ['', 'a\0b', 'x'.repeat(5_000)]) {
      expect(() => split(bad)).toThrow(expect.objectContaining({ code: 'workspace_path' }));
    }
  });
});

describe('bounded output', () => {
  const collect = (keep: { head: number; tail: number }, chunks: string[]) => {
    const output = new BoundedOutput(keep);
    for (const chunk of chunks) output.push(Buffer.from(chunk));
    const { head, tail, totalBytes } = output.result();
    return [Buffer.from(head).toString(), Buffer.from(tail).toString(), totalBytes];
  };

  test('B04 head and tail never overlap, and the length is true', () => {
    expect(collect({ head: 4, tail: 3 }, ['abc'])).toEqual(['abc', '', 3]);
    expect(collect({ head: 4, tail: 3 }, ['abcd'])).toEqual(['abcd', '', 4]);
    expect(collect({ head: 4, tail: 3 }, ['abcde'])).toEqual(['abcd', 'e', 5]);
    expect(collect({ head: 4, tail: 3 }, ['ab', 'cdefgh', 'i'])).toEqual(['abcd', 'ghi', 9]);
    expect(collect({ head: 0, tail: 3 }, ['abcdef'])).toEqual(['', 'def', 6]);
    expect(collect({ head: 3, tail: 0 }, ['abcdef', 'g'])).toEqual(['abc', '', 7]);
    expect(collect({ head: 3, tail: 3 }, [])).toEqual(['', '', 0]);
  });

  test('B04 a long stream in small chunks keeps its last bytes', () => {
    const chunks = Array.from({ length: 100_000 }, (_, at) => `${at}\n`);
    const [head, tail, total] = collect({ head: 5, tail: 12 }, chunks);
    expect([head, tail, total]).toEqual(['0\n1\n2', '99998\n99999\n', chunks.join('').length]);
  });
});

test('B06 the engine framing is undone wherever the chunks are cut', () => {
  const frame = (stream: number, text: string) =>
    Buffer.concat([Buffer.from([stream, 0, 0, 0, 0, 0, 0, text.length]), Buffer.from(text)]);
  const bytes = Buffer.concat([frame(1, 'out'), frame(2, 'err'), frame(1, ''), frame(1, 'more')]);
  for (let size = 1; size <= bytes.length; size += 1) {
    const got = { stdout: '', stderr: '' };
    const take = demultiplexer((name, chunk) => (got[name] += chunk.toString()));
    for (let at = 0; at < bytes.length; at += size) take(bytes.subarray(at, at + size));
    expect(got).toEqual({ stdout: 'outmore', stderr: 'err' });
  }
});

describe('runs', () => {
  test("B08 a status names code or signal; git's 129 stays a code", () => {
    expect(decodeStatus('0 3 / 1 7')).toEqual({
      exitCode: 0,
      signal: null,
      oomKills: 3,
      left: [],
      known: [1, 7],
    });
    expect(decodeStatus('137 - 12 7 /')).toEqual({
      exitCode: null,
      signal: 'KILL',
      oomKills: null,
      left: [12, 7],
      known: [],
    });
    expect(decodeStatus('129 0 / 1')).toMatchObject({ exitCode: 129, signal: null });
    expect(decodeStatus('255 0 / 1')).toMatchObject({ exitCode: 255, signal: null });
    expect(decodeStatus('')).toBeUndefined();
    expect(decodeStatus('0 0 / 1; x')).toBeUndefined();
  });

  test('W05 nothing of a request reaches the shell unquoted', () => {
    const request = { command: "'; id; '", env: { A: "'" }, timeoutMs: 1 };
    expect(encodeRun(request, 'id1', "/a'b", '/bin/bash', [7, 8]).code).toBe(
      `vv_run id1 '/a'\\''b' '/bin/bash' -lc ''\\''; id; '\\''' '7 8' 'A='\\'''`,
    );
  });
});

test('limits are completed, cut to the machine, and the cuts are said', () => {
  const machine = { cpus: 1, memoryBytes: 2 ** 31 };
  expect(fitLimits({}, { cpus: 8, memoryBytes: 2 ** 35 })).toEqual({
    limits: DEFAULT_LIMITS,
    notes: [],
  });
  const { limits, notes } = fitLimits({ pids: 9 }, machine);
  expect(limits).toEqual({
    memoryBytes: 1.5 * 2 ** 30,
    cpus: 1,
    pids: 9,
    diskBytes: 1.5 * 2 ** 30,
    inodes: 400_000,
  });
  expect(notes).toEqual([
    'memory cut to 1.5 GiB, three quarters of what the engine has',
    'processors cut to 1, all the engine has',
    'disk cut to 1.5 GiB: its pages count as memory',
  ]);
});

test('attempts at the same time are cut to what an engine of that size can open', () => {
  expect(fitParallel(8, { cpus: 2 })).toEqual({ parallel: 8, note: null });
  expect(fitParallel(1000, { cpus: 2 })).toEqual({
    parallel: 8,
    note: 'attempts at the same time cut to 8, 4 for each processor of the engine',
  });
  expect(fitParallel(1, { cpus: 0 })).toEqual({ parallel: 1, note: null });
});

test('more processes than Linux has numbers for are cut', () => {
  const { limits, notes } = fitLimits({ pids: 99_999_999_999 }, { cpus: 8, memoryBytes: 2 ** 35 });
  expect([limits.pids, notes]).toEqual([
    4_194_304,
    ['processes cut to 4194304, all that Linux has numbers for'],
  ]);
});
