import path from 'node:path';
import type { OutputOf, ParsedInputOf } from '../../contract/index.ts';
import { downloadOf, exportLeaf, exportOne, exportResult } from '../../fix/index.ts';
import { hiddenCharacters, shellWord, VivariumError } from '../../lib/index.ts';
import type { Environment } from '../environment.ts';
import { recoverPatches } from '../sessions.ts';

/** Writes the files of a review into a folder that the user named; see `review/export`. */
export async function exportReview(
  environment: Environment,
  { session, attempt, format, out }: ParsedInputOf<'review/export'>,
): Promise<OutputOf<'review/export'>> {
  const { store, config } = environment;
  const { sessionId, repository } = store.session(session);
  await recoverPatches(environment, sessionId);
  const folder = absolute(out);
  if (format === 'leaf') {
    return { files: await exportLeaf(store, sessionId, folder), command: null };
  }
  if (format !== 'patch') {
    const files = await exportOne(store, sessionId, { out: folder, format, attemptId: attempt });
    return { files, command: format === 'mbox' ? command(repository, ['am'], files[0]) : null };
  }
  const options = { out: folder, home: config.home, attemptId: attempt };
  const files = await exportResult(store, sessionId, options);
  const applies = lastExport(environment, sessionId);
  const way = applies ? [] : ['--3way'];
  return { files, command: command(repository, ['apply', ...way], files[0]) };
}

/** One file as bytes, for a browser; see `review/download`. */
export async function downloadReview(
  environment: Environment,
  { session, attempt, format }: ParsedInputOf<'review/download'>,
): Promise<OutputOf<'review/download'>> {
  const { store } = environment;
  const { sessionId } = store.session(session);
  await recoverPatches(environment, sessionId);
  const { name, suffix, mime, bytes } = downloadOf(store, sessionId, {
    format,
    attemptId: attempt,
  });
  return { name: `${name}${suffix}`, mime, base64: Buffer.from(bytes).toString('base64') };
}

/** Whether the export that was just recorded found that the patch applies. */
function lastExport({ store }: Environment, sessionId: string): boolean {
  const last = store.events({ sessionId }).findLast(({ body }) => body.type === 'patch.exported');
  return last?.body.type === 'patch.exported' && last.body.appliesToWorkingTree;
}

/** A relative folder would be one of the server's, which the user does not see. */
function absolute(out: string): string {
  if (path.isAbsolute(out)) return path.resolve(out);
  throw new VivariumError(
    'usage',
    'the folder to export to is not an absolute path',
    'Give the whole path of the folder.',
  );
}

/** `null` where a name cannot be copied safely: what is shown would not be what is pasted. */
function command(
  repository: string,
  verb: readonly string[],
  file: string | undefined,
): string | null {
  if (file === undefined) return null;
  const words = ['git', '-C', repository, ...verb, file];
  const hidden = words.some((word) => hiddenCharacters(word).length > 0 || /[\t\n]/.test(word));
  return hidden ? null : words.map(shellWord).join(' ');
}
