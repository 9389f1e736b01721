import type { ServerStatus } from '../../contract/index.ts';

type Seen = Pick<ServerStatus, 'name' | 'state'>;

const UP: ReadonlySet<string> = new Set(['ready', 'busy', 'loading']);

/** Servers that were up before the machine slept and have failed or gone since. Pure. */
export function lostServers(before: readonly Seen[], after: readonly Seen[]): string[] {
  const now = new Map(after.map(({ name, state }) => [name, state]));
  return before
    .filter(({ name, state }) => UP.has(state) && !UP.has(now.get(name) ?? 'stopped'))
    .map(({ name }) => name);
}
