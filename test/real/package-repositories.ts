import { chmod, cp, mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { execa } from 'execa';
import { z } from 'zod';
import { git } from './build-repository.ts';

/** Real packages of Go and npm, with the checksums that they were looked at with. */
const YAML = {
  module: 'gopkg.in/yaml.v3@v3.0.1',
  sum: 'h1:fxVm/GzAzEWqLHuvctI91KS9hhNmmWOoWu0XTYJS7CA=',
};
const MINIMIST = {
  name: 'minimist@1.2.8',
  integrity:
    'sha512-2yyAR8qBkN3YuheJanUpWC5U3bb5osDywNB8RzDVlDwDHbocAJveqqj1u8+SVD7jkWT4yvsHCpWqqWqAxb0zCA==',
};

const moduleSchema = z.object({ Dir: z.string(), Sum: z.literal(YAML.sum) });
const packedSchema = z.tuple([
  z.object({ filename: z.string(), integrity: z.literal(MINIMIST.integrity) }),
]);

/**
 * The module with what its tests import in `vendor/`, in one commit below `folder`.
 *
 * @throws when the module cannot be had, or is another
 */
export async function yamlRepository(folder: string): Promise<string> {
  const { stdout } = await execa('go', ['mod', 'download', '-json', YAML.module], { cwd: folder });
  const { Dir } = moduleSchema.parse(JSON.parse(stdout));
  const repository = path.join(folder, 'yaml');
  await cp(Dir, repository, { recursive: true });
  // Files of the module cache are read-only.
  await makeWritable(repository);
  const go = (...args: string[]) =>
    execa('go', args, { cwd: repository, env: { GOFLAGS: '-mod=mod' } });
  // A module that says nothing of its version takes no heed of vendor/.
  await go('mod', 'edit', '-go=1.16');
  await go('mod', 'tidy');
  await go('mod', 'vendor');
  return committed(repository, YAML.module);
}

/** The package as npm has it, tests included, in one commit below `folder`. Throws as the other. */
export async function minimistRepository(folder: string): Promise<string> {
  const args = ['pack', MINIMIST.name, '--json', '--pack-destination', folder];
  const { stdout } = await execa('npm', args, { cwd: folder });
  const [{ filename }] = packedSchema.parse(JSON.parse(stdout));
  const repository = path.join(folder, 'minimist');
  await mkdir(repository);
  const archive = path.join(folder, filename);
  await execa('tar', ['xzf', archive, '-C', repository, '--strip-components=1', '--no-same-owner']);
  return committed(repository, MINIMIST.name);
}

async function makeWritable(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) await makeWritable(file);
    else await chmod(file, 0o644);
  }
}

async function committed(repository: string, message: string): Promise<string> {
  await git(repository, 'init', '--quiet', '--initial-branch=main');
  await git(repository, 'add', '--all', '--force');
  await git(repository, 'commit', '--quiet', '--message', message);
  return repository;
}
