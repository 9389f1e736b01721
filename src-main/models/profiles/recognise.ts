import type { ModelFacts } from '../servers/types.ts';
import { type Criteria, PRESET_NAMES, presetNamed } from './presets.ts';

/**
 * Name of the preset for these files. A fine-tune is told from its base by its name only, so without
 * one it is `plain`, as everything is that no preset describes.
 */
export function recognise(facts: ModelFacts): string {
  const found = PRESET_NAMES.find((name) =>
    presetNamed(name).match.some((criteria) => fits(criteria, facts)),
  );
  return found ?? 'plain';
}

function fits(criteria: Criteria, { architecture, names, parameters, chatTemplate }: ModelFacts) {
  const { architectures, names: named, parameters: range, callFormat, thinking } = criteria;
  const checks = [
    architectures === undefined || architectures.some((one) => matchesAll(one, architecture)),
    named === undefined || names.some((name) => named.some((one) => one.test(name))),
    // Packed weights cannot be counted: name and architecture have to do then.
    range === undefined ||
      parameters === null ||
      (range[0] <= parameters && parameters <= range[1]),
    callFormat === undefined || chatTemplate.callFormat === callFormat,
    thinking === undefined || chatTemplate.thinking === thinking,
  ];
  return checks.every(Boolean);
}

function matchesAll(pattern: RegExp, text: string): boolean {
  return new RegExp(`^(?:${pattern.source})$`, 'i').test(text);
}
