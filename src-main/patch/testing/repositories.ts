import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Change, SeedEntry } from '../types.ts';

/** What a test wants at a path. */
export type Content = string | Uint8Array | { link: string } | { run: string | Uint8Array };

/** A folder that is removed when the test ends. */
export function testFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'vivarium-test-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Real git as a user runs it, with no configuration of the machine. */
export function git(cwd: string, args: readonly string[], input?: Uint8Array): Buffer {
  const env = {
    PATH: process.env.PATH,
    HOME: '/dev/null',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'A',
    GIT_AUTHOR_EMAIL: 'a@b',
    GIT_COMMITTER_NAME: 'A',
    GIT_COMMITTER_EMAIL: 'a@b',
    LC_ALL: 'C',
  };
  return execFileSync('git', args, {
    cwd,
    env,
    input: input ?? '',
    stdio: ['pipe', 'pipe', 'pipe'],
    maxBuffer: 1 << 30,
  });
}

/** What git says on one line. */
export function gitLine(cwd: string, ...args: string[]): string {
  return git(cwd, args).toString('utf8').trim();
}

export function write(root: string, files: Readonly<Record<string, Content>>): void {
  for (const [path, content] of Object.entries(files)) {
    const full = join(root, path);
    mkdirSync(dirname(full), { recursive: true });
    rmSync(full, { recursive: true, force: true });
    if (typeof content === 'string' || content instanceof Uint8Array) writeFileSync(full, content);
    else if ('link' in content) symlinkSync(content.link, full);
    else {
      writeFileSync(full, content.run);
      chmodSync(full, 0o755);
    }
  }
}

/** A repository with one commit of these files. */
export function repositoryWith(
  files: Readonly<Record<string, Content>>,
  folder = join(testFolder(), 'repo'),
): string {
  mkdirSync(folder, { recursive: true });
  git(folder, ['init', '-q', '-b', 'trunk']);
  write(folder, files);
  commitAll(folder, 'first');
  return folder;
}

export function commitAll(folder: string, message: string): void {
  git(folder, ['add', '-A', '-f']);
  git(folder, ['commit', '-q', '--allow-empty', '-m', message]);
}

/** Every file and link below a folder but `.git`: mode and content, by path. */
export function filesOf(root: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const path of walk(root, (name) => name !== '.git')) {
    const stat = lstatSync(path);
    if (stat.isDirectory()) continue;
    const name = relative(root, path);
    if (stat.isSymbolicLink()) found[name] = `120000 ${readlinkSync(path)}`;
    else {
      const mode = (stat.mode & 0o100) === 0 ? '100644' : '100755';
      found[name] = `${mode} ${readFileSync(path).toString('latin1')}`;
    }
  }
  return found;
}

/** Everything a write would change: names, inodes, modes, times and contents, `.git` included. */
export function fingerprint(root: string): string[] {
  return [...walk(root, () => true)].toSorted().map((path) => {
    const stat = lstatSync(path, { bigint: true });
    const content = stat.isFile()
      ? createHash('sha256').update(readFileSync(path)).digest('hex')
      : stat.isSymbolicLink()
        ? readlinkSync(path)
        : '';
    return [relative(root, path), stat.ino, stat.mode, stat.mtimeNs, stat.ctimeNs, content].join(
      ' ',
    );
  });
}

function* walk(folder: string, enter: (name: string) => boolean): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!enter(entry.name)) continue;
    const path = join(folder, entry.name);
    yield path;
    if (entry.isDirectory()) yield* walk(path, enter);
  }
}

/** Places a seed the way a workspace does. */
export async function unpack(entries: AsyncIterable<SeedEntry>, root: string): Promise<void> {
  for await (const { path, mode, content } of entries) {
    const full = join(root, path);
    mkdirSync(mode === '40000' ? full : dirname(full), { recursive: true });
    if (mode === '40000') continue;
    if (mode === '120000') symlinkSync(Buffer.from(content), full);
    else writeFileSync(full, content, { mode: mode === '100755' ? 0o755 : 0o644 });
  }
}

export function file(path: string, content: string | Uint8Array, executable = false): Change {
  return { path, kind: 'file', executable, content: Buffer.from(content) };
}

export function symlink(path: string, target: string): Change {
  return { path, kind: 'symlink', content: Buffer.from(target) };
}

export function deleted(path: string): Change {
  return { path, kind: 'deleted' };
}
