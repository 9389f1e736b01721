import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { parse as parseYaml, YAMLParseError } from 'yaml';
import { z } from 'zod';
import { messageOf, parseSize, VivariumError } from '../lib/index.ts';
import type { WorkspaceLimits } from '../workspaces/index.ts';
import { LEAST_LIMITS } from '../contract/index.ts';

/** Largest settings file that is read; anything bigger is a mistake. */
const MAX_SETTINGS_BYTES = 1024 * 1024;

const size = z.union([z.string(), z.number()]).transform((text, context) => {
  const bytes = parseSize(text);
  if (bytes !== null && bytes > 0) return bytes;
  context.addIssue({ code: 'custom', message: `"${text}" is not a size such as 4GiB` });
  return z.NEVER;
});

const positive = z.number().positive();
const count = z.number().int().positive();
const atLeast = (least: number) => count.min(least);

const settingsSchema = z.strictObject({
  image: z.string().min(1).optional(),
  verify: z.string().min(1).optional(),
  protect: z.array(z.string().min(1)).optional(),
  include: z.array(z.string().min(1)).optional(),
  limits: z
    .strictObject({
      memory: size.refine((bytes) => bytes >= LEAST_LIMITS.memoryBytes, 'too little').optional(),
      cpus: z.number().min(LEAST_LIMITS.cpus).optional(),
      pids: atLeast(LEAST_LIMITS.pids).optional(),
      disk: size.refine((bytes) => bytes >= LEAST_LIMITS.diskBytes, 'too little').optional(),
      inodes: atLeast(LEAST_LIMITS.inodes).optional(),
      steps: count.optional(),
      context: count.optional(),
      seconds: positive.optional(),
    })
    .optional(),
});

/** What `vivarium.yaml` at the root of the user's repository may say. Flags win over it. */
export type RepositorySettings = z.infer<typeof settingsSchema>;

/**
 * Reads `vivarium.yaml` of a repository; an absent file means no settings.
 * @throws VivariumError `settings_invalid` with the first fault and its place.
 */
export async function readRepositorySettings(repository: string): Promise<RepositorySettings> {
  const read = await readGuarded(path.join(repository, 'vivarium.yaml'));
  // To go on without what it may protect would be a silent change of the verdict.
  if ('fault' in read && read.fault !== null) throw invalid(read.fault);
  if ('fault' in read) return {};
  let value: unknown;
  try {
    value = parseYaml(read.text);
  } catch (error) {
    const line = error instanceof YAMLParseError ? error.linePos?.[0].line : undefined;
    throw invalid(`${line === undefined ? '' : `line ${line}: `}${firstLine(error)}`, error);
  }
  const parsed = settingsSchema.safeParse(value ?? {});
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const where = issue?.path.join('.') ?? '';
  throw invalid(`${where === '' ? '' : `${where}: `}${issue?.message ?? 'not understood'}`);
}

function invalid(fault: string, cause?: unknown): VivariumError {
  return new VivariumError(
    'settings_invalid',
    `vivarium.yaml can't be used: ${fault}`,
    'Correct the file; it may set image, verify, protect, include and limits.',
    cause,
  );
}

function firstLine(error: unknown): string {
  return messageOf(error).split(/ at line |:\s*$/)[0] ?? '';
}

/** Text of a small regular file; `null` if there is none that can be read. Links are not followed. */
export async function readSmallFile(file: string): Promise<string | null> {
  const read = await readGuarded(file);
  return 'text' in read ? read.text : null;
}

/** The text of a file, or why it is not read; `null` when there is nothing of that name. */
async function readGuarded(file: string): Promise<{ text: string } | { fault: string | null }> {
  let handle;
  try {
    handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code === 'ENOENT' || code === 'ENOTDIR') return { fault: null };
    return { fault: code === 'ELOOP' ? 'it is a symbolic link' : firstLine(error) };
  }
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) return { fault: 'it is not a regular file' };
    if (stat.size > MAX_SETTINGS_BYTES) return { fault: 'it is larger than 1 MiB' };
    return { text: await handle.readFile('utf8') };
  } finally {
    await handle.close();
  }
}

/** Limits that were asked for: flags win over the file. The rest is for the workspaces room to say. */
export function mergeLimits(
  settings: RepositorySettings,
  flags: Partial<WorkspaceLimits>,
): Partial<WorkspaceLimits> {
  const { memory, cpus, pids, disk, inodes } = settings.limits ?? {};
  return {
    ...(memory !== undefined && { memoryBytes: memory }),
    ...(cpus !== undefined && { cpus }),
    ...(pids !== undefined && { pids }),
    ...(disk !== undefined && { diskBytes: disk }),
    ...(inodes !== undefined && { inodes }),
    ...flags,
  };
}
