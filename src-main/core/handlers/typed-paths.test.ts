import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { RESOURCES } from '../environment.ts';
import { openHandlers } from './testing/open.ts';

/** A repository in the home folder, and how a person types it. */
function repositoryAtHome(): { top: string; typed: string } {
  const top = mkdtempSync(path.join(homedir(), '.vivarium-typed-'));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const name = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org'];
  const git = (...words: string[]) => execFileSync('git', ['-C', top, ...name, ...words]);
  git('init', '-q');
  git('commit', '-q', '--allow-empty', '-m', 'A shop');
  return { top, typed: `~/${path.basename(top)}` };
}

test('a repository below ~ is found as a shell would, by the look and by the check', async () => {
  const { handlers, context } = openHandlers();
  const { top, typed } = repositoryAtHome();
  expect((await handlers['repositories/inspect']({ path: typed }, context)).top).toBe(top);
  const { rows } = await handlers['sessions/check']({ repository: typed }, context);
  expect(rows.find(({ name }) => name === 'repository')).toMatchObject({
    state: 'ok',
    found: top,
  });
});

test('a model and an image archive below ~ are looked for there', async () => {
  const { handlers, context } = openHandlers();
  const missing = `~/.vivarium-none-${process.pid}`;
  const full = path.join(homedir(), missing.slice(2));
  const adding = handlers['models/add']({ path: missing }, context);
  await expect(adding.next()).rejects.toMatchObject({
    code: 'model_file_invalid',
    message: expect.stringContaining(full) as string,
  });
});

test('a model that is a pipe or a device is refused in the check, and nothing waits for it', async () => {
  const { folder, handlers, context } = openHandlers();
  mkdirSync(folder, { recursive: true });
  const pipe = path.join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  // More than there are threads for files.
  const models = ['gguf:', 'script:'].flatMap((kind) => Array(4).fill(kind + pipe) as string[]);
  const whole = path.join(RESOURCES, 'models', 'tadpole.gguf');
  const found = await Promise.all(
    [...models, `gguf:${whole}`, 'gguf:/dev/zero'].map(async (model) => {
      const { rows } = await handlers['sessions/check']({ model }, context);
      return rows.find(({ name }) => name === 'model')?.found;
    }),
  );
  expect(found).toEqual([
    ...Array<string>(4).fill(`${pipe} is not a regular file.`),
    ...Array<string>(4).fill(`${pipe} can't be read: it is a pipe or a device, not a file`),
    expect.stringMatching(/^tadpole\.gguf, /),
    '/dev/zero is not a regular file.',
  ]);
});
