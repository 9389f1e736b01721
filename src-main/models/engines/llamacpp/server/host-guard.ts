import type { IncomingMessage } from 'node:http';
import { HttpError } from './http-error.ts';

const NAMES = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * Refuses what a web page could send: a page of another site carries its origin, and a name that was
 * made to point here (DNS rebinding) is not one of ours. Programs send neither.
 *
 * @throws HttpError 403
 */
export function refuseBrowsers(request: IncomingMessage): void {
  if (request.headers.origin !== undefined) {
    throw new HttpError(403, 'permission_error', 'Requests of web pages are refused.');
  }
  const host = (request.headers.host ?? '').toLowerCase();
  const port = request.socket.localPort;
  // The usual port of HTTP is left out of the header.
  const wanted = NAMES.flatMap((name) => (port === 80 ? [name, `${name}:80`] : `${name}:${port}`));
  if (wanted.includes(host)) return;
  throw new HttpError(403, 'permission_error', 'The request names another host or port.');
}
