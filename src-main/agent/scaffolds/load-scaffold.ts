import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { messageOf, VivariumError } from '../../lib/index.ts';
import type { Scaffold } from '../types.ts';
import { BUILT_IN } from './built-in.ts';
import { scaffoldFileSchema, type ScaffoldFile } from './file.ts';
import { createLeafScaffold } from './leaf/scaffold.ts';
import { scaffoldNames } from './scaffold-names.ts';

const PATH_LIKE = /[\\/]|\.ya?ml$/;

/**
 * A scaffold by name (one of {@link BUILT_IN}, or a file NAME.yaml in `resourcesDir`) or by the path
 * of a YAML file (anything with a `/` or ending in `.yaml` or `.yml`).
 *
 * @throws VivariumError `scaffold_invalid`, naming the place of the fault.
 */
export async function loadScaffold(nameOrPath: string, resourcesDir: string): Promise<Scaffold> {
  const coded = BUILT_IN.get(nameOrPath);
  if (coded !== undefined) return coded.create();
  const file = await readScaffoldFile(nameOrPath, resourcesDir);
  const name = file.name ?? path.basename(nameOrPath).replace(/\.ya?ml$/, '');
  return createLeafScaffold({ ...file, name });
}

/** @throws VivariumError `scaffold_invalid` */
export async function readScaffoldFile(
  nameOrPath: string,
  resourcesDir: string,
): Promise<ScaffoldFile> {
  const isPath = PATH_LIKE.test(nameOrPath);
  const file = isPath ? nameOrPath : path.join(resourcesDir, `${nameOrPath}.yaml`);
  const content = await readFile(file, 'utf8').catch(async (error: unknown) => {
    throw isPath
      ? invalid(`Can't read the scaffold file ${file}: ${messageOf(error)}`, error)
      : await noSuchName(nameOrPath, resourcesDir, error);
  });
  const parsed = scaffoldFileSchema.safeParse(yamlOf(file, content));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const place = issue && issue.path.length > 0 ? `${issue.path.join('.')}: ` : '';
  throw invalid(`${file}: ${place}${messageOf(issue?.message ?? 'not a scaffold')}`, parsed.error);
}

async function noSuchName(
  name: string,
  resourcesDir: string,
  cause: unknown,
): Promise<VivariumError> {
  const names = (await scaffoldNames(resourcesDir)).join(', ');
  const there = await stat(name).catch(() => null);
  if (there === null) {
    return new VivariumError(
      'scaffold_invalid',
      `There is no scaffold named "${name}".`,
      `Use one of ${names}, or give the path of a scaffold YAML file.`,
      cause,
    );
  }
  const what = there.isDirectory() ? 'folder' : 'file';
  return new VivariumError(
    'scaffold_invalid',
    `There is no scaffold named "${name}"; it is a ${what} here, and the name of a scaffold file ends in .yaml.`,
    what === 'file'
      ? `Rename it to end in .yaml, or name it as a path: ./${name}`
      : `Use one of ${names}, or give the path of a scaffold YAML file.`,
    cause,
  );
}

function yamlOf(file: string, content: string): unknown {
  try {
    return parse(content);
  } catch (error) {
    throw invalid(`${file} is not YAML: ${messageOf(error)}`, error);
  }
}

function invalid(message: string, cause: unknown): VivariumError {
  return new VivariumError(
    'scaffold_invalid',
    message,
    'Correct the scaffold file; its members are described in docs/scaffolds.md.',
    cause,
  );
}
