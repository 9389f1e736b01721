import { sha256 } from '../../../lib/index.ts';
import type { ToolSpec } from '../../../models/index.ts';
import type { Scaffold } from '../../types.ts';
import type { ScaffoldFile } from '../file.ts';
import { LIMITS, NUDGES, SAMPLING, SYSTEM_PROMPT, TASK_PLACE, TOOLS } from './defaults.ts';
import { parseReply } from './parse-reply.ts';
import { executeCall } from './tools.ts';
import { given } from '../given.ts';

/** Part of the hash: raise it whenever an observation's text changes for the same result. */
const OBSERVATIONS = 'leaf observations 1';

/**
 * Leaf: native function calling with Read, Write, Edit, Glob and Bash, the surface FrogNano was
 * trained on. A scaffold file replaces any of its prompts, descriptions, limits and settings.
 */
export function createLeafScaffold(file: ScaffoldFile = {}): Scaffold {
  const system = file.system ?? SYSTEM_PROMPT;
  const user = file.user ?? TASK_PLACE;
  const help = file.help ?? true;
  const nudges = { ...NUDGES, ...given(file.nudges) };
  const sampling = file.sampling ? given(file.sampling) : SAMPLING;
  const words = new Map<string, Description | undefined>(Object.entries(file.tools ?? {}));
  const tools = TOOLS.map((tool) => described(tool, words.get(tool.name)));
  const advertised = file.advertise === false ? [] : tools;
  const { timeLimitSeconds, ...limits } = file.limits ?? {};
  const { templateArguments = {} } = sampling;
  const seen = { OBSERVATIONS, system, user, help, nudges, advertised, templateArguments };
  return {
    name: file.name ?? 'leaf',
    hash: sha256(JSON.stringify(seen)),
    limits: {
      ...LIMITS,
      ...given(limits),
      ...(timeLimitSeconds === undefined ? {} : { timeLimitMs: timeLimitSeconds * 1000 }),
    },
    sampling,
    open: (task) => ({
      messages: [
        ...(system === '' ? [] : [{ role: 'system' as const, content: system }]),
        // Not String.replace: the task may hold `$&` and the like.
        { role: 'user', content: user.split(TASK_PLACE).join(task.instruction) },
      ],
      tools: [...advertised],
    }),
    parse: (reply) =>
      parseReply(reply, { tools, nudges, help, textCalls: file.advertise === false }),
    execute: (call, workspace, signal) => executeCall(call, { workspace, signal, help }),
    observe: (observations) =>
      observations.map(({ callId, tool, text }) => ({
        role: 'tool',
        toolCallId: callId,
        name: tool,
        content: text,
      })),
  };
}

interface Description {
  description?: string | undefined;
  parameters?: Record<string, string> | undefined;
}

function described(tool: ToolSpec, words: Description | undefined): ToolSpec {
  if (!words) return tool;
  const properties = tool.parameters['properties'] as Record<string, object>;
  const replaced = Object.entries(properties).map(([name, schema]) => {
    const description = words.parameters?.[name];
    return [name, description === undefined ? schema : { ...schema, description }];
  });
  return {
    name: tool.name,
    description: words.description ?? tool.description,
    parameters: { ...tool.parameters, properties: Object.fromEntries(replaced) },
  };
}
