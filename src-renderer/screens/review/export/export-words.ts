import { reviewText } from '../../../text/en/review.ts';
import type { Totals } from '../totals.ts';

/** What an export would hold, and what the verification says of it. */
export function exportWords({ all, exported }: Totals, verified: boolean): string {
  const { exported: words } = reviewText;
  if (all === 0) return '';
  if (exported === 0) return words.none;
  if (exported === all) return words.all(all);
  const some = words.some(exported, all);
  return verified ? `${some} ${words.partial}` : some;
}
