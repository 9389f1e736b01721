import { atifTrajectory } from '../../evaluation/index.ts';
import { openAiMessage, openAiTool } from '../../fix/index.ts';
import type { ChatTokenizer } from '../../models/index.ts';
import { resultOf } from './harbor-result.ts';
import { openAiRow } from './openai-row.ts';
import { labelledRow } from './preference-rows.ts';
import { NOT_JSON } from './reasons.ts';
import { sharegptRow } from './sharegpt-row.ts';
import { trlRow, type ToolForm } from './trl-row.ts';
import type { Trajectory, TrainFormat, TrainRequest } from './types.ts';

type Value = Record<string, unknown>;
type Asked = Omit<TrainRequest, 'out'>;

/** An attempt in the form of an export, its tokens beside it where they are asked for. */
export function rowOf(attempt: Trajectory, request: Asked): { value: Value } | { why: string } {
  const value = valueOf(attempt, request);
  if (value === null) return { why: NOT_JSON };
  const { tokenizer, format } = request;
  if (tokenizer === undefined || !WITH_TOKENS.has(format)) return { value };
  const tokens = tokensOf(attempt, tokenizer);
  if ('why' in tokens) return tokens;
  const { ids, mask } = tokens;
  const learned =
    format === 'trl'
      ? { assistant_masks: mask }
      : { labels: ids.map((id, at) => (mask[at] === 1 ? id : NOT_LEARNED)) };
  return { value: { ...value, input_ids: ids, ...learned } };
}

/** How an export writes tools. */
export function formOf({ toolsAsText }: Asked): ToolForm {
  return { toolsAsText: toolsAsText === true };
}

/** TRL's trainers on preferences make their own tokens always. */
const WITH_TOKENS: ReadonlySet<TrainFormat> = new Set(['sharegpt', 'openai', 'trl']);

/** The label that the losses of PyTorch and what is built on it leave out. */
const NOT_LEARNED = -100;

function valueOf(attempt: Trajectory, request: Asked): Value | null {
  switch (request.format) {
    case 'openai':
      return openAiRow(attempt, formOf(request));
    case 'sharegpt':
      return sharegptRow(attempt);
    case 'trl':
      return trlRow(attempt, formOf(request));
    case 'preference':
      return labelledRow(attempt, formOf(request));
    case 'atif':
      return { ...atifTrajectory(attempt.source, attempt.record) };
    case 'harbor':
      return resultOf(attempt);
  }
}

/** What the model read and said, and 1 for each token of what it said. */
function tokensOf(
  { messages, tools }: Trajectory,
  tokenizer: ChatTokenizer,
): { ids: number[]; mask: number[] } | { why: string } {
  const encoded = tokenizer.encode(messages.map(openAiMessage), tools.map(openAiTool));
  if ('why' in encoded) return encoded;
  const mask = encoded.runs.flatMap(({ ids, learned }) => ids.map(() => (learned ? 1 : 0)));
  return { ids: encoded.runs.flatMap(({ ids }) => ids), mask };
}
