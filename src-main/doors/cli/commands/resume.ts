import type { Console } from '../console.ts';
import { outFolder } from '../out-folder.ts';
import { runSession } from './run-session.ts';

/** `vivarium resume`. */
export async function resume(
  console: Console,
  id: string,
  options: { out?: string; json?: boolean },
): Promise<number> {
  const out = options.out === undefined ? undefined : outFolder(options.out);
  return runSession(console, options, (core, watching) =>
    core.resume(id, { ...watching, ...(out !== undefined && { out }) }),
  );
}
