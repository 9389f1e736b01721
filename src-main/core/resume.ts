import path from 'node:path';
import { loadScaffold } from '../agent/index.ts';
import type { SessionResult } from '../contract/index.ts';
import {
  bodiesOf,
  readAttempts,
  settledSchema,
  startChanges,
  type Remaining,
  type SessionPlan,
} from '../fix/index.ts';
import { VivariumError } from '../lib/index.ts';
import { parseModelSpec } from '../models/index.ts';
import { openSnapshot } from '../patch/index.ts';
import { chooseImage } from './choose-image.ts';
import { RESOURCES, type Environment } from './environment.ts';
import { follow, runRecorded } from './run-recorded.ts';
import { openSessionModel } from './session-model.ts';
import type { FixOptions } from './types.ts';

/** Goes on with an interrupted or cancelled session from its last checkpoint; see `Core.resume`. */
export async function resume(
  environment: Environment,
  session: string,
  options: FixOptions & { out?: string },
): Promise<SessionResult> {
  const signal = options.signal ?? new AbortController().signal;
  const { sessionId, state } = environment.store.session(session);
  refuseCell(environment, sessionId);
  if (state !== 'interrupted' && state !== 'cancelled') throw notResumable(sessionId, state);
  const plan = await readPlan(environment, sessionId, options.out);
  const remaining = remainingOf(environment, plan);
  // Before anything is on record: a session that cannot be taken up now stays as it is.
  await chooseImage(await environment.engine(), plan.snapshot.repository, plan.image);
  const phase = (text: string) =>
    options.onProgress?.({ sessionId, attemptId: null, attempt: 0, at: { kind: 'phase', text } });
  const { model, notes } = await openSessionModel(environment, parseModelSpec(plan.model), {
    ...{ signal, phase },
    contextTokens: plan.maxContextTokens,
    parallel: plan.parallel,
  });
  const release = environment.onClose(() => model.close());
  const unfollow = follow(environment, sessionId, options);
  try {
    for (const text of notes) {
      const body = { type: 'note' as const, level: 'info' as const, text };
      environment.store.append({ sessionId, attemptId: null, body });
    }
    options.onRecorded?.(sessionId);
    return await runRecorded(environment, plan, model, remaining, { ...options, signal });
  } finally {
    unfollow();
    release();
    await model.close();
  }
}

/** A cell goes on under the rules of its run: fresh, with its verdict. */
function refuseCell({ store }: Environment, sessionId: string): void {
  const cell = store.cell(sessionId);
  if (cell === undefined) return;
  throw new VivariumError(
    'usage',
    `session ${sessionId} is a cell of run ${cell.runId}`,
    `Go on with the run: \`vivarium eval run --resume ${cell.runId}\`.`,
  );
}

function notResumable(sessionId: string, state: string): VivariumError {
  const running = state === 'running';
  return new VivariumError(
    'usage',
    running
      ? `session ${sessionId} is running in another process`
      : `session ${sessionId} has ended (${state}); there is nothing to go on with`,
    running ? 'Wait for it, or stop it there.' : 'Start a new one with `vivarium fix`.',
  );
}

/** The plan as it was, from the record. */
async function readPlan(
  { store, config }: Environment,
  sessionId: string,
  out: string | undefined,
): Promise<SessionPlan> {
  const events = store.events({ sessionId });
  const created = bodiesOf(events, 'session.created').at(-1);
  const settled = settledSchema.safeParse(created?.request);
  if (!created || !settled.success) {
    throw new VivariumError(
      'store_failed',
      `the record of session ${sessionId} is not complete enough to resume it`,
      'Start a new session with `vivarium fix`.',
    );
  }
  const snapshot = await openSnapshot(config.home, sessionId);
  if (!snapshot) {
    throw new VivariumError(
      'store_failed',
      `the snapshot of session ${sessionId} was removed`,
      'Start a new session with `vivarium fix`.',
    );
  }
  const scaffold = await loadScaffold(
    created.scaffold.file ?? created.scaffold.name,
    path.join(RESOURCES, 'scaffolds'),
  );
  if (scaffold.hash !== created.scaffold.hash) {
    const text = `the scaffold changed since the session began (${created.scaffold.hash.slice(0, 12)} is now ${scaffold.hash.slice(0, 12)})`;
    store.append({ sessionId, attemptId: null, body: { type: 'note', level: 'warning', text } });
  }
  const { issue, title, limits } = created;
  const start = startChanges(store, created);
  const plan = { ...settled.data, sessionId, issue, title, snapshot, start, scaffold, limits };
  return out === undefined ? plan : { ...plan, out: path.resolve(out) };
}

/** The attempt that was cut off, if any, and those that never began. */
function remainingOf({ store }: Environment, plan: SessionPlan): Remaining {
  const attempts = readAttempts(store, plan.sessionId);
  const begun = new Set(attempts.map((attempt) => attempt.summary.number));
  const fresh = Array.from({ length: plan.attempts }, (_, index) => index + 1).filter(
    (number) => !begun.has(number),
  );
  const cut = attempts.find(
    ({ summary }) => summary.exitReason === 'interrupted' || summary.exitReason === 'cancelled',
  );
  if (!cut) return { fresh };
  const { attemptId, number, seed } = cut.summary;
  return { resume: { attemptId, number, seed }, fresh };
}
