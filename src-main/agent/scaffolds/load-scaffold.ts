import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { messageOf, VivariumError } from '../../lib/index.ts';
import type { Scaffold } from '../types.ts';
import { scaffoldFileSchema } from './file.ts';
import { createLeafScaffold } from './leaf/scaffold.ts';

/**
 * A scaffold by name (`leaf`, or a file NAME.yaml in `resourcesDir`) or by the path of a YAML file
 * (anything with a `/` or ending in `.yaml` or `.yml`).
 *
 * @throws VivariumError `scaffold_invalid`, naming the place of the fault.
 */
export async function loadScaffold(nameOrPath: string, resourcesDir: string): Promise<Scaffold> {
  if (nameOrPath === 'leaf') return createLeafScaffold();
  const isPath = /[\\/]|\.ya?ml$/.test(nameOrPath);
  const file = isPath ? nameOrPath : path.join(resourcesDir, `${nameOrPath}.yaml`);
  const content = await textOf(file, isPath ? null : nameOrPath);
  const parsed = scaffoldFileSchema.safeParse(yamlOf(file, content));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const place = issue && issue.path.length > 0 ? `${issue.path.join('.')}: ` : '';
    throw invalid(
      `${file}: ${place}${messageOf(issue?.message ?? 'not a scaffold')}`,
      parsed.error,
    );
  }
  const name = parsed.data.name ?? path.basename(file).replace(/\.ya?ml$/, '');
  return createLeafScaffold({ ...parsed.data, name });
}

async function textOf(file: string, name: string | null): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (name !== null) {
      throw new VivariumError(
        'scaffold_invalid',
        `There is no scaffold named "${name}".`,
        'Use leaf or tadpole, or give the path of a scaffold YAML file.',
        error,
      );
    }
    throw invalid(`Can't read the scaffold file ${file}: ${messageOf(error)}`, error);
  }
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
