import { TomlError, parse } from 'smol-toml';
import { z } from 'zod';
import { messageOf, parseSize } from '../../lib/index.ts';
import { taskInvalid } from './invalid.ts';

/**
 * `task.toml` of Harbor (schema 1.0 to 1.4, both spellings), as far as it matters here; what is not
 * named is left alone. `[metadata.vivarium]` is ours.
 */

const networkSchema = z.enum(['no-network', 'public', 'allowlist']).optional();
const positive = z.number().positive().finite();
const envSchema = z.record(z.string(), z.string()).default({});

const environmentSchema = z.object({
  docker_image: z.string().min(1).optional(),
  os: z.string().default('linux'),
  cpus: positive.optional(),
  memory_mb: positive.optional(),
  storage_mb: positive.optional(),
  memory: z.string().optional(),
  storage: z.string().optional(),
  gpus: z.number().optional(),
  workdir: z.string().optional(),
  env: envSchema,
  network_mode: networkSchema,
  allow_internet: z.boolean().optional(),
});

const oursSchema = z.object({
  image: z.string().min(1).optional(),
  workdir: z.string().optional(),
  tree: z.string().optional(),
  hide: z.array(z.string().startsWith('/')).optional(),
  verifier: z
    .object({
      on: z.enum(['patch', 'workspace']).optional(),
      reader: z
        .enum(['reward', 'junit', 'ctrf', 'swe-bench', 'swe-bench-pro', 'patcheval'])
        .default('reward'),
      parser: z.string().optional(),
      fail_only: z.boolean().default(false),
      protect: z.array(z.string()).default([]),
    })
    .optional(),
});

const tomlSchema = z.object({
  schema_version: z.string().optional(),
  version: z.union([z.string(), z.number()]).optional(),
  metadata: z.record(z.string(), z.unknown()).default({}),
  agent: z.object({ timeout_sec: positive.optional(), network_mode: networkSchema }).default({}),
  verifier: z
    .object({
      timeout_sec: positive.default(600),
      env: envSchema,
      network_mode: networkSchema,
      environment_mode: z.enum(['shared', 'separate']).optional(),
    })
    .default({ timeout_sec: 600, env: {} }),
  environment: environmentSchema.default({ os: 'linux', env: {} }),
  steps: z.array(z.unknown()).default([]),
});

export type TaskToml = z.infer<typeof tomlSchema>;
export type OurTable = z.infer<typeof oursSchema>;

/** @throws VivariumError `task_invalid` with the line or the member that is wrong */
export function parseTaskToml(text: string): { toml: TaskToml; ours: OurTable | undefined } {
  let raw: unknown;
  try {
    raw = parse(text);
  } catch (error) {
    const where = error instanceof TomlError ? ` (line ${error.line})` : '';
    throw badToml(`it is no TOML${where}: ${firstLine(messageOf(error))}`, error);
  }
  const toml = checked(tomlSchema, raw, '');
  const own = toml.metadata['vivarium'];
  return {
    toml,
    ours: own === undefined ? undefined : checked(oursSchema, own, 'metadata.vivarium.'),
  };
}

function checked<T>(schema: z.ZodType<T>, value: unknown, prefix: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw badToml(`${prefix}${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'it is not valid'}`);
}

function firstLine(text: string): string {
  return text.split(/\n| \d+: /)[0] ?? text;
}

function badToml(why: string, cause?: unknown): Error {
  return taskInvalid(`task.toml: ${why}`, 'Correct task.toml; its form is that of Harbor.', cause);
}

/** Bytes that the table asks for in the new spelling (MiB) or the old one (`2G`). */
export function bytesOf(mebibytes: number | undefined, old: string | undefined): number | null {
  if (mebibytes !== undefined) return Math.round(mebibytes * 1024 * 1024);
  return old === undefined ? null : parseSize(old);
}

/** Whether anything in the table opens the network; Harbor's own default is not counted. */
export function asksForNetwork({ environment, agent, verifier }: TaskToml): boolean {
  const modes = [environment.network_mode, agent.network_mode, verifier.network_mode];
  if (modes.some((mode) => mode === 'public' || mode === 'allowlist')) return true;
  return environment.network_mode === undefined && environment.allow_internet === true;
}

/** Values may name variables of the host: none is given, only what the task itself has as default. */
export function withoutHostVariables(
  env: Readonly<Record<string, string>>,
): Record<string, string> {
  const kept = Object.entries(env).map(([name, value]) => [
    name,
    value.replace(/\$\{\w+:-([^}]*)\}/g, '$1'),
  ]);
  return Object.fromEntries(
    kept.filter(([, value]) => !/\$\{\w+\}/.test(value ?? '')) as [string, string][],
  );
}
