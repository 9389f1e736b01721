import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { VivariumError } from '../lib/index.ts';
import { objectContents } from './cat-file.ts';
import { importCommit } from './fast-import.ts';
import { makeGitDir } from './git-dir.ts';
import { GitFailure, runGit, streamGit } from './run.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vivarium-test-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

describe('runGit', () => {
  test('raw bytes in and out', async () => {
    const bytes = Buffer.from([0, 255, 13, 10, 26]);
    await makeGitDir(folder, 'sha1');
    const options = { gitDir: folder };
    const { stdout } = await runGit(['hash-object', '-w', '--stdin', '--no-filters'], {
      ...options,
      input: bytes,
    });
    const id = stdout.toString().trim();
    expect((await runGit(['cat-file', 'blob', id], options)).stdout).toEqual(bytes);
  });

  test('a failure has its code, its exit code and what git said on one line', async () => {
    const fault: unknown = await runGit(['rev-parse', 'HEAD'], { cwd: folder }).catch(
      (thrown) => thrown,
    );
    expect(fault).toBeInstanceOf(GitFailure);
    expect(fault).toMatchObject({ code: 'git_failed', exitCode: 128 });
    expect((fault as Error).message.split('\n')).toHaveLength(1);
    expect((fault as Error).message).toContain('not a git repository');
    const okay = await runGit(['rev-parse', 'HEAD'], { cwd: folder, okCodes: [0, 128] });
    expect(okay.exitCode).toBe(128);
  });

  test('git that is not installed', async () => {
    vi.stubEnv('PATH', folder);
    await expect(runGit(['--version'])).rejects.toMatchObject({ code: 'git_missing' });
    await expect(async () => {
      for await (const chunk of streamGit(['--version'])) expect(chunk).toBeUndefined();
    }).rejects.toMatchObject({ code: 'git_missing' });
  });

  test('output is bounded', async () => {
    await expect(runGit(['help', '-a'], { maxOutputBytes: 100 })).rejects.toMatchObject({
      code: 'git_failed',
      message: 'git help failed: its output was larger than allowed',
    });
  });

  test('a cancel ends git and gives the reason of the cancel', async () => {
    const controller = new AbortController();
    await makeGitDir(folder, 'sha1');
    const waiting = runGit(['hash-object', '--stdin'], {
      gitDir: folder,
      input: forever(),
      signal: controller.signal,
    });
    setTimeout(() => controller.abort(new Error('stop now')), 100);
    await expect(waiting).rejects.toThrow('stop now');
    await expect(runGit(['--version'], { signal: controller.signal })).rejects.toThrow('stop now');
  });

  test('what the source of the input throws is the failure', async () => {
    await makeGitDir(folder, 'sha1');
    const fault = new VivariumError('repo_unreadable', 'gone', 'look');
    const input = failing(fault);
    await expect(runGit(['hash-object', '--stdin'], { gitDir: folder, input })).rejects.toBe(fault);
  });

  test('git that ends before its input was read is its own failure', async () => {
    const input = endless();
    await expect(
      runGit(['rev-parse', '--verify', 'nothing'], { cwd: folder, input }),
    ).rejects.toMatchObject({
      code: 'git_failed',
    });
  });

  test('a stream that is left early leaves no process', async () => {
    for await (const chunk of streamGit(['help', '-a'])) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    const children = execFileSync('ps', ['-o', 'args=', '--ppid', String(process.pid)]).toString();
    expect(children).not.toContain('git --no-pager');
  });

  test('no configuration of the machine is read', async () => {
    writeFileSync(join(folder, '.gitconfig'), '[user]\n\tname = Someone\n');
    vi.stubEnv('HOME', folder);
    vi.stubEnv('GIT_CONFIG_GLOBAL', join(folder, '.gitconfig'));
    const { stdout } = await runGit(['config', '--list', '--show-scope'], { cwd: folder });
    const scopes = new Set(
      stdout
        .toString()
        .trim()
        .split('\n')
        .map((line) => line.split('\t')[0]),
    );
    expect([...scopes]).toEqual(['command']);
  });
});

describe('importCommit and objectContents', () => {
  test('content comes back in order; missing objects are said to be missing', async () => {
    await makeGitDir(folder, 'sha1');
    const place = { gitDir: folder };
    const contents = ['', 'a\n', 'x'.repeat(300_000), '\n', 'missing 5\nx'].map((text) =>
      Buffer.from(text),
    );
    const items = contents.map((content, at) => ({
      path: `f${at}`,
      mode: '100644' as const,
      content,
    }));
    await importCommit(
      {
        branch: 'refs/heads/main',
        author: { name: 'A', email: 'a@b', seconds: 0 },
        message: 'm',
        items,
      },
      place,
    );
    const listed = await runGit(['ls-tree', 'refs/heads/main'], place);
    const ids = [...listed.stdout.toString().matchAll(/blob ([0-9a-f]+)/g)].map(
      (match) => match[1] ?? '',
    );
    const asked = [...ids, '0'.repeat(40), ids[1] ?? ''];
    const got: (string | undefined)[] = [];
    for await (const content of objectContents(asked, place)) {
      got.push(content === undefined ? undefined : Buffer.from(content).toString());
    }
    expect(got).toEqual([...contents.map(String), undefined, 'a\n']);
  });

  test('a stream that is shorter or longer than announced makes no commit', async () => {
    await makeGitDir(folder, 'sha1');
    for (const size of [1, 5]) {
      const items = [
        { path: 'f', mode: '100644' as const, size, chunks: once(Buffer.from('abc')) },
      ];
      const author = { name: 'A', email: 'a@b', seconds: 0 };
      await expect(
        importCommit(
          { branch: 'refs/heads/main', author, message: 'm', items },
          { gitDir: folder },
        ),
      ).rejects.toThrow('content has not the');
      await expect(
        runGit(['rev-parse', '--verify', 'refs/heads/main'], { gitDir: folder }),
      ).rejects.toThrow('Needed a single revision');
    }
  });
});

async function* once(chunk: Uint8Array): AsyncGenerator<Uint8Array> {
  yield chunk;
}

async function* failing(fault: Error): AsyncGenerator<Uint8Array> {
  yield Buffer.from('x');
  throw fault;
}

async function* forever(): AsyncGenerator<Uint8Array> {
  for (;;) {
    yield Buffer.from('x');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function* endless(): AsyncGenerator<Uint8Array> {
  for (;;) {
    yield Buffer.alloc(65536);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
