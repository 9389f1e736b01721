import type { StreamName } from '../../contract/index.ts';

/** Streams that are work, not looks: a page that was reloaded must not undo them. */
const WORK: ReadonlySet<string> = new Set<StreamName>([
  'models/add',
  'models/start',
  'environment/buildImage',
]);

/** Whether a call goes on when its connection is gone: every one with one answer, and work. */
export function outlivesConnection(name: string, kind: 'call' | 'stream'): boolean {
  return kind === 'call' || WORK.has(name);
}
