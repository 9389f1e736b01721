import path from 'node:path';
import { z } from 'zod';
import type { Sampling } from '../types.ts';
import type { EngineSource, ModelProfile } from '../servers/types.ts';
import { refusedVariable } from './refused-environment.ts';
import { refusedFlag } from './refused-flags.ts';
import { REFUSED, told, tokens } from './told.ts';

const count = (most: number) => z.int().min(1).max(most);
/** Ends a word of a command line or environment before its end. */
const NO_NUL = /^[^\0]*$/;
const absolute = z
  .string()
  .regex(NO_NUL)
  .refine((file) => path.isAbsolute(file));
/** Would be read as a flag of the program it is handed to. */
const word = z.string().regex(/^[^-\s][^\s]*$/);

const source: z.ZodType<EngineSource> = told(
  z.union([
    z.literal('auto').transform(() => ({ kind: 'auto' as const })),
    z.strictObject({ venv: absolute }).transform(({ venv }) => ({
      kind: 'venv' as const,
      folder: venv,
    })),
    z
      .strictObject({ program: z.union([absolute, word.regex(/^[^/\\]+$/)]) })
      .transform(({ program }) => ({ kind: 'program' as const, file: program })),
    z.strictObject({ container: word }).transform(({ container }) => ({
      kind: 'container' as const,
      image: container,
    })),
  ]),
  'auto, {venv: ABSOLUTE FOLDER}, {program: ABSOLUTE FILE or NAME} or {container: IMAGE}',
);

const samplingMembers = {
  temperature: told(z.number().min(0).max(5), 'a number from 0 to 5'),
  topP: told(z.number().min(0).max(1), 'a number from 0 to 1'),
  topK: told(z.int().min(0), 'a whole number from 0 (0 = all)'),
  minP: told(z.number().min(0).max(1), 'a number from 0 to 1'),
  presencePenalty: told(z.number().min(-2).max(2), 'a number from -2 to 2'),
  repetitionPenalty: told(z.number().positive(), 'a number above 0 (1 = none)'),
  templateArguments: told(z.record(z.string(), z.unknown()), 'a map, e.g. {enable_thinking: true}'),
};

const sampling = told(
  z.strictObject({
    temperature: samplingMembers.temperature.exactOptional(),
    topP: samplingMembers.topP.exactOptional(),
    topK: samplingMembers.topK.exactOptional(),
    minP: samplingMembers.minP.exactOptional(),
    presencePenalty: samplingMembers.presencePenalty.exactOptional(),
    repetitionPenalty: samplingMembers.repetitionPenalty.exactOptional(),
    templateArguments: samplingMembers.templateArguments.exactOptional(),
  }) satisfies z.ZodType<Sampling>,
  'a map such as {temperature: 0.6, topP: 0.95}',
);

/** A map whose members are all commented out reads as null. */
const orEmpty = <T>(map: z.ZodType<T>) => z.preprocess((value) => value ?? {}, map);

type FlagValue = string | number | boolean;

const FLAG_VALUE = 'text, a number, true (the flag alone) or false (the flag is left out)';

const flagValue = told<FlagValue>(
  z.union([z.boolean(), z.number(), z.string().regex(NO_NUL)]),
  FLAG_VALUE,
);

const flags = told(
  z.record(z.string(), flagValue).superRefine((given, context) => {
    for (const [flag, value] of Object.entries(given)) {
      const fault = faultOfFlag(flag, value);
      if (fault !== null) context.addIssue({ code: 'custom', path: [flag], message: fault });
    }
  }),
  'a map of long flags to values, e.g. {"--enforce-eager": true}',
);

function faultOfFlag(flag: string, value: FlagValue): string | null {
  const refusal = refusedFlag(flag);
  if (refusal !== null) return `${REFUSED}${refusal}`;
  if (!/^--[a-z][\w.+-]*$/i.test(flag))
    return `${REFUSED}write the flag as --NAME and its value after the colon`;
  const dashed = typeof value === 'string' && value.startsWith('-') && Number.isNaN(Number(value));
  return dashed ? `${REFUSED}a value that begins with - would be read as another flag` : null;
}

const environment = told(
  z
    .record(
      z.string(),
      told<string>(
        z
          .union([z.string().regex(NO_NUL), z.number(), z.boolean()])
          .transform((value) => String(value)),
        'text or a number',
      ),
    )
    .superRefine((given, context) => {
      for (const name of Object.keys(given)) {
        const valid = /^[A-Za-z_]\w*$/.test(name);
        const fault = valid ? refusedVariable(name) : 'this is no name of a variable';
        if (fault !== null)
          context.addIssue({ code: 'custom', path: [name], message: `${REFUSED}${fault}` });
      }
    }),
  'a map of variables to values, e.g. {CUDA_VISIBLE_DEVICES: "0"}',
);

const parser = told(word.nullable(), "a parser's name such as qwen3, or null for none");

/** Members of a profile as YAML has them, each with what is expected of it. */
export const MEMBERS = {
  engine: told(
    z.enum(['vllm', 'sglang', 'llamacpp', 'llama-server']),
    'vllm, sglang, llamacpp or llama-server',
  ),
  source,
  device: told(z.enum(['auto', 'gpu', 'cpu']), 'auto, gpu or cpu'),
  scaffold: told(z.string().trim().min(1), 'the name or path of a scaffold, e.g. leaf'),
  contextTokens: tokens,
  inputTokens: told(
    z.union([z.null(), tokens]),
    'tokens such as 46000 or 45k, or null for no limit',
  ),
  tokensPerTurn: tokens,
  steps: told(count(100_000), 'a whole number from 1'),
  sampling: orEmpty(sampling),
  reasoningParser: parser,
  callParser: parser,
  prefixCaching: told(z.boolean(), 'true or false'),
  memoryShare: told(z.number().min(0.05).max(1), 'a share from 0.05 to 1, e.g. 0.9'),
  sequences: told(count(1024), 'a whole number from 1 to 1024'),
  tensorParallel: told(
    z.union([z.literal('auto'), count(64)]),
    'auto (the number of GPUs) or a whole number from 1 to 64',
  ),
  configOverrides: orEmpty(
    told(
      z.record(z.string(), z.unknown()),
      'a map of members of config.json, e.g. {max_position_embeddings: 65536}',
    ),
  ),
  chatTemplate: told(absolute.nullable(), 'the absolute path of a Jinja file, or null'),
  threads: told(count(1024).nullable(), 'a whole number from 1 to 1024, or null to choose'),
  flags: orEmpty(flags),
  environment: orEmpty(environment),
  // Less is a slip, such as a share of an hour: a server would be gone before it is used.
  idleMinutes: told(
    z.number().min(1).max(100_000).nullable(),
    'minutes from 1 to 100,000, or null for never',
  ),
} satisfies { [K in Exclude<keyof ModelProfile, 'name' | 'preset'>]: z.ZodType<ModelProfile[K]> };

/** Members that a map inside of a profile may have, for suggestions. */
export const NESTED: Readonly<Record<string, readonly string[]>> = {
  sampling: Object.keys(samplingMembers),
};

/** All members but the name, which is the folder's, and the preset. */
export type ProfileMembers = Omit<ModelProfile, 'name' | 'preset'>;

const file = z.strictObject({
  preset: told(z.string().min(1), 'the name of a preset, e.g. plain'),
  ...MEMBERS,
});

/** `profile.yaml`: what is left out is the preset's. */
export const profileFileSchema = file.partial();
