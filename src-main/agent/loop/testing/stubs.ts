import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  openModel,
  parseModelSpec,
  type Completion,
  type ModelHandle,
} from '../../../models/index.ts';
import type { Workspace } from '../../../workspaces/index.ts';
import type {
  Activity,
  AttemptLimits,
  AttemptRecorder,
  Observation,
  Opening,
  ParsedTurn,
  ReadyCall,
  Scaffold,
  StepRecord,
} from '../../types.ts';

/** A scripted model from lines given as objects, served over HTTP like any other. */
export async function scriptedModel(lines: object[]): Promise<ModelHandle> {
  const folder = await mkdtemp(path.join(tmpdir(), 'vivarium-script-'));
  const file = path.join(folder, 'script.jsonl');
  await writeFile(file, lines.map((line) => JSON.stringify(line)).join('\n'));
  const handle = await openModel(parseModelSpec(`script:${file}`), { home: folder, env: {} });
  await rm(folder, { recursive: true });
  return handle;
}

/** A script line with one call. */
export function call(name: string, args: unknown, more: object = {}): object {
  return { tool_calls: [{ name, arguments: args }], ...more };
}

export const LIMITS: AttemptLimits = {
  maxSteps: 50,
  maxContextTokens: 100_000,
  maxTokensPerTurn: 1000,
  timeLimitMs: 60_000,
};

export type Tool = (call: ReadyCall, signal: AbortSignal) => Promise<string> | string;

/**
 * The smallest scaffold: every tool is a function of the test. It stands in for a real one only
 * where the loop itself is looked at.
 */
export function stubScaffold(tools: Record<string, Tool>): Scaffold {
  return {
    name: 'stub',
    hash: 'stub',
    limits: LIMITS,
    sampling: {},
    open: (task): Opening => ({
      messages: [{ role: 'user', content: task.instruction }],
      tools: Object.keys(tools).map((name) => ({ name, description: '', parameters: {} })),
    }),
    parse: (reply) => parse(reply, tools),
    async execute(ready, _workspace, signal): Promise<Observation> {
      const text = await tools[ready.name]?.(ready, signal);
      return {
        callId: ready.id,
        tool: ready.name,
        text: text ?? '',
        isError: false,
        mutated: true,
        durationMs: 0,
        notes: [],
      };
    },
    observe: (observations) =>
      observations.map((each) => ({
        role: 'tool',
        toolCallId: each.callId,
        name: each.tool,
        content: each.text,
      })),
  };
}

function parse(reply: Completion, tools: Record<string, Tool>): ParsedTurn {
  const calls = reply.toolCalls.map((each) => parseCall(each, tools));
  const plain = { role: 'assistant' as const, content: reply.content };
  const message = calls.length > 0 ? { ...plain, toolCalls: reply.toolCalls } : plain;
  if (reply.finish === 'cut') {
    return {
      message: plain,
      calls: [],
      final: null,
      nudge: { kind: 'cut', text: 'cut' },
      notes: [],
    };
  }
  if (calls.length > 0) return { message, calls, final: null, nudge: null, notes: [] };
  if (reply.content.includes('<broken')) {
    const nudge = { kind: 'format_error' as const, text: 'broken' };
    return { message, calls, final: null, nudge, notes: [] };
  }
  if (reply.content.trim() === '') {
    return {
      message,
      calls,
      final: null,
      nudge: { kind: 'empty_reply', text: 'empty' },
      notes: [],
    };
  }
  return { message, calls, final: reply.content, nudge: null, notes: [] };
}

function parseCall(
  { id, name, arguments: text }: Completion['toolCalls'][number],
  tools: Record<string, Tool>,
): ParsedTurn['calls'][number] {
  if (!(name in tools)) return { ok: false, id, name, error: `Unknown tool: ${name}` };
  try {
    const value = JSON.parse(text) as Record<string, unknown>;
    return { ok: true, call: { id, name, arguments: value } };
  } catch {
    return { ok: false, id, name, error: 'not JSON' };
  }
}

/** A workspace that the stub scaffold never looks into; it can be lost. */
export function stubWorkspace(): { workspace: Workspace; lose: (why: string) => void } {
  const { promise, resolve } = Promise.withResolvers<string>();
  // The stub scaffold's tools are functions of the test, so no other member is ever used.
  return { workspace: { id: 'stub', lost: promise } as unknown as Workspace, lose: resolve };
}

export interface Recorded extends AttemptRecorder {
  openings: Opening[];
  steps: StepRecord[];
  activities: Activity[];
}

export function recorder(onStep?: (record: StepRecord) => void): Recorded {
  const recorded: Recorded = {
    openings: [],
    steps: [],
    activities: [],
    opened(opening) {
      recorded.openings.push(opening);
      return Promise.resolve();
    },
    step(record) {
      recorded.steps.push(record);
      onStep?.(record);
      return Promise.resolve();
    },
    activity: (activity) => void recorded.activities.push(activity),
  };
  return recorded;
}
