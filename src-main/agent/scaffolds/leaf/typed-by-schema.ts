import { isObject, parseObject } from '../../../calls/index.ts';
import type { ToolSpec } from '../../../models/index.ts';

/**
 * XML calls carry only text. Where the tool's schema wants a number, an integer or a boolean and
 * the text is one, it becomes one; everything else stays as written.
 *
 * @returns JSON text of the arguments.
 */
export function typedBySchema(
  call: { name: string; arguments: string },
  tools: readonly ToolSpec[],
): string {
  const tool = tools.find((one) => one.name.toLowerCase() === call.name.toLowerCase());
  const properties = tool?.parameters['properties'];
  const read = parseObject(call.arguments);
  if (!read.ok || !isObject(properties)) return call.arguments;
  const typed = Object.entries(read.value).map(([key, value]) => [
    key,
    typeof value === 'string' ? typedValue(value, properties[key]) : value,
  ]);
  return JSON.stringify(Object.fromEntries(typed));
}

function typedValue(value: string, schema: unknown): unknown {
  const type = isObject(schema) ? schema['type'] : undefined;
  const text = value.trim();
  if (type === 'boolean' && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  if (type === 'integer' && /^-?\d+$/.test(text)) return Number(text);
  if (type === 'number' && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  return value;
}
