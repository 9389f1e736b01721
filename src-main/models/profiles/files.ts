import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder, messageOf, VivariumError, writeDurably } from '../../lib/index.ts';
import type { LibraryModel, ModelProfile } from '../servers/types.ts';
import { createProfile } from './create.ts';
import { parseProfile } from './parse.ts';
import { changedText, completedText, newText } from './write-yaml.ts';
import { invalidProfile } from './yaml-text.ts';

/** Where the profile of a model lies. */
export function profileFile(home: string, name: string): string {
  return path.join(home, 'models', name, 'profile.yaml');
}

/**
 * The profile of a model of the library.
 * @throws VivariumError `profile_invalid` with place, what was found and what is expected; also when
 * there is none
 */
export async function readProfile(home: string, name: string): Promise<ModelProfile> {
  const file = profileFile(home, name);
  const text = await textOf(file);
  if (text === null) throw invalidProfile(`${name} has no profile: ${file} is not there`);
  return parseProfile(text, name, file).profile;
}

/** The profile of a model; one that is not there yet is made from its preset and written. */
export async function ensureProfile(home: string, model: LibraryModel): Promise<ModelProfile> {
  const text = await textOf(profileFile(home, model.name));
  if (text !== null) return readProfile(home, model.name);
  const profile = createProfile(model);
  await writeProfile(home, profile);
  return profile;
}

/**
 * Writes `HOME/models/NAME/profile.yaml` in one step. In a file that is there only the members that
 * differ are set: comments and order are the person's.
 * @throws VivariumError `profile_invalid` when what is there cannot be read, so that nothing is lost;
 * `disk_full`, `out_unwritable`
 */
export async function writeProfile(home: string, profile: ModelProfile): Promise<void> {
  const file = profileFile(home, profile.name);
  const old = await textOf(file);
  const text = old === null ? newText(profile) : changedText(old, profile, file);
  // What is written must be readable, whoever made the profile.
  parseProfile(text, profile.name, file);
  if (text !== old) await replace(file, text);
}

/** The profile as YAML text that needs nothing else; comments of the person are kept. */
export async function exportProfile(home: string, name: string): Promise<string> {
  const file = profileFile(home, name);
  const text = await textOf(file);
  if (text === null) throw invalidProfile(`${name} has no profile: ${file} is not there`);
  return completedText(text, name, file);
}

/**
 * Reads a profile that someone else may have written, for the model `name`. Nothing is stored: show
 * {@link importNotes} and hand it to {@link replaceProfile}.
 * @throws VivariumError `profile_invalid`
 */
export function importProfile(text: string, name: string): ModelProfile {
  return parseProfile(text, name, 'the profile').profile;
}

/** Stores an imported text as it is, comments included, in place of the one that is there. */
export async function replaceProfile(
  home: string,
  name: string,
  text: string,
): Promise<ModelProfile> {
  const profile = importProfile(text, name);
  await replace(profileFile(home, name), text.endsWith('\n') ? text : `${text}\n`);
  return profile;
}

/** What of an imported profile a person should know before it is used: programs, paths, variables. */
export function importNotes({
  source,
  chatTemplate,
  environment,
  scaffold,
}: ModelProfile): string[] {
  const notes: string[] = [];
  if (source.kind === 'venv') notes.push(`starts the engine in ${source.folder}`);
  if (source.kind === 'program') notes.push(`starts the program ${source.file}`);
  if (source.kind === 'container') notes.push(`starts the container image ${source.image}`);
  if (chatTemplate !== null) notes.push(`takes the chat template from ${chatTemplate}`);
  if (/[\\/]/.test(scaffold)) notes.push(`uses the scaffold file ${scaffold}`);
  const names = Object.keys(environment);
  if (names.length > 0) notes.push(`hands the engine ${names.join(', ')}`);
  return notes;
}

async function textOf(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw invalidProfile(`${file} can't be read: ${messageOf(error)}`, error);
  }
}

/** A reader sees the old text or the new one; it may hold secrets in `environment`. */
async function replace(file: string, text: string): Promise<void> {
  // A link to a file the person keeps elsewhere stays a link.
  const target = await realpath(file).catch(() => file);
  try {
    await makeFolder(path.dirname(target));
    await writeDurably(target, text);
  } catch (error) {
    throw unwritable(file, error);
  }
}

function unwritable(file: string, error: unknown): VivariumError {
  const full = error instanceof Error && 'code' in error && error.code === 'ENOSPC';
  return new VivariumError(
    full ? 'disk_full' : 'out_unwritable',
    `${file} can't be written: ${messageOf(error)}`,
    full ? 'Free some space and try again.' : 'Check who owns the folder.',
    error,
  );
}
