import { EXIT_REASONS, REVIEW_FLAGS, type SessionResult } from '../../../contract/index.ts';
import { formatSize, shellWord } from '../../../lib/index.ts';
import { formatChange, formatCount, formatSeconds, plural } from './format.ts';
import { oneLine, pathText } from './safe-text.ts';
import { formatUsage } from './step-line.ts';
import { wrapLine } from './wrap.ts';

type Attempt = SessionResult['attempts'][number];
type Patch = NonNullable<SessionResult['patch']>;

/** Lists longer than this are cut, with how many more there are. */
const SHOWN = 20;

/** States of a session in words. */
export const OUTCOME_WORDS = {
  running: 'running',
  interrupted: 'interrupted',
  verified: 'verified',
  patched: 'patched',
  not_verified: 'not verified',
  no_patch: 'no patch',
  cancelled: 'stopped',
  failed: 'failed',
} as const satisfies Record<SessionResult['outcome'], string>;

const HEADLINES: Record<SessionResult['outcome'], string> = {
  running: 'Running in another process.',
  interrupted: 'Interrupted: the process that ran it ended.',
  verified: 'Fixed and verified.',
  patched: 'There is a patch; no verification was asked for.',
  not_verified: 'There is a patch, but it did not pass the verification.',
  no_patch: 'No patch: nothing was changed.',
  cancelled: 'Stopped before the end.',
  failed: 'Failed.',
};

const STATUS_LETTERS = { added: 'A', modified: 'M', deleted: 'D' } as const;

/** What was changed and left out is not nothing: a submodule's files, ignored ones, build output. */
function headline({ outcome, leftOut }: SessionResult): string {
  return outcome === 'no_patch' && leftOut.length > 0
    ? 'No patch: all that was changed is left out.'
    : HEADLINES[outcome];
}

/** Lines with their first column named: `Patch     /some/file`. */
function section(name: string, lines: readonly string[]): string[] {
  const shown = lines.slice(0, SHOWN);
  if (lines.length > SHOWN) shown.push(`... and ${formatCount(lines.length - SHOWN)} more`);
  return shown.map((line, index) => `${(index === 0 ? name : '').padEnd(10)}${line}`);
}

function attemptLine(attempt: Attempt): string {
  const { tokens, seconds, exitReason, detail, peakMemoryBytes } = attempt;
  const usage = {
    promptTokens: tokens.prompt,
    completionTokens: tokens.completion,
    cachedTokens: tokens.cached,
  };
  const facts = [
    plural(attempt.steps, 'step'),
    formatUsage(usage),
    `${formatSeconds(seconds.total)} (model ${formatSeconds(seconds.model)}, tools ${formatSeconds(seconds.tools)})`,
    ...(peakMemoryBytes === null ? [] : [`peak ${formatSize(peakMemoryBytes)}`]),
  ];
  const ending = exitReason === null ? 'not ended' : EXIT_REASONS[exitReason];
  const why = detail === null ? '' : ` (${oneLine(detail)})`;
  return `${attempt.number}  ${ending}${why}; ${facts.join('; ')}`;
}

function fileLine(file: Patch['files'][number]): string {
  const size = file.insertions === null ? 'binary' : formatChange(file);
  return `${STATUS_LETTERS[file.status]} ${pathText(file.path)}  ${size}`;
}

/** Change and verification speak of the whole patch; an export is without these. */
function rejectedLines({ rejected = [] }: Patch): string[] {
  if (rejected.length === 0) return [];
  const head = `in review, not exported: ${plural(rejected.length, 'part')}`;
  return [head, ...rejected.map(({ path, header }) => `${pathText(path)}  ${oneLine(header)}`)];
}

function patchSections(patch: Patch): string[] {
  const size = `${formatChange(patch)} in ${plural(patch.files.length, 'file')}`;
  return [
    ...section('Patch', [patch.file === null ? `not exported, ${size}` : pathText(patch.file)]),
    ...section('Change', [size, ...patch.files.map(fileLine)]),
    ...section('Rejected', rejectedLines(patch)),
    ...section(
      'Look at',
      patch.flags.map(({ kind, path, line, detail }) => {
        const place = line === null ? pathText(path) : `${pathText(path)}:${line}`;
        return `${place} ${REVIEW_FLAGS[kind]}${detail === '' ? '' : ` (${oneLine(detail)})`}`;
      }),
    ),
  ];
}

function verificationSections({ verification }: SessionResult): string[] {
  if (verification === null) return [];
  const { summary, command, after, restored, regressions } = verification;
  // An exit code alone says little; the command's last words mostly say why.
  const unexplained = !after.passed && after.reason === null;
  const said = unexplained ? (after.outputTail.trimEnd().split('\n').at(-1) ?? '') : '';
  return [
    ...section('Verify', [oneLine(summary), `by ${oneLine(command)}`]),
    ...section('Output', said === '' ? [] : [`... ${oneLine(said)}`]),
    ...section('Restored', restored.map(pathText)),
    ...section('Broken', regressions.map(oneLine)),
  ];
}

/** What a shell ends with when there is no such command. */
const NO_SUCH_COMMAND = 127;

/** The command cannot run in this image, with the patch or without. */
function lacksProgram({ verification }: SessionResult): boolean {
  const runs = verification === null ? [] : [verification.before, verification.after];
  return runs.length > 0 && runs.every((run) => run.exitCode === NO_SUCH_COMMAND);
}

/** The next thing to do; `null` when there is none. */
function nextStep(result: SessionResult): string | null {
  const { patch, outcome, sessionId } = result;
  if (outcome === 'interrupted' || outcome === 'cancelled') return `vivarium resume ${sessionId}`;
  if (outcome === 'running') return null;
  if (patch === null) return `vivarium show ${sessionId} --steps`;
  if (patch.file === null) return `vivarium export ${sessionId} --out DIR`;
  if (lacksProgram(result)) {
    return 'vivarium images build --package NAME --tag TAG  (then again with --image TAG)';
  }
  if (outcome === 'not_verified') return `vivarium show ${sessionId} --patch`;
  const apply = `git -C ${shellWord(result.repository)} apply ${shellWord(patch.file)}`;
  return patch.appliesToWorkingTree === false
    ? `${apply} --3way  (your working tree has changed since)`
    : apply;
}

/** What is meant to be copied stays on one line. */
const COPIED = /^(?:Patch|Next) /;
const CONTINUED = ' '.repeat(13);

/**
 * The result of a session for people; ends with a line break. With a terminal's width, long lines
 * are broken between words.
 */
export function renderResult(result: SessionResult, columns: number | null = null): string {
  const next = nextStep(result);
  const detail = result.detail === null ? '' : ` ${oneLine(result.detail)}`;
  const lines = [
    `${headline(result)}${detail}`,
    ...(result.patch === null ? [] : patchSections(result.patch)),
    ...section(
      'Left out',
      result.leftOut.map(({ path, reason }) => `${pathText(path)} (${oneLine(reason)})`),
    ),
    ...verificationSections(result),
    ...section('Attempts', result.attempts.map(attemptLine)),
    ...section('Session', [result.sessionId]),
    ...(next === null ? [] : section('Next', [pathText(next)])),
  ];
  const rows = lines.flatMap((line) =>
    columns === null || COPIED.test(line) ? [line] : wrapLine(line, columns, CONTINUED),
  );
  return `${rows.join('\n')}\n`;
}
