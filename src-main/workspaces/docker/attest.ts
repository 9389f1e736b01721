import type Docker from 'dockerode';
import { VivariumError } from '../../lib/index.ts';
import type { SandboxPort } from '../shell/exec-stream.ts';
import type { AttestationRow, WorkspaceLimits } from '../types.ts';
import { engineRows } from './attest-engine.ts';
import { insideRows } from './attest-inside.ts';
import type { ContainerSpec } from './container-options.ts';

/**
 * Proves how a running container is locked down: the engine's record is compared with what was
 * asked for (it ignores members it does not know), and the kernel's view from inside with what
 * that must lead to.
 * @throws VivariumError `hardening_refused` naming every difference.
 */
export async function attest(
  container: Docker.Container,
  port: SandboxPort,
  spec: ContainerSpec,
): Promise<AttestationRow[]> {
  const [outside, inside] = await Promise.all([
    container.inspect().then((found) => engineRows(found, spec)),
    insideRows(port, spec),
  ]);
  const rows = [...outside, ...inside];
  const differences = rows.filter((row) => row.expected !== row.found);
  if (differences.length === 0) return rows;
  const list = differences.map((row) => `${row.check} is ${row.found}, not ${row.expected}`);
  throw new VivariumError(
    'hardening_refused',
    `The workspace is not locked down as asked: ${list.join('; ')}.`,
    'Run `vivarium doctor`; use an engine that enforces these limits.',
  );
}

/** Rows that say which limits were cut to fit the machine. */
export function cutRows(wanted: WorkspaceLimits, given: WorkspaceLimits): AttestationRow[] {
  const names = ['memoryBytes', 'cpus', 'pids', 'diskBytes', 'inodes'] as const;
  return names
    .filter((name) => wanted[name] !== given[name])
    .map((name) => ({
      check: `${name} cut to fit the machine`,
      from: 'engine',
      expected: String(wanted[name]),
      found: String(given[name]),
    }));
}
