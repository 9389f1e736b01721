import { stringify } from 'smol-toml';
import type { NewTask } from './types.ts';

const MIB = 1024 * 1024;
const MAX_DESCRIPTION = 200;

/** Text of `task.toml` in Harbor's schema 1.4; what Harbor has no word for is in `[metadata.vivarium]`. */
export function newTaskToml(task: NewTask, treeFile: string): string {
  const { verifier, source } = task;
  const { cpus = null, memoryBytes = null, diskBytes = null } = task.limits ?? {};
  const isArchive = task.tree !== null;
  return stringify({
    schema_version: '1.4',
    task: {
      name: `vivarium/${task.name}`,
      description: firstLine(task.instruction),
      keywords: [...(task.keywords ?? [])],
    },
    metadata: {
      vivarium: {
        ...source,
        image: task.image,
        workdir: task.workdir,
        ...(isArchive && { tree: treeFile }),
        ...(task.hide && { hide: [...task.hide] }),
        verifier: {
          on: verifier.on,
          reader: verifier.reader.kind,
          ...(verifier.reader.kind === 'swe-bench' && {
            parser: verifier.reader.parser,
            fail_only: verifier.reader.failOnly,
          }),
          protect: [...(verifier.protect ?? [])],
        },
      },
    },
    agent: { ...(task.agentTimeoutMs !== null && { timeout_sec: task.agentTimeoutMs / 1000 }) },
    verifier: { timeout_sec: verifier.timeoutMs / 1000, env: { ...verifier.env } },
    environment: {
      // With an image named here Harbor would not add the tree of the Dockerfile.
      ...(!isArchive && { docker_image: task.image }),
      workdir: task.workdir,
      network_mode: 'no-network',
      ...(cpus !== null && { cpus }),
      ...(memoryBytes !== null && { memory_mb: Math.ceil(memoryBytes / MIB) }),
      ...(diskBytes !== null && { storage_mb: Math.ceil(diskBytes / MIB) }),
    },
  });
}

function firstLine(text: string): string {
  const line = text.trim().split('\n')[0] ?? '';
  return line.length > MAX_DESCRIPTION ? `${line.slice(0, MAX_DESCRIPTION - 1)}…` : line;
}
