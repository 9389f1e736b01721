import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { messageOf, VivariumError } from '../../lib/index.ts';
import type { Scaffold } from '../types.ts';
import { BUILT_IN } from './built-in.ts';
import { scaffoldFileSchema, type ScaffoldFile } from './file.ts';
import { createLeafScaffold } from './leaf/scaffold.ts';
import { r2egymFileSchema, type R2egymFile } from './r2egym/file.ts';
import { isPromptFile, readPromptFile } from './r2egym/prompt-file.ts';
import { createR2egymScaffold } from './r2egym/scaffold.ts';
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
  if (file.extends === 'r2egym') return createR2egymScaffold({ ...file, name });
  return createLeafScaffold({ ...file, name });
}

type AnyScaffoldFile = ScaffoldFile | R2egymFile;

/** What a file that is none is told about is decided by what it says it builds on. */
function schemaOf(value: unknown): z.ZodType<AnyScaffoldFile> {
  const base = typeof value === 'object' && value !== null && 'extends' in value && value.extends;
  return base === 'r2egym' ? r2egymFileSchema : scaffoldFileSchema;
}

function promptFileOf(file: string, value: unknown): R2egymFile {
  try {
    return readPromptFile(value);
  } catch (error) {
    const fault = error instanceof z.ZodError ? (error.issues[0]?.message ?? '') : messageOf(error);
    throw invalid(`${file}: ${fault}`, error);
  }
}

/** @throws VivariumError `scaffold_invalid` */
export async function readScaffoldFile(
  nameOrPath: string,
  resourcesDir: string,
): Promise<AnyScaffoldFile> {
  const isPath = PATH_LIKE.test(nameOrPath);
  const file = isPath ? nameOrPath : path.join(resourcesDir, `${nameOrPath}.yaml`);
  const content = await readFile(file, 'utf8').catch(async (error: unknown) => {
    throw isPath
      ? invalid(`Can't read the scaffold file ${file}: ${messageOf(error)}`, error)
      : await noSuchName(nameOrPath, resourcesDir, error);
  });
  const value = yamlOf(file, content);
  if (isPromptFile(value)) return promptFileOf(file, value);
  const parsed = schemaOf(value).safeParse(value);
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
