import path from 'node:path';
import { loadScaffold, type Scaffold } from '../../agent/index.ts';
import type { SessionResult } from '../../contract/index.ts';
import type { TreeFile } from '../../evaluation/index.ts';
import {
  chooseAttempt,
  drivenBy,
  patchBytes,
  readAttempts,
  type SessionPlan,
  type SettledRequest,
} from '../../fix/index.ts';
import { newId } from '../../lib/index.ts';
import {
  ContextOverflowError,
  parseModelSpec,
  shownSpec,
  type ModelHandle,
} from '../../models/index.ts';
import {
  changesOfPatch,
  removeSnapshot,
  snapshotOfTree,
  type Change,
  type Snapshot,
} from '../../patch/index.ts';
import type { AskModel, FileChange, Worked, WorkOnTree } from '../../synthesis/index.ts';
import { fitLimits, probeEngine } from '../../workspaces/index.ts';
import { RESOURCES, type Environment } from '../environment.ts';
import { noteAll, recordSession, scaffoldPath } from '../fix.ts';
import { runRecorded } from '../run-recorded.ts';
import { openSessionModel, profileDefaults, profileOf } from '../session-model.ts';
import { settle, titleOf } from '../settle.ts';

export interface SynthModelRequest {
  /** As `FixRequest.model`. */
  model: string;
  /** As `FixRequest.scaffold`. */
  scaffold?: string | undefined;
  /** Stands on record for the attempts. */
  repository: string;
  image: string;
  /** Requests at a time. */
  parallel: number;
  signal: AbortSignal;
  /** What happens right now, for people who watch. */
  phase: (text: string) => void;
}

/** The user's model as generators and statements use it. */
export interface SynthModel {
  work: WorkOnTree;
  ask: AskModel;
  /** Ends its server where it was started for this; safe to call twice. */
  close(): Promise<void>;
}

/** What all attempts share. */
interface Opened {
  environment: Environment;
  asked: SynthModelRequest;
  settled: SettledRequest;
  scaffold: Scaffold;
  scaffoldFile: string;
  limits: SessionPlan['limits'];
  model: ModelHandle;
  notes: readonly string[];
}

const NOTE = 'an attempt for `vivarium tasks synth`: what it left behind may become a bug, no fix';

/**
 * Opens the model for one synthesis; the caller closes it, and the environment does when it ends.
 * @throws VivariumError `model_*`, `scaffold_invalid`, `endpoint_*`; the signal's reason
 */
export async function openSynthModel(
  environment: Environment,
  asked: SynthModelRequest,
): Promise<SynthModel> {
  const { repository, image, parallel, signal, phase } = asked;
  const spec = parseModelSpec(asked.model);
  const profile = await profileOf(environment, spec);
  const scaffoldFile = scaffoldPath(asked.scaffold ?? profile?.scaffold ?? 'leaf');
  const scaffold = await loadScaffold(scaffoldFile, path.join(RESOURCES, 'scaffolds'));
  const request = { repository, issue: '', model: asked.model };
  const facts = { model: shownSpec(spec), image };
  const defaults = profileDefaults(profile, { ...scaffold, asked: asked.scaffold });
  const settled = settle(request, {}, scaffold, facts, defaults);
  const { limits } = fitLimits({}, await probeEngine(await environment.engine()));
  const { model, notes } = await openSessionModel(environment, spec, {
    ...{ signal, phase, parallel, contextTokens: settled.maxContextTokens },
  });
  const release = environment.onClose(() => model.close());
  const opened = { environment, asked, settled, scaffold, scaffoldFile, limits, model, notes };
  return {
    work: (job) => workOn(opened, job),
    ask: (prompt) => answerOf(opened, prompt),
    close: async () => {
      release();
      await model.close();
    },
  };
}

async function workOn(opened: Opened, job: Parameters<WorkOnTree>[0]): Promise<Worked> {
  const { environment, asked, settled, scaffold, scaffoldFile, limits, model } = opened;
  const { home } = environment.config;
  const { signal, seed, instruction: issue } = job;
  const began = performance.now();
  const sessionId = newId();
  const title = titleOf(issue);
  asked.phase(`session ${sessionId}: ${title}`);
  const snapshot = await snapshotOfTree(job.files.values(), {
    ...{ home, id: sessionId, source: asked.repository, signal },
  });
  try {
    const own = { ...settled, seed };
    const plan = { ...own, sessionId, issue, title, snapshot, scaffold, limits };
    const seconds = (performance.now() - began) / 1000;
    await recordSession(environment, plan, model, { settled: own, scaffoldFile, seconds });
    noteAll(environment, sessionId, [NOTE, ...opened.notes]);
    const result = await runRecorded(environment, plan, model, { fresh: [1] }, { signal });
    signal.throwIfAborted();
    return await workedOf(opened, result, { snapshot, files: job.files, signal });
  } finally {
    // Of no use to anybody: what the attempt made is on record.
    await removeSnapshot(home, sessionId);
  }
}

interface Place {
  snapshot: Snapshot;
  files: ReadonlyMap<string, TreeFile>;
  signal: AbortSignal;
}

/** @throws the reason why the model answers no more: the next attempts would all end like this one */
async function workedOf(
  { environment: { store }, model }: Opened,
  { sessionId, attempts }: SessionResult,
  { snapshot, files, signal }: Place,
): Promise<Worked> {
  const [attempt] = attempts;
  const ending = attempt?.exitReason ?? 'not_run';
  const gone = ending === 'llm_query_error' ? await model.gone(signal) : null;
  if (gone !== null) throw gone;
  const chosen = chooseAttempt(readAttempts(store, sessionId));
  const bytes = ending === 'agent' && chosen ? patchBytes(store, chosen) : new Uint8Array();
  const changes = await changesOfPatch(snapshot, bytes, { signal });
  return {
    changes: changes.map((change) => fileChange(change, files)),
    ...{ sessionId, ending, steps: attempt?.steps ?? 0 },
  };
}

function fileChange(change: Change, files: ReadonlyMap<string, TreeFile>): FileChange {
  const { path: name } = change;
  const before = files.get(name) ?? null;
  if (change.kind === 'deleted') return { path: name, before, after: null };
  const plain = change.kind === 'file' && !change.executable ? '100644' : '100755';
  const mode = change.kind === 'symlink' ? '120000' : plain;
  return { path: name, before, after: { path: name, mode, content: change.content } };
}

/** Empty for an answer that was cut off, and where the prompt alone does not fit. */
async function answerOf(
  { model, scaffold, settled, asked }: Opened,
  { system, user, seed }: Parameters<AskModel>[0],
): Promise<string> {
  const { sampling, limits } = drivenBy(scaffold, settled.driving ?? null);
  try {
    const { content, finish } = await model.chat.complete({
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: user },
      ],
      tools: [],
      sampling: { ...sampling, seed },
      maxTokens: limits.maxTokensPerTurn,
      signal: asked.signal,
    });
    return finish === 'cut' ? '' : content;
  } catch (error) {
    if (error instanceof ContextOverflowError) return '';
    throw error;
  }
}
