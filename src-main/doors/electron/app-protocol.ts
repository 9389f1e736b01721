import { cacheControl, readAsset, SECURITY_HEADERS } from '../assets/index.ts';
import { APP_ORIGIN, isAppUrl } from './is-app-url.ts';

/** Told to Electron before it is ready; nothing more is granted than pages need. */
export const APP_SCHEME = {
  scheme: 'app',
  privileges: { standard: true, secure: true, supportFetchAPI: true },
} as const;

const NOT_BUILT = 'The pages of Vivarium are not built yet.\nRun `npm run build` in its folder.\n';

/** Answers a request for `app://ui/...` from the built pages, with the headers of the other door. */
export async function answerAppRequest(
  renderer: string,
  { url, method }: Pick<Request, 'url' | 'method'>,
): Promise<Response> {
  if (!isAppUrl(url)) return plain(403, 'This is no name of the app.\n');
  if (method !== 'GET' && method !== 'HEAD') return plain(405, 'Only GET and HEAD.\n');
  // As it was sent: what is checked is what is opened.
  const [path = ''] = url.slice(APP_ORIGIN.length).split(/[?#]/, 1);
  const found = await readAsset(renderer, path === '' ? '/' : path);
  if (found === null) return path === '/' ? plain(503, NOT_BUILT) : plain(404, 'Not found.\n');
  const { bytes, type, hashed } = found;
  // Read for this answer alone, so that it may be handed on without a copy.
  const body = method === 'HEAD' ? null : (bytes as Uint8Array<ArrayBuffer>);
  return new Response(body, {
    status: 200,
    headers: { ...SECURITY_HEADERS, 'Content-Type': type, 'Cache-Control': cacheControl(hashed) },
  });
}

function plain(status: number, body: string): Response {
  return new Response(body, {
    status,
    headers: {
      ...SECURITY_HEADERS,
      'Content-Type': 'text/plain; charset=utf-8',
      'Cache-Control': cacheControl(false),
    },
  });
}
