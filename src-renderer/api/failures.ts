import { CallError } from './call-error.ts';

export function connectionLost(): CallError {
  return new CallError(
    'connection_lost',
    'the connection to Vivarium was lost before the answer came',
    'It is opened again by itself; then look whether it was done, and ask again if not.',
  );
}

export function pageRefused(): CallError {
  return new CallError(
    'page_refused',
    'Vivarium does not know this page any more',
    'Open the link that `vivarium serve` printed when it was started.',
  );
}

export function clientClosed(): CallError {
  return new CallError('cancelled', 'the page is closing', 'Open it again.');
}

export function cancelledHere(): CallError {
  return new CallError('cancelled', 'cancelled', 'Ask again if it is still wanted.');
}

export function timedOut(name: string, timeoutMs: number): CallError {
  return new CallError(
    'timeout',
    `${name} was not answered within ${Math.round(timeoutMs / 1000)} s`,
    'Try again; if it stays, look at the log of Vivarium.',
  );
}

export function notUnderstood(name: string, where: string): CallError {
  return new CallError(
    'internal',
    `the answer to ${name} is not what the page expects: ${where}`,
    'Reload the page: it may be older than the app.',
  );
}

export function tooLong(name: string): CallError {
  return new CallError('bad_request', `what was sent with ${name} is too long`, 'Shorten it.');
}
