import type { RunResult } from '../../../workspaces/index.ts';
import { decodeOutput, shorten } from '../text/output.ts';
import { absolute } from './editor/place.ts';
import {
  done,
  plainArgument,
  type Arguments,
  type FunctionContext,
  type Outcome,
} from './outcome.ts';

const MOST_FILES = 100;
const FILE_CHARACTERS = 20_000;
const KEEP_BYTES = 4 * 1024 * 1024;

/**
 * Per Python file how many lines hold the term; NUL separated, since names may hold anything. With
 * GNU grep at once, else file by file. Hidden names are skipped, links not followed.
 */
const COUNT = `
cd "$SEARCH_FOLDER" 2>/dev/null || exit 2
if printf x | LC_ALL=C grep -FZc x >/dev/null 2>&1; then
  find . -mindepth 1 -name '.*' -prune -o -type f -name '*.py' -print0 |
    LC_ALL=C xargs -0 -r grep -FaHZc -e "$SEARCH_TERM" --
else
  find . -mindepth 1 -name '.*' -prune -o -type f -name '*.py' -exec sh -c '
    for file; do
      count=$(LC_ALL=C grep -Fc -e "$SEARCH_TERM" -- "$file")
      [ "$count" = 0 ] || printf "%s\\0%s\\n" "$file" "$count"
    done' sh {} +
fi
exit 0`;

/** A term in a folder's Python files (counts), or in one file (numbered lines). */
export async function search(args: Arguments, context: FunctionContext): Promise<Outcome> {
  const term = plainArgument(args, 'search_term');
  if (term === undefined) return done('search_term is required.\n', { isError: true });
  const { workspace } = context;
  const given = plainArgument(args, 'path') ?? '.';
  const stat = await workspace.stat(given);
  const real = stat?.target ?? absolute(workspace, given);
  const kind = stat?.target === undefined ? stat?.kind : (await workspace.stat(stat.target))?.kind;
  if (kind === 'file') return inFile(term, real, context);
  if (kind === 'folder') return inFolder(term, real, context);
  return done(`Directory '${real}' not found or not a directory.\n`, { isError: true });
}

async function inFolder(term: string, folder: string, context: FunctionContext): Promise<Outcome> {
  // A line holds no line break.
  const found = term.includes('\n') ? [] : await countMatches(term, folder, context);
  if (found.length === 0) return done(`No matches found for "${term}" in ${folder}\n`);
  if (found.length > MOST_FILES) {
    return done(
      `More than ${found.length} files matched for "${term}" in ${folder}. Please narrow your search.\n`,
    );
  }
  const all = found.reduce((sum, { count }) => sum + count, 0);
  const lines = found.map(({ path, count }) => `${shownFrom(context, path)} (${count} matches)`);
  return done(
    [
      `Found ${all} matches for "${term}" in ${folder}:`,
      ...lines,
      `End of matches for "${term}" in ${folder}\n`,
    ].join('\n'),
  );
}

async function countMatches(
  term: string,
  folder: string,
  context: FunctionContext,
): Promise<{ path: string; count: number }[]> {
  const run = await runScript(COUNT, { SEARCH_TERM: term, SEARCH_FOLDER: folder }, context);
  const text = Buffer.from(run.stdout.head).toString('utf8');
  return [...text.matchAll(/\.\/([^\0]+)\0(\d+)\n/g)]
    .map(([, path = '', count = '0']) => ({ path: `${folder}/${path}`, count: Number(count) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Relative to the repository, with `./` in front unless it is outside. */
function shownFrom({ workspace }: FunctionContext, path: string): string {
  const inside = `${workspace.root}/`;
  return path.startsWith(inside) ? `./${path.slice(inside.length)}` : path;
}

async function inFile(term: string, file: string, context: FunctionContext): Promise<Outcome> {
  const script = 'grep -n -e "$SEARCH_TERM" -- "$SEARCH_FILE"';
  const run = await runScript(script, { SEARCH_TERM: term, SEARCH_FILE: file }, context);
  if (run.exitCode === 1) return done(`No matches found for "${term}" in ${file}\n`);
  const errors = shorten(decodeOutput(run.stderr), FILE_CHARACTERS);
  if (run.exitCode !== 0) return done(`Error executing grep:\n${errors}\n`, { isError: true });
  const output = shorten(decodeOutput(run.stdout), FILE_CHARACTERS).trim();
  return done(`Matches for "${term}" in ${file}:\n${output}\n`);
}

async function runScript(
  command: string,
  env: Record<string, string>,
  { workspace, timeoutMs, signal }: FunctionContext,
): Promise<RunResult> {
  const keepBytes = { head: KEEP_BYTES, tail: 0 };
  const run = await workspace.run({ command, shell: 'sh', env, timeoutMs, keepBytes, signal });
  if (run.cancelled) signal.throwIfAborted();
  return run;
}
