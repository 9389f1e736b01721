/**
 * Exact paired test: how likely a difference at least this large is when the two sides of each pair
 * are swapped by the toss of a coin. Two-sided. With one run a side this is McNemar's exact test.
 *
 * @param differences one whole number a pair (pairs without a difference change nothing)
 */
export function exactPairedTest(differences: readonly number[]): number {
  const sizes = differences.map(Math.abs).filter((size) => size > 0);
  const seen = Math.abs(differences.reduce((sum, one) => sum + one, 0));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (seen === 0) return 1;
  // chance[s]: of the sum `s - total`, after the pairs so far; beyond their sizes there is none.
  let chance = new Float64Array(2 * total + 1);
  chance[total] = 1;
  let reached = 0;
  for (const size of sizes) {
    const next = new Float64Array(2 * total + 1);
    for (let at = total - reached; at <= total + reached; at += 1) {
      const one = chance[at] ?? 0;
      if (one === 0) continue;
      next[at + size] = (next[at + size] ?? 0) + one / 2;
      next[at - size] = (next[at - size] ?? 0) + one / 2;
    }
    reached += size;
    chance = next;
  }
  let p = 0;
  for (const [at, one] of chance.entries()) if (Math.abs(at - total) >= seen) p += one;
  return Math.min(1, p);
}
