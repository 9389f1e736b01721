import { setTimeout as delay } from 'node:timers/promises';
import type Docker from 'dockerode';
import { formatSize } from '../../lib/index.ts';
import type { SandboxPort } from '../shell/exec-stream.ts';
import type { ContainerSpec } from './container-options.ts';

/** The engine reads the whole layer for an answer. */
const PAUSE_MS = 3_000;

/**
 * Bounds what a container writes on the image's disk, which most engines cannot (a quota needs XFS
 * with project quotas): looks every few seconds and ends the container once it holds more than its
 * disk limit. The kernel bounds single files meanwhile. A read-only image needs no watch.
 */
export function watchLayer(
  container: Docker.Container,
  spec: Pick<ContainerSpec, 'writable' | 'limits'>,
  port: SandboxPort,
): { port: SandboxPort; end: () => void } {
  if (!spec.writable) return { port, end: () => undefined };
  const stop = new AbortController();
  let reason: string | undefined;
  const watch = async (): Promise<void> => {
    for (;;) {
      await delay(PAUSE_MS, undefined, { signal: stop.signal, ref: false });
      const bytes = await layerBytes(container);
      if (bytes <= spec.limits.diskBytes) continue;
      const limit = formatSize(spec.limits.diskBytes);
      reason = `it wrote more than its disk limit of ${limit} on the image's disk`;
      await port.kill();
      return;
    }
  };
  // Ended by us, or the container is gone: its end is told by its keeper.
  void watch().catch(() => undefined);
  return {
    port: {
      ...port,
      goneReason: async () => {
        const gone = await port.goneReason();
        return gone === undefined ? undefined : (reason ?? gone);
      },
    },
    end: () => stop.abort(),
  };
}

async function layerBytes(container: Docker.Container): Promise<number> {
  // The client's types know neither the option nor the member.
  const inspect = container.inspect.bind(container) as (options: object) => Promise<object>;
  const found = await inspect({ size: true });
  return 'SizeRw' in found && typeof found.SizeRw === 'number' ? found.SizeRw : 0;
}
