import { EXIT_REASONS, type EventOf, type StoredEvent } from '../../../contract/index.ts';
import { formatSize, truncateToWidth } from '../../../lib/index.ts';
import { callArguments } from './calls.ts';
import { eventLines } from './event-lines.ts';
import { formatSeconds } from './format.ts';
import { oneLine, pathText, safeLines } from './safe-text.ts';
import { formatUsage } from './step-line.ts';

type Step = EventOf<'step.finished'>;
type Message = Step['messages'][number];
type Reply = Extract<Message, { role: 'assistant' }>;

/** Width when stdout is no terminal; long lines are cut there too, or a file would fill a page. */
const PLAIN_COLUMNS = 160;
/** Of a text at most this many lines from its beginning and its end are shown. */
const HEAD_LINES = 8;
const TAIL_LINES = 4;

/** A text in an indented block, its middle left out where it is long. */
function shortened(text: string, indent: string, columns: number): string[] {
  if (text.trim() === '') return [];
  const lines = safeLines(text.trimEnd());
  const dropped = lines.length - HEAD_LINES - TAIL_LINES;
  const shown =
    dropped <= 1
      ? lines
      : [
          ...lines.slice(0, HEAD_LINES),
          `... ${dropped} lines more ...`,
          ...lines.slice(-TAIL_LINES),
        ];
  return shown.map((line) => truncateToWidth(`${indent}${line}`, columns).trimEnd());
}

function titled(title: string, text: string, columns: number): string[] {
  const lines = shortened(text, '    ', columns);
  return lines.length === 0 ? [] : [`  ${title}`, ...lines];
}

function runNote(observation: Step['observations'][number]): string {
  const { run } = observation;
  if (run === undefined) return '';
  const parts = [
    ...(run.exitCode === null || run.exitCode === 0 ? [] : [`exit code ${run.exitCode}`]),
    ...(run.signal === null ? [] : [`signal ${run.signal}`]),
    ...(run.timedOut ? ['timed out'] : []),
    ...(run.outOfMemory ? ['out of memory'] : []),
  ];
  return parts.length === 0 ? '' : `, ${parts.join(', ')}`;
}

/** A call, its arguments, and what came back. */
function callBlock(step: Step, reply: Reply, index: number, columns: number): string[] {
  const call = reply.toolCalls?.[index];
  if (call === undefined) return [];
  const seen = step.observations.find(({ callId }) => callId === call.id);
  const answer = step.messages.find(
    (message) => message.role === 'tool' && message.toolCallId === call.id,
  );
  const time =
    seen === undefined ? '' : ` (${formatSeconds(seen.durationMs / 1000)}${runNote(seen)})`;
  return [
    `  ${oneLine(call.name)}${time}${seen?.isError ? ' failed' : ''}`,
    ...callArguments(call.arguments, columns - 4).map((line) => `    ${line}`),
    ...shortened(answer?.content ?? '', '    | ', columns),
    ...(seen?.notes ?? []).map((note) => `    note: ${oneLine(note)}`),
  ];
}

function stepBlock(step: Step, columns: number): string[] {
  const { timings, memory, changes } = step;
  const reply = step.messages.find((message) => message.role === 'assistant');
  const nudges = step.messages.filter((message) => message.role === 'user');
  const facts = [
    `model ${formatSeconds(timings.modelMs / 1000)}`,
    `tools ${formatSeconds(timings.toolsMs / 1000)}`,
    formatUsage(step.usage),
    ...(memory.workspaceBytes === null ? [] : [formatSize(memory.workspaceBytes)]),
  ];
  return [
    '',
    `Step ${step.step}  ${facts.join(', ')}`,
    ...titled('thinks', reply?.reasoning ?? '', columns),
    ...titled('says', reply?.content ?? '', columns),
    ...(reply?.toolCalls ?? []).flatMap((_, index) =>
      reply === undefined ? [] : callBlock(step, reply, index, columns),
    ),
    ...nudges.flatMap(({ content }) => titled('is told', content, columns)),
    ...changes.map(
      ({ kind, path }) => `  ${kind === 'deleted' ? 'deletes' : 'writes'} ${pathText(path)}`,
    ),
    ...step.retries.map((retry) => `  tried again: ${oneLine(retry)}`),
    ...step.notes.map((note) => `  note: ${oneLine(note)}`),
  ];
}

function attemptEnd({ exitReason, detail, seconds }: EventOf<'attempt.finished'>): string[] {
  const why = detail === null ? '' : ` (${oneLine(detail)})`;
  return ['', `Ended after ${formatSeconds(seconds.total)}: ${EXIT_REASONS[exitReason]}${why}`];
}

function blockOf(event: StoredEvent, number: number, columns: number): string[] {
  const { body } = event;
  switch (body.type) {
    case 'session.created':
      return [oneLine(body.title), ...shortened(body.issue, '  | ', columns)];
    case 'attempt.started': {
      const from = body.resumedFromStep;
      const how = from === null ? '' : `, resumed after step ${from}`;
      return ['', `Attempt ${body.number} (seed ${body.seed}${how})`];
    }
    case 'step.finished':
      return stepBlock(body, columns);
    case 'attempt.finished':
      return attemptEnd(body);
    case 'snapshot.taken':
    case 'workspace.opened':
    case 'attempt.opened':
    case 'patch.made':
    case 'verification.finished':
    case 'patch.exported':
    case 'review.decided':
    case 'review.noted':
    case 'review.noteRemoved':
    case 'note':
    case 'session.interrupted':
    case 'session.finished':
    case 'grading.finished':
    case 'cell.analysed':
    case 'cell.labelled':
    case 'run.created':
    case 'run.resumed':
    case 'run.finished':
      return eventLines(number, body);
  }
}

/** Attempts that ran side by side one after the other, after what concerns the whole session. */
function byAttempt(events: readonly StoredEvent[]): StoredEvent[] {
  const groups = Map.groupBy(events, (event) => event.attemptId);
  const ofSession = groups.get(null) ?? [];
  groups.delete(null);
  return [...ofSession, ...[...groups.values()].flat()];
}

/** A session step by step, attempt by attempt; ends with a line break. */
export function renderTimeline(events: readonly StoredEvent[], columns: number | null): string {
  const numbers = new Map<string, number>();
  const lines: string[] = [];
  for (const event of byAttempt(events)) {
    const { attemptId, body } = event;
    if (body.type === 'attempt.started' && attemptId !== null) numbers.set(attemptId, body.number);
    const number = attemptId === null ? 0 : (numbers.get(attemptId) ?? 0);
    lines.push(...blockOf(event, number, columns ?? PLAIN_COLUMNS));
  }
  return `${lines.join('\n')}\n`;
}
