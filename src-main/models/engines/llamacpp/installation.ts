import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch as thisArch, platform as thisPlatform } from 'node:process';
import { dirname, join } from 'node:path';
import { messageOf, VivariumError } from '../../../lib/index.ts';
import type { Installation } from '../../servers/types.ts';

export type Backend = 'cpu' | 'cuda' | 'vulkan' | 'metal';

const PLATFORM_NAMES: Readonly<Record<string, string>> = {
  linux: 'linux',
  darwin: 'mac',
  win32: 'win',
};
const SHOWN: Readonly<Record<Backend, string>> = {
  cpu: 'CPU',
  cuda: 'CUDA',
  vulkan: 'Vulkan',
  metal: 'Metal',
};

/**
 * The llama.cpp that came with node-llama-cpp and the backends its packages hold for this machine.
 * Only files are looked at: the native code is loaded in the engine's own process.
 *
 * @throws VivariumError `engine_missing` when the package or a binary for this machine is not there.
 */
export function findInstallation(entry: string): Installation {
  const { folder, version } = findPackage();
  const backends = findBackends(join(folder, '..', '@node-llama-cpp'));
  if (backends.length === 0) {
    throw new VivariumError(
      'engine_missing',
      `node-llama-cpp ${version} has no binary for ${thisPlatform} on ${thisArch} beside ${folder}.`,
      'Run the set-up again (npm ci) on this machine, or use another engine.',
    );
  }
  const offered = backends.map((backend) => SHOWN[backend]).join(', ');
  return {
    engine: 'llamacpp',
    command: [entry],
    version,
    flags: null,
    choices: new Map([['backend', backends]]),
    shown: `node-llama-cpp ${version} (llama.cpp ${releaseOf(folder)}; ${offered})`,
  };
}

function findPackage(): { folder: string; version: string } {
  try {
    const main = createRequire(import.meta.url).resolve('node-llama-cpp');
    const folder = dirname(dirname(main));
    return { folder, version: readMember(join(folder, 'package.json'), 'version') };
  } catch (error) {
    throw new VivariumError(
      'engine_missing',
      `The package node-llama-cpp is not installed: ${messageOf(error)}`,
      'Run the set-up again (npm ci), or use another engine.',
      error,
    );
  }
}

/** Packages are named `linux-x64`, `linux-x64-cuda`, `mac-arm64-metal`; each holds `bins/`. */
function findBackends(folder: string): Backend[] {
  const base = `${PLATFORM_NAMES[thisPlatform] ?? thisPlatform}-${thisArch}`;
  const found = new Set<Backend>();
  for (const name of listFolder(folder)) {
    if (name !== base && !name.startsWith(`${base}-`)) continue;
    if (listFolder(join(folder, name, 'bins')).length === 0) continue;
    const suffix = name.slice(base.length + 1);
    if (suffix === 'vulkan' || suffix === 'metal' || suffix === 'cuda') found.add(suffix);
    if (suffix === '') found.add('cpu');
  }
  // The Metal build runs on processor cores as well.
  if (found.has('metal')) found.add('cpu');
  const order: Backend[] = ['cpu', 'cuda', 'vulkan', 'metal'];
  return order.filter((backend) => found.has(backend));
}

function releaseOf(folder: string): string {
  try {
    return readMember(join(folder, 'llama', 'binariesGithubRelease.json'), 'release');
  } catch {
    return 'of unknown release';
  }
}

function readMember(file: string, member: string): string {
  const content = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  return String(content[member]);
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
