import type { IncomingHttpHeaders } from 'node:http';

/** Why a request is refused, before anything else is looked at. */
export type Refusal = 'foreign_host' | 'foreign_origin' | 'foreign_site' | 'method';

/** What the judgement rests on. */
export interface RequestFacts {
  method: string;
  headers: IncomingHttpHeaders;
  /** Port that is listened on. */
  port: number;
}

/**
 * Refuses what did not come from our own page or from a person's own navigation: other names for this
 * address (DNS rebinding), other origins, requests that other sites make. `null` = go on.
 */
export function judgeRequest({ method, headers, port }: RequestFacts): Refusal | null {
  if (!isOurHost(headers.host, port)) return 'foreign_host';
  const { origin } = headers;
  const isRead = method === 'GET' || method === 'HEAD';
  if (origin !== undefined && !isOurOrigin(headers)) return 'foreign_origin';
  if (!isRead && origin === undefined) return 'foreign_origin';
  if (isForeignSite(headers) && !isNavigation(headers)) return 'foreign_site';
  return isRead ? null : 'method';
}

/** An upgrade always names its origin, and no navigation is one. */
export function judgeUpgrade({ headers, port }: Omit<RequestFacts, 'method'>): Refusal | null {
  if (!isOurHost(headers.host, port)) return 'foreign_host';
  if (!isOurOrigin(headers)) return 'foreign_origin';
  return isForeignSite(headers) ? 'foreign_site' : null;
}

/** Whether another site made the browser come here; a browser then holds back our cookie. */
export function isForeignSite(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

function isNavigation(headers: IncomingHttpHeaders): boolean {
  return headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
}

function isOurHost(host: string | undefined, port: number): boolean {
  return host === `127.0.0.1:${port}` || host === `localhost:${port}`;
}

function isOurOrigin({ origin, host }: IncomingHttpHeaders): boolean {
  return host !== undefined && origin === `http://${host}`;
}
