import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { BrowserFile, KnownBrowser } from './browser-file.ts';

/** Wrong tokens after which no token is taken any more: nobody mistypes a link that often. */
export const MAX_WRONG_TOKENS = 10;

/** A browser that does not come for so long is forgotten. */
export const KNOWN_FOR_MS = 7 * 24 * 60 * 60 * 1000;

/** Coming again counts, but is written only so often. */
const RENEWED_AFTER_MS = 24 * 60 * 60 * 1000;

/** Browsers that are known at a time; the one that came first is forgotten. */
const MAX_BROWSERS = 64;

const SECRET_BYTES = 32;

export type Redeemed =
  /** The value of the cookie that the browser is known by from now on. */
  { state: 'accepted'; cookie: string } | { state: 'wrong' } | { state: 'locked' };

/** Who may use this server: browsers that came with a token, each token once. */
export interface Access {
  /** The token that is good now; another one after it was used. */
  token(): string;
  /**
   * `counts`: a wrong one is held against the server's safety; not so what any web site can cause.
   * `user`: whom of this machine the browser runs for, `null` where that cannot be told.
   */
  redeem(token: string, options: { counts: boolean; user: number | null }): Redeemed;
  /** Whether a cookie is that of a known browser of that user. */
  isKnown(cookie: string | null, user: () => number | null): boolean;
}

export interface AccessOptions {
  /** What cookies are good for: the address served. One for another address is worth nothing. */
  scope: string;
  /** Keeps who is known; only hashes, so that whoever reads it has no cookie. */
  browsers: BrowserFile;
  /** Told when there is another token, or `null` when none is taken any more. */
  onChange: (token: string | null) => void;
  now?: () => number;
}

export function createAccess({ scope, browsers, onChange, now = Date.now }: AccessOptions): Access {
  let token = newSecret();
  let wrong = 0;
  let known = browsers.read();
  const keep = (changed: KnownBrowser[]): void => {
    known = changed;
    browsers.write(known);
  };
  const hashOf = (cookie: string): string => digest(`${scope}\n${cookie}`).toString('hex');
  return {
    token: () => token,
    redeem(given, { counts, user }) {
      if (wrong >= MAX_WRONG_TOKENS) return { state: 'locked' };
      if (!timingSafeEqual(digest(given), digest(token))) {
        if (counts) wrong += 1;
        if (counts && wrong === MAX_WRONG_TOKENS) onChange(null);
        return { state: 'wrong' };
      }
      // Used up whatever comes of it.
      token = newSecret();
      onChange(token);
      const cookie = newSecret();
      const browser = { hash: hashOf(cookie), user, expiresAt: now() + KNOWN_FOR_MS };
      keep([...known, browser].slice(-MAX_BROWSERS));
      return { state: 'accepted', cookie };
    },
    isKnown(cookie, user) {
      if (cookie === null) return false;
      const given = Buffer.from(hashOf(cookie), 'hex');
      // All are compared, so that the time tells nothing.
      const isSame = ({ hash }: KnownBrowser): boolean =>
        timingSafeEqual(Buffer.from(hash, 'hex'), given);
      const found = known.map((one) => (isSame(one) ? one : null)).find((one) => one !== null);
      if (found === undefined || found.expiresAt <= now() || found.user !== user()) return false;
      const expiresAt = now() + KNOWN_FOR_MS;
      if (expiresAt - found.expiresAt > RENEWED_AFTER_MS) {
        keep(known.map((one) => (one === found ? { ...one, expiresAt } : one)));
      }
      return true;
    },
  };
}

function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** Of equal length, whatever was sent. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
