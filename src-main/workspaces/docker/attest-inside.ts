import type { SandboxPort } from '../shell/exec-stream.ts';
import type { AttestationRow } from '../types.ts';
import { identityOf, type ContainerSpec } from './container-options.ts';

/** Runtimes with a kernel of their own report no seccomp filter of the host. */
const HOST_KERNEL_RUNTIMES = new Set(['runc', 'crun', 'io.containerd.runc.v2', undefined]);
const PROBE_TIMEOUT_MS = 10_000;

/** Prints what the kernel says of a process of the workspace's user, one section per `=NAME`. */
const PROBE = `
echo =status; cat /proc/self/status
echo =net; for i in /sys/class/net/*; do echo "$i"; done
echo =mounts; cat /proc/mounts
echo =memory; cat /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory/memory.limit_in_bytes
echo =pids; cat /sys/fs/cgroup/pids.max /sys/fs/cgroup/pids/pids.max
echo =init; cat /proc/1/comm
echo =write; if (: >/.vivarium-probe); then rm -f /.vivarium-probe; echo yes; else echo no; fi
echo =socket; for s in /var/run/docker.sock /run/docker.sock; do [ -e $s ] && echo $s; done
echo =end
`;

/** What a process inside sees, against what the hardening must lead to. */
export async function insideRows(
  port: SandboxPort,
  spec: Omit<ContainerSpec, 'imageId' | 'imageVolumes' | 'labels'>,
): Promise<AttestationRow[]> {
  const { limits, runtime, writable } = spec;
  const sections = parseSections(await probe(port));
  const rows: AttestationRow[] = [];
  const row = (check: string, expected: string, found: string) =>
    rows.push({ check, from: 'inside', expected, found });
  const status = (name: string) =>
    new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(sections['status'] ?? '')?.[1]?.trim() ?? 'unknown';
  const sameId = Array.from({ length: 4 }, () => identityOf(spec).uid).join('\t');
  row('Uid', sameId, status('Uid'));
  row('Gid', sameId, status('Gid'));
  for (const set of ['CapEff', 'CapPrm', 'CapBnd']) row(set, '0000000000000000', status(set));
  row('NoNewPrivs', '1', status('NoNewPrivs'));
  if (HOST_KERNEL_RUNTIMES.has(runtime)) row('Seccomp', '2', status('Seccomp'));
  row('network', '/sys/class/net/lo', lines(sections['net']).join(', ') || 'unknown');
  row('writes to /', writable ? 'yes' : 'no', lines(sections['write'])[0] ?? 'unknown');
  row('init', 'yes', /init|tini/.test(sections['init'] ?? '') ? 'yes' : 'no');
  row('engine socket', 'none', lines(sections['socket']).join(', ') || 'none');
  for (const check of mountRows(sections['mounts'] ?? '', spec)) rows.push(check);
  // A runtime may hide the control groups; what is visible must fit.
  const memory = lines(sections['memory'])[0];
  if (memory !== undefined) row('memory limit', String(pageRounded(limits.memoryBytes)), memory);
  const pids = lines(sections['pids'])[0];
  if (pids !== undefined) row('pids limit', String(limits.pids), pids);
  return rows;
}

async function probe(port: SandboxPort): Promise<string> {
  const stream = await port.exec(['sh', '-c', `exec 2>/dev/null\n${PROBE}`]);
  const chunks: Buffer[] = [];
  stream.onOutput((name, chunk) => {
    if (name === 'stdout') chunks.push(chunk);
  });
  const timer = setTimeout(() => stream.destroy(), PROBE_TIMEOUT_MS);
  await stream.ended;
  clearTimeout(timer);
  return Buffer.concat(chunks).toString();
}

function parseSections(text: string): Record<string, string> {
  const parts = text.split(/^=(\w+)$/m).slice(1);
  const sections: Record<string, string> = {};
  for (let at = 0; at + 1 < parts.length; at += 2) sections[parts[at] ?? ''] = parts[at + 1] ?? '';
  return sections;
}

function lines(section: string | undefined): string[] {
  return (section ?? '').split('\n').filter((line) => line !== '');
}

function mountRows(
  mounts: string,
  spec: Pick<ContainerSpec, 'root' | 'scratch' | 'writable'>,
): AttestationRow[] {
  const options = (target: string) =>
    lines(mounts)
      .map((line) => line.split(' '))
      // The last mount on a place is the one that counts.
      .findLast((fields) => fields[1] === target)?.[3]
      ?.split(',') ?? [];
  const row = (target: string, wanted: string[]): AttestationRow => ({
    check: `mount ${target}`,
    from: 'inside',
    expected: wanted.join(','),
    found: wanted.filter((option) => options(target).includes(option)).join(',') || 'none of these',
  });
  const home = spec.writable ? [] : [identityOf(spec).home];
  const disks = [spec.root, '/tmp', ...home, ...spec.scratch];
  return [
    row('/', [spec.writable ? 'rw' : 'ro']),
    ...disks.map((target) => row(target, ['rw', 'nosuid', 'nodev'])),
  ];
}

/** The kernel keeps limits in whole pages. */
function pageRounded(bytes: number): number {
  return Math.floor(bytes / 4096) * 4096;
}
