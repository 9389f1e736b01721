import { sha256, VivariumError } from '../../../lib/index.ts';
import type { Workspace } from '../../../workspaces/index.ts';
import type { Observation, ReadyCall, Scaffold } from '../../types.ts';
import {
  BLOCKED,
  COMMAND_SECONDS,
  CONDENSED,
  INSTANCE_PROMPT,
  LIMITS,
  NUDGES,
  ROOT,
  ROOT_PLACE,
  SAMPLING,
  SOFT_STEPS,
  SYSTEM_PROMPT,
  TASK_PLACE,
} from './defaults.ts';
import { fileEditor } from './editor/file-editor.ts';
import { executeBash } from './execute-bash.ts';
import type { R2egymFile } from './file.ts';
import { observationText } from './observation.ts';
import { done, type FunctionContext, type R2eFunction } from './outcome.ts';
import { parseReply } from './parse-reply.ts';
import { search } from './search.ts';
import { given } from '../given.ts';

/** Part of the hash: raise it whenever an observation's text changes for the same result. */
const OBSERVATIONS = 'r2egym observations 1';

const FUNCTIONS: ReadonlyMap<string, R2eFunction> = new Map([
  ['file_editor', fileEditor],
  ['execute_bash', executeBash],
  ['search', search],
]);
const NAMES = [...FUNCTIONS.keys(), 'finish'];

/** What the last message before each turn ends with (R2E-Gym, agent/agent.py). */
function reminder(stepsDone: number, softSteps: number): string {
  const left = softSteps - stepsDone;
  return left > 0
    ? `Steps Remaining: ${left}`
    : 'You have reached the maximum number of steps. Please submit your answer NOW.';
}

/**
 * R2E-Gym: calls in XML written as text, observations as user turns, the surface of FrogMini's
 * training data. A scaffold file replaces any of its prompts, limits and settings.
 */
export function createR2egymScaffold(file: R2egymFile = { extends: 'r2egym' }): Scaffold {
  const { system = SYSTEM_PROMPT, user = INSTANCE_PROMPT, root = ROOT, help = true } = file;
  const nudges = { ...NUDGES, ...given(file.nudges) };
  const { timeLimitSeconds, softSteps, ...limits } = given(file.limits);
  const condenseAbove = file.condenseAboveTokens ?? false;
  const settings = {
    help,
    blocked: file.blocked ?? BLOCKED,
    timeoutMs: (file.commandSeconds ?? COMMAND_SECONDS) * 1000,
  };
  const merged = {
    ...LIMITS,
    ...limits,
    ...(timeLimitSeconds === undefined ? {} : { timeLimitMs: timeLimitSeconds * 1000 }),
  };
  const sampling = file.sampling ? given(file.sampling) : SAMPLING;
  const seen = { OBSERVATIONS, system, user, nudges, settings, softSteps, condenseAbove };
  return {
    name: file.name ?? 'r2egym',
    hash: sha256(JSON.stringify({ ...seen, template: sampling.templateArguments ?? {} })),
    root,
    limits: merged,
    sampling,
    ...(condenseAbove !== false && {
      condense: { aboveTokens: condenseAbove, placeholder: CONDENSED },
    }),
    open: ({ instruction, root: place = root }) => ({
      messages: [
        ...(system === ''
          ? []
          : [{ role: 'system' as const, content: inPlace(system, root, place) }]),
        { role: 'user', content: filled(inPlace(user, root, place), instruction, place) },
      ],
      tools: [],
    }),
    remind: ({ stepsDone, maxSteps }) =>
      reminder(stepsDone, softSteps ?? announced(maxSteps, merged.maxSteps)),
    parse: (reply) => parseReply(reply, { functions: NAMES, nudges }),
    execute: (call, workspace, signal) => execute(call, workspace, { ...settings, signal }),
    observe: (observations) =>
      observations.length === 0
        ? []
        : [{ role: 'user', content: observations.map(({ text }) => text).join('\n') }],
  };
}

/** The original announces 40 of its 50 steps; where another limit was asked for, all of them. */
function announced(maxSteps: number, ownSteps: number): number {
  return maxSteps === ownSteps ? Math.min(SOFT_STEPS, maxSteps) : maxSteps;
}

/** Prompts name the folder of the images they were written for; a task may lie elsewhere. */
function inPlace(prompt: string, root: string, place: string): string {
  return root === place ? prompt : prompt.split(root).join(place);
}

/** Not String.replace: the task may hold `$&` and the like. */
function filled(template: string, task: string, root: string): string {
  return template.split(ROOT_PLACE).join(root).split(TASK_PLACE).join(task);
}

async function execute(
  call: ReadyCall,
  workspace: Workspace,
  settings: Omit<FunctionContext, 'workspace'>,
): Promise<Observation> {
  const started = performance.now();
  settings.signal.throwIfAborted();
  const run = FUNCTIONS.get(call.name);
  const context = { ...settings, workspace };
  const outcome = run
    ? await run(call.arguments, context).catch(failure)
    : done(`Unknown function: ${call.name}\n`, { isError: true });
  return {
    callId: call.id,
    tool: call.name,
    text: observationText(call.name, settings.help ? outcome : { ...outcome, help: [] }),
    isError: outcome.isError,
    mutated: outcome.mutated,
    durationMs: performance.now() - started,
    ...(outcome.run ? { run: outcome.run } : {}),
    notes: outcome.notes,
  };
}

/** Faults of the call become observations; a lost workspace and a cancel are thrown. */
function failure(error: unknown) {
  const isCallers =
    error instanceof VivariumError && ['workspace_path', 'workspace_failed'].includes(error.code);
  if (!isCallers) throw error;
  return done(`ERROR: ${error.message}\n`, { isError: true });
}
