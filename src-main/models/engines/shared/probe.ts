import { VivariumError } from '../../../lib/index.ts';
import type { Installation, ModelProfile, ServerEngineId } from '../../servers/types.ts';
import { classifyFailure } from './failures/classify.ts';
import { parseHelp } from './help.ts';
import type { ProbeFacts, ProbeMemory } from './probe-memory.ts';
import { runProbe, type ProbeRun } from './run-probe.ts';

/** How to ask one program; commands are tried in order until one succeeds. */
export interface Questions {
  engine: ServerEngineId;
  title: string;
  /** Where it is, for people. */
  place: string;
  /** What decides whether the answer is still right: see `programIdentity`. */
  identity: string;
  versions: readonly (readonly string[])[];
  helps: readonly (readonly string[])[];
  /** The version in what the program printed; `null` when it is not there. */
  readVersion: (text: string) => string | null;
  env: Readonly<Record<string, string>>;
  signal?: AbortSignal | undefined;
}

const VERSION_TIMEOUT_MS = 60_000;
/** vLLM loads PyTorch for its help: ten seconds on a fast disk, a minute on a slow one. */
const HELP_TIMEOUT_MS = 180_000;

/**
 * Asks a program for version and flags, once for each state of it.
 * @throws VivariumError `engine_missing` when it does not run
 */
export async function askProgram(
  questions: Questions,
  memory: ProbeMemory,
): Promise<Pick<Installation, 'version' | 'flags' | 'choices'>> {
  // Variables of the profile may change what it prints (and whether it runs).
  const identity = `${questions.identity}|${JSON.stringify(questions.env)}`;
  const facts = await memory.recall(identity, () => ask(questions));
  return {
    version: facts.version,
    flags: facts.flags === null ? null : new Set(facts.flags),
    choices: new Map(Object.entries(facts.choices)),
  };
}

async function ask(questions: Questions): Promise<ProbeFacts> {
  const said = await firstOk(questions.versions, questions, VERSION_TIMEOUT_MS);
  const version = said.ok ? questions.readVersion(said.text) : null;
  if (version === null) throw broken(questions, said);
  const help = await firstOk(questions.helps, questions, HELP_TIMEOUT_MS);
  if (!help.ok && isBroken(questions.engine, help)) throw broken(questions, help);
  const { flags, choices } = help.ok ? parseHelp(help.text) : { flags: null, choices: new Map() };
  return {
    version,
    // A help without flags was none: everything is tried then, and the engine itself refuses.
    flags: flags === null || flags.size === 0 ? null : [...flags],
    choices: Object.fromEntries(choices as Map<string, string[]>),
  };
}

async function firstOk(
  commands: readonly (readonly string[])[],
  questions: Questions,
  timeoutMs: number,
): Promise<ProbeRun> {
  let last: ProbeRun = { ok: false, text: '', fault: 'there is no way to ask it' };
  for (const command of commands) {
    last = await runProbe(command, { env: questions.env, timeoutMs, signal: questions.signal });
    if (last.ok) return last;
  }
  return last;
}

/** An installation with missing parts fails at its help as it would at its start. */
function isBroken(engine: ServerEngineId, run: ProbeRun): boolean {
  const lines = [...run.text.split('\n'), run.fault];
  const failure = classifyFailure(engine, { lines, exit: null, outOfMemoryKilled: false });
  return failure?.kind === 'engine-incomplete';
}

function broken(questions: Questions, run: ProbeRun): VivariumError {
  const fault = run.fault === '' ? 'it does not say its version' : run.fault;
  return new VivariumError(
    'engine_missing',
    `${questions.title} in ${questions.place} does not run: ${fault}`,
    `Run it by hand to see why (${(questions.versions[0] ?? []).slice(0, 2).join(' ')}), or install it again.`,
  );
}

/** The first version number of a text: `0.33.0`, `0.32.0+cpu`, `0.5.4.post1`. */
export function versionIn(text: string): string | null {
  return /\b\d+\.\d+(?:\.\d+)?(?:\.?(?:rc|a|b|post|dev)\d+)*(?:\+[\w.]+)?/.exec(text)?.[0] ?? null;
}

/** Orders versions by their numbers: negative when `version` is older than `least`. */
export function compareVersions(version: string, least: string): number {
  const parts = (text: string): number[] =>
    (text.split('+')[0] ?? '').split('.').map((part) => Number.parseInt(part, 10) || 0);
  const [left, right] = [parts(version), parts(least)];
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Environment a profile adds, as it is given to program and server alike (S08). */
export function withProfile(
  env: Readonly<Record<string, string>>,
  profile: Pick<ModelProfile, 'environment'>,
): Record<string, string> {
  return { ...env, ...profile.environment };
}
