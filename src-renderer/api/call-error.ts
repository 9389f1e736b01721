import type { ErrorFrame } from '../../src-main/contract/index.ts';

/** `page_refused`: the core does not know this page any more. */
export type CallErrorCode = ErrorFrame['code'] | 'connection_lost' | 'page_refused';

/** A failed call as the contract has it: stable code, one-line cause, next step. */
export class CallError extends Error {
  readonly code: CallErrorCode;
  readonly next: string;

  constructor(code: CallErrorCode, message: string, next: string) {
    super(message);
    this.name = 'CallError';
    this.code = code;
    this.next = next;
  }
}

/** Any thrown thing as code, cause and next step; what is no `CallError` counts as `internal`. */
export function errorFacts(error: unknown): { code: string; message: string; next: string } {
  if (error instanceof CallError) {
    return { code: error.code, message: error.message, next: error.next };
  }
  return {
    code: 'internal',
    message: error instanceof Error ? error.message : String(error),
    next: '',
  };
}
