import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { messageOf, VivariumError } from '../../../../lib/index.ts';
import { importNotes } from '../../../../models/index.ts';
import type { Console } from '../../console.ts';
import { jsonText, oneLine, safeLines } from '../../render/safe-text.ts';
import { withCore } from '../../with-core.ts';
import { readOverrides, type OverrideOptions } from './overrides.ts';

/** `vivarium models profile show`: the YAML as it is kept. */
export async function showProfile(
  console: Console,
  name: string,
  { json }: { json?: boolean },
): Promise<number> {
  const { profiles } = await withCore(console, async ({ core }) => ({
    profiles: json ? await core.models.profiles.get(name) : await core.models.profiles.export(name),
  }));
  console.out(
    typeof profiles === 'string'
      ? `${safeLines(profiles.trimEnd()).join('\n')}\n`
      : jsonText(profiles),
  );
  return 0;
}

/** `vivarium models profile set`. */
export async function setProfile(
  console: Console,
  name: string,
  options: OverrideOptions & { json?: boolean },
): Promise<number> {
  const overrides = readOverrides(options);
  if (overrides === undefined) {
    throw new VivariumError(
      'usage',
      'nothing to set was named',
      'Say it with --set NAME=VALUE, e.g. --set contextTokens=65536, or --engine-flag --NAME=VALUE.',
    );
  }
  const profile = await withCore(console, ({ core }) => core.models.profiles.set(name, overrides));
  console.out(
    options.json
      ? jsonText(profile)
      : `The profile of ${oneLine(name)} is changed; it holds from the next start on.\n`,
  );
  return 0;
}

/** `vivarium models profile export`: to a file, or to stdout byte for byte. */
export async function exportProfile(
  console: Console,
  name: string,
  file: string | undefined,
): Promise<number> {
  const yaml = await withCore(console, ({ core }) => core.models.profiles.export(name));
  if (file === undefined) {
    console.out(yaml);
    return 0;
  }
  try {
    await writeFile(path.resolve(file), yaml, { flag: 'wx' });
  } catch (error) {
    throw new VivariumError(
      'out_unwritable',
      `${file} cannot be written: ${messageOf(error)}`,
      'Name a new file in a folder that can be written to.',
      error,
    );
  }
  console.err(`Written to ${oneLine(file)}.\n`);
  return 0;
}

/** `vivarium models profile import`. */
export async function importProfile(
  console: Console,
  name: string,
  file: string,
  { json }: { json?: boolean },
): Promise<number> {
  let yaml: string;
  try {
    yaml = await readFile(path.resolve(file), 'utf8');
  } catch (error) {
    throw new VivariumError(
      'profile_invalid',
      `${file} cannot be read: ${messageOf(error)}`,
      'Check the path and its permissions.',
      error,
    );
  }
  const profile = await withCore(console, ({ core }) => core.models.profiles.import(name, yaml));
  const done = `The profile of ${oneLine(name)} is that of ${oneLine(path.basename(file))} now.\n`;
  console.out(json ? jsonText(profile) : done);
  // It may be somebody else's, and can choose programs and files.
  for (const note of importNotes(profile)) console.err(`note: it ${oneLine(note)}\n`);
  return 0;
}
