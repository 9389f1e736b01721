import type { Workspace } from '../../../../workspaces/index.ts';
import { EditorFault, type FunctionContext } from '../outcome.ts';
import { absolute } from './place.ts';

/** Lines that a condensed view leaves out: from and to, counted from 0. */
export type Ranges = readonly (readonly [number, number])[];

const PARSE_TIMEOUT_MS = 20_000;

/**
 * Python itself says where functions and class texts begin and end, as in the original. `-I`: nothing
 * of the repository is imported.
 */
const SCRIPT = `
import ast, json, os

def last_line(node):
    end = getattr(node, "end_lineno", None)
    return end or max([getattr(one, "lineno", 0) for one in ast.walk(node)])

def left_out(tree):
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            first, last = node.body[0].lineno - 1, last_line(node.body[-1]) - 1
            if last - first >= 3:
                yield first, last
        elif isinstance(node, ast.ClassDef) and ast.get_docstring(node) is not None:
            first, last = node.body[0].lineno - 1, last_line(node.body[0]) - 1
            if last - first >= 4:
                yield first + 1, last - 1

with open(os.environ["EDITOR_FILE"], "rb") as file:
    source = file.read()
try:
    print(json.dumps({"ranges": list(left_out(ast.parse(source)))}))
except (SyntaxError, ValueError) as fault:
    print(json.dumps({"fault": str(fault)}))
`;

/** `null` where the workspace has no Python. @throws EditorFault for a file that is no Python */
export async function skeletonOf(
  shown: string,
  { workspace, signal }: Pick<FunctionContext, 'signal'> & { workspace: Workspace },
): Promise<Ranges | null> {
  const run = await workspace.run({
    command: 'exec python3 -I -c "$EDITOR_SCRIPT"',
    shell: 'sh',
    env: { EDITOR_SCRIPT: SCRIPT, EDITOR_FILE: absolute(workspace, shown) },
    timeoutMs: PARSE_TIMEOUT_MS,
    signal,
  });
  if (run.cancelled) signal.throwIfAborted();
  if (run.exitCode !== 0) return null;
  const answer = read(Buffer.from(run.stdout.head).toString('utf8'));
  if (answer === null) return null;
  if (typeof answer === 'string') {
    throw new EditorFault(`Syntax error for file ${shown}: ${answer}`);
  }
  return answer;
}

/** What a workspace prints is checked before it is used: programs in it may be anybody's. */
function read(text: string): Ranges | string | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  if ('fault' in value && typeof value.fault === 'string') return value.fault;
  if (!('ranges' in value) || !Array.isArray(value.ranges)) return null;
  const ranges: [number, number][] = [];
  for (const range of value.ranges as unknown[]) {
    if (!Array.isArray(range)) return null;
    const [from, to] = range as unknown[];
    if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to)) return null;
    ranges.push([Number(from), Number(to)]);
  }
  return ranges;
}

/** The lines that stay, and a word in place of each range. */
export function condensed(
  lines: readonly string[],
  ranges: Ranges,
): { at: number; text: string }[] {
  const hidden = new Set<number>();
  for (const [from, to] of ranges) {
    for (let at = from; at <= Math.min(to, lines.length); at++) hidden.add(at);
  }
  const words = ranges.map(([from, to]) => ({
    at: from,
    text: `... eliding lines ${from + 1}-${to + 1} ...`,
  }));
  const kept = lines.map((text, at) => ({ at, text })).filter(({ at }) => !hidden.has(at));
  return [...words, ...kept].sort((a, b) => a.at - b.at);
}
