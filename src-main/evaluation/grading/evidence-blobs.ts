import { z } from 'zod';
import type { Grading } from '../../contract/index.ts';
import { sha256, VivariumError } from '../../lib/index.ts';
import type { Task } from '../tasks/types.ts';
import type { Evidence, Graded } from './types.ts';
import { patchedOutGrading, verdictOf } from './verdict.ts';

/** Name of the evidence that says how the verifier ended. */
const FACTS = 'facts.json';
const LOG = 'verifier.log';
/** What the same tests came to without the patch, where that decided. */
const WITHOUT_PATCH = 'without-patch.json';
/** Before the names of the verifier's own files. */
const FILES = 'verifier/';

const factsSchema = z.object({
  taskHash: z.string(),
  applied: z.boolean(),
  exitCode: z.number().nullable(),
  timedOut: z.boolean(),
  outOfMemory: z.boolean(),
  logCutBytes: z.number(),
  planted: z.array(z.string()),
  restored: z.array(z.string()),
  seconds: z.number(),
});

/** Verdict and evidence as the record keeps them. */
export function gradedOf(task: Task, evidence: Evidence): Graded {
  const { log, files, ...facts } = evidence;
  const named: [string, Uint8Array][] = [
    [FACTS, Buffer.from(JSON.stringify({ taskHash: task.hash, ...facts }))],
    [LOG, log],
    ...Object.entries(files).map(([name, bytes]): [string, Uint8Array] => [FILES + name, bytes]),
  ];
  return {
    grading: {
      ...verdictOf(task, evidence),
      evidence: Object.fromEntries(named.map(([name, bytes]) => [name, sha256(bytes)])),
    },
    blobs: named.map(([, bytes]) => bytes),
  };
}

/** A grading that its patch has to answer for, since `without` it the tests came to their end. */
export function blamedOnPatch({ grading, blobs }: Graded, without: Grading): Graded {
  const { summary, seconds, exitCode } = without;
  const bytes = Buffer.from(JSON.stringify({ summary, seconds, exitCode }));
  const evidence = { ...grading.evidence, [WITHOUT_PATCH]: sha256(bytes) };
  return { grading: { ...patchedOutGrading(grading), evidence }, blobs: [...blobs, bytes] };
}

/**
 * The verdict over evidence that was kept, without a container: for when readers or lists of tests
 * were wrong. `bytesOf` gives the content of a blob by its hash.
 * @throws VivariumError `task_changed` when the task is not the one that the evidence is of;
 * `store_failed` when a blob is missing or damaged, or when there is no evidence.
 */
export async function gradeAgain(
  task: Task,
  saved: Pick<Grading, 'evidence'>,
  bytesOf: (hash: string) => Promise<Uint8Array | undefined> | Uint8Array | undefined,
): Promise<Grading> {
  const contents = new Map<string, Uint8Array>();
  for (const [name, hash] of Object.entries(saved.evidence)) {
    const bytes = await bytesOf(hash);
    if (bytes === undefined) throw lost(name);
    contents.set(name, bytes);
  }
  const facts = readFacts(contents.get(FACTS));
  if (facts.taskHash !== task.hash) {
    throw new VivariumError(
      'task_changed',
      `The task ${task.name} was changed after this evidence was made.`,
      'Put the task back as it was, or run it again.',
    );
  }
  const log = contents.get(LOG);
  if (log === undefined) throw lost(LOG);
  const { taskHash: _, ...rest } = facts;
  const files = [...contents].filter(([name]) => name.startsWith(FILES));
  const evidence: Evidence = {
    ...rest,
    log,
    files: Object.fromEntries(files.map(([name, bytes]) => [name.slice(FILES.length), bytes])),
  };
  const found = verdictOf(task, evidence);
  const verdict = contents.has(WITHOUT_PATCH) ? patchedOutGrading(found) : found;
  return { ...verdict, evidence: saved.evidence };
}

function readFacts(bytes: Uint8Array | undefined): z.infer<typeof factsSchema> {
  if (bytes === undefined) throw lost(FACTS);
  try {
    return factsSchema.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
  } catch (error) {
    throw lost(FACTS, error);
  }
}

function lost(name: string, cause?: unknown): VivariumError {
  return new VivariumError(
    'store_failed',
    `The evidence ${name} of this grading is not there or is damaged.`,
    'Grade the patch again in a workspace.',
    cause,
  );
}
