import type { ReviewFlag } from '../contract/index.ts';

export function reviewFlags(_patch: Uint8Array): ReviewFlag[] {
  return [];
}
