import { parseObject } from '../../calls/index.ts';
import type { EventOf } from '../../contract/index.ts';

type Step = EventOf<'step.finished'>;

/** One call of a step, whichever scaffold made it. */
export interface MadeCall {
  name: string;
  /** Empty where they are not a JSON object. */
  arguments: Readonly<Record<string, unknown>>;
}

/** The calls that were run, in order. */
export function callsOfStep(step: Step): MadeCall[] {
  const apart = step.messages.flatMap((message) =>
    message.role === 'assistant' ? (message.toolCalls ?? []) : [],
  );
  const inText = step.observations.flatMap(({ tool, arguments: given }) =>
    given === undefined ? [] : [{ name: tool, arguments: given }],
  );
  return [...apart, ...inText].map((call) => ({
    name: call.name,
    arguments: objectOf(call.arguments),
  }));
}

/** The shell command of a call, of either scaffold; `null` for other calls. */
export function commandOf({ name, arguments: given }: MadeCall): string | null {
  if (name !== 'Bash' && name !== 'execute_bash') return null;
  const command = given['command'] ?? given['cmd'];
  return typeof command === 'string' ? command : null;
}

/** The path that a call of a file tool names; `null` for others. */
export function pathOf({ arguments: given }: MadeCall): string | null {
  const path = given['file_path'] ?? given['path'];
  return typeof path === 'string' ? path : null;
}

function objectOf(json: string): Record<string, unknown> {
  const read = parseObject(json);
  return read.ok ? read.value : {};
}
