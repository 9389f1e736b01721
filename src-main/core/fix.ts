import path from 'node:path';
import { loadScaffold } from '../agent/index.ts';
import type { EventOf, SessionResult } from '../contract/index.ts';
import {
  mergeLimits,
  readRepositorySettings,
  type AskedRequest,
  type SessionPlan,
  type SettledRequest,
} from '../fix/index.ts';
import { newId, processIdentity, VivariumError, withHome } from '../lib/index.ts';
import { parseModelSpec, shownSpec, type ModelHandle } from '../models/index.ts';
import {
  findRepository,
  removeSnapshot,
  takeSnapshot,
  type Change,
  type LeftOut,
  type Snapshot,
} from '../patch/index.ts';
import { fitLimits, fitParallel, probeEngine } from '../workspaces/index.ts';
import { chooseImage } from './choose-image.ts';
import { RESOURCES, type Environment } from './environment.ts';
import { follow, runRecorded } from './run-recorded.ts';
import { openSessionModel, profileDefaults, profileOf } from './session-model.ts';
import { settle, titleOf } from './settle.ts';
import type { FixOptions, FixRequest } from './types.ts';

/** Where a session begins that does not begin with the repository as it is. */
export interface Beginning {
  title: string;
  /** The files; nothing is left of them where that fails. */
  take(sessionId: string, signal: AbortSignal): Promise<{ snapshot: Snapshot; start: Change[] }>;
  /** What the record keeps of it, with the contents it names. */
  recorded(start: readonly Change[]): Pick<RecordedFacts, 'followUp' | 'blobs'>;
}

/** Starts a new session and sees it through; see `Core.fix`. */
export async function fix(
  environment: Environment,
  request: FixRequest,
  options: FixOptions,
  beginning?: Beginning,
): Promise<SessionResult> {
  const sessionId = newId();
  const signal = options.signal ?? new AbortController().signal;
  const phase = (text: string) =>
    options.onProgress?.({ sessionId, attemptId: null, attempt: 0, at: { kind: 'phase', text } });

  const { settled, spec, ...parts } = await prepare(environment, request);
  const { model, notes } = await openSessionModel(environment, spec, {
    ...{ signal, phase },
    contextTokens: settled.maxContextTokens,
    parallel: settled.parallel,
  });
  const release = environment.onClose(() => model.close());
  const unfollow = follow(environment, sessionId, options);
  try {
    phase('taking a snapshot of the repository');
    const began = performance.now();
    const { snapshot, start } =
      (await beginning?.take(sessionId, signal)) ??
      (await fresh(environment, sessionId, { ...parts, history: request.history }, signal));
    const { limits, scaffold } = parts;
    // Of what was on record the model is to read each character again.
    const issue = beginning === undefined ? parts.issue : request.issue;
    const plan: SessionPlan = {
      ...settled,
      ...{ sessionId, issue, snapshot, start, scaffold, limits },
      title: beginning?.title ?? titleOf(issue),
    };
    const seconds = (performance.now() - began) / 1000;
    signal.throwIfAborted();
    const facts = {
      settled: { ...settled, asked: askedOf(request) },
      scaffoldFile: parts.scaffoldFile,
      seconds,
      ...beginning?.recorded(start),
    };
    await recordSession(environment, plan, model, facts);
    noteAll(environment, sessionId, [...parts.notes, ...notes, ...notCarried(snapshot.notCarried)]);
    options.onRecorded?.(sessionId);
    const numbers = Array.from({ length: plan.attempts }, (_, index) => index + 1);
    return await runRecorded(environment, plan, model, { fresh: numbers }, { ...options, signal });
  } finally {
    unfollow();
    release();
    await model.close();
  }
}

/** The repository as it is. */
async function fresh(
  { config: { home } }: Environment,
  sessionId: string,
  { repository, history = false }: { repository: string; history: boolean | undefined },
  signal: AbortSignal,
): Promise<{ snapshot: Snapshot; start: Change[] }> {
  const snapshot = await takeSnapshot(repository, { home, sessionId, history, signal });
  return { snapshot, start: [] };
}

/** Checks everything that is cheap to check before anything is started or copied. */
async function prepare(environment: Environment, request: FixRequest) {
  const issue = request.issue.trim();
  if (issue === '') {
    throw new VivariumError(
      'usage',
      'the issue is empty',
      'Describe the bug in a sentence or two.',
    );
  }
  const spec = parseModelSpec(request.model);
  const profile = await profileOf(environment, spec);
  const scaffoldFile = scaffoldPath(request.scaffold ?? profile?.scaffold ?? 'leaf');
  const scaffold = await loadScaffold(scaffoldFile, path.join(RESOURCES, 'scaffolds'));
  const { top: repository } = await findRepository(request.repository);
  const settings = await readRepositorySettings(repository);
  const engine = await environment.engine();
  const image = await chooseImage(engine, repository, request.image ?? settings.image);
  const facts = { model: shownSpec(spec), image };
  const defaults = profileDefaults(profile, { ...scaffold, asked: request.scaffold });
  const asked = settle(request, settings, scaffold, facts, defaults);
  const wanted = mergeLimits(settings, request.limits ?? {});
  const machine = await probeEngine(engine);
  checkRuntime(asked.runtime, machine.runtimes);
  const { limits, notes } = fitLimits(wanted, machine);
  const { parallel, note } = fitParallel(asked.parallel, machine);
  const settled = { ...asked, parallel };
  if (note !== null) notes.push(note);
  return { issue, spec, scaffold, scaffoldFile, repository, settled, limits, notes };
}

/** Without the model and the repository, which the record names in their own places. */
function askedOf(request: FixRequest): AskedRequest {
  const { repository: _top, issue: _issue, model: _model, out: _out, scaffold, ...asked } = request;
  const named = scaffold === undefined ? asked : { ...asked, scaffold: scaffoldPath(scaffold) };
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
}

/** A path is kept absolute, so that `resume` finds the file from any folder. */
export function scaffoldPath(nameOrPath: string): string {
  return /[\\/]|\.ya?ml$/.test(nameOrPath) ? path.resolve(withHome(nameOrPath)) : nameOrPath;
}

export function checkRuntime(runtime: string | null, available: readonly string[]): void {
  if (runtime === null || available.includes(runtime)) return;
  throw new VivariumError(
    'runtime_missing',
    `the container engine has no runtime named ${runtime}`,
    `It has ${available.join(', ')}; install the runtime and name it in the engine's settings.`,
  );
}

export interface RecordedFacts {
  settled: SettledRequest;
  scaffoldFile: string;
  seconds: number;
  /** With `blobs`, the contents it names. */
  followUp?: EventOf<'session.created'>['followUp'];
  blobs?: readonly Uint8Array[];
}

/** Puts a new session on record with its snapshot, which is removed when that fails. */
export async function recordSession(
  { store, config }: Environment,
  plan: SessionPlan,
  model: ModelHandle,
  facts: RecordedFacts,
): Promise<void> {
  const { sessionId, snapshot, scaffold, issue, title, limits } = plan;
  const { repository, ...taken } = snapshot;
  try {
    const created = {
      type: 'session.created' as const,
      ...{ repository, title, issue, limits },
      model: model.info,
      scaffold: { name: scaffold.name, hash: scaffold.hash, file: facts.scaffoldFile },
      request: facts.settled,
      owner: processIdentity(),
      followUp: facts.followUp,
    };
    store.append({ sessionId, attemptId: null, body: created, blobs: facts.blobs ?? [] });
    const body = { type: 'snapshot.taken' as const, ...taken, seconds: facts.seconds };
    store.append({ sessionId, attemptId: null, body });
  } catch (error) {
    await removeSnapshot(config.home, sessionId);
    throw error;
  }
}

/** Said at once, not only in the provenance: the model can't see or change these. */
function notCarried(paths: readonly LeftOut[]): string[] {
  if (paths.length === 0) return [];
  const [first, ...others] = paths;
  const more = others.length === 0 ? '' : `, and ${others.length} more`;
  return [`not in the workspace: ${first?.path ?? ''} (${first?.reason ?? ''})${more}`];
}

export function noteAll({ store }: Environment, sessionId: string, notes: readonly string[]): void {
  for (const text of notes) {
    store.append({ sessionId, attemptId: null, body: { type: 'note', level: 'info', text } });
  }
}
