import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { didYouMean } from './closest.ts';
import { explain } from './explain.ts';
import { MEMBERS, type ProfileMembers } from './members.ts';
import { told } from './told.ts';
import { invalidProfile, readYaml, type YamlText } from './yaml-text.ts';

/** In the order in which they are tried; `plain` fits everything. */
export const PRESET_NAMES = [
  'frognano-4b',
  'frogmini-14b',
  'tadpole',
  'qwen3-coder',
  'plain',
] as const;

const pattern = told(
  z.string().transform((text, context) => {
    try {
      return new RegExp(text, 'i');
    } catch {
      context.addIssue({ code: 'custom', message: 'pattern' });
      return z.NEVER;
    }
  }),
  'a regular expression',
);

/** All that is given has to hold. */
const criteria = z.strictObject({
  /** The whole architecture as the files name it. */
  architectures: z.array(pattern).min(1).optional(),
  /** A part of one of the names. */
  names: z.array(pattern).min(1).optional(),
  /** From and to, both inclusive; files that do not say pass. */
  parameters: z.tuple([z.number(), z.number()]).optional(),
  callFormat: z.enum(['hermes', 'qwen3_coder']).optional(),
  thinking: z.boolean().optional(),
});

export type Criteria = z.infer<typeof criteria>;

const parser = z.union([z.literal('auto'), MEMBERS.callParser]);

const presetSchema = z.strictObject({
  match: z.array(criteria),
  ...MEMBERS,
  reasoningParser: parser,
  callParser: parser,
});

export interface Preset {
  name: string;
  /** One that fits is enough; empty = found by falling back only. */
  match: Criteria[];
  /** Its values. A parser that is `auto` here goes by the template. */
  members: ProfileMembers;
  /** Its file, for the comments. */
  text: string;
}

const loaded = new Map<string, Preset>();

/** @throws VivariumError `profile_invalid`, naming the presets there are */
export function presetNamed(name: string): Preset {
  const known = loaded.get(name);
  if (known) return known;
  if (!PRESET_NAMES.some((preset) => preset === name)) {
    const near = didYouMean(name, PRESET_NAMES);
    throw invalidProfile(
      `there is no preset ${name}${near || ` (there are ${PRESET_NAMES.join(', ')})`}`,
    );
  }
  const file = path.join(presetFolder(), `${name}.yaml`);
  const text = readFileSync(file, 'utf8');
  const preset = presetOf(name, text, readYaml(text, file));
  loaded.set(name, preset);
  return preset;
}

/** Each preset with the scaffold that it names. */
export function presetScaffolds(): { preset: string; scaffold: string }[] {
  return PRESET_NAMES.map((preset) => ({
    preset,
    scaffold: presetNamed(preset).members.scaffold,
  }));
}

function presetOf(name: string, text: string, { value, placeOf }: YamlText): Preset {
  const parsed = presetSchema.safeParse(value);
  if (!parsed.success) {
    const known = ['match', ...Object.keys(MEMBERS)];
    const faults = explain(parsed.error, value, known, placeOf);
    throw invalidProfile(`the preset ${name} can't be used: ${faults}`);
  }
  const { match, ...members } = parsed.data;
  return { name, match, members, text };
}

/** `resources/profiles`, above this file both in the sources and in what is bundled from them. */
function presetFolder(): string {
  let folder = import.meta.dirname;
  for (;;) {
    const candidate = path.join(folder, 'resources', 'profiles');
    const parent = path.dirname(folder);
    if (existsSync(candidate) || parent === folder) return candidate;
    folder = parent;
  }
}
