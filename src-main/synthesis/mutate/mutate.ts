import { setImmediate } from 'node:timers/promises';
import { randomOf } from '../../lib/index.ts';
import type { Candidate, Coverage, Generator, GeneratorContext } from '../types.ts';
import { fileReader, type ReadFile } from './file-reader.ts';
import { CLASS } from './node-tables.ts';
import { sitesOf, type Site } from './sites.ts';
import { sourceFiles, type SourceFile } from './source-files.ts';
import type { Unit } from './types.ts';
import { complexityOf } from './units.ts';

/** SWE-smith's least complexity of a function to be changed; simpler ones come later here. */
const ENOUGH_BRANCHES = 3;
/** How much less likely a simple function is to come early. */
const SIMPLE_WEIGHT = 0.25;
/** Of the text shown in the provenance. */
const SHOWN = 200;

interface Target {
  file: SourceFile;
  /** Which unit of the file. */
  at: number;
  /** Small comes first. */
  rank: number;
  /** Numbers of the sites that had their turn. */
  used: Set<number>;
}

/** Counts what came, so that the rarest kind is next. */
type Turns = Map<string, number>;

/**
 * Small mistakes put into functions and classes, one a candidate: lines that tests run first, each
 * function once a round, the family and mutator that came least so far before others.
 */
export const mutate: Generator = async function* mutate(context: GeneratorContext) {
  const { tree, coverage, seed, signal } = context;
  const reader = fileReader();
  const random = randomOf(seed);
  const targets: Target[] = [];
  for (const file of sourceFiles(tree)) {
    signal.throwIfAborted();
    // The parser holds the thread: others get their turn between files.
    await setImmediate();
    const read = await reader(file);
    read?.units.forEach((unit, at) => {
      if (isTooSimple(unit, context)) return;
      targets.push({ file, at, rank: rankOf(unit, random()), used: new Set() });
    });
  }
  targets.sort((one, other) => one.rank - other.rank);
  const turns: Turns = new Map();
  for (const covered of coverage === null ? [true] : [true, false]) {
    let left = targets;
    while (left.length > 0) {
      const next: Target[] = [];
      for (const target of left) {
        signal.throwIfAborted();
        await setImmediate();
        const read = await reader(target.file);
        const candidate = read && pick(read, target, { coverage, covered, turns, random, seed });
        if (candidate) {
          next.push(target);
          yield candidate;
        }
      }
      left = next;
    }
  }
};

/** A class is no function: what counts is in its methods. */
function isTooSimple(unit: Unit, { leastComplexity = 1 }: GeneratorContext): boolean {
  return !CLASS[unit.language].has(unit.node.type) && complexityOf(unit) < leastComplexity;
}

/** Weighted random order (Efraimidis and Spirakis): smaller is earlier. */
function rankOf(unit: Unit, random: number): number {
  const weight = complexityOf(unit) >= ENOUGH_BRANCHES ? 1 : SIMPLE_WEIGHT;
  return -Math.log(1 - random) / weight;
}

interface Picking {
  coverage: Coverage;
  covered: boolean;
  turns: Turns;
  random: () => number;
  seed: number;
}

/** The next change of a target; `null` = none is left. */
function pick(read: ReadFile, target: Target, picking: Picking): Candidate | null {
  const unit = read.units[target.at];
  const { path } = target.file.file;
  const sites = unit ? sitesOf(unit, path, picking.coverage) : [];
  const order = sites
    .map((site, number) => ({ site, number, chance: picking.random() }))
    .filter(({ site, number }) => site.covered === picking.covered && !target.used.has(number))
    .sort(
      (one, other) =>
        turnOf(one.site, picking) - turnOf(other.site, picking) || one.chance - other.chance,
    );
  for (const { site, number } of order) {
    target.used.add(number);
    const changed = apply(read, site);
    if (unit && changed !== null) {
      count(picking.turns, site);
      return candidateOf({ unit, target, site, changed, seed: picking.seed });
    }
  }
  return null;
}

/** Families weigh more than mutators within them. */
function turnOf({ mutator }: Site, { turns }: Picking): number {
  return (turns.get(mutator.family) ?? 0) * 1e6 + (turns.get(mutator.name) ?? 0);
}

function count(turns: Turns, { mutator }: Site): void {
  for (const word of [mutator.family, mutator.name]) {
    turns.set(word, (turns.get(word) ?? 0) + 1);
  }
}

/** The changed file; `null` = the parser reads it worse than before. */
function apply({ source, errors, read }: ReadFile, { edit }: Site): string | null {
  const changed = source.slice(0, edit.start) + edit.text + source.slice(edit.end);
  const syntax = read(changed);
  return syntax && syntax.errors <= errors ? changed : null;
}

interface Made {
  unit: Unit;
  target: Target;
  site: Site;
  changed: string;
  seed: number;
}

function candidateOf({ unit, target, site, changed, seed }: Made): Candidate {
  const { file } = target.file;
  const { mutator, edit, line } = site;
  const after = { ...file, content: new TextEncoder().encode(changed) };
  return {
    generator: 'mutate',
    method: mutator.name,
    bugClass: mutator.bugClass,
    changes: [{ path: file.path, before: file, after }],
    places: [{ path: file.path, line, symbol: unit.symbol === '' ? null : unit.symbol }],
    tests: {},
    provenance: {
      mutator: mutator.name,
      family: mutator.family,
      before: unit.source.slice(edit.start, edit.end).slice(0, SHOWN),
      after: edit.text.slice(0, SHOWN),
      seed,
    },
  };
}
