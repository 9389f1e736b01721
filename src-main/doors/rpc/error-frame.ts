import type { ErrorFrame } from '../../contract/index.ts';
import { messageOf, visibleLine, VivariumError } from '../../lib/index.ts';

/** A value of ours that the contract does not allow; its message tells where, never what. */
export class AnswerFault extends Error {
  override readonly name = 'AnswerFault';
}

const REPORT =
  'Start Vivarium with VIVARIUM_DEBUG=1 to see where, and report it as a fault of ours.';

/** The client sent what the contract does not allow. */
export function badRequest(message: string): ErrorFrame {
  return {
    code: 'bad_request',
    message: visibleLine(message),
    next: 'Reload the page: it may be older than the app.',
  };
}

export function cancelled(): ErrorFrame {
  return { code: 'cancelled', message: 'cancelled', next: 'Ask again if it is still wanted.' };
}

/** Whether a failure is one of ours that nobody foresaw, and belongs into the log. */
export function isFault(thrown: unknown): boolean {
  return !(thrown instanceof VivariumError) || thrown.code === 'internal';
}

/** Anything a handler threw, as it crosses the door. Hidden characters are made visible. */
export function errorFrame(thrown: unknown, name: string): ErrorFrame {
  if (thrown instanceof VivariumError) {
    const { code, message, next } = thrown;
    return { code, message: visibleLine(message), next: visibleLine(next) };
  }
  if (thrown instanceof AnswerFault) {
    return { code: 'internal', message: `the answer to ${name} is not valid`, next: REPORT };
  }
  const message = messageOf(thrown) || `${name} failed without saying what`;
  return { code: 'internal', message: visibleLine(message), next: REPORT };
}
