import type { ErrorCode } from '../contract/index.ts';

/**
 * The one error type that crosses rooms: a stable code, a one-line cause and the next thing to do.
 * The original fault stays in `cause`.
 */
export class VivariumError extends Error {
  override readonly name = 'VivariumError';
  readonly code: ErrorCode;
  /** One sentence that tells the user what to do next. */
  readonly next: string;

  constructor(code: ErrorCode, message: string, next: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.next = next;
  }
}

/** The message of anything that was thrown, on one line. */
export function messageOf(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  return text.replace(/\s+/g, ' ').trim();
}
