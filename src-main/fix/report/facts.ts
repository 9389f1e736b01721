import type { EventOf, ReviewNote, SessionResult, Verification } from '../../contract/index.ts';
import { splitPatch, type PatchPart } from '../../patch/index.ts';
import type { Store } from '../../store/index.ts';
import { bodiesOf } from '../checkpoint.ts';
import { sessionResult } from '../result.ts';
import { newLineText } from './diff-lines.ts';
import { selectedBytes, type OpenReview } from '../review/open-review.ts';
import {
  selectedFacts,
  selectionLine,
  selectionOf,
  type SelectedFacts,
  type Selection,
} from '../review/selection.ts';

/** What a report tells, in the order in which a reader asks; the texts are as hostile as they came. */
export interface ReportFacts {
  title: string;
  issue: string;
  /** One line on what was left out; `null` when nothing was. */
  partial: string | null;
  selection: Selection;
  exported: SelectedFacts;
  /** What is exported, by file. */
  files: PatchPart[];
  /** With the line each is to, where the patch shows it; lines are those of the whole patch. */
  notes: (ReviewNote & { code: string | null })[];
  leftOut: { path: string; reason: string }[];
  verification: Verification | null;
  finalMessage: string | null;
  /** Where the patch comes from, as names and values. */
  origin: [string, string][];
  attempts: SessionResult['attempts'];
}

/** Gathers what a report on a review needs. */
export function reportFacts(store: Store, review: OpenReview): ReportFacts {
  const { sessionId, attempt, attempts } = review;
  const events = store.events({ sessionId });
  const result = sessionResult(store, store.session(sessionId), attempts);
  const created = bodiesOf(events, 'session.created').at(-1);
  return {
    title: created?.title ?? 'fix',
    // What browsers send has CRLF; nobody needs to see that.
    issue: (created?.issue ?? '').replaceAll('\r\n', '\n'),
    partial: selectionLine(review),
    selection: selectionOf(review),
    exported: selectedFacts(review),
    // As they stand in the exported bytes: lines are counted without what was left out.
    files: splitPatch(selectedBytes(review)),
    notes: review.notes.map((note) => ({ ...note, code: codeOf(review, note) })),
    leftOut: attempt.patch?.leftOut ?? [],
    verification: attempt.verification ?? null,
    finalMessage: attempt.finished?.finalMessage ?? null,
    origin: originOf(review, result, created, bodiesOf(events, 'snapshot.taken').at(-1)),
    attempts: result.attempts,
  };
}

/** The line a note is to, as the whole patch shows it. */
export function codeOf({ parts }: OpenReview, { path, line }: ReviewNote): string | null {
  const part = parts.find((one) => one.path === path);
  return line === null || part === undefined ? null : newLineText(part, line);
}

function originOf(
  { attempt, sha256 }: OpenReview,
  result: SessionResult,
  created: EventOf<'session.created'> | undefined,
  snapshot: EventOf<'snapshot.taken'> | undefined,
): [string, string][] {
  const { summary, finished } = attempt;
  const opened = bodiesOf(attempt.events, 'workspace.opened').at(-1);
  const dirty = snapshot?.dirty;
  const tokens = finished?.usage;
  const follows = created?.followUp;
  const rows: [string, string | null | undefined][] = [
    ['Session', result.sessionId],
    ['Outcome', result.outcome],
    ['Attempt', `${summary.number} of ${result.attempts.length}, seed ${summary.seed}`],
    ['Follows', follows && `${follows.attemptId} with patch ${follows.patch}`],
    ['Repository', result.repository],
    ['Base commit', snapshot?.baseCommit],
    ['Working tree', dirty && `${dirty.modified} modified, ${dirty.untracked} untracked files`],
    ['Model', result.model],
    ['Model file', created?.model.sha256 && `sha256 ${created.model.sha256}`],
    ['Scaffold', created && `${created.scaffold.name} ${created.scaffold.hash.slice(0, 12)}`],
    ['Image', opened?.attestation.imageId],
    ['Runtime', opened?.attestation.runtime],
    ['Ended', finished && `${finished.exitReason} after ${summary.steps} steps`],
    ['Seconds', finished && secondsText(finished.seconds)],
    ['Tokens', tokens && `${tokens.promptTokens ?? '?'} in, ${tokens.completionTokens ?? '?'} out`],
    ['Whole patch', `sha256 ${sha256}`],
  ];
  return rows.filter((row): row is [string, string] => typeof row[1] === 'string');
}

function secondsText({ model, tools, total }: { model: number; tools: number; total: number }) {
  return `${total.toFixed(1)} (model ${model.toFixed(1)}, tools ${tools.toFixed(1)})`;
}

/** A test before and after the patch; `null` where it did not run. */
export interface TestRow {
  name: string;
  before: string | null;
  after: string | null;
}

/** Every test of a verification, those whose outcome changed first. */
export function testRows({ before, after }: Verification): TestRow[] {
  const rows = new Map<string, TestRow>();
  for (const { name, status } of before.tests)
    rows.set(name, { name, before: status, after: null });
  for (const { name, status } of after.tests) {
    rows.set(name, { name, before: rows.get(name)?.before ?? null, after: status });
  }
  const all = [...rows.values()];
  return [
    ...all.filter((row) => row.before !== row.after),
    ...all.filter((row) => row.before === row.after),
  ];
}
