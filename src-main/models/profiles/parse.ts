import type { ModelProfile } from '../servers/types.ts';
import { VivariumError } from '../../lib/index.ts';
import { explain } from './explain.ts';
import { MEMBERS, profileFileSchema, type ProfileMembers } from './members.ts';
import { presetNamed } from './presets.ts';
import { REFUSED_NEXT } from './refused-flags.ts';
import { REFUSED } from './told.ts';
import { invalidProfile, readYaml, type YamlText } from './yaml-text.ts';

export const KNOWN_MEMBERS: readonly string[] = ['preset', ...Object.keys(MEMBERS)];

/** The profile that a YAML text describes; what it leaves out is its preset's. */
export function parseProfile(
  text: string,
  name: string,
  shown: string,
): { profile: ModelProfile; yaml: YamlText } {
  const yaml = readYaml(text, shown);
  return { profile: profileOf(yaml.value, name, shown, yaml.placeOf), yaml };
}

/** @throws VivariumError `profile_invalid`, each fault with its place, what was found and expected */
export function profileOf(
  value: unknown,
  name: string,
  shown: string,
  placeOf: YamlText['placeOf'] = () => '',
): ModelProfile {
  const parsed = profileFileSchema.safeParse(value);
  if (!parsed.success) {
    const faults = explain(parsed.error, value, KNOWN_MEMBERS, placeOf);
    const refused = parsed.error.issues.some(({ message }) => message.startsWith(REFUSED));
    const message = `${shown} can't be used: ${faults}`;
    throw refused
      ? new VivariumError('profile_invalid', message, REFUSED_NEXT)
      : invalidProfile(message);
  }
  const { preset = 'plain', ...given } = parsed.data;
  return { name, preset, ...defaultsOf(preset), ...withoutUndefined(given) };
}

/** A preset's values for a profile without files at hand: no template can be asked. */
export function defaultsOf(preset: string): ProfileMembers {
  const { members } = presetNamed(preset);
  const known = (parser: string | null) => (parser === 'auto' ? null : parser);
  return {
    ...structuredClone(members),
    reasoningParser: known(members.reasoningParser),
    callParser: known(members.callParser),
  };
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function withoutUndefined<T extends object>(members: T): Given<T> {
  const set = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(set) as Given<T>;
}
