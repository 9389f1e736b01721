import { JOB_NAMES } from '../../contract/index.ts';

const JOBS: ReadonlySet<string> = new Set(JOB_NAMES);

/**
 * Whether a call goes on when its connection is gone: every one with one answer, and work of the
 * core. A page that is reloaded must not undo them; looks end with who looks.
 */
export function outlivesConnection(name: string, kind: 'call' | 'stream'): boolean {
  return kind === 'call' || JOBS.has(name);
}
