import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { appFolder, messageOf, VivariumError } from '../../../lib/index.ts';

/** Programs of packages, from the folder beside the archive. */
const PROGRAMS: Readonly<Partial<Record<NodeJS.Platform, string[]>>> = {
  linux: ['vivarium-app'],
  win32: ['Vivarium.exe'],
  darwin: ['MacOS', 'Vivarium'],
};

/** `vivarium app` of a package: starts its program and leaves it running. */
export async function app(): Promise<number> {
  const program = packagedProgram(appFolder(), process.platform);
  if (program === null || !existsSync(program)) {
    throw new VivariumError(
      'usage',
      'the app is no part of this command',
      'Start it with `npm start` in its folder, or use `vivarium serve`.',
    );
  }
  const child = spawn(program, [], { stdio: 'ignore', detached: true });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (fault) =>
      reject(
        new VivariumError(
          'internal',
          `${program} does not start: ${messageOf(fault)}`,
          'Install the package of the app again.',
          fault,
        ),
      ),
    );
  });
  child.unref();
  return 0;
}

/** Where the program of a package is, by its folder beside the archive. Pure. */
export function packagedProgram(folder: string, platform: NodeJS.Platform): string | null {
  const names = PROGRAMS[platform];
  if (names === undefined || !folder.endsWith('.asar.unpacked')) return null;
  return path.resolve(folder, '..', '..', ...names);
}
