import { VivariumError } from '../../lib/index.ts';
import {
  featAddWith,
  history,
  mutate,
  rewriteWith,
  type Generator,
  type GeneratorName,
} from '../../synthesis/index.ts';
import type { SynthModel } from './synth-model.ts';
import type { SynthAsked } from './types.ts';

type Make = (model: SynthModel) => Generator;

/** Generators that let a model work. */
const WITH_MODEL: Partial<Record<GeneratorName, Make>> = {
  rewrite: rewriteWith,
  featadd: featAddWith,
};
const WITHOUT: Partial<Record<GeneratorName, Generator>> = { mutate, history };

/** Whether a generator lets a model work. */
export function isWithModel(name: GeneratorName): boolean {
  return name in WITH_MODEL;
}

/** @throws VivariumError `usage` for one that needs a model where none is named */
export function checkGenerators({ generators, model }: SynthAsked): void {
  const lacking = generators.find(isWithModel);
  if (lacking === undefined || model !== undefined) return;
  throw new VivariumError(
    'usage',
    `the generator ${lacking} needs a model`,
    'Name one with --model: a name of `vivarium models list`, gguf:FILE, script:FILE.',
  );
}

/** The generators by name; those that need a model are left out without one. */
export function generatorsOf(
  names: readonly GeneratorName[],
  model: SynthModel | null,
): Partial<Record<GeneratorName, Generator>> {
  const found: Partial<Record<GeneratorName, Generator>> = {};
  for (const name of names) {
    const made = WITHOUT[name] ?? (model === null ? undefined : WITH_MODEL[name]?.(model));
    if (made !== undefined) found[name] = made;
  }
  return found;
}
