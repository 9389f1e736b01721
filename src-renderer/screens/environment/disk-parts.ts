import type { DiskUse } from '../../../src-main/contract/index.ts';

export type DiskPartName = DiskUse['parts'][number]['name'];

export interface DiskPart {
  name: DiskPartName;
  bytes: number;
  /** Style of its piece of the bar, 1 to 8: the largest have the plain colours. */
  look: number;
}

/** Parts that take something, the largest first, and their sum. */
export function diskParts({ parts }: Pick<DiskUse, 'parts'>): {
  parts: DiskPart[];
  usedBytes: number;
} {
  const sorted = parts
    .filter(({ bytes }) => bytes > 0)
    .toSorted((one, other) => other.bytes - one.bytes);
  return {
    parts: sorted.map((part, index) => ({ ...part, look: index + 1 })),
    usedBytes: sorted.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/** Five colours of charts, then the same with stripes: no two pieces look the same. */
export function lookOf(look: number): string {
  const colour = `var(--chart-${((look - 1) % 5) + 1})`;
  if (look <= 5) return colour;
  return `repeating-linear-gradient(-45deg, ${colour} 0 3px, var(--raise) 3px 6px)`;
}
