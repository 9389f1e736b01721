import { homedir } from 'node:os';
import path from 'node:path';

/**
 * The folder of settings and data: `VIVARIUM_HOME`, else `vivarium` in the XDG data folder.
 * A relative `XDG_DATA_HOME` is ignored, as its specification asks.
 */
export function vivariumHome(env: Readonly<Record<string, string | undefined>>): string {
  if (env['VIVARIUM_HOME']) return path.resolve(env['VIVARIUM_HOME']);
  const data = env['XDG_DATA_HOME'];
  const base =
    data !== undefined && path.isAbsolute(data) ? data : path.join(homedir(), '.local', 'share');
  return path.join(base, 'vivarium');
}
