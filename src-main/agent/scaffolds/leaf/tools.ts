import { VivariumError } from '../../../lib/index.ts';
import type { Observation, ReadyCall } from '../../types.ts';
import type { Tool, ToolContext, ToolOutcome } from './outcome.ts';
import { ToolFault } from './outcome.ts';
import { bash } from './tools/bash.ts';
import { edit } from './tools/edit.ts';
import { glob } from './tools/glob.ts';
import { read } from './tools/read.ts';
import { write } from './tools/write.ts';

const TOOLS: ReadonlyMap<string, Tool> = new Map([
  ['Read', read],
  ['Write', write],
  ['Edit', edit],
  ['Glob', glob],
  ['Bash', bash],
]);

/**
 * Runs one call. Faults of the call become observations; a lost workspace and a cancel are thrown.
 */
export async function executeCall(call: ReadyCall, context: ToolContext): Promise<Observation> {
  const started = performance.now();
  context.signal.throwIfAborted();
  const tool = TOOLS.get(call.name);
  const outcome = tool ? await outcomeOf(tool, call, context) : unknownTool(call.name);
  return {
    callId: call.id,
    tool: call.name,
    text: withHelp(outcome.text, context.help ? outcome.help : []),
    isError: outcome.isError,
    mutated: outcome.mutated,
    durationMs: performance.now() - started,
    ...(outcome.run ? { run: outcome.run } : {}),
    notes: outcome.notes,
  };
}

async function outcomeOf(tool: Tool, call: ReadyCall, context: ToolContext): Promise<ToolOutcome> {
  try {
    return await tool(call.arguments, context);
  } catch (error) {
    if (error instanceof ToolFault) return failure(error.message, error.help);
    if (!(error instanceof VivariumError) || error.code === 'workspace_lost') throw error;
    if (error.code !== 'workspace_path' && error.code !== 'workspace_failed') throw error;
    return failure(`OSError: ${error.message}`, []);
  }
}

function failure(text: string, help: string[]): ToolOutcome {
  return { text, help, isError: true, mutated: false, notes: [] };
}

function unknownTool(name: string): ToolOutcome {
  return failure(`Unknown tool: ${name}`, [`The tools are ${[...TOOLS.keys()].join(', ')}.`]);
}

/** Our lines stand below Leaf's text, each in brackets, as Leaf marks what it truncates. */
export function withHelp(text: string, help: readonly string[]): string {
  if (help.length === 0) return text;
  return `${text}${text.endsWith('\n') ? '' : '\n'}${help.map((line) => `[${line}]`).join('\n')}`;
}
