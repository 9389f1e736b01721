import path from 'node:path';
import { loadScaffold } from '../../agent/index.ts';
import type { RunEntry } from '../../contract/index.ts';
import type { EntrySetup } from '../../evaluation/index.ts';
import { VivariumError } from '../../lib/index.ts';
import { parseModelSpec, shownSpec, type ModelSpec } from '../../models/index.ts';
import { RESOURCES, type Environment } from '../environment.ts';
import { scaffoldPath } from '../fix.ts';
import { profileDefaults, profileOf } from '../session-model.ts';

/** An entry with what its record does not hold: specs may have keys and passwords. */
export interface PlannedEntry {
  entry: RunEntry;
  spec: ModelSpec;
}

/**
 * Every model with every scaffold; without scaffolds each model with its own.
 * @throws VivariumError `model_spec_invalid`, `model_not_found`, `scaffold_invalid`
 */
export async function planEntries(
  environment: Environment,
  { models, scaffolds }: { models: readonly string[]; scaffolds: readonly string[] },
): Promise<PlannedEntry[]> {
  const planned: PlannedEntry[] = [];
  for (const model of models) {
    const spec = parseModelSpec(model);
    const profile = await profileOf(environment, spec);
    const names = scaffolds.length > 0 ? scaffolds : [profile?.scaffold ?? 'leaf'];
    for (const name of names) planned.push(await planEntry(spec, name));
  }
  return planned.map(({ spec, entry }, index) => ({
    spec,
    entry: { ...entry, label: uniqueLabel(planned, index) },
  }));
}

async function planEntry(spec: ModelSpec, scaffold: string): Promise<PlannedEntry> {
  const file = scaffoldPath(scaffold);
  const { name, hash } = await loadScaffold(file, path.join(RESOURCES, 'scaffolds'));
  const modelName = nameOf(spec);
  const entry = {
    ...{ label: `${modelName} x ${name}`, model: shownSpec(spec), modelName },
    ...{ scaffold: file, scaffoldName: name, scaffoldHash: hash },
  };
  return { spec, entry };
}

/** As people would call it; its server may have another name for it. */
function nameOf(spec: ModelSpec): string {
  switch (spec.kind) {
    case 'library':
      return spec.name;
    case 'endpoint':
      return spec.model ?? new URL(spec.baseUrl).host;
    case 'gguf':
    case 'script':
      return path.basename(spec.file).replace(/\.(gguf|jsonl)$/, '');
  }
}

/** Two models may have the same file name; the second is told apart by a number. */
function uniqueLabel(planned: readonly PlannedEntry[], index: number): string {
  const labels = planned.map(({ entry }) => entry.label);
  const label = labels[index] ?? '';
  const before = labels.slice(0, index).filter((other) => other === label).length;
  return before === 0 ? label : `${label} (${before + 1})`;
}

/**
 * The scaffold of an entry, and what the profile of its model says.
 * @throws VivariumError `usage` when the scaffold is not the one that the run began with
 */
export async function entrySetup(environment: Environment, entry: RunEntry): Promise<EntrySetup> {
  const scaffold = await loadScaffold(entry.scaffold, path.join(RESOURCES, 'scaffolds'));
  if (scaffold.hash !== entry.scaffoldHash) {
    throw new VivariumError(
      'usage',
      `the scaffold ${entry.scaffoldName} was changed since the run began`,
      'Put it back as it was, or start a new run: results of two scaffolds must not be mixed.',
    );
  }
  const profile = await profileOf(environment, parseModelSpec(entry.model));
  const defaults = profileDefaults(profile, { ...scaffold, asked: entry.scaffold });
  return { scaffold, scaffoldFile: entry.scaffold, ...defaults };
}
