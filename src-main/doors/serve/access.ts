import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Wrong tokens after which no token is taken any more: nobody mistypes a link that often. */
export const MAX_WRONG_TOKENS = 10;

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
  /** `counts`: a wrong one is held against the server's safety; not so what any web site can cause. */
  redeem(token: string, options: { counts: boolean }): Redeemed;
  isKnown(cookie: string | null): boolean;
}

/** @param onChange told when there is another token, or `null` when none is taken any more */
export function createAccess(onChange: (token: string | null) => void): Access {
  let token = newSecret();
  let wrong = 0;
  const browsers: Buffer[] = [];
  return {
    token: () => token,
    redeem(given, { counts }) {
      if (wrong >= MAX_WRONG_TOKENS) return { state: 'locked' };
      if (!isSame(digest(given), digest(token))) {
        if (counts) wrong += 1;
        if (counts && wrong === MAX_WRONG_TOKENS) onChange(null);
        return { state: 'wrong' };
      }
      const cookie = newSecret();
      browsers.push(digest(cookie));
      if (browsers.length > MAX_BROWSERS) browsers.shift();
      token = newSecret();
      onChange(token);
      return { state: 'accepted', cookie };
    },
    isKnown(cookie) {
      if (cookie === null) return false;
      const given = digest(cookie);
      // All are compared, so that the time tells nothing.
      return browsers.filter((known) => isSame(known, given)).length > 0;
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

function isSame(one: Buffer, other: Buffer): boolean {
  return timingSafeEqual(one, other);
}
