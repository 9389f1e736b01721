import { readdirSync, statSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { newId, sha256 } from '../../../lib/index.ts';

const factsSchema = z.object({
  version: z.string(),
  flags: z.array(z.string()).nullable(),
  choices: z.record(z.string(), z.array(z.string())),
});

/** What was learnt from a program: its help takes vLLM ten seconds, since it loads PyTorch first. */
export type ProbeFacts = z.infer<typeof factsSchema>;

/** Remembers what programs said, by what they are: path, time of change, size. */
export interface ProbeMemory {
  /** Looks up, or asks and keeps; a failed question is not kept. */
  recall(identity: string, ask: () => Promise<ProbeFacts>): Promise<ProbeFacts>;
}

/**
 * Remembers within this process, and in a folder across processes where one is given.
 * A file there that cannot be read or written costs only the time to ask again.
 */
export function createProbeMemory(folder: string | null): ProbeMemory {
  const known = new Map<string, ProbeFacts>();
  return {
    async recall(identity, ask) {
      const file = folder === null ? null : join(folder, `${sha256(identity).slice(0, 24)}.json`);
      const kept = known.get(identity) ?? (file === null ? null : await load(file));
      if (kept) {
        known.set(identity, kept);
        return kept;
      }
      const facts = await ask();
      known.set(identity, facts);
      if (file !== null) await store(file, facts);
      return facts;
    },
  };
}

async function load(file: string): Promise<ProbeFacts | null> {
  try {
    return factsSchema.safeParse(JSON.parse(await readFile(file, 'utf8'))).data ?? null;
  } catch {
    return null;
  }
}

async function store(file: string, facts: ProbeFacts): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const draft = `${file}.${newId(6)}`;
    await writeFile(draft, JSON.stringify(facts), { mode: 0o600 });
    await rename(draft, file);
  } catch {
    // A full or read-only disk: the next process asks again.
  }
}

/**
 * Names the state of a program: the file's path, time of change and size, and for one in a Python
 * environment the time of change of its packages, which an upgrade alters.
 */
export function programIdentity(file: string): string {
  const { mtimeMs, size } = statSync(file);
  return [file, mtimeMs, size, packagesChangedAt(dirname(dirname(file)))].join('|');
}

function packagesChangedAt(prefix: string): number {
  try {
    const lib = join(prefix, 'lib');
    const pythons = readdirSync(lib).filter((name) => /^python\d/.test(name));
    const times = pythons.map((name) => statSync(join(lib, name, 'site-packages')).mtimeMs);
    return Math.max(0, ...times);
  } catch {
    return 0;
  }
}
