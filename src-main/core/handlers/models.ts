import { setTimeout as sleep } from 'node:timers/promises';
import type { Handlers, ServerSample, ServerStatus } from '../../contract/index.ts';
import { withHome } from '../../lib/index.ts';
import { importNotes } from '../../models/index.ts';
import type { Environment } from '../environment.ts';
import { jobsOf } from '../jobs.ts';
import { defined } from './defined.ts';
import { scaffolds } from './scaffolds.ts';

const WATCH_EVERY_MS = 1_000;
const LOG_EVERY_MS = 300;
/** An older look says nothing about now. */
const FRESH_MS = 60_000;
/** Progress that nobody took in time is past. */
const NEWEST_ONLY = 1;
const MOST_STATES = 64;

type Names = Extract<keyof Handlers, `models/${string}`>;

export function modelHandlers(environment: Environment): Pick<Handlers, Names> {
  return { ...libraryHandlers(environment), ...serverHandlers(environment) };
}

type LibraryNames =
  | 'models/list'
  | 'models/add'
  | 'models/verify'
  | 'models/remove'
  | 'models/rename'
  | 'models/profile'
  | 'models/setProfile'
  | 'models/machine'
  | 'models/scaffolds';

function libraryHandlers(environment: Environment): Pick<Handlers, LibraryNames> {
  const { models } = environment;
  return {
    'models/list': async () => {
      const library = await models.library.list();
      return Promise.all(
        library.map(async (model) => ({ model, status: await models.status(model.name) })),
      );
    },
    'models/add': ({ path, ...options }, context) =>
      jobsOf(environment).watch(
        {
          ...{ name: 'models/add', subject: path, input: { path, ...options }, most: NEWEST_ONLY },
          run: (onProgress, signal) =>
            models.add(withHome(path), { ...defined(options), signal, onProgress }),
        },
        context.signal,
      ),
    'models/verify': ({ name }, context) =>
      jobsOf(environment).watch(
        {
          ...{ name: 'models/verify', subject: name, input: { name }, most: NEWEST_ONLY },
          run: (onProgress, signal) => models.library.verify(name, { signal, onProgress }),
        },
        context.signal,
      ),
    'models/remove': ({ name }) => models.library.remove(name),
    'models/rename': ({ name, to }) => models.library.rename(name, to),
    'models/profile': async ({ name }) => {
      const profile = await models.profiles.get(name);
      return { profile: { ...profile }, yaml: await models.profiles.export(name) };
    },
    'models/setProfile': async ({ name, overrides, yaml }) => {
      let profile =
        yaml === undefined
          ? await models.profiles.get(name)
          : await models.profiles.import(name, yaml);
      if (overrides !== undefined) profile = await models.profiles.set(name, overrides);
      const text = await models.profiles.export(name);
      return { profile: { ...profile }, yaml: text, notes: importNotes(profile) };
    },
    'models/machine': () => models.machine(),
    'models/scaffolds': () => scaffolds(environment),
  };
}

function serverHandlers(environment: Environment): Pick<Handlers, Exclude<Names, LibraryNames>> {
  const { models } = environment;
  return {
    'models/plan': async ({ name, overrides }, { signal }) => {
      const { profile, ...report } = await models.preview(name, { overrides, signal });
      return { ...report, profile: { ...profile } };
    },
    'models/start': (input, context) =>
      jobsOf(environment).watch(
        {
          ...{ name: 'models/start', subject: input.name, input, most: MOST_STATES },
          run: (onStatus, signal) => {
            const { name, overrides, force } = input;
            return models.startInBackground(name, { overrides, force, signal, onStatus });
          },
        },
        context.signal,
      ),
    'models/stop': ({ name, force }) => models.stop(name, { force: force ?? false }),
    'models/watch': ({ name }, { signal }) => watch(environment, name, signal),
    'models/samples': async ({ name, since }) => environment.store.serverSamples(name, { since }),
    'models/logs': ({ name, lines }, { signal }) => logs(environment, name, lines, signal),
    'models/bench': ({ name }, context) =>
      jobsOf(environment).watch(
        {
          ...{ name: 'models/bench', subject: name, input: { name }, most: MOST_STATES },
          run: (tell: (item: { text: string }) => void, signal) =>
            models.bench(name, { signal, onProgress: (text) => tell({ text }) }),
        },
        context.signal,
      ),
  };
}

async function* watch(
  { models, store }: Environment,
  name: string | null,
  signal: AbortSignal,
): AsyncGenerator<
  { status: ServerStatus; sample: ServerSample | null }[],
  Record<string, never>,
  void
> {
  while (!signal.aborted) {
    const statuses = name === null ? await models.statuses() : [await models.status(name)];
    yield statuses.map((status) => {
      const sample = store.latestServerSample(status.name);
      const isFresh = sample !== null && Date.now() - sample.at < FRESH_MS;
      return { status, sample: isFresh ? sample : null };
    });
    await sleep(WATCH_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
  return {};
}

async function* logs(
  { models }: Environment,
  name: string,
  lines: number,
  signal: AbortSignal,
): AsyncGenerator<string[], Record<string, never>, void> {
  yield* models.logs(name, { lines, follow: true, everyMs: LOG_EVERY_MS, signal });
  return {};
}
