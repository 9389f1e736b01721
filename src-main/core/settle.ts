import path from 'node:path';
import type { Scaffold } from '../agent/index.ts';
import type { RepositorySettings, SettledRequest } from '../fix/index.ts';
import { VivariumError } from '../lib/index.ts';
import type { ProfileDefaults } from './session-model.ts';
import type { FixRequest } from './types.ts';

/** A test command that says nothing for this long is ended; SWE-bench 5 uses the same limit. */
const VERIFY_TIMEOUT_MS = 30 * 60 * 1000;
const TITLE_CHARACTERS = 80;

/**
 * Merges flags, `vivarium.yaml`, the model's profile, the scaffold's limits and our defaults; what
 * comes first wins.
 * @throws VivariumError `usage` when a number is out of range.
 */
export function settle(
  request: FixRequest,
  settings: RepositorySettings,
  scaffold: Scaffold,
  facts: { model: string; image: string },
  profile: ProfileDefaults = { driving: null },
): SettledRequest {
  const limits = settings.limits ?? {};
  const command = request.verify ?? settings.verify;
  const seconds = request.timeLimitSeconds ?? limits.seconds;
  const attempts = wholeNumber('attempts', request.attempts ?? 1);
  return {
    ...facts,
    runtime: request.runtime ?? null,
    verify: command === undefined ? null : { command, timeoutMs: VERIFY_TIMEOUT_MS },
    protect: [...(settings.protect ?? []), ...(request.protect ?? [])],
    include: [...(settings.include ?? []), ...(request.include ?? [])],
    attempts,
    parallel: Math.min(attempts, wholeNumber('parallel', request.parallel ?? 1)),
    seed: request.seed ?? 1,
    maxSteps: wholeNumber(
      'max-steps',
      request.maxSteps ?? limits.steps ?? profile.maxSteps ?? scaffold.limits.maxSteps,
    ),
    maxContextTokens: wholeNumber(
      'max-context',
      request.maxContext ??
        limits.context ??
        profile.maxContextTokens ??
        scaffold.limits.maxContextTokens,
    ),
    timeLimitMs: seconds === undefined ? scaffold.limits.timeLimitMs : seconds * 1000,
    driving: profile.driving,
    out: request.out === undefined ? null : path.resolve(request.out),
  };
}

function wholeNumber(flag: string, value: number): number {
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new VivariumError('usage', `--${flag} is ${value}`, 'Give a whole number above 0.');
}

/** First line of an issue that says something, Markdown heading marks removed, for lists. */
export function titleOf(issue: string): string {
  const line = issue
    .split('\n')
    .map((one) => one.replace(/^[#>\s*-]+/, '').trim())
    .find((one) => one !== '');
  const title = line ?? 'fix';
  return title.length <= TITLE_CHARACTERS ? title : `${title.slice(0, TITLE_CHARACTERS - 1)}…`;
}
