import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

export interface OpenedBrowser {
  /** Removes the file that the browser was started with. */
  forget(): void;
}

/**
 * Opens a link in the user's browser. Other users see command lines, so the browser is given a file
 * that only this user can read, which leads on to the link. `onFailure` is told when none starts.
 */
export function openBrowser(
  link: string,
  linkFile: string,
  onFailure: (message: string) => void,
): OpenedBrowser {
  const page = linkFile.replace(/\.url$/, '.html');
  rmSync(page, { force: true });
  writeFileSync(page, pageTo(link), { mode: 0o600, flag: 'wx' });
  const [program = '', ...words] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...words, pathToFileURL(page).href], {
    stdio: 'ignore',
    detached: true,
  });
  child.on('error', (error) => onFailure(`${program}: ${error.message}`));
  child.on('exit', (code) => {
    if (code !== 0 && code !== null) onFailure(`${program} ended with ${code}`);
  });
  child.unref();
  return { forget: () => rmSync(page, { force: true }) };
}

/** The link is ours: an address and a token in the alphabet of base64url. */
function pageTo(link: string): string {
  return `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0; url=${link}"><title>Vivarium</title>\n`;
}
