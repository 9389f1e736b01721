import { InvalidArgumentError } from 'commander';
import { formatSize, parseSize } from '../../lib/index.ts';

/** Parsers of option values, for commander. Each throws InvalidArgumentError with what is wanted. */

/** A whole number of at least `least`. */
export function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= least) return value;
    throw new InvalidArgumentError(`It must be a whole number of at least ${least}.`);
  };
}

/** A port of TCP; 0 is any that is free. */
export function port(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value <= 65_535) return value;
  throw new InvalidArgumentError('It must be a port: a whole number up to 65535.');
}

/** A number of at least `least`, e.g. `1.5`. */
export function decimal(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d*\.?\d+$/.test(text) && Number.isFinite(value) && value >= least) return value;
    throw new InvalidArgumentError(`It must be a number of at least ${least}.`);
  };
}

/** A share of a whole, from 0 to below 1. */
export function share(text: string): number {
  const value = Number(text);
  if (/^\d*\.?\d+$/.test(text) && value < 1) return value;
  throw new InvalidArgumentError('It must be a share like 0.1, below 1.');
}

/** Seeds: `3` = so many, from 0 on; `0,1,7` = these. A single one is written `7,`. */
export function seeds(text: string): number[] {
  const parts = text.split(',').map((part) => part.trim());
  const listed = parts.length > 1 && parts.at(-1) === '' ? parts.slice(0, -1) : parts;
  const values = listed.map(Number);
  const isGood = listed.every((part, index) => /^\d+$/.test(part) && isSeed(values[index]));
  const [first = 0] = values;
  const isCount = parts.length === 1;
  if (isGood && !isCount) return values;
  if (isGood && first > 0 && first <= MOST_SEEDS) return Array.from({ length: first }, (_, n) => n);
  throw new InvalidArgumentError('It must be how many, like 3, or a list, like 0,1,2.');
}

const MOST_SEEDS = 1000;
/** Above it a seed is not told apart from others once steps are mixed in; see `mixSeed`. */
const SEED_LIMIT = 524_288;

function isSeed(value: number | undefined): boolean {
  return value !== undefined && value < SEED_LIMIT;
}

/** Names with commas between them, for an option that may be given several times. */
export function names(text: string, before: string[] | undefined): string[] {
  return [...(before ?? []), ...text.split(',').map((part) => nonEmpty(part).trim())];
}

/** Bytes, e.g. `4GiB`, `512m`, of at least `least`. */
export function size(least: number): (text: string) => number {
  return (text) => {
    const bytes = parseSize(text);
    if (bytes !== null && bytes >= least) return bytes;
    const floor = formatSize(least);
    throw new InvalidArgumentError(`It must be a size like 4GiB or 512MiB, at least ${floor}.`);
  };
}

/** Text that says something. */
export function nonEmpty(text: string): string {
  if (text.trim() !== '') return text;
  throw new InvalidArgumentError('It must not be empty.');
}

/** A name that a local image can be given: as Docker has it, `registry:port/path/name:tag`. */
export function imageName(text: string): string {
  const part = '[a-z0-9]+(?:(?:\\.|_{1,2}|-+)[a-z0-9]+)*';
  const host = '(?:[A-Za-z0-9.-]+(?::\\d+)?/)?';
  const name = new RegExp(`^${host}${part}(?:/${part})*(?::[A-Za-z0-9_][A-Za-z0-9_.-]{0,127})?$`);
  if (name.test(text)) return text;
  throw new InvalidArgumentError('It must be an image name like shop:1, in lower case.');
}

/** Names of Debian packages, for an option that may be given several times. */
export function packageNames(text: string, before: string[] | undefined): string[] {
  if (/^[a-z0-9][a-z0-9+.-]+$/.test(text)) return [...(before ?? []), text];
  throw new InvalidArgumentError('It must be the name of a Debian package.');
}

/** For options that may be given several times, each with one value or several. */
export function collect(text: string, before: string[] | undefined): string[] {
  return [...(before ?? []), nonEmpty(text)];
}
