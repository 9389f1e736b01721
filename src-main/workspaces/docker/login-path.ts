import { shellWord } from '../shell/quote.ts';
import type { Workspace } from '../types.ts';

/** A login shell of bash reads the first of them that is there. */
const PROFILES = ['~/.bash_profile', '~/.bash_login', '~/.profile'] as const;

/**
 * Commands run in login shells, whose `/etc/profile` sets `PATH` anew in most images: what the image
 * put there (its Go, its virtual environment) would not be found. The profile of the home folder is
 * read after it, and says the image's `PATH` again.
 */
export async function keepLoginPath(
  workspace: Pick<Workspace, 'readFile' | 'writeFile'>,
  path: string,
): Promise<void> {
  const line = `export PATH=${shellWord(path)}\n`;
  for (const profile of PROFILES) {
    const present = await workspace.readFile(profile);
    if (present === undefined && profile !== '~/.profile') continue;
    const before = present?.bytes ?? new Uint8Array();
    await workspace.writeFile(profile, Buffer.concat([before, Buffer.from(line)]));
    return;
  }
}
