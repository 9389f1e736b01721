import type { IncomingMessage, ServerResponse } from 'node:http';
import { cacheControl, readAsset, SECURITY_HEADERS } from '../assets/index.ts';
import type { Access } from './access.ts';
import { readCookie, setCookie } from './cookie.ts';
import { isForeignSite, judgeRequest, type Refusal } from './judge.ts';
import { peerUser } from './peer-user.ts';

export interface Site {
  access: Access;
  port: number;
  /** Folder of the built pages. */
  renderer: string;
  /** File that holds a link which was not used yet. */
  linkFile: string;
}

interface Answer {
  status: number;
  body: string | Uint8Array;
  headers?: Record<string, string>;
}

const REFUSALS: Readonly<Record<Refusal, Answer>> = {
  foreign_host: { status: 403, body: 'This is no name of this server.\n' },
  foreign_origin: { status: 403, body: 'Requests of other pages are refused.\n' },
  foreign_site: { status: 403, body: 'Requests of other sites are refused.\n' },
  method: { status: 405, body: 'Only GET and HEAD.\n', headers: { Allow: 'GET, HEAD' } },
};

const NOT_BUILT = `The pages of Vivarium are not built yet.
Run \`npm run build\` in its folder, then load this page again.
`;

/** Answers one request; the body of a request is never read. */
export async function answerRequest(
  site: Site,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { status, body, headers } = await decide(site, request);
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  response.writeHead(status, {
    ...SECURITY_HEADERS,
    'Cache-Control': cacheControl(false),
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': String(bytes.length),
    ...headers,
  });
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

async function decide(site: Site, request: IncomingMessage): Promise<Answer> {
  const { headers, method = '', url = '' } = request;
  const refusal = judgeRequest({ method, headers, port: site.port });
  if (refusal !== null) return REFUSALS[refusal];
  const [path = '', query = ''] = url.split('?', 2);
  const isKnown = site.access.isKnown(readCookie(headers.cookie, site.port), () =>
    peerUser(request.socket),
  );
  const token = path === '/' ? new URLSearchParams(query).get('token') : null;
  if (token !== null) return isKnown ? toFrontPage({}) : redeem(site, request, token);
  if (!isKnown) return unknownBrowser(site);
  if (path === '/session') return { status: 204, body: '' };
  return asset(site, path);
}

/** The token leaves the address at once, so that no bookmark or history holds one that is good. */
function redeem(
  { access, port, linkFile }: Site,
  { headers, socket }: IncomingMessage,
  token: string,
): Answer {
  const redeemed = access.redeem(token, {
    counts: !isForeignSite(headers),
    user: peerUser(socket),
  });
  if (redeemed.state === 'locked') {
    return {
      status: 429,
      body: 'Too many wrong links were tried. End `vivarium serve` and start it again.\n',
    };
  }
  if (redeemed.state === 'wrong') {
    return {
      status: 401,
      body: `This link is wrong or was used before; each is good once.\nA fresh one is in ${linkFile}\n`,
    };
  }
  const cookie = { 'Set-Cookie': setCookie(port, redeemed.cookie) };
  if (!isForeignSite(headers)) return toFrontPage(cookie);
  // Followed from another page, a redirect would come without the cookie it has just set.
  return { status: 200, body: 'Opening Vivarium.\n', headers: { ...cookie, Refresh: '0; url=/' } };
}

function toFrontPage(headers: Record<string, string>): Answer {
  return { status: 303, body: '', headers: { ...headers, Location: '/' } };
}

function unknownBrowser({ linkFile }: Site): Answer {
  return {
    status: 401,
    body: `This browser is not known here.\nOpen the link that \`vivarium serve\` printed, or the one in ${linkFile}\n`,
  };
}

async function asset({ renderer }: Site, path: string): Promise<Answer> {
  const found = await readAsset(renderer, path);
  if (found === null) {
    return path === '/' ? { status: 503, body: NOT_BUILT } : { status: 404, body: 'Not found.\n' };
  }
  const { bytes, type, hashed } = found;
  return {
    status: 200,
    body: bytes,
    headers: { 'Content-Type': type, 'Cache-Control': cacheControl(hashed) },
  };
}
