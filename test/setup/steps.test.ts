import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pickMirror, readRelease } from '../../scripts/images/archive.mjs';
import { ownerOf, removeAbandoned } from '../../scripts/images/workbench.mjs';
import { readRecipes, recipeHash } from '../../scripts/images.mjs';
import { missingPackages } from '../../scripts/setup/debian.mjs';
import { withLock } from '../../scripts/setup/lock.mjs';
import { EnvironmentProblem, createReporter, explain } from '../../scripts/setup/report.mjs';
import { lastLine, run } from '../../scripts/setup/run.mjs';

let folder: string;
beforeEach(() => (folder = mkdtempSync(path.join(os.tmpdir(), 'vivarium-steps-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function recordingReporter() {
  const out = new PassThrough();
  let text = '';
  out.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return { reporter: createReporter(out as unknown as NodeJS.WriteStream), text: () => text };
}

async function deadPid(): Promise<number> {
  const child = spawn('true');
  await once(child, 'close');
  return child.pid ?? 0;
}

describe('reporter', () => {
  it('prints one line a step where the output is no terminal', () => {
    const { reporter, text } = recordingReporter();
    const step = reporter.begin('npm packages');
    step.update('1 of 3');
    step.update('2 of 3');
    step.done('installed');
    expect(text()).toBe('  npm packages: installed\n');
  });

  it('prints cause and remedy of an environment problem and answers 3', () => {
    const { reporter, text } = recordingReporter();
    expect(explain(new EnvironmentProblem('no root', ['sudo x']), reporter)).toBe(3);
    expect(text()).toBe('\nSet-up stopped: no root\n  sudo x\n');
    expect(explain(new Error('a bug'), reporter)).toBe(1);
  });
});

describe('run', () => {
  it('answers for a missing program, a failing one and one that does not read', async () => {
    expect(await run('no-such-program-here', [])).toMatchObject({ code: 127 });
    expect(await run('sh', ['-c', 'echo a; echo b >&2; exit 5'])).toEqual({
      code: 5,
      stdout: 'a\n',
      stderr: 'b\n',
    });
    expect((await run('true', [], { input: 'x'.repeat(1e6) })).code).toBe(0);
  });

  it('hands on whole lines', async () => {
    const lines: string[] = [];
    await run('sh', ['-c', 'printf "a"; sleep 0.1; printf "b\\nc\\rd\\n"'], {
      onLine: (line) => lines.push(line),
    });
    expect(lines).toEqual(['ab', 'c', 'd']);
    expect(lastLine({ code: 1, stdout: 'x\n', stderr: 'why\n\n' })).toBe('why');
  });
});

describe('withLock', () => {
  it('lets one in after the other', async () => {
    const file = path.join(folder, 'lock');
    const order: string[] = [];
    const work = (name: string) => async () => {
      order.push(`${name} in`);
      await new Promise((resolve) => setTimeout(resolve, 50));
      order.push(`${name} out`);
    };
    const { reporter } = recordingReporter();
    await Promise.all([withLock(reporter, work('a'), file), withLock(reporter, work('b'), file)]);
    expect(order).toEqual(['a in', 'a out', 'b in', 'b out']);
    expect(existsSync(file)).toBe(false);
  });

  it('takes over at once from one that was killed', async () => {
    const file = path.join(folder, 'lock');
    writeFileSync(file, `${await deadPid()}\n`);
    const { reporter, text } = recordingReporter();
    expect(await withLock(reporter, () => Promise.resolve(readFileSync(file, 'utf8')), file)).toBe(
      `${process.pid}\n`,
    );
    expect(text()).toBe('');
  });
});

describe('system packages', () => {
  it('a docker client without a daemon is not Docker', () => {
    const needs = [
      { debian: 'docker.io', program: 'dockerd' },
      { debian: 'docker.io', program: 'docker' },
      { debian: 'git', program: 'git' },
    ];
    const onPath =
      (...names: string[]) =>
      (name: string) =>
        names.includes(name) ? name : undefined;
    expect(missingPackages(needs, onPath('docker'))).toEqual(['docker.io', 'git']);
    expect(missingPackages(needs, onPath('docker', 'dockerd', 'git'))).toEqual([]);
  });

  it('knows the release', () => {
    expect(readRelease('ID=debian\nVERSION_CODENAME=bookworm\n')).toEqual({
      id: 'debian',
      codename: 'bookworm',
      isDebianLike: true,
    });
    expect(readRelease('ID="ubuntu"\nVERSION_CODENAME="noble"')).toMatchObject({
      codename: 'noble',
    });
    expect(readRelease('ID=fedora')).toMatchObject({ isDebianLike: false });
  });

  it("picks the machine's own mirror of the release", () => {
    const rows = [
      'https://third.example/apt/|bookworm|main|Third',
      'http://security.example/debian-security/|bookworm-security|main|Debian',
      'http://mirror.example/debian/|bookworm|contrib|Debian',
      'http://mirror.example/debian/|bookworm|main|Debian',
    ];
    expect(pickMirror(rows.join('\n'), 'bookworm')).toBe('http://mirror.example/debian/');
    expect(pickMirror(rows.slice(0, 3).join('\n'), 'bookworm')).toBeUndefined();
    expect(pickMirror('http://fresh.example/debian/|bookworm|main|', 'bookworm')).toBe(
      'http://fresh.example/debian/',
    );
    expect(pickMirror('cdrom:[disk]/|bookworm|main|Debian', 'bookworm')).toBeUndefined();
  });
});

describe('image recipes', () => {
  it('have a hash that changes with what goes in, and with what they start from', () => {
    const recipes = readRecipes();
    const base = recipeHash(recipes, 'base', 'bookworm');
    expect(base).toMatch(/^[0-9a-f]{16}$/);
    expect(recipeHash(readRecipes(), 'base', 'bookworm')).toBe(base);
    expect(recipeHash(recipes, 'base', 'trixie')).not.toBe(base);
    const more = structuredClone(recipes);
    more.images.base.packages.push('make');
    expect(recipeHash(more, 'base', 'bookworm')).not.toBe(base);
    const test = recipeHash(recipes, 'test', 'bookworm');
    expect(recipeHash(more, 'test', 'bookworm')).not.toBe(test);
  });

  it('half-built trees of dead builders are removed, those of live ones and other folders stay', async () => {
    const dead = `vivarium-image-${await deadPid()}-abc`;
    const live = `vivarium-image-${process.ppid}-abc`;
    for (const name of [dead, live, 'vivarium-image-x', 'other']) {
      mkdirSync(path.join(folder, name, 'tree/usr'), { recursive: true });
    }
    expect(ownerOf(live)).toBe(process.ppid);
    expect(await removeAbandoned(folder)).toEqual([dead]);
    expect(existsSync(path.join(folder, dead))).toBe(false);
    expect(existsSync(path.join(folder, live, 'tree/usr'))).toBe(true);
    expect(existsSync(path.join(folder, 'other'))).toBe(true);
  });
});
