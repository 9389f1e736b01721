import type { ToolCall } from '../../../models/index.ts';
import { truncateToWidth, visibleLine } from '../../../lib/index.ts';
import { oneLine } from './safe-text.ts';

/** The argument that says most about a call, by tool; for others the first text there is. */
const TELLING = ['file_path', 'command', 'pattern', 'path'];

function argumentsOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function telling(text: string): string {
  const values = argumentsOf(text);
  // Cut off or not JSON: the raw text says what the model tried.
  if (values === undefined) return text;
  const name = TELLING.find((key) => typeof values[key] === 'string');
  const value = name === undefined ? Object.values(values)[0] : values[name];
  return typeof value === 'string' ? value : text;
}

/** `Edit shop/total.py`, `Bash pytest -q`: one call in at most `columns`. */
export function callSummary(call: Pick<ToolCall, 'name' | 'arguments'>, columns: number): string {
  return truncateToWidth(oneLine(`${call.name} ${telling(call.arguments)}`), columns);
}

/** Arguments one by one, `name: value`, values on one line each; raw text where it is not JSON. */
export function callArguments(text: string, columns: number): string[] {
  const values = argumentsOf(text);
  if (values === undefined) return [truncateToWidth(oneLine(text), columns)];
  return Object.entries(values).map(([name, value]) => {
    const shown = typeof value === 'string' ? value : JSON.stringify(value);
    // Line breaks carry meaning in code; shown as ⏎ they do not break the layout.
    const flat = shown.replace(/\r?\n/g, '⏎');
    return truncateToWidth(visibleLine(`${name}: ${flat}`), columns);
  });
}
