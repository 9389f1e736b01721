import { createModelLibrary } from '../library/index.ts';
import { probeMachine } from '../machine/index.ts';
import {
  applyOverrides,
  ensureProfile,
  exportProfile,
  recognise,
  replaceProfile,
  writeProfile,
} from '../profiles/index.ts';
import type { ModelLibrary } from '../servers/types.ts';
import { createSupervisor } from '../supervisor/index.ts';
import { bench } from './bench.ts';
import { cleanServers } from './clean.ts';
import { readLog } from './logs.ts';
import { measureServer } from './measure.ts';
import { prepare, reportOf } from './prepare.ts';
import { previewOf } from './preview.ts';
import { createServers } from './servers.ts';
import { missingFiles, survey } from './survey.ts';
import type { ModelService, ModelServiceConfig } from './types.ts';

/**
 * Models on disk and their servers, for one data folder. Nothing is opened before it is used.
 * Close it when done: servers that this process started end with it.
 */
export function createModelService(config: ModelServiceConfig): ModelService {
  const { home, env, startChild } = config;
  const supervisor = createSupervisor({
    ...{ home, env },
    measure: (pids, plan) => measureServer(env, pids, plan),
    ...(startChild && { startChild }),
  });
  const { add, ...library } = createModelLibrary({
    home,
    recognise,
    inUse: async (name) => {
      const { state } = await supervisor.status(name);
      return state !== 'stopped' && state !== 'failed' && state !== 'lost';
    },
  });
  const servers = createServers({ config, supervisor, library });
  return {
    library,
    add: async (path, options = {}) => {
      const model = await add(path, options);
      await ensureProfile(home, model);
      return model;
    },
    profiles: profilesOf(home, library),
    plan: async (name, options = {}) => reportOf(await prepare(config, library, name, options)),
    preview: async (name, options = {}) =>
      previewOf(config, await prepare(config, library, name, options)),
    missingFiles: async (name) => (await missingFiles(await library.get(name))).missing,
    machine: () => probeMachine({ env }),
    ...servers,
    status: async (name) => {
      const status = await supervisor.status(name);
      // A name that is neither a server nor a model is a slip.
      if (status.state === 'stopped') await library.get(name);
      return status;
    },
    statuses: () => supervisor.list(),
    logs: async function* (name, options) {
      const { logFile } = await supervisor.status(name);
      if (logFile === null) await library.get(name);
      yield* readLog(async () => (await supervisor.status(name)).logFile, options);
    },
    bench: (name, options = {}) => bench({ servers, supervisor }, name, options),
    survey: () => survey(config, library),
    clean: () => cleanServers(home, supervisor, library),
  };
}

function profilesOf(home: string, library: Pick<ModelLibrary, 'get'>): ModelService['profiles'] {
  return {
    get: async (name) => ensureProfile(home, await library.get(name)),
    set: async (name, overrides) => {
      const kept = await ensureProfile(home, await library.get(name));
      const profile = applyOverrides(kept, overrides);
      await writeProfile(home, profile);
      return profile;
    },
    export: async (name) => {
      const model = await library.get(name);
      await ensureProfile(home, model);
      return exportProfile(home, model.name);
    },
    import: async (name, yaml) => replaceProfile(home, (await library.get(name)).name, yaml),
  };
}
