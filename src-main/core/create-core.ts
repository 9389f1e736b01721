import type { Handlers } from '../contract/index.ts';
import { Environment } from './environment.ts';
import { fix } from './fix.ts';
import { createEvaluations, createTasks } from './evaluation/index.ts';
import { createHandlers } from './handlers/index.ts';
import { resume } from './resume.ts';
import { sessionRunner } from './session-runner.ts';
import { createSynthesis } from './synthesis/index.ts';
import { exportSession, patch, result } from './sessions.ts';
import type { Core, CoreConfig } from './types.ts';

/**
 * Wires the rooms for one data folder. Nothing is opened before it is used, so that doors start fast.
 * Close it when done: servers, workspaces and the store end with it.
 */
export function createCore(config: CoreConfig): Core {
  const environment = new Environment(config);
  let handlers: Handlers | undefined;
  return {
    fix: (request, options = {}) => fix(environment, request, options),
    resume: (session, options = {}) => resume(environment, session, options),
    sessions: (options = {}) => environment.store.sessions(options),
    result: (session) => result(environment, session),
    events: (session, filter = {}) => {
      const { sessionId } = environment.store.session(session);
      return environment.store.events({ sessionId, ...filter });
    },
    patch: (session, attemptId) => patch(environment, session, attemptId),
    export: (session, options) => exportSession(environment, session, options),
    doctor: async () => (await import('./doctor.ts')).doctor(environment),
    clean: async () => (await import('./clean.ts')).clean(environment),
    images: {
      list: async () => (await import('./images.ts')).listImages(environment),
      import: async (file, signal) =>
        (await import('./images.ts')).importImages(environment, file, signal),
      build: async (options) => (await import('./images.ts')).buildImage(environment, options),
    },
    evaluations: createEvaluations(environment),
    tasks: createTasks(environment),
    rollout: async (options) =>
      (await import('./training/rollout.ts')).rollout(environment, options),
    training: {
      export: async (runs, request) =>
        (await import('./training/export.ts')).exportTrainingOf(environment, runs, request),
      dryRun: async (runs, request) =>
        (await import('./training/export.ts')).dryRunOf(environment, runs, request),
    },
    synthesis: createSynthesis(environment),
    get models() {
      return environment.models;
    },
    serverSamples: (server, options) => environment.store.serverSamples(server, options),
    get handlers() {
      handlers ??= createHandlers(environment);
      return handlers;
    },
    running: () => sessionRunner(environment).running(),
    close: () => environment.close(),
  };
}
