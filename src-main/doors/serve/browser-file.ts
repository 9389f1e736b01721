import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { writeOwnSync } from '../../lib/index.ts';

/** A browser that came with a good link, as it is kept: its cookie cannot be made from this. */
export interface KnownBrowser {
  /** Of its cookie, in hexadecimal digits. */
  hash: string;
  /** The user of this machine that it runs for; `null` where the system does not say. */
  user: number | null;
  /** Epoch ms. */
  expiresAt: number;
}

export interface BrowserFile {
  read(): KnownBrowser[];
  write(browsers: readonly KnownBrowser[]): void;
}

const OURS = /^(\d+)\.browsers\.json$/;

/**
 * The browsers that a port is open for, in a file that only this user can read: they stay known when
 * the server is started again. What is past is removed here, of other ports too.
 *
 * @param folder exists, for this user only
 */
export function openBrowserFile(folder: string, port: number, now = Date.now): BrowserFile {
  const file = path.join(folder, `${port}.browsers.json`);
  for (const name of readdirSync(folder)) {
    const isPast = OURS.test(name) && readFile(path.join(folder, name), now()).length === 0;
    if (isPast) rmSync(path.join(folder, name), { force: true });
  }
  return {
    read: () => readFile(file, now()),
    write(browsers) {
      try {
        writeOwnSync(file, JSON.stringify(browsers, null, 1));
      } catch {
        // A full disk: they are known as long as this server runs.
      }
    },
  };
}

/** Forgets the browsers of a port, and those of ports that nobody serves. */
export function forgetBrowsers(folder: string, isServed: (port: number) => boolean): void {
  for (const name of readdirSync(folder)) {
    const port = OURS.exec(name)?.[1];
    if (port === undefined || isServed(Number(port))) continue;
    rmSync(path.join(folder, name), { force: true });
  }
}

/** Those that are not past; none where the file is not as we write it. */
function readFile(file: string, now: number): KnownBrowser[] {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return Array.isArray(value) && value.every(isKnownBrowser)
      ? value.filter(({ expiresAt }) => expiresAt > now)
      : [];
  } catch {
    return [];
  }
}

function isKnownBrowser(value: unknown): value is KnownBrowser {
  if (typeof value !== 'object' || value === null) return false;
  const { hash, user, expiresAt } = value as Partial<Record<keyof KnownBrowser, unknown>>;
  return (
    typeof hash === 'string' &&
    /^[0-9a-f]{64}$/.test(hash) &&
    (user === null || typeof user === 'number') &&
    typeof expiresAt === 'number'
  );
}
