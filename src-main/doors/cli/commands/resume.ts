import path from 'node:path';
import type { Console } from '../console.ts';
import { runSession } from './run-session.ts';

/** `vivarium resume`. */
export async function resume(
  console: Console,
  id: string,
  options: { out?: string; json?: boolean },
): Promise<number> {
  const { out } = options;
  return runSession(console, options, (core, watching) =>
    core.resume(id, { ...watching, ...(out !== undefined && { out: path.resolve(out) }) }),
  );
}
