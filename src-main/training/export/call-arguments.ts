/** Arguments of a call as an object; `null` when the model wrote no JSON object. */
export function argumentsOf(call: { arguments: string }): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(call.arguments);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? { ...value } : null;
  } catch {
    return null;
  }
}
