import type { Environment } from '../environment.ts';
import type { Tasks } from './task-types.ts';
import type { Evaluations } from './types.ts';

export type * from './types.ts';

/** Evaluations of an environment. Nothing of them is loaded before it is used. */
export function createEvaluations(environment: Environment): Evaluations {
  return {
    run: async (request, options = {}) =>
      (await import('./run.ts')).startRun(environment, request, options),
    resume: async (run, options = {}) =>
      (await import('./resume.ts')).resumeRun(environment, run, options),
    list: () => environment.store.runs(),
    show: async (run) => (await import('./list.ts')).showRun(environment, run),
    export: async (run, request) =>
      (await import('./export.ts')).exportRunOf(environment, run, request),
    report: async (run, { with: other, format }) =>
      (await import('./report.ts')).reportRun(environment, run, { with: other ?? null, format }),
    label: async (run, cell, said) =>
      (await import('./label.ts')).labelCell(environment, run, { cell, said }),
    regrade: async (run, options = {}) =>
      (await import('./regrade.ts')).regradeRun(environment, run, options),
  };
}

/** Task sets of an environment; loaded as {@link createEvaluations} are. */
export function createTasks(environment: Environment): Tasks {
  const load = async () => (await import('./tasks.ts')).createTasks(environment);
  return {
    list: async (folder) => (await load()).list(folder),
    import: async (request) => (await load()).import(request),
    fromReleases: async (request) => (await load()).fromReleases(request),
    add: async (request) => (await load()).add(request),
    check: async (folder, options) => (await load()).check(folder, options),
    preflight: async (folder) => (await load()).preflight(folder),
  };
}
