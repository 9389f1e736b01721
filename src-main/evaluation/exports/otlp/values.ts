import { createHash } from 'node:crypto';

/** OTLP in its JSON form (opentelemetry-proto, JSON Protobuf encoding): ids in hex, 64-bit numbers as text. */

/** `double`: for what the conventions call one, whole or not. */
export type Value = string | number | boolean | readonly string[] | { double: number };

export interface KeyValue {
  key: string;
  value: Record<string, unknown>;
}

export interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  /** 1 = internal, 3 = client. */
  kind: 1 | 3;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: KeyValue[];
  events?: { timeUnixNano: string; name: string; attributes: KeyValue[] }[];
  /** 2 = error. */
  status?: { code: 2; message?: string };
}

/** Attributes; members that are `null` or `undefined` are left out. */
export function attributesOf(
  members: Readonly<Record<string, Value | null | undefined>>,
): KeyValue[] {
  return Object.entries(members).flatMap(([key, value]) =>
    value === null || value === undefined ? [] : [{ key, value: anyValue(value) }],
  );
}

function anyValue(value: Value): Record<string, unknown> {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'object') {
    return 'double' in value
      ? { doubleValue: value.double }
      : { arrayValue: { values: value.map(anyValue) } };
  }
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

/** Milliseconds since 1970 as OTLP's nanoseconds; a number cannot hold those. */
export function nanoseconds(ms: number): string {
  const whole = Math.floor(ms);
  return String(BigInt(whole) * 1_000_000n + BigInt(Math.round((ms - whole) * 1_000_000)));
}

/** An id that is the same for the same thing, so that what is sent again is not a second one. */
export function idOf(bytes: 8 | 16, ...names: readonly (string | number)[]): string {
  return createHash('sha256')
    .update(names.join('\0'))
    .digest('hex')
    .slice(0, bytes * 2);
}
