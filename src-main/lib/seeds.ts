/** Room for that many draws of one base seed before they repeat those of the next. */
const DRAWS = 4096;
/** Servers take seeds of 31 bits at least. */
const SEEDS = 2 ** 31;

/** A seed for draw number `draw` of `base`: the same for the same pair, another for each draw. */
export function mixSeed(base: number, draw: number): number {
  return (((base * DRAWS + draw) % SEEDS) + SEEDS) % SEEDS;
}

/** The base that a mixed seed came from; exact for bases below 524,288 and draws below 4,096. */
export function baseOfSeed(mixed: number): number {
  return Math.floor(mixed / DRAWS);
}
