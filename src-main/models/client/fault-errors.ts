import { VivariumError } from '../../lib/index.ts';
import { ContextOverflowError } from '../types.ts';
import type { EndpointOptions } from './endpoint.ts';
import type { Fault } from './faults.ts';
import { redact, shownUrl } from './redact.ts';

/** The error a turn ends with, in words that tell what to do; never holds the key. */
export function errorOf(
  fault: Fault,
  options: EndpointOptions & { model: string },
  retries: number,
): Error {
  const where = shownUrl(options.baseUrl);
  const text = redact(fault.text, options.secrets ?? []);
  const tried =
    retries === 0 ? '' : ` (after ${String(retries)} more ${retries === 1 ? 'try' : 'tries'})`;
  const failed = (message: string, next: string): VivariumError =>
    new VivariumError('endpoint_error', `${where} ${message}`, next);
  switch (fault.kind) {
    case 'overflow':
      return new ContextOverflowError(text);
    case 'unreachable':
      return unreachableError(where, text, tried);
    case 'refused':
      return refusedError(where, text, options.keyVariable);
    case 'not_found':
      return failed(
        `does not know the model or the path: ${text}`,
        `Check the base URL (it usually ends in /v1) and the model name "${options.model}".`,
      );
    case 'temporary':
    case 'paused':
      return failed(
        `failed: ${text}${tried}`,
        'Look into the log of the model server; the session can be resumed when it works again.',
      );
    case 'fatal':
      return failed(
        `rejected the request: ${text}`,
        fault.next ?? 'Look into the log of the server.',
      );
    case 'bad_request':
    case 'parameters':
      return failed(
        `rejected the request: ${text}${tried}`,
        'Check that the server speaks OpenAI-compatible chat completions with tools.',
      );
  }
}

/** Nothing listens at the endpoint. */
export function unreachableError(where: string, text: string, tried = ''): VivariumError {
  return new VivariumError(
    'endpoint_unreachable',
    `nothing answers at ${where}: ${text}${tried}`,
    'Start the model server, or check the host and port.',
  );
}

/** The endpoint wants a key, or another one. */
export function refusedError(
  where: string,
  text: string,
  keyVariable = 'VIVARIUM_API_KEY',
): VivariumError {
  return new VivariumError(
    'endpoint_refused',
    `${where} refused access: ${text}`,
    `Set ${keyVariable} to the key of this server.`,
  );
}
