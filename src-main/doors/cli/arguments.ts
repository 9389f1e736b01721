import { InvalidArgumentError } from 'commander';
import { parseSize } from '../../lib/index.ts';

/** Parsers of option values, for commander. Each throws InvalidArgumentError with what is wanted. */

/** A whole number of at least `least`. */
export function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= least) return value;
    throw new InvalidArgumentError(`It must be a whole number of at least ${least}.`);
  };
}

/** A number above 0, e.g. `1.5`. */
export function positiveNumber(text: string): number {
  const value = Number(text);
  if (/^\d*\.?\d+$/.test(text) && Number.isFinite(value) && value > 0) return value;
  throw new InvalidArgumentError('It must be a number above 0.');
}

/** Bytes, e.g. `4GiB`, `512m`. */
export function size(text: string): number {
  const bytes = parseSize(text);
  if (bytes !== null && bytes > 0) return bytes;
  throw new InvalidArgumentError('It must be a size like 4GiB or 512MiB.');
}

/** Text that says something. */
export function nonEmpty(text: string): string {
  if (text.trim() !== '') return text;
  throw new InvalidArgumentError('It must not be empty.');
}

/** For options that may be given several times, each with one value or several. */
export function collect(text: string, before: string[] | undefined): string[] {
  return [...(before ?? []), nonEmpty(text)];
}
