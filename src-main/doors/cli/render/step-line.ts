import type { EventOf } from '../../../contract/index.ts';
import { formatSize } from '../../../lib/index.ts';
import { callSummary } from './calls.ts';
import { formatCount, formatSeconds } from './format.ts';
import { oneLine } from './safe-text.ts';

type Step = EventOf<'step.finished'>;

/** Room for what the model did; several calls share it. */
const DID_COLUMNS = 72;

/** What the model did in a step: its calls, marked where they failed, or that it made none. */
export function whatItDid({ messages, observations, finish }: Step): string {
  const reply = messages.find((message) => message.role === 'assistant');
  const calls = reply?.toolCalls ?? [];
  if (calls.length === 0) {
    if (finish === 'cut') return 'was cut off at the token limit';
    return reply?.content.trim() ? 'answers' : 'says nothing';
  }
  const columns = Math.max(16, Math.floor(DID_COLUMNS / calls.length));
  return calls
    .map((call) => {
      const failed = observations.some(({ callId, isError }) => callId === call.id && isError);
      return `${callSummary(call, columns)}${failed ? ' (failed)' : ''}`;
    })
    .join(', ');
}

/** `1,234 tokens in (1,000 cached), 56 out`. */
export function formatUsage({
  promptTokens,
  completionTokens,
  cachedTokens,
}: Step['usage']): string {
  if (promptTokens === null && completionTokens === null) return 'tokens not counted';
  const cached = cachedTokens === null ? '' : ` (${formatCount(cachedTokens)} cached)`;
  return `${formatCount(promptTokens)} tokens in${cached}, ${formatCount(completionTokens)} out`;
}

/** One finished step on one line, and one more for each thing that went wrong in it. */
export function stepLines(attempt: number, step: Step): string[] {
  const { modelMs, toolsMs } = step.timings;
  const { workspaceBytes } = step.memory;
  const facts = [
    whatItDid(step),
    formatUsage(step.usage),
    `model ${formatSeconds(modelMs / 1000)}, tools ${formatSeconds(toolsMs / 1000)}`,
    ...(workspaceBytes === null ? [] : [formatSize(workspaceBytes)]),
  ];
  return [
    `[${attempt}] step ${step.step}: ${facts.join(' | ')}`,
    ...step.retries.map((retry) => `    tried again: ${oneLine(retry)}`),
    ...step.notes.map((note) => `    note: ${oneLine(note)}`),
  ];
}
