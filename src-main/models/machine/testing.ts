import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { Places } from './places.ts';

/** A folder that goes away with the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'vivarium-machine-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Lays out files as the kernel does; `proc/...` and `cgroup/...`, the latter mounted there. */
export function kernelFiles(files: Readonly<Record<string, string>>): Places {
  const root = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(root, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return { proc: path.join(root, 'proc'), mounts: root };
}

/** An executable `nvidia-smi` in a folder of its own, which is returned. */
export function standIn(script: string): string {
  const folder = temporaryFolder();
  const file = path.join(folder, 'nvidia-smi');
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return folder;
}
