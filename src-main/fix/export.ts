import path from 'node:path';
import type { ReviewExportFormat, SessionResult, StoredEvent } from '../contract/index.ts';
import { checkApplies, exportFiles, mboxOf, type ExportFile } from '../patch/index.ts';
import type { Store } from '../store/index.ts';
import { bodiesOf } from './checkpoint.ts';
import { provenance } from './provenance.ts';
import { htmlReport, markdownReport, reportFacts } from './report/index.ts';
import { readAttempts, sessionResult, type AttemptRecord } from './result.ts';
import { isPartial, openReview, requireSelected, type OpenReview } from './review/open-review.ts';
import { selectionLine } from './review/selection.ts';
import { leafTrajectory } from './trajectory.ts';

/** A session opened for export: its events and the attempt to take, as its review left it. */
interface Exportable {
  store: Store;
  result: SessionResult;
  events: StoredEvent[];
  review: OpenReview;
  /** Without what was rejected. */
  bytes: Uint8Array;
  /** Base name of the files: title and session id. */
  name: string;
}

/**
 * Writes NAME.patch, NAME.json (provenance) and NAME.trajectory.json of a session's result (or of
 * one attempt), checks whether the patch applies to the user's present tree, and records both. What
 * was rejected in a review is left out of the patch, and the provenance says so; the trajectory has
 * all the model did. Returns the absolute paths, the patch first.
 * @throws VivariumError `nothing_to_export`, `out_unwritable`, `disk_full`.
 */
export async function exportResult(
  store: Store,
  sessionId: string,
  { out, home, attemptId }: { out: string; home: string; attemptId?: string | undefined },
): Promise<string[]> {
  const session = openForExport(store, sessionId, attemptId);
  const { bytes, name, review, events, result } = session;
  const applies = await checkApplies(bytes, result.repository, { home });
  const files = await exportFiles(out, name, [
    { suffix: '.patch', bytes },
    { suffix: '.json', bytes: json(provenance(events, review, result)) },
    { suffix: '.trajectory.json', bytes: json(trajectory(session)) },
  ]);
  const { applies: appliesToWorkingTree, detail: appliesDetail } = applies;
  const body = {
    type: 'patch.exported' as const,
    ...{ files, appliesToWorkingTree, appliesDetail },
    ...(isPartial(review) && { partial: true }),
  };
  store.append({ sessionId, attemptId: review.attempt.summary.attemptId, body });
  return files;
}

/** A file of an export with what a browser needs to save it. */
export interface Download extends ExportFile {
  /** Base name; the whole name is this and the suffix. */
  name: string;
  mime: string;
}

/**
 * One format of a session's result (or of one attempt) as a single file. Of `patch` that is the
 * patch, of `leaf` the trajectory. What was rejected in a review is left out.
 * @throws VivariumError `nothing_to_export`.
 */
export function downloadOf(
  store: Store,
  sessionId: string,
  { format, attemptId }: { format: ReviewExportFormat; attemptId?: string | undefined },
): Download {
  const session = openForExport(store, sessionId, attemptId);
  return { name: session.name, ...fileOf(session, format) };
}

function fileOf(session: Exportable, format: ReviewExportFormat): Omit<Download, 'name'> {
  const { store, review, bytes, events, result } = session;
  switch (format) {
    case 'patch':
      return { suffix: '.patch', mime: 'text/x-patch', bytes };
    case 'mbox':
      return { suffix: '.mbox', mime: 'application/mbox', bytes: mailOf(session) };
    case 'provenance':
      return {
        suffix: '.json',
        mime: 'application/json',
        bytes: json(provenance(events, review, result)),
      };
    case 'leaf':
      return {
        suffix: '.trajectory.json',
        mime: 'application/json',
        bytes: json(trajectory(session)),
      };
    case 'html':
      return { suffix: '.html', mime: 'text/html', bytes: htmlReport(reportFacts(store, review)) };
    case 'markdown':
      return {
        suffix: '.md',
        mime: 'text/markdown',
        bytes: markdownReport(reportFacts(store, review)),
      };
  }
}

/** Writes one format as a single file into `out`. Returns its path in a list. Errors as {@link exportResult}. */
export async function exportOne(
  store: Store,
  sessionId: string,
  options: { out: string; format: ReviewExportFormat; attemptId?: string | undefined },
): Promise<string[]> {
  const { name, suffix, bytes } = downloadOf(store, sessionId, options);
  return exportFiles(options.out, name, [{ suffix, bytes }]);
}

/** Writes the result as a mail that `git am` takes. Returns the path. */
export function exportMbox(store: Store, sessionId: string, out: string): Promise<string[]> {
  return exportOne(store, sessionId, { out, format: 'mbox' });
}

function mailOf({ bytes, name, events, result, review }: Exportable): Uint8Array {
  const created = bodiesOf(events, 'session.created').at(-1);
  const from = `Proposed by ${result.model} in Vivarium session ${result.sessionId}; review before use.`;
  const partial = selectionLine(review);
  const made = review.attempt.events.findLast(({ body }) => body.type === 'patch.made');
  return mboxOf(bytes, {
    title: created?.title ?? name,
    body: partial === null ? from : `${from}\n\n${partial}`,
    dateMs: made?.at ?? Date.now(),
  });
}

/** Writes every attempt in Leaf's folder form: trajectory, and patch if any, by seed. Returns the paths. */
export async function exportLeaf(store: Store, sessionId: string, out: string): Promise<string[]> {
  const attempts = readAttempts(store, sessionId);
  const folder = path.join(out, 'trajectories', sessionId);
  const files: string[] = [];
  for (const attempt of attempts) {
    const { seed, attemptId } = attempt.summary;
    const patch = patchBytes(store, attempt);
    const events = store.events({ sessionId, attemptId });
    const record = leafTrajectory(events, trajectoryFacts(sessionId, attempt, patch));
    const trajectoryFile = { suffix: `_seed-${seed}.json`, bytes: json(record) };
    const patchFile = { suffix: `_seed-${seed}.patch`, bytes: patch };
    files.push(...(await exportFiles(folder, 'trajectory', [trajectoryFile])));
    // An empty file would pass for a result; the trajectory says that there is none.
    if (patch.length > 0) files.push(...(await exportFiles(folder, 'generated', [patchFile])));
  }
  return files;
}

function openForExport(store: Store, sessionId: string, attemptId: string | undefined): Exportable {
  const review = openReview(store, sessionId, attemptId);
  const events = store.events({ sessionId });
  const result = sessionResult(store, store.session(sessionId), review.attempts);
  const title = bodiesOf(events, 'session.created').at(-1)?.title ?? 'fix';
  const bytes = requireSelected(review);
  return { store, result, events, review, bytes, name: fileName(title, sessionId) };
}

/** Bytes of an attempt's patch; empty when nothing changed. */
export function patchBytes(store: Store, attempt: AttemptRecord): Uint8Array {
  const blob = attempt.patch?.blob ?? null;
  return blob === null ? new Uint8Array() : store.blob(blob);
}

/** With the whole patch: it is the record of what the model did, not of what a person let through. */
function trajectory({ store, result: { sessionId }, review }: Exportable) {
  const { attempt, bytes } = review;
  const events = store.events({ sessionId, attemptId: attempt.summary.attemptId });
  return leafTrajectory(events, trajectoryFacts(sessionId, attempt, bytes));
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
