import type { z } from 'zod';
import {
  clientFrameSchema,
  MAX_CLIENT_FRAME_CHARS,
  type ClientFrame,
} from '../../contract/index.ts';

export type ReadFrame =
  | { ok: true; frame: ClientFrame }
  /** `id` is that of the frame as far as it could be read. */
  | { ok: false; id: number | null; message: string };

/** Reads what a client sent; never throws, whatever that was. */
export function readFrame(text: string): ReadFrame {
  if (text.length > MAX_CLIENT_FRAME_CHARS) {
    return refused(null, `a frame is longer than ${MAX_CLIENT_FRAME_CHARS} characters`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refused(null, 'a frame is not JSON');
  }
  const parsed = clientFrameSchema.safeParse(value);
  if (parsed.success) return { ok: true, frame: parsed.data };
  return refused(idOf(value), `a frame is not valid: ${firstIssue(parsed.error)}`);
}

/** Where a value differs from its schema, and how; holds nothing of the value but its member names. */
export function firstIssue({ issues }: z.ZodError): string {
  const [issue] = issues;
  if (issue === undefined) return 'unknown';
  const more = issues.length === 1 ? '' : ` (and ${issues.length - 1} more)`;
  const at = issue.path.map(String).join('.').slice(0, 200);
  return `${at === '' ? '' : `${at}: `}${issue.message.slice(0, 500)}${more}`;
}

function refused(id: number | null, message: string): ReadFrame {
  return { ok: false, id, message };
}

function idOf(value: unknown): number | null {
  if (typeof value !== 'object' || value === null || !('id' in value)) return null;
  const { id } = value;
  return typeof id === 'number' && Number.isSafeInteger(id) && id > 0 ? id : null;
}
