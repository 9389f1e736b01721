import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import {
  createCore,
  type Core,
  type FixOptions,
  type FixRequest,
} from '../../src-main/core/index.ts';
import type { SessionResult } from '../../src-main/contract/index.ts';

export const IMAGE = process.env.VIVARIUM_TEST_IMAGE ?? 'vivarium-base:latest';

/** One tool call of a scripted reply. */
export interface Call {
  name: string;
  arguments: Record<string, unknown>;
}

/** A scripted reply that makes calls. */
export const turn = (...calls: Call[]) => ({ content: '', tool_calls: calls });
export const read = (file: string): Call => ({ name: 'Read', arguments: { file_path: file } });
export const write = (file: string, content: string): Call => ({
  name: 'Write',
  arguments: { file_path: file, content },
});
export const edit = (file: string, old: string, now: string): Call => ({
  name: 'Edit',
  arguments: { file_path: file, old_string: old, new_string: now },
});
export const bash = (command: string, timeout = 60): Call => ({
  name: 'Bash',
  arguments: { command, timeout },
});

/** A small Python repository with a mistake that its test shows. */
const FILES: Readonly<Record<string, string>> = {
  'calc.py': 'def clamp(x, lo, hi):\n    return max(lo, min(x, lo))\n',
  'test_calc.py':
    'from calc import clamp\n\n\ndef test_inside():\n    assert clamp(2, 0, 3) == 2\n\n\ndef test_below():\n    assert clamp(-1, 0, 3) == 0\n',
};

export const RIGHT = edit('calc.py', 'min(x, lo)', 'min(x, hi)');
export const WRONG = edit('calc.py', 'min(x, lo)', 'min(lo, x)');
export const VERIFY = 'python3 -m pytest -q';

/** A repository, a data folder and a core of one test; all go with `dispose`. */
export interface Setting {
  folder: string;
  repo: string;
  out: string;
  home: string;
  core: Core;
  /** Writes a script, one object a line; returns the MODEL argument. */
  script(...lines: object[]): Promise<string>;
  fix(
    request: Partial<FixRequest> & { model: string },
    options?: FixOptions,
  ): Promise<SessionResult>;
  git(...args: string[]): Promise<string>;
  /** Closes the core and opens a new one on the same data, as another start of the app would. */
  restart(): Promise<Core>;
  dispose(): Promise<void>;
}

const GIT_ENV = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Test',
  GIT_AUTHOR_EMAIL: 'test@example.com',
  GIT_COMMITTER_NAME: 'Test',
  GIT_COMMITTER_EMAIL: 'test@example.com',
};

export async function openSetting(
  files: Readonly<Record<string, string>> = FILES,
): Promise<Setting> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'vivarium-fix-'));
  const repo = path.join(folder, 'repo');
  const home = path.join(folder, 'home');
  const git = async (...args: string[]) =>
    (await execa('git', args, { cwd: repo, env: GIT_ENV })).stdout;
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(repo, name)), { recursive: true });
    await writeFile(path.join(repo, name), content);
  }
  await git('init', '--quiet', '--initial-branch=main');
  await git('add', '--all');
  await git('commit', '--quiet', '--message=start');
  const open = () => createCore({ home, env: process.env });
  let scripts = 0;
  const setting: Setting = {
    folder,
    repo,
    home,
    out: path.join(folder, 'out'),
    core: open(),
    git,
    async script(...lines) {
      scripts += 1;
      const file = path.join(folder, `script-${scripts}.jsonl`);
      await writeFile(file, lines.map((line) => JSON.stringify(line)).join('\n'));
      return `script:${file}`;
    },
    fix: (request, options) =>
      setting.core.fix(
        { repository: repo, issue: 'clamp is wrong', image: IMAGE, out: setting.out, ...request },
        options,
      ),
    async restart() {
      await setting.core.close();
      setting.core = open();
      return setting.core;
    },
    async dispose() {
      await setting.core.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return setting;
}

/** What `git apply` makes of a clean checkout of HEAD; throws when the patch does not apply. */
export async function applied(setting: Setting, patch: string, file: string): Promise<string> {
  const copy = await mkdtemp(path.join(setting.folder, 'copy-'));
  await execa('git', ['clone', '--quiet', setting.repo, copy], { env: GIT_ENV });
  await execa('git', ['apply', '--check', patch], { cwd: copy, env: GIT_ENV });
  await execa('git', ['apply', patch], { cwd: copy, env: GIT_ENV });
  return readFile(path.join(copy, file), 'utf8');
}

/** Ids of containers and volumes that carry a session's label. */
export async function leftovers(sessionId: string): Promise<string[]> {
  const filter = `label=vivarium.session=${sessionId}`;
  const { stdout: containers } = await execa('docker', ['ps', '-aq', '--filter', filter]);
  const { stdout: volumes } = await execa('docker', ['volume', 'ls', '-q', '--filter', filter]);
  return `${containers}\n${volumes}`.split('\n').filter((line) => line !== '');
}
