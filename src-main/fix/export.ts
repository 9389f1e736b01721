import path from 'node:path';
import type { SessionResult, StoredEvent } from '../contract/index.ts';
import { VivariumError } from '../lib/index.ts';
import { checkApplies, exportFiles, exportPatch } from '../patch/index.ts';
import type { Store } from '../store/index.ts';
import { bodiesOf } from './checkpoint.ts';
import { provenance } from './provenance.ts';
import { hasPatch, readAttempts, sessionResult, type AttemptRecord } from './result.ts';
import { leafTrajectory } from './trajectory.ts';

/** A session opened for export: its events and the attempt that is its result. */
interface Exportable {
  store: Store;
  result: SessionResult;
  events: StoredEvent[];
  attempts: AttemptRecord[];
  chosen: AttemptRecord;
  bytes: Uint8Array;
  /** Base name of the files: title and session id. */
  name: string;
}

/**
 * Writes NAME.patch, NAME.json (provenance) and NAME.trajectory.json of a session's result, checks
 * whether the patch applies to the user's present tree, and records both.
 * Returns the absolute paths, the patch first.
 * @throws VivariumError `nothing_to_export`, `out_unwritable`, `disk_full`.
 */
export async function exportResult(
  store: Store,
  sessionId: string,
  { out, home }: { out: string; home: string },
): Promise<string[]> {
  const session = openForExport(store, sessionId);
  const { bytes, name, chosen, events, result } = session;
  const applies = await checkApplies(bytes, result.repository, { home });
  const files = await exportFiles(out, name, [
    { suffix: '.patch', bytes },
    { suffix: '.json', bytes: json(provenance(events, chosen, result)) },
    { suffix: '.trajectory.json', bytes: json(trajectory(session)) },
  ]);
  const { applies: appliesToWorkingTree, detail: appliesDetail } = applies;
  const body = { type: 'patch.exported' as const, files, appliesToWorkingTree, appliesDetail };
  store.append({ sessionId, attemptId: chosen.summary.attemptId, body });
  return files;
}

/** Writes the result as a mail that `git am` takes. Returns the path. */
export async function exportMbox(store: Store, sessionId: string, out: string): Promise<string[]> {
  const { bytes, name, events, result } = openForExport(store, sessionId);
  const created = bodiesOf(events, 'session.created').at(-1);
  const mail = {
    title: created?.title ?? name,
    body: `Proposed by ${result.model} in Vivarium session ${sessionId}; review before use.`,
    dateMs: events.at(-1)?.at ?? Date.now(),
  };
  return [await exportPatch(bytes, { out, name, format: 'mbox', mail })];
}

/** Writes every attempt in Leaf's folder form: trajectory, and patch if any, by seed. Returns the paths. */
export async function exportLeaf(store: Store, sessionId: string, out: string): Promise<string[]> {
  const { attempts } = readSession(store, sessionId);
  const folder = path.join(out, 'trajectories', sessionId);
  const files: string[] = [];
  for (const attempt of attempts) {
    const { seed } = attempt.summary;
    const patch = patchBytes(store, attempt);
    const record = leafTrajectory(attempt.events, trajectoryFacts(sessionId, attempt, patch));
    const trajectoryFile = { suffix: `_seed-${seed}.json`, bytes: json(record) };
    const patchFile = { suffix: `_seed-${seed}.patch`, bytes: patch };
    files.push(...(await exportFiles(folder, 'trajectory', [trajectoryFile])));
    // An empty file would pass for a result; the trajectory says that there is none.
    if (patch.length > 0) files.push(...(await exportFiles(folder, 'generated', [patchFile])));
  }
  return files;
}

function readSession(store: Store, sessionId: string) {
  const attempts = readAttempts(store, sessionId);
  const result = sessionResult(store, store.session(sessionId), attempts);
  return { result, events: store.events({ sessionId }), attempts };
}

function openForExport(store: Store, sessionId: string): Exportable {
  const { result, events, attempts } = readSession(store, sessionId);
  const chosen = attempts.find((one) => one.summary.attemptId === result.patch?.attemptId);
  if (!chosen || !hasPatch(chosen)) {
    throw new VivariumError(
      'nothing_to_export',
      `session ${sessionId} has no patch: nothing was changed`,
      `See what happened with \`vivarium show ${sessionId} --steps\`, or run the fix with more attempts.`,
    );
  }
  const title = bodiesOf(events, 'session.created').at(-1)?.title ?? 'fix';
  const bytes = patchBytes(store, chosen);
  return { store, result, events, attempts, chosen, bytes, name: fileName(title, sessionId) };
}

/** Bytes of an attempt's patch; empty when nothing changed. */
export function patchBytes(store: Store, attempt: AttemptRecord): Uint8Array {
  const blob = attempt.patch?.blob ?? null;
  return blob === null ? new Uint8Array() : store.blob(blob);
}

function trajectory({ result, chosen, bytes }: Exportable) {
  return leafTrajectory(chosen.events, trajectoryFacts(result.sessionId, chosen, bytes));
}

function json(value: unknown): Uint8Array {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}

function trajectoryFacts(instanceId: string, { summary }: AttemptRecord, patch: Uint8Array) {
  // JSON holds text: bytes that are not UTF-8 are in the patch file only.
  const text = Buffer.from(patch).toString('utf8');
  return { instanceId, attemptId: summary.attemptId, seed: summary.seed, patch: text };
}

/** A portable base name: up to 40 characters of the title, then the session's id. */
function fileName(title: string, sessionId: string): string {
  const slug = title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
    .replace(/-+$/, '');
  return `${slug === '' ? 'fix' : slug}-${sessionId}`;
}
