import type { Handlers, OutputOf, ParsedInputOf } from '../../contract/index.ts';
import { completeCell } from '../../evaluation/index.ts';
import { VivariumError } from '../../lib/index.ts';
import type { Environment } from '../environment.ts';
import { createdOf } from '../evaluation/list.ts';
import { runReader } from '../evaluation/run-reader.ts';
import { runRunner } from '../evaluation/run-runner.ts';
import { watchRun } from '../evaluation/watch-run.ts';
import { defined } from './defined.ts';

/** Tests named for one cell: more are counted, and in the report. */
const MOST_UNMET = 200;

type Names = Extract<keyof Handlers, `evaluation/${string}`>;

export function evaluationHandlers(environment: Environment): Pick<Handlers, Names> {
  const runIdOf = (run: string): string => environment.store.run(run).runId;
  return {
    'evaluation/runs': async () => environment.store.runs(),
    'evaluation/run': async ({ run }) => {
      const runId = runIdOf(run);
      const stoppable = runRunner(environment).isRunning(runId);
      const now = Date.now();
      return runReader(environment).ask({ about: 'report', run: runId, stoppable, now });
    },
    'evaluation/cells': async ({ run }) =>
      runReader(environment).ask({ about: 'cells', run: runIdOf(run) }),
    'evaluation/cell': async ({ session }) => cellOf(environment, session),
    // A generator of its own, so that a run that is not there is a fault of the stream.
    'evaluation/watch': async function* ({ run, after }, { signal }) {
      return yield* watchRun(environment.store, { runId: runIdOf(run), after, signal });
    },
    'evaluation/compare': async ({ run, with: other }) =>
      runReader(environment).ask({ about: 'comparison', run: runIdOf(run), with: runIdOf(other) }),
    'evaluation/label': async (input) => label(environment, input),
    'evaluation/report': async ({ run, with: other, format }) => {
      const { reportFile } = await import('../evaluation/report.ts');
      return reportFile(environment, { run, with: other ?? null, format });
    },
    'evaluation/start': async ({ seeds, ...request }, { signal }) => ({
      run: await runRunner(environment).start(
        {
          ...{ tasks: request.tasks, models: request.models, scaffolds: request.scaffolds },
          ...defined({ workers: request.workers, limit: request.limit, name: request.name }),
          ...(seeds !== undefined && { seeds: Array.from({ length: seeds }, (_, at) => at) }),
        },
        signal,
      ),
    }),
    'evaluation/resume': async ({ run, retryInfra }, { signal }) => {
      await runRunner(environment).resume(run, { retryInfra, signal });
      return {};
    },
    'evaluation/stop': async ({ run }) => {
      await runRunner(environment).stop(run);
      return {};
    },
  };
}

function cellOf({ store }: Environment, session: string): OutputOf<'evaluation/cell'> {
  const { sessionId } = store.session(session);
  const stored = store.cell(sessionId);
  if (stored === undefined) return null;
  const { runId, name } = store.run(stored.runId);
  const entry = createdOf({ store }, runId).entries[stored.entry]?.label ?? '';
  const cell = completeCell(stored);
  return { run: { runId, name }, entry, cell: { ...cell, grading: shortened(cell.grading) } };
}

type Grading = NonNullable<OutputOf<'evaluation/cell'>>['cell']['grading'];

function shortened(grading: Grading): Grading {
  if (grading === null) return null;
  const cut = (one: NonNullable<Grading>['failToPass']) =>
    one === null ? null : { ...one, unmet: one.unmet.slice(0, MOST_UNMET) };
  return {
    ...grading,
    failToPass: cut(grading.failToPass),
    passToPass: cut(grading.passToPass),
  };
}

async function label(
  { store }: Environment,
  { session, label: said, note }: ParsedInputOf<'evaluation/label'>,
): Promise<Record<string, never>> {
  const { sessionId } = store.session(session);
  if (store.cell(sessionId) === undefined) {
    throw new VivariumError(
      'usage',
      `session ${sessionId} is no part of an evaluation`,
      'Label the cells of a run; a session of your own has notes in its review.',
    );
  }
  const body = { type: 'cell.labelled' as const, label: said, note };
  store.append({ sessionId, attemptId: null, body });
  return {};
}
