import { processIdentity } from '../../lib/index.ts';

/** The boot of the machine that this process lives in; `0` where the system has no name for it. */
export function bootId(): string {
  return processIdentity().split('.').slice(2).join('.');
}
