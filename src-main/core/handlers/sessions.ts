import type { Handlers, SessionRow } from '../../contract/index.ts';
import { bodiesOf, reviewedResult, settledSchema } from '../../fix/index.ts';
import type { ListedSession } from '../../store/index.ts';
import type { Environment } from '../environment.ts';
import { beginningAgain } from '../follow-up.ts';
import { sessionRunner } from '../session-runner.ts';
import { readBlob } from './blob.ts';
import { checkFix } from './check.ts';
import { defined } from './defined.ts';
import { repeatedFix, requestOf } from './new-fix.ts';

/** Repositories offered as a filter. */
const MOST_REPOSITORIES = 500;

type Names =
  | 'sessions/list'
  | 'sessions/get'
  | 'sessions/events'
  | 'sessions/blob'
  | 'sessions/check'
  | 'sessions/start'
  | 'sessions/stop'
  | 'sessions/resume'
  | 'sessions/again'
  | 'sessions/mark';

export function sessionHandlers(environment: Environment): Pick<Handlers, Names> {
  return {
    'sessions/list': async (query) => {
      const { store } = environment;
      const { rows, total, counts } = store.listSessions(query);
      const repositories = store.recentRepositories(MOST_REPOSITORIES).map(({ path }) => path);
      return { rows: rows.map((row) => rowOf(environment, row)), total, counts, repositories };
    },
    'sessions/get': async ({ session }) => getSession(environment, session),
    'sessions/events': async ({ session, after, attempt, limit }) => {
      const { store } = environment;
      const { sessionId } = store.session(session);
      // Taken first: `live` after it tells all that this answer does not hold.
      const last = store.lastNumber();
      const only = attempt === undefined ? {} : { attemptId: attempt };
      const found = store.events({ sessionId, ...only, after, limit: limit + 1 });
      const events = found.filter(({ number }) => number <= last).slice(0, limit);
      return { events, last, more: found.length > limit };
    },
    'sessions/blob': async (input) => readBlob(environment.store, input),
    'sessions/check': (fix, { signal }) => checkFix(environment, defined(fix), signal),
    'sessions/start': async (fix, { signal }) => ({
      session: await sessionRunner(environment).start(await requestOf(environment, fix), signal),
    }),
    'sessions/stop': async ({ session }) => {
      await sessionRunner(environment).stop(session);
      return {};
    },
    'sessions/resume': async ({ session }, { signal }) => {
      await sessionRunner(environment).resume(session, signal);
      return {};
    },
    'sessions/again': async ({ session, changes }, { signal }) => {
      const fix = repeatedFix(environment, session, defined(changes));
      const request = await requestOf(environment, fix);
      const beginning = beginningAgain(environment, session);
      return { session: await sessionRunner(environment).start(request, signal, beginning) };
    },
    'sessions/mark': async ({ session, pinned, archived }) => {
      const { store } = environment;
      const { sessionId } = store.session(session);
      store.markSession(sessionId, { pinned, archived });
      return listedRow(environment, sessionId);
    },
  };
}

function rowOf(environment: Environment, row: ListedSession): SessionRow {
  return { ...row, stoppable: sessionRunner(environment).isRunning(row.sessionId) };
}

function listedRow(environment: Environment, sessionId: string): SessionRow {
  const { store } = environment;
  const marks = { pinned: false, archived: false, unseen: false };
  const row = store.listedSession(sessionId) ?? { ...store.session(sessionId), ...marks };
  return rowOf(environment, row);
}

function getSession(environment: Environment, session: string) {
  const { store } = environment;
  const summary = store.session(session);
  const { sessionId } = summary;
  if (store.listedSession(sessionId)?.unseen) {
    store.markSession(sessionId, { seenNumber: store.lastNumber() });
  }
  const first = store.events({ sessionId, limit: 2 });
  const created = bodiesOf(first, 'session.created')[0];
  const settled = settledSchema.safeParse(created?.request).data;
  const windows = [settled?.maxContextTokens, created?.model.contextTokens ?? undefined];
  const known = windows.filter((tokens) => tokens !== undefined);
  return {
    row: listedRow(environment, sessionId),
    result: reviewedResult(store, summary),
    issue: created?.issue ?? '',
    maxSteps: settled?.maxSteps ?? 0,
    contextTokens: known.length === 0 ? null : Math.min(...known),
    verify: settled?.verify?.command ?? null,
    startCommit: bodiesOf(first, 'snapshot.taken')[0]?.startCommit ?? null,
  };
}
